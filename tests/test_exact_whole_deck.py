"""The exact round with the whole deck: published figures to every digit, and the table of decisions that is played.

They take gigabytes of memory: `make test` plays the tests of a module one at a time.
"""

import numpy as np
import pytest

from flip7sim.alone import evaluate, expected_score, round_of
from flip7sim.exact.graph import Graph, Node
from flip7sim.policy.alone import decisions
from flip7sim.policy.best_round import pack, unpack
from flip7sim.policy.registry import find, folder

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch, tmp_path_factory):
    """Work everything out: answers that the user's cache keeps would hide a mistake."""
    folder = tmp_path_factory.mktemp("answers")
    monkeypatch.setattr("flip7sim.alone.cache_folder", lambda: folder)


def half_a_digit(digits):
    """What a figure that was rounded to so many digits can be off by."""
    return 0.5000001 * 10.0**-digits


@pytest.mark.parametrize(("rules", "score", "file"), [("fr-2.0", 20.2641760987, "deferred")])
def test_the_best_round_has_the_published_value_and_makes_the_table_that_is_played(rules, score, file):
    alone = round_of("full", rules)
    best = alone.solve(jobs=2)
    assert best.value == pytest.approx(score, abs=half_a_digit(10))
    made = unpack(pack(alone.lines, alone.deck.numbers, alone.modifiers, best.hits))
    shipped = unpack(folder() / f"optimal_round_{file}.xz")
    assert np.array_equal(made[0], shipped[0])
    assert np.array_equal(made[1], shipped[1])


@pytest.mark.parametrize(
    ("rules", "sd", "bust", "flip7", "frozen"),
    [("us-3.1", 17.054503, 0.2933632786, 0.0125765863, 0.1230399553)],
)
def test_the_table_that_is_played_has_the_published_figures(rules, sd, bust, flip7, frozen):
    (best,) = evaluate(["optimal-round"], "full", rules)
    found = best.distribution
    assert found.expected_score == pytest.approx(20.2975772556, abs=half_a_digit(10))
    assert found.sd == pytest.approx(sd, abs=half_a_digit(6))
    assert found.bust == pytest.approx(bust, abs=half_a_digit(10))
    assert found.flip7 == pytest.approx(flip7, abs=half_a_digit(10))
    assert found.frozen == pytest.approx(frozen, abs=half_a_digit(10))


@pytest.mark.parametrize(
    ("rules", "stop", "score", "bust"),
    [("fr-2.0", 10, 12.763445, 0.044792)],
)
def test_stop_scores_have_the_published_figures(rules, stop, score, bust):
    (each,) = evaluate([f"stop-at(score={stop})"], "full", rules)
    assert each.distribution.expected_score == pytest.approx(score, abs=half_a_digit(6))
    assert each.distribution.bust == pytest.approx(bust, abs=half_a_digit(6))


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("stop-at-cards(count=1)", 8.715297),
        ("stop-at-cards(count=2)", 15.222840),
    ],
)
def test_simple_rules_have_the_published_scores(spec, score):
    assert expected_score(spec, "full") == pytest.approx(score, abs=half_a_digit(6))


@pytest.mark.parametrize(("rules", "file"), [("us-3.1", "immediate")])
def test_what_is_played_alone_is_the_table(rules, file):
    alone = round_of("full", rules)
    cards, entrant = alone.deck, find("optimal-round")
    about = (alone.size, alone.bonus, alone.modifiers, alone.second_chance == "immediate", 2)
    hits = {
        played: decisions(entrant, alone.lines, cards.numbers, 63, (3, 3, 3), played, *about) for played in range(4)
    }
    played, shipped = pack(alone.lines, cards.numbers, alone.modifiers, hits), folder() / f"optimal_round_{file}.xz"
    for mine, theirs in zip(unpack(played), unpack(shipped), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize(("rules", "gigabytes"), [("fr-2.0", 2.7), ("us-3.1", 2.0)])
def test_the_arrays_that_are_needed_at_a_time_fit_into_memory(rules, gigabytes):
    alone = round_of("full", rules)
    assert 0.9 * gigabytes < alone.most_rows * alone.columns * 8 / 1e9 < gigabytes


@pytest.mark.parametrize("second_chance", ["deferred", "immediate"])
def test_every_moment_comes_behind_all_that_it_leads_to(second_chance):
    graph = Graph(round_of("full").deck, second_chance)
    order = graph.order(lambda node: 1)
    place = {node: number for number, node in enumerate(order)}
    assert order[-1] == Node(0)
    assert all(place[need] < place[node] for node in order for need in graph.needs(node))
