"""Playing until it is sure: it stops when it may, says what is not sure, and pays for its looks."""

import numpy as np
import pytest

from flip7sim import strategy
from flip7sim.errors import Flip7Error
from flip7sim.runs.simulate import simulate
from flip7sim.sequential import FIRST_BLOCKS, Goal, play_until, unsure
from flip7sim.tournaments import plan, tournament

FOUR = ["stop-at(score=25)", "expected-gain", "random(p=0.2)", "always-stay"]


def test_it_stops_at_the_first_look_that_is_sure_enough():
    what, counts = play_until(plan(FOUR, games=400_000), Goal(0.01))
    assert counts.games == sum(what.games) == FIRST_BLOCKS * 4 * 2 ** (counts.looks - 1)
    assert counts.games < 400_000
    assert unsure(what, counts, Goal(0.01)) == []
    assert unsure(what, counts, Goal(0.0001))


def test_it_plays_the_games_that_a_run_of_that_length_plays():
    what, counts = play_until(plan(FOUR, games=400_000), Goal(0.02))
    whole = simulate(what)
    assert all(np.array_equal(one, other) for one, other in zip(counts.arrays, whole.arrays, strict=True))
    assert len(counts.batches) == len(whole.batches)


def test_it_does_not_play_more_than_it_may():
    what, counts = play_until(plan(FOUR, games=3001), Goal(0.0001))
    assert counts.games == sum(what.games) == 3001
    assert "stop-at(score=25)" in unsure(what, counts, Goal(0.0001))


def test_to_decide_takes_fewer_games_where_the_answer_is_clear():
    clear = play_until(plan(["stop-at(score=25)", "always-stay"], 2, 10**6), Goal(0.001, decide=True))[1]
    close = play_until(plan(["stop-at(score=27)", "stop-at(score=28)"], 2, 40_000), Goal(0.001, decide=True))[1]
    assert clear.looks == 1
    assert close.games == 40_000


def test_intervals_pay_for_the_looks():
    usual = tournament(FOUR, games=2**12)
    looked = tournament(FOUR, games=10**6, precision=0.017)
    assert looked.manifest["looks"] >= 5
    same = tournament(FOUR, games=looked.counts.games)
    assert (looked.tables.summary["win_rate"] == same.tables.summary["win_rate"]).all()
    assert (looked.tables.summary["win_rate_low"] < same.tables.summary["win_rate_low"]).any()
    assert (looked.tables.differences["p_holm"] >= same.tables.differences["p_holm"]).all()
    assert usual.manifest["looks"] == 0
    assert "unsure" not in usual.manifest


@pytest.mark.parametrize("precision", [0, -1, 1, float("nan")])
def test_a_precision_that_cannot_be_is_refused(precision):
    with pytest.raises(Flip7Error, match="precision"):
        Goal(precision)


@pytest.mark.slow
def test_equals_are_decided_wrongly_in_five_per_cent_of_runs_at_most():
    @strategy(name="twin-of-25")
    def twin(me, table, score=25):
        """The same as stop-at."""
        return me.score < score

    wrong = 0
    runs = 200
    for seed in range(runs):
        what, counts = play_until(plan(["stop-at(score=25)", twin], 2, 4096, seed), Goal(1e-5, decide=True), jobs=1)
        wrong += not unsure(what, counts, Goal(1e-5, decide=True))
    # at most 5 % of 200 are promised, 10; far fewer are to be expected, as the looks depend on each other
    assert wrong <= 10
