"""A run is a function of its seed, and comes to the known figures."""

import copy
import math
import signal
from dataclasses import replace

import numpy as np
import pytest
from helpers import csv_texts

from flip7sim import strategy
from flip7sim.engine.batch import BUSTS, FLIP7S, GAMES, ROUNDS, SCORE, WINS
from flip7sim.errors import Flip7Error
from flip7sim.replays.simulated import simulated_game
from flip7sim.rules import Rules
from flip7sim.runs import simulate as simulation
from flip7sim.runs.counts import MOST_BATCHES, Counts, batch_length
from flip7sim.runs.simulate import simulate
from flip7sim.stats.intervals import ratio_error
from flip7sim.tournaments import plan, tournament

FIVE = ["stop-at(score=25)", "bust-limit(p=0.3)", "random(p=0.2,target=random)", "expected-gain", "stop-at-cards"]


def same_counts(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one.arrays, other.arrays, strict=True))


# A function of the seed


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_jobs_does_not_change_a_byte(jobs, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 600)
    one = tournament(FIVE, 3, 1003, seed=5, jobs=1)
    assert csv_texts(tournament(FIVE, 3, 1003, seed=5, jobs=jobs)) == csv_texts(one)


@pytest.mark.parametrize("size", [1, 97, 900, 10**9])
def test_the_size_of_work_items_does_not_change_a_byte(size, monkeypatch):
    usual = tournament(FIVE, 3, 1003, seed=5, jobs=2)
    monkeypatch.setattr(simulation, "ITEM_SEATS", size)
    other = tournament(FIVE, 3, 1003, seed=5, jobs=2)
    assert other.counts.games == 1003
    assert csv_texts(other) == csv_texts(usual)


def test_another_seed_is_another_run():
    one, other = (csv_texts(tournament(FIVE, 3, 200, seed=seed, jobs=1)) for seed in (5, 6))
    assert all(one[name] != other[name] for name in one)


def test_the_order_of_strategies_does_not_change_a_byte():
    one = csv_texts(tournament(FIVE, 3, 600, seed=2, jobs=1))
    for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        other = tournament([FIVE[place] for place in order], 3, 600, seed=2, jobs=1)
        assert csv_texts(other)["summary.csv"] == one["summary.csv"]
        assert csv_texts(other)["lineups.csv"] == one["lineups.csv"]


@pytest.mark.parametrize("size", [1, 2_000, 10**9])
@pytest.mark.parametrize("games", [9, 250, 1100, 6000])
def test_batches_add_up_to_the_run_and_depend_on_its_length_only(size, games, monkeypatch):
    what = plan(FIVE[:3], 3, games, seed=4)
    usual = simulate(what, jobs=1)
    monkeypatch.setattr(simulation, "ITEM_SEATS", size)
    found = simulate(what, jobs=2)
    assert same_counts(found, usual)
    assert len(found.batches) == len(usual.batches)
    for one, other in zip(found.batches, usual.batches, strict=True):
        assert same_counts(one, other)
    for place, array in enumerate(found.arrays):
        assert np.array_equal(sum(counts.arrays[place] for counts in found.batches), array)
    lengths = [counts.blocks for counts in found.batches]
    assert set(lengths[:-1]) <= {batch_length(found.blocks)}
    assert len(lengths) == -(-found.blocks // batch_length(found.blocks))
    assert len(lengths) >= min(found.blocks, MOST_BATCHES // 2)


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_interrupted_run_is_the_run_of_its_first_games(jobs, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 900)
    what = plan(FIVE, 3, 9001, seed=3)
    done = []

    def press_ctrl_c(games):
        done.append(games)
        if len(done) == 4:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    counts = simulate(what, jobs, press_ctrl_c)
    assert signal.getsignal(signal.SIGINT) is before
    assert counts.interrupted
    assert counts.games == done[-1] < 9001
    shorter = replace(what, games=tuple(min(games, counts.blocks * what.players) for games in what.games))
    whole = simulate(shorter, jobs)
    assert not whole.interrupted
    assert (whole.games, whole.blocks) == (counts.games, counts.blocks)
    assert same_counts(counts, whole)


@pytest.mark.parametrize("cuts", [(600,), (9, 90, 4500), (9001,), (3000, 3001, 9000)])
def test_a_run_that_goes_on_from_the_counts_of_a_shorter_one_is_the_run_in_one_go(cuts, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 2_000)
    what = plan(
        FIVE[:4], 3, 9003, seed=4
    )  # 4 line-ups; at the end some have a block more than others, one a part of it
    usual = simulate(what, 2)
    kept = [Counts.empty(what)]
    for games in cuts:
        some = plan(FIVE[:4], 3, games, seed=4)

        def keep(counts, most=some.whole_blocks):
            if counts.blocks <= most:
                kept.append(copy.deepcopy(counts))

        simulate(some, 2, counts=copy.deepcopy(kept[-1]), watch=keep)
    assert kept[-1].blocks == plan(FIVE[:4], 3, cuts[-1], seed=4).whole_blocks
    found = simulate(what, 2, counts=kept[-1])
    assert (found.games, found.blocks, found.interrupted) == (9003, usual.blocks, False)
    assert same_counts(found, usual)
    assert len(found.batches) == len(usual.batches)
    assert all(same_counts(one, other) for one, other in zip(found.batches, usual.batches, strict=True))


def test_what_has_been_played_is_not_cut_short():
    counts = simulate(plan(FIVE[:3], 3, 90, seed=4), 1)
    with pytest.raises(Flip7Error, match="60 are fewer than have been played already"):
        simulate(plan(FIVE[:3], 3, 60, seed=4), 1, counts=counts)


def test_a_longer_run_begins_with_the_games_of_a_shorter_one():
    short, long = (simulate(plan(FIVE[:3], 3, games, seed=4), 1) for games in (60, 90))
    rest = long.sheet.lineups - short.sheet.lineups
    assert (rest[:, :, GAMES] == 30).all()
    assert (rest >= 0).all()


# Others do not matter


def lineups_by_label(what, counts):
    labels = [entrant.label for entrant in what.entrants]
    return {
        tuple(labels[member] for member in lineup): (counts.sheet.lineups[number], counts.sheet.games[number])
        for number, lineup in enumerate(what.lineups)
    }


def test_a_strategy_added_does_not_change_the_games_of_others():
    few, many = plan(FIVE[:4], 3, 4 * 60, seed=8), plan(FIVE, 3, 10 * 60, seed=8)
    before, after = lineups_by_label(few, simulate(few, 1)), lineups_by_label(many, simulate(many, 1))
    assert len(before) == 4
    for lineup, (sums, games) in before.items():
        assert np.array_equal(sums, after[lineup][0])
        assert np.array_equal(games, after[lineup][1])


def test_a_game_told_is_the_game_that_was_counted():
    what = plan(FIVE[:3], 3, 30, seed=8)
    counts = simulate(what, 1)
    labels = [entrant.label for entrant in what.entrants]
    wins = dict.fromkeys(labels, 0)
    for game in range(30):
        told = simulated_game(FIVE[2::-1], 8, what.first_games[0] + game)
        wins[told.entrants[told.finish.winner].label] += 1
    assert [wins[label] for label in labels] == counts.sheet.sums[:3, WINS].tolist()


def test_who_is_in_a_lineup_does_not_change_the_deck_or_the_dealer():
    one, other = (simulated_game(specs, 8, 17) for specs in (FIVE[:3], FIVE[2:]))
    assert one.start.dealer == other.start.dealer
    assert one.finish.shuffles[0] == other.finish.shuffles[0]


# Seats


@pytest.mark.parametrize(("specs", "players"), [(FIVE, 3), (FIVE, 5), (FIVE[:2], 4), (FIVE[:1], 6)])
def test_every_strategy_plays_every_seat_equally_often(specs, players):
    what = plan(specs, players, 1, seed=1)
    what = replace(what, games=(players * 20,) * len(what.lineups))
    games = simulate(what, 1).sheet.seats[:, :, 0]
    assert (games == games[0, 0]).all()
    assert games.sum() == players * 20 * len(what.lineups) * players


def test_in_a_block_everyone_sits_everywhere_once_from_the_same_dealer():
    for block in (0, 3):
        told = [simulated_game(FIVE, 1, block * 5 + turn) for turn in range(5)]
        assert len({game.start.dealer for game in told}) == 1
        for seat in range(5):
            assert len({game.entrants[seat].label for game in told}) == 5


def test_the_first_dealer_is_anyone():
    dealers = [simulated_game(["always-stay"] * 4, 1, 4 * block, Rules.of(max_rounds=1)).start.dealer
               for block in range(400)]  # fmt: skip
    # binomial(400, 1/4): mean 100, standard deviation 8.7
    assert all(abs(dealers.count(seat) - 100) < 4 * 8.7 for seat in range(4))


# Known figures


def assert_near(found, known, known_error=0.0):
    """Within four standard errors of each other."""
    value, error = found
    assert error > 0
    assert abs(value - known) < 4 * math.hypot(error, known_error)


@pytest.mark.slow
def test_four_seats_that_stop_at_28_come_to_the_figures_of_another_program():
    # An independent C program, ten million games: its errors are sqrt(50) times smaller than ours.
    counts = simulate(plan(["stop-at(score=28)"], 4, 200_000, seed=1), 1)
    sums, moments, blocks = counts.sheet.sums, counts.sheet.moments, counts.blocks
    for row, over, under, known, scale in (
        (-1, 2, 0, 8.98036, 1),  # rounds per game
        (-1, 3, 0, 140.7452, 1),  # cards per game
        (0, SCORE, ROUNDS, 19.09945, 1),
        (0, BUSTS, ROUNDS, 0.343957, 1),
        (0, FLIP7S, ROUNDS, 0.006524, 4),  # by any of the four seats
    ):
        ratio, error = ratio_error(sums[row], moments[row], over, under, blocks)
        assert_near((scale * ratio, scale * error), known, scale * error / math.sqrt(50))


@pytest.mark.slow
def test_win_rates_by_strategy_add_up_and_finished_games_have_one_winner():
    counts = simulate(plan(FIVE, 4, 50_000, seed=1), 1)
    assert counts.sheet.games[:, 1].sum() == 0
    assert counts.sheet.sums[:5, WINS].sum() == 50_000
    assert counts.sheet.seats[:, :, 1].sum() == 50_000
    assert counts.histogram.sum() == counts.sheet.sums[:5, ROUNDS].sum()
    assert (counts.histogram * np.arange(counts.histogram.shape[1])).sum() == counts.sheet.sums[:5, SCORE].sum()


#: One seat, one round, a fresh deck, no opening deal, an empty hand must hit: exact, by two independent programs.
#: Threshold: expected score and bust, with a Second Chance in a Flip Three deferred, then immediate.
STOP_AT = {
    10: ((12.763445, 0.044792), (12.770447, 0.044394)),
    20: ((18.165631, 0.190333), (18.187944, 0.189459)),
    23: ((18.840019, 0.248033), (18.868282, 0.247032)),
    27: ((19.073155, 0.317033), (19.108183, 0.315921)),
    30: ((18.779424, 0.373827), (18.819299, 0.372659)),
    40: ((16.120211, 0.546805), (16.169026, 0.545668)),
}
STOP_AT_CARDS = (8.715297, 15.222840, 18.365513, 18.147427, 15.498187, 11.880953, 9.795712)


def one_round(spec, second_chance="deferred"):
    rules = Rules.of("fr-2.0", stay_requires_card="yes", max_rounds=1, flip3_second_chance=second_chance)
    counts = simulate(plan([spec], 1, 300_000, seed=7, rules=rules), 1)
    return [
        ratio_error(counts.sheet.sums[0], counts.sheet.moments[0], over, ROUNDS, counts.blocks)
        for over in (SCORE, BUSTS)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("second_chance", ["deferred", "immediate"])
@pytest.mark.parametrize("score", STOP_AT)
def test_one_seat_that_stops_at_a_score_comes_to_the_exact_figures(score, second_chance):
    score_found, bust_found = one_round(f"stop-at(score={score})", second_chance)
    score_known, bust_known = STOP_AT[score][second_chance == "immediate"]
    assert_near(score_found, score_known)
    assert_near(bust_found, bust_known)


@pytest.mark.slow
@pytest.mark.parametrize("count", range(1, 8))
def test_one_seat_that_stops_at_so_many_cards_comes_to_the_exact_figures(count):
    assert_near(one_round(f"stop-at-cards(count={count})")[0], STOP_AT_CARDS[count - 1])


@pytest.mark.slow
def test_one_seat_that_looks_one_card_ahead_comes_to_the_exact_figure():
    assert_near(one_round("expected-gain")[0], 20.256963)


def test_a_run_with_a_plain_python_strategy_reports_back_often():
    # Ctrl-C is heeded when a work item is done, so an item must be short for a strategy that is slow.
    stays = strategy(lambda me, table: False, name="stays", jit=False)
    what = plan([stays, "always-stay"], 2, 5000, seed=1, rules=Rules.of("fr-2.0", max_rounds=1))
    done = []
    simulate(what, 1, done.append)
    assert done[-1] == 5000
    assert done[0] <= 500
