"""A game that several line-ups would play alike is played once, and counted for each of them."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import wild

from flip7sim import StrategyError, strategy, uniform
from flip7sim.codes import MAX_SUBSTITUTES
from flip7sim.engine.batch import ROUNDS
from flip7sim.engine.substitutes import MAX_NOTED
from flip7sim.policy.registry import Entrant
from flip7sim.rules import Rules
from flip7sim.runs import simulate
from flip7sim.runs.items import prepare
from flip7sim.sweeps.plans import sweep_plan
from flip7sim.tournaments import plan

FIELD = ["stop-at(score=26)", "bust-limit(p=0.3,target=random)", "random(p=0.2,target=random)"]
MANY = [f"stop-at(score={score})" for score in range(22, 22 + 2 * MAX_SUBSTITUTES + 3)]
TABLES = {
    "neighbours": plan(["stop-at(score=27)", "stop-at(score=28)"], games=999, schedule="field", against=FIELD),
    "more than are asked at a time": plan(MANY, games=2000, schedule="field", against=FIELD),
    "several line-ups of the field": plan(MANY[:5], 3, 1501, schedule="field", against=FIELD),
    "chance of their own": plan(
        [f"random(p=0.{p},target=random)" for p in (18, 19, 2)], games=1200, schedule="field", against=FIELD
    ),
    "targets": plan(
        [f"stop-at(score=25,target={target})" for target in ("leader", "weakest", "most-to-lose", "self")],
        games=1200,
        schedule="field",
        against=FIELD,
    ),
    "Vengeance": plan(
        [*MANY[:4], "under-attack", wild], 4, 900, rules="vengeance-brutal", schedule="field", against=FIELD
    ),
    "from totals": sweep_plan(
        "stop-at", {"score": "20:40:2"}, FIELD, games=800, rules="vengeance-brutal", totals=(90, 120, -10, 60)
    ).table,
    "alone": sweep_plan("stop-at", {"score": "20:30"}, games=500, method="simulate").table,
}


def counted(what, shared):
    """The counts of a plan, and how many games had to be played for them."""
    ready = prepare(what)
    if not shared:
        ready.work.followers[:] = -1
    return ready.play(0, what.blocks).counts


@pytest.mark.parametrize("name", TABLES)
def test_it_is_the_same_as_playing_every_game(name):
    every, once = (counted(TABLES[name], shared) for shared in (False, True))
    assert once.games == every.games == sum(TABLES[name].games)
    for mine, theirs in zip(once.arrays, every.arrays, strict=True):
        assert np.array_equal(mine, theirs)


asked = []


@strategy(jit=False)
def nosy(me, table, score=25):
    """Stop at a score, and take note of every game in which it is asked."""
    asked.append(int(table.game))
    return me.score < score


def nosy_at(score):
    return Entrant(nosy, nosy.values({"score": score}), "given", "nosy")


def test_a_game_in_which_strategies_answer_alike_is_played_once():
    what = plan(MANY[:2], 4, 400, schedule="field", against=[nosy_at(25), *FIELD[:2]])
    questions = []
    for shared in (False, True):
        asked.clear()
        counted(what, shared)
        questions.append([asked.count(game) for game in range(200)])
    every, once = np.array(questions)
    # Either both games were played, or one; then the field was asked half as much.
    halved = 2 * once == every
    assert np.all(halved | (once == every))
    assert 50 < halved.sum() < 150


def test_a_strategy_in_plain_python_is_not_asked_on_behalf_of_another():
    what = plan([nosy_at(25), nosy_at(26)], games=40, schedule="field", against=FIELD)
    assert list(prepare(what).work.followers) == [-1, -1]


def test_a_game_too_long_to_be_noted_is_played_for_each():
    rules = Rules.of("fr-2.0").with_options(target_score=10_000, max_rounds=10_000)
    both = ["always-stay", "always-stay(target=self)"]
    what = plan(both, 16, 2, rules=rules, schedule="field", against=["stop-at(score=1)"] * 15)
    every, once = (counted(what, shared) for shared in (False, True))
    assert every.sheet.lineups[0, :, ROUNDS].sum() > MAX_NOTED
    for mine, theirs in zip(once.arrays, every.arrays, strict=True):
        assert np.array_equal(mine, theirs)


@strategy
def faulty(me, table):
    """Raise in round 3, and be like stop-at(score=25) until then."""
    if table.round_number == 3:
        raise ValueError("round three")
    return me.score < 25


def test_a_substitute_that_raises_is_named():
    what = plan(["stop-at(score=25)", faulty], games=8, schedule="field", against=FIELD)
    line = [what.entrants[lineup[0]].label for lineup in what.lineups]
    assert set(line) == {"faulty", "stop-at(score=25)"}
    for lineups in (what.lineups, what.lineups[::-1]):
        with pytest.raises(StrategyError, match=r"strategy faulty raised ValueError: round three, in game 0, at seat"):
            simulate.simulate(replace(what, lineups=lineups), 1)


def test_the_game_of_a_substitute_is_shown_with_the_substitute_in_it():
    what = plan(["stop-at(score=25)", faulty], games=8, schedule="field", against=FIELD)
    with pytest.raises(StrategyError) as failed:
        simulate.simulate(replace(what, lineups=what.lineups[::-1]), 1)
    command = str(failed.value).split("see it with: ")[1]
    assert "--strategy faulty --against" in command
    assert "score=25" not in command


@strategy
def confused(me, table):
    """Answer 7 once it has 20 points, and be like stop-at(score=25) until then."""
    return 7 if me.score >= 20 else 1


def test_a_substitute_with_an_illegal_answer_plays_its_own_game_and_is_named():
    what = plan(["stop-at(score=25)", confused], games=8, schedule="field", against=FIELD)
    for lineups in (what.lineups, what.lineups[::-1]):
        with pytest.raises(StrategyError, match="strategy confused answered 7 to hit or stay"):
            simulate.simulate(replace(what, lineups=lineups), 1)


@strategy
def dice(me, table, p=0.5):
    """Draw a number at every question, and stay now and then."""
    return uniform(me) >= p


def test_line_ups_with_deals_of_their_own_share_nothing():
    what = plan([dice, "stop-at(score=25)", "stop-at(score=26)"], players=2, games=60)
    assert list(prepare(what).work.followers) == [-1, -1, -1]
