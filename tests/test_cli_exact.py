"""The commands on what is exactly so: odds, exact, solve."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from flip7sim.policy.best_round import unpack

README = Path(__file__).parent.parent / "README.md"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_solve_prints_what_the_readme_shows(run):
    (shown,) = re.findall(r"\$ flip7sim solve --deck modifiers\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    ran = run("solve", "--deck", "modifiers")
    assert (ran.status, ran.errors) == (0, [])
    assert ran.out == shown


def test_solve_as_json_has_the_main_figures(run):
    (row,) = json.loads(run("solve", "--deck", "numbers", "--format", "json").out)
    assert {"strategy", "deck", "expected_score", "sd", "bust", "flip7", "frozen", "decisions"} <= set(row)
    assert row["expected_score"] == pytest.approx(18.5652176141, abs=5e-11)


def test_solve_shows_one_part_as_csv(run):
    simple = rows(run("solve", "--deck", "numbers", "--show", "simple", "--format", "csv").out)
    assert list(simple[0]) == ["rule", "deck", "expected_score", "loses"]
    assert all(float(row["loses"]) > 0 for row in simple)
    assert [float(row["loses"]) for row in simple] == sorted(float(row["loses"]) for row in simple)
    stops = rows(run("solve", "--deck", "numbers", "--show", "stops", "--format", "csv").out)
    assert [(row["number_cards"], row["stay_from"]) for row in stops[:3]] == [("1", ""), ("2", "22.0"), ("3", "23.0")]


def test_solve_tells_simple_rules_in_words(run):
    out = run("solve", "--deck", "numbers", "--show", "simple").out
    assert "stop-at: stay once 23 points would be banked" in out
    assert "bust-limit: stay once the next card busts with a chance above 0.25" in out
    assert max(map(len, out.splitlines())) <= 100


def test_solve_saves_all_decisions(run, tmp_path):
    ran = run("solve", "--deck", "numbers", "--show", "summary", "--save", "best/numbers.xz")
    assert ran.status == 0
    assert ran.errors[0].startswith("wrote best/numbers.xz (")
    masks, places = unpack(tmp_path / "best" / "numbers.xz")
    assert masks.tolist() == [0, 1]
    # One line for each set of fewer than seven numbers.
    assert int((places[0] != 255).sum()) == sum(1 for bits in range(1 << 13) if bits.bit_count() < 7)
    assert np.all((places[1] == 255) == (places[0] == 255))


def test_solve_for_the_fewest_rounds(run):
    ran = run("solve", "--deck", "numbers", "--goal", "rounds", "--option", "target_score=50")
    assert ran.out.startswith("deck numbers, rules fr-2.0 with target_score=50: 50 points take ")
    table = rows(run("solve", "-d", "numbers", "--goal", "rounds", "-o", "target_score=50", "--format", "csv").out)
    assert [row["points_needed"] for row in table] == [str(needed) for needed in range(1, 51)]
    assert f"{float(table[-1]['expected_rounds']):.10f}" in ran.out
    assert float(table[0]["expected_rounds"]) >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--goal", "rounds"), "deck 'second-chance' cannot be solved for the fewest rounds"),
        (("--goal", "rounds", "--show", "stops"), "--goal rounds has nothing to --show or --save"),
        (("--option", "flip7_size=9"), "flip7_size: 9 cannot be solved exactly"),
    ],
)
def test_what_cannot_be_solved_says_so(run, arguments, message):
    ran = run("solve", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.errors) == 1
    assert message in ran.errors[0]


def test_exact_prints_a_row_for_each_strategy(run):
    found = rows(run("exact", "line-sum", "optimal-round", "--deck", "numbers", "--format", "csv").out)
    assert [row["strategy"] for row in found] == ["line-sum(total=25,plus=0.5,six=10)", "optimal-round"]


def test_odds_prints_the_hands_to_hit_on(run):
    found = rows(run("odds", "--hands", "--format", "csv").out)
    assert list(found[0]) == ["number_cards", "rank", "hand", "score", "bust_next", "gain"]
    assert len(found) == 6 * 6
    assert "11 12" in run("odds", "--hands").out
    assert run("odds", "--hands", "--table").status == 2
