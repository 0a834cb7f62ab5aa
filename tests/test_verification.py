"""The engine and the exact solver play the same round: their figures agree within standard errors."""

import numpy as np
import pytest

from flip7sim.errors import Flip7Error
from flip7sim.exact.decks import DECKS
from flip7sim.policy.registry import find
from flip7sim.rules import Rules
from flip7sim.runs.simulate import Plan, simulate
from flip7sim.verification import Comparison, verify

STRATEGIES = ["stop-at(score=23)", "stop-at-cards(count=5)", "bust-limit(p=0.3)", "expected-gain", "always-hit"]


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch, tmp_path_factory):
    """Work everything out: answers that the user's cache keeps would hide a mistake."""
    folder = tmp_path_factory.mktemp("answers")
    monkeypatch.setattr("flip7sim.alone.cache_folder", lambda: folder)


@pytest.mark.parametrize("deck", ["numbers", "modifiers", "second-chance"])
def test_monte_carlo_agrees_with_the_exact_round(deck):
    found = verify(STRATEGIES, deck, rounds=1_000_000, seed=5)
    assert {each.figure for each in found} == {"score", "bust", "flip7"}
    # 15 figures: one of them beyond 4 standard errors would be chance once in a thousand runs, and the seed is fixed.
    assert [each for each in found if abs(each.z) >= 4] == []
    assert any(abs(each.z) > 0.5 for each in found)  # estimates, not copies


@pytest.mark.slow
@pytest.mark.parametrize(("second_chance", "exact"), [("deferred", 20.2641760987), ("immediate", 20.2975772556)])
def test_the_best_round_played_by_the_engine_scores_what_the_solver_says(second_chance, exact):
    rules = Rules.of(stay_requires_card="yes", max_rounds=1, flip3_second_chance=second_chance)
    counts = simulate(Plan(rules, (find("optimal-round"),), ((0,),), (4_000_000,), 5))
    mean = counts.histogram[0] @ np.arange(counts.histogram.shape[1]) / 4_000_000
    # One standard error is 0.0085: looking one card ahead instead would be three of them off.
    assert abs(mean - exact) < 4 * 17.05 / 2000


def test_a_wrong_figure_is_noticed():
    # The rounds of another deck: Second Chances help, by far more than a few standard errors.
    estimates = verify(["expected-gain"], "second-chance", rounds=100_000)
    exact = verify(["expected-gain"], "modifiers", rounds=1000)
    score, sd = estimates[0].estimate, 15.1
    z = (score - exact[0].exact) / sd * 100_000**0.5
    assert not Comparison("expected-gain", "modifiers", "score", 100_000, score, exact[0].exact, z).ok


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.name)
def test_a_deck_holds_its_cards_by_code(deck):
    assert sum(deck.copies) == deck.size
    assert deck.copies[:13] == deck.numbers
    assert deck.copies[19:] == (deck.freezes, deck.flip_threes, deck.second_chances)


def test_no_rounds_cannot_be_compared():
    with pytest.raises(Flip7Error, match="rounds: 0 cannot be played"):
        verify(STRATEGIES, rounds=0)
