"""Errors and intervals are honest, and line-ups share games and seats evenly."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from flip7sim.errors import Flip7Error
from flip7sim.runs.schedule import MAX_LINEUPS, check_players, lineups_of, share_games
from flip7sim.stats.intervals import Z95, effective_size, quantile, ratio_error, wilson
from flip7sim.tournaments import tournament

# Ratios


def blocks_of_counts(seed, blocks):
    """Two correlated counts by block."""
    dice = np.random.default_rng(seed)
    x = dice.poisson(30, blocks) + 1
    return dice.binomial(x, 0.3) + dice.poisson(2, blocks), x


def sums_and_moments(*counts):
    table = np.array(counts).T
    return table.sum(axis=0), np.tril(table.T @ table)


@pytest.mark.parametrize("blocks", [2, 3, 50, 1000])
def test_the_error_of_a_ratio_is_the_linearized_one(blocks):
    y, x = blocks_of_counts(blocks, blocks)
    ratio, error = ratio_error(*sums_and_moments(y, x), 0, 1, blocks)
    assert ratio == pytest.approx(y.sum() / x.sum())
    assert error == pytest.approx(math.sqrt(blocks) * np.std(y - ratio * x, ddof=1) / x.sum())


def test_either_count_can_be_divided_by_the_other():
    y, x = blocks_of_counts(4, 200)
    ratio, error = ratio_error(*sums_and_moments(y, x), 1, 0, 200)
    assert ratio == pytest.approx(x.sum() / y.sum())
    assert error == pytest.approx(math.sqrt(200) * np.std(x - ratio * y, ddof=1) / y.sum())


def test_the_error_of_a_ratio_is_that_of_a_bootstrap():
    blocks, copies = 400, 4000
    y, x = blocks_of_counts(1, blocks)
    _, error = ratio_error(*sums_and_moments(y, x), 0, 1, blocks)
    picks = np.random.default_rng(2).integers(0, blocks, (copies, blocks))
    # The bootstrap's own error is 1 / sqrt(2 * 4000) = 1.1 %, its bias of order 1 / blocks: 5 % is four errors.
    assert error == pytest.approx(np.std(y[picks].sum(axis=1) / x[picks].sum(axis=1)), rel=0.05)


def test_the_error_of_a_mean_is_the_usual_one():
    y = np.random.default_rng(3).poisson(7, 300)
    mean, error = ratio_error(*sums_and_moments(y, np.ones(300, int)), 0, 1, 300)
    assert (mean, error) == pytest.approx((y.mean(), y.std(ddof=1) / math.sqrt(300)))


def test_large_counts_lose_no_digits():
    # All blocks alike but for one point in 10**8: ordinary floats would see no spread at all.
    y = np.array([10**8] * 99 + [10**8 + 1])
    _, error = ratio_error(*sums_and_moments(y, np.ones(100, int)), 0, 1, 100)
    assert error == pytest.approx(y.astype(float).std(ddof=1) / 10, rel=1e-6)


def test_where_nothing_is_known_there_is_no_number():
    sums, moments = np.array([3, 0]), np.zeros((2, 2), int)
    assert all(math.isnan(value) for value in ratio_error(sums, moments, 0, 1, 5))
    ratio, error = ratio_error(np.array([3, 4]), moments, 0, 1, 1)
    assert ratio == 0.75
    assert math.isnan(error)
    assert all(math.isnan(bound) for bound in wilson(0.5, 0))


# Intervals


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"),
    # 5 of 10 as in R's prop.test(5, 10, correct = FALSE); at the ends z**2 / (n + z**2) in closed form
    [(5, 10, 0.236593, 0.763407), (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0)],
)
def test_known_wilson_intervals(wins, trials, low, high):
    assert wilson(wins / trials, trials) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 10_000), st.data())
def test_wilson_is_that_of_scipy(trials, data):
    wins = data.draw(st.integers(0, trials))
    other = binomtest(wins, trials).proportion_ci(0.95, "wilson")
    assert wilson(wins / trials, trials) == pytest.approx((other.low, other.high), abs=1e-9)


def test_a_rate_is_never_worth_more_than_its_trials():
    binomial = math.sqrt(0.25 * 0.75 / 1000)
    assert effective_size(0.25, binomial, 1000, 500) == pytest.approx(1000)
    assert effective_size(0.25, 2 * binomial, 1000, 500) == pytest.approx(250)
    assert effective_size(0.25, binomial / 2, 1000, 500) == 1000
    assert effective_size(0.25, math.nan, 1000, 500) == 500
    assert effective_size(0.0, 0.0, 1000, 500) == 1000


def test_few_blocks_make_wide_intervals():
    assert quantile(2) == pytest.approx(t(1).ppf(0.975))
    assert quantile(10**7) == pytest.approx(Z95, abs=1e-5)
    assert quantile(1) == Z95


def coverage(specs, players, games, runs):
    """How often intervals of small tournaments contain what a large one finds, and the same for mean round scores."""
    truth = tournament(specs, players, games=600_000, seed=10**9, jobs=1).tables.summary.set_index("strategy")
    wins, scores = [], []
    for seed in range(runs):
        small = tournament(specs, players, games, seed, jobs=1).tables.summary.set_index("strategy")
        true = truth.loc[small.index]
        wins += list((small["win_rate_low"] <= true["win_rate"]) & (true["win_rate"] <= small["win_rate_high"]))
        scores += list(abs(small["round_score"] - true["round_score"]) <= Z95 * small["round_score_se"])
    return np.mean(wins), np.mean(scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("specs", "players"),
    [
        (["stop-at(score=20)", "stop-at(score=30)", "expected-gain", "random(p=0.2)"], 4),
        (["stop-at(score=20)", "stop-at(score=30)", "bust-limit", "random(p=0.2)", "stop-at-cards"], 3),
        (["stop-at(score=20)", "stop-at-cards(count=3)"], 4),
    ],
)
def test_intervals_cover_the_truth_about_as_often_as_they_say(specs, players):
    runs = 250
    wins, scores = coverage(specs, players, games=600, runs=runs)
    # The strategies of a run are not independent, so a run counts as one trial: four standard errors of a share.
    bound = 4 * math.sqrt(0.95 * 0.05 / runs)
    assert abs(wins - 0.95) < bound
    assert abs(scores - 0.95) < bound


# Line-ups

names = st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=12, unique=True)


@given(names, st.integers(1, 36))
def test_every_lineup_fills_the_table_and_all_sit_equally_often(labels, players):
    lineups = lineups_of(labels, players)
    seats = Counter(place for lineup in lineups for place in lineup)
    assert all(len(lineup) == players for lineup in lineups)
    assert len(set(lineups)) == len(lineups) <= MAX_LINEUPS
    assert len({seats[place] for place in range(len(labels))}) == 1
    for lineup in lineups:
        counts = [lineup.count(place) for place in range(len(labels))]
        assert max(counts) - min(counts) <= 1


def test_with_enough_strategies_all_combinations_meet():
    lineups = lineups_of(["a", "b", "c", "d", "e"], 3)
    assert sorted(lineups) == sorted(itertools.combinations(range(5), 3))


@given(names, st.integers(1, 36), st.randoms())
def test_lineups_do_not_depend_on_the_order_of_the_strategies(labels, players, dice):
    other = dice.sample(labels, len(labels))
    one = [[labels[place] for place in lineup] for lineup in lineups_of(labels, players)]
    assert one == [[other[place] for place in lineup] for lineup in lineups_of(other, players)]


def test_the_same_strategy_on_every_seat_is_one_lineup():
    assert lineups_of(["a", "a", "a"], 3) == [(0, 1, 2)]
    assert lineups_of(["a"], 4) == [(0, 0, 0, 0)]


@pytest.mark.parametrize(("strategies", "players"), [(15, 5), (20, 3), (30, 6), (40, 4), (26, 23), (45, 2), (30, 36)])
def test_a_sample_of_lineups_lets_all_sit_equally_often_give_or_take_one(strategies, players):
    lineups = lineups_of([f"s{number:02}" for number in range(strategies)], players)
    seats = Counter(place for lineup in lineups for place in lineup)
    assert len(set(lineups)) == len(lineups) <= MAX_LINEUPS
    assert set(seats) == set(range(strategies))
    assert max(seats.values()) - min(seats.values()) <= 1


@pytest.mark.parametrize("players", [-1, 0, 37])
def test_a_table_has_from_1_to_36_seats(players):
    with pytest.raises(Flip7Error, match=f"players: {players} seats cannot be played; it must be from 1 to 36"):
        check_players(players)


@settings(max_examples=300)
@given(st.integers(0, 10**7), st.integers(1, MAX_LINEUPS), st.integers(1, 36))
def test_games_are_shared_out_in_whole_blocks(games, lineups, players):
    shares = share_games(games, lineups, players)
    assert len(shares) == lineups
    assert sum(shares) == games
    assert sum(share % players != 0 for share in shares) <= 1
    assert max(shares) - min(shares) <= players
