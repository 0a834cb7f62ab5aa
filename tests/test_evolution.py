"""Populations of strategies: fitness, what evolution settles on, and who resists whom."""

import itertools

import numpy as np
import pytest

from flip7sim.engine.batch import GAMES, WINS
from flip7sim.runs.counts import Counts
from flip7sim.runs.simulate import simulate
from flip7sim.stats.evolution import Payoffs, invasions, mixture
from flip7sim.tournaments import plan, tournament

TWO = ["stop-at(score=25)", "stop-at(score=30)"]


def with_rates(players, rate_of_first):
    """Counts of a population of two, where `rate_of_first(k)` is the win rate of each of k seats of the first."""
    what = plan(TWO, players=players, games=players * 100 * (players + 1), schedule="population")
    counts = Counts.empty(what)
    for number, members in enumerate(what.lineups):
        firsts = sum(member == 0 for member in members)
        for place, member in enumerate(members):
            rest = players - firsts
            rate = rate_of_first(firsts) if member == 0 else (1 - firsts * rate_of_first(firsts)) / rest
            counts.sheet.lineups[number, place, [GAMES, WINS]] = [1_000_000, round(1_000_000 * rate)]
    return what, counts


@pytest.mark.parametrize("shares", [(1, 0), (0, 1), (0.5, 0.5), (0.2, 0.8)])
def test_the_mean_fitness_is_an_equal_share_of_the_wins(shares):
    what = plan(TWO, players=3, games=1200, schedule="population")
    fitness = Payoffs(what, simulate(what).sheet.lineups).fitness(np.array(shares, float))
    assert fitness @ np.array(shares) == pytest.approx(1 / 3)


def test_fitness_is_the_mean_over_all_tables_that_can_be_drawn():
    what = plan([*TWO, "expected-gain"], players=3, games=3000, schedule="population")
    payoffs = Payoffs(what, simulate(what).sheet.lineups)
    shares = np.array([0.2, 0.3, 0.5])
    rates = {tuple(row): rate for row, rate in zip(payoffs.counts.tolist(), payoffs.rates, strict=True)}
    expected = np.zeros(3)
    for company in itertools.product(range(3), repeat=2):
        expected += np.prod(shares[list(company)]) * rates[tuple(company.count(each) for each in range(3))]
    assert payoffs.fitness(shares) == pytest.approx(expected)


def test_the_better_one_takes_over():
    what, counts = with_rates(3, lambda firsts: 0.4 if firsts < 3 else 1 / 3)
    table = mixture(what, counts)
    assert table["strategy"].tolist() == TWO
    assert table["share"].tolist() == [1, 0]


def test_what_is_good_when_rare_settles_where_both_are_equally_fit():
    what, counts = with_rates(3, lambda firsts: {0: 0, 1: 0.45, 2: 0.30, 3: 1 / 3}[firsts])
    table = mixture(what, counts).set_index("strategy")
    share = table.loc[TWO[0], "share"]
    first = (1 - share) ** 2 * 0.45 + 2 * share * (1 - share) * 0.30 + share**2 / 3
    assert 0.05 < share < 0.95
    assert first == pytest.approx(1 / 3, abs=1e-5)
    assert table["fitness"].to_numpy() == pytest.approx([1 / 3, 1 / 3], abs=1e-5)


def test_a_better_strategy_invades_and_is_not_invaded():
    played = tournament(["expected-gain", "stop-at(score=15)"], players=4, games=20_000, schedule="invasion")
    table = played.tables.invasions.set_index(["resident", "invader"])
    assert table.loc[("stop-at(score=15)", "expected-gain"), "outcome"] == "invades"
    assert table.loc[("expected-gain", "stop-at(score=15)"), "outcome"] == "resisted"
    assert (table["win_rate_low"] <= table["win_rate"]).all()
    assert (table["win_rate"] <= table["win_rate_high"]).all()


def test_with_few_games_nothing_is_clear():
    what = plan(TWO, players=4, games=80, schedule="invasion")
    assert set(invasions(what, simulate(what))["outcome"]) == {"unclear"}


def test_a_population_needs_the_counts_of_its_schedule_only():
    mixed = tournament([*TWO, "expected-gain"], players=3, games=300).tables
    assert mixed.mixture is None
    assert mixed.invasions is None
    everyone = tournament(TWO, players=3, games=400, schedule="population").tables
    assert everyone.mixture["share"].sum() == pytest.approx(1)
    assert len(everyone.invasions) == 2
