"""Differences between strategies, ranks, head to head, ratings and skill: right, and as sure as they say."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from flip7sim import strategy
from flip7sim.engine.batch import GAMES, WINS
from flip7sim.runs.simulate import simulate
from flip7sim.stats.comparisons import LEVEL, differences, head_to_head, holm, ranks
from flip7sim.stats.ratings import ELO, skill, strengths
from flip7sim.tournaments import plan, tournament

CLOSE = ["stop-at(score=27)", "stop-at(score=28)"]
FIELD = ["stop-at(score=25)", "expected-gain"]


# Many comparisons


def test_holm_corrects_as_in_the_book():
    # by hand: 4 * 0.005, 3 * 0.01, 2 * 0.03, then never less than the one before
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.6, 0.9])).tolist() == [1, 1]
    assert holm(np.array([])).size == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_rejects_what_step_down_rejects(chances):
    corrected = holm(np.array(chances))
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    rejected = set()
    for step, place in enumerate(order):
        if chances[place] * (len(chances) - step) >= LEVEL:
            break
        rejected.add(place)
    assert {place for place in range(len(chances)) if corrected[place] < LEVEL} == rejected
    assert np.all(corrected >= np.array(chances))


def test_unknown_chances_stay_unknown():
    corrected = holm(np.array([np.nan, 0.01, np.nan]))
    assert np.isnan(corrected[[0, 2]]).all()
    assert corrected[1] == pytest.approx(0.01)


# Differences


def test_a_difference_is_that_of_the_rates_and_its_error_that_of_the_batches():
    # luck is not counted in Vengeance: this is the plain difference
    what = plan([*CLOSE, "stop-at(score=40)"], games=24_000, schedule="field", against=FIELD, seed=5, rules="vengeance")
    counts = simulate(what, jobs=1)
    found = differences(what, counts)
    assert len(found) == 3
    labels = [entrant.label for entrant in what.entrants[:3]]
    for row in found.itertuples():
        one, other = labels.index(row.strategy), labels.index(row.rival)
        sums = np.array([batch.sheet.sums[[one, other]] for batch in counts.batches], float)
        wins, games = sums[:, :, WINS], sums[:, :, GAMES]
        rates = wins.sum(axis=0) / games.sum(axis=0)
        assert row.difference == pytest.approx(rates[0] - rates[1])
        assert row.difference >= 0
        moves = ((wins - rates * games) / games.sum(axis=0)) @ [1, -1]
        batches = len(counts.batches)
        assert row.difference_se == pytest.approx(math.sqrt(batches / (batches - 1) * (moves**2).sum()))
        assert row.difference_low < row.difference < row.difference_high
        assert row.variance_ratio == row.deals_ratio


def test_on_the_same_deals_neighbours_are_told_apart_with_half_the_games_and_without_luck_with_a_third():
    what = plan(CLOSE, games=60_000, schedule="field", against=["stop-at(score=25)"] * 3, seed=2)
    found = differences(what, simulate(what)).iloc[0]
    # 0.47 and 0.35 over many seeds, with an error of some 12 % from its batches
    assert 0.3 < found["deals_ratio"] < 0.65
    assert 0.5 * found["deals_ratio"] < found["variance_ratio"] < 0.95 * found["deals_ratio"]


@pytest.mark.slow
def test_intervals_of_differences_cover_the_truth_for_close_strategies_too():
    truth = tournament(CLOSE, games=3_000_000, schedule="field", against=FIELD, seed=1).tables.differences.iloc[0]
    sign = 1 if truth["strategy"] == CLOSE[1] else -1
    covered = rejected = 0
    runs = 240
    for seed in range(10, 10 + runs):
        what = plan(CLOSE, games=1800, schedule="field", against=FIELD, seed=seed)
        row = differences(what, simulate(what, jobs=1)).iloc[0]
        flip = 1 if row["strategy"] == CLOSE[1] else -1
        low, high = sorted((flip * row["difference_low"], flip * row["difference_high"]))
        covered += low <= sign * truth["difference"] <= high
        rejected += row["p"] < 0.05
    # 95 % of 240: 228; the bounds are four standard deviations of the binomial distribution away
    assert 228 - 14 <= covered <= 240
    assert rejected < runs / 2


def test_ranks_are_shared_where_nobody_can_tell():
    found = pd.DataFrame(
        {
            "strategy": ["a", "a", "a", "b", "b", "c"],
            "rival": ["b", "c", "d", "c", "d", "d"],
            "p_holm": [0.5, 0.01, 0.001, 0.2, 0.01, np.nan],
        }
    )
    table = ranks(found, ["a", "b", "c", "d"]).set_index("strategy")
    assert table["rank_low"].to_dict() == {"a": 1, "b": 1, "c": 2, "d": 3}
    assert table["rank_high"].to_dict() == {"a": 2, "b": 3, "c": 4, "d": 4}


# Head to head


def test_whoever_ends_above_is_above_and_ties_count_half():
    what = plan(["stop-at(score=25)", "stop-at(score=35)", "always-stay"], players=3, games=3000, seed=4)
    counts = simulate(what)
    table = head_to_head(what, counts).set_index(["strategy", "rival"])
    for one, other in itertools.permutations(sorted(set(table.index.get_level_values(0))), 2):
        here, there = table.loc[(one, other)], table.loc[(other, one)]
        assert here["share"] + there["share"] == pytest.approx(1)
        assert here["meetings"] == there["meetings"] == 3000
        assert here["share_low"] <= here["share"] <= here["share_high"]
    # now and then both end with nothing, which counts half
    assert table.loc[("stop-at(score=25)", "always-stay"), "share"] > 0.999


def test_between_two_seats_it_is_the_win_rate():
    played = tournament(CLOSE, players=2, games=2000, seed=4)
    table = played.tables.head_to_head.set_index("strategy")
    for row in played.tables.summary.itertuples():
        assert table.loc[row.strategy, "share"] == pytest.approx(row.win_rate)


# Ratings


def test_strengths_are_those_that_orders_were_drawn_with():
    dice = np.random.default_rng(6)
    truth = np.array([0.9, 0.3, -0.2, -1.0])
    pairs = np.zeros((4, 4))
    for _ in range(20_000):
        # Plackett and Luce: sort by strength plus Gumbel noise
        order = np.argsort(-(truth + dice.gumbel(size=4)))
        for place, one in enumerate(order):
            pairs[one, order[place + 1 :]] += 2
    found = strengths(pairs)
    assert found.sum() == pytest.approx(0)
    # the error of a log strength from 20,000 orders is about 0.01
    assert found == pytest.approx(truth - truth.mean(), abs=0.05)


def test_ten_to_one_is_four_hundred_points():
    found = strengths(np.array([[0, 2_000_000], [200_000, 0]]))
    assert ELO * (found[0] - found[1]) == pytest.approx(400, abs=0.1)


def test_one_that_never_loses_has_a_finite_rating():
    assert np.isfinite(strengths(np.array([[0, 50], [0, 0]]))).all()


def test_ratings_order_strategies_and_shares_of_points_add_up():
    played = tournament(["stop-at(score=25)", "always-stay", "random(p=0.4)"], players=3, games=3000)
    table = played.tables.ratings
    assert table["strategy"].tolist() == ["stop-at(score=25)", "random(p=0.4)", "always-stay"]
    assert table["rating"].is_monotonic_decreasing
    assert table["rating"].mean() == pytest.approx(1500)
    assert table["score_share"].sum() == pytest.approx(1)


# Skill


def test_twins_play_by_luck_alone():
    what = plan(["stop-at(score=25)"] * 2, players=4, games=20_000)
    share, error = skill(what, simulate(what))
    assert abs(share) < 4 * error < 0.01


def test_against_one_that_never_scores_it_is_all_skill():
    what = plan(["stop-at(score=25)", "always-stay"], players=2, games=500)
    share, _ = skill(what, simulate(what))
    assert share == pytest.approx(1)


@pytest.mark.slow
def test_equal_strategies_are_told_apart_as_rarely_as_promised():
    @strategy(name="twin")
    def twin(me, table, score=25):
        """The same as stop-at."""
        return me.score < score

    runs, told_apart = 300, 0
    for seed in range(runs):
        what = plan(["stop-at(score=25)", twin], players=2, games=600, seed=seed)
        told_apart += float(differences(what, simulate(what, jobs=1))["p"][0]) < 0.05
    assert binom.cdf(told_apart, runs, 0.05) < 1 - 1e-4
