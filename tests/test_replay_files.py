"""Reading replay files, comparing, telling and exporting, apart from the rules."""

import json

import pytest

from flip7sim.codes import NO_CARD, Event, Question, Status
from flip7sim.errors import Flip7Error
from flip7sim.reference import play, play_script
from flip7sim.replays import load_situation, parse_situation, replay, to_toml
from flip7sim.replays import run as run_module
from flip7sim.rules import Rules
from flip7sim.table import SeatStart, Start, seat_name

ROUND = """
title = "One round"
dealer = "C"
draw_pile = ["flip3", "second_chance", 8, 5]
discard_pile = [1, 2]
script = ["A hit", "A flip3 B", "B second_chance C", "C stay", "A stay"]
[[seat]]
[[seat]]
numbers = [8]
total = 150
[[seat]]
"""


def test_missing_file(tmp_path):
    result = replay(tmp_path / "none.toml", "reference")
    assert "no such file" in result.error
    assert result.exit_status == 2


def test_directory(tmp_path):
    assert "is a directory" in replay(tmp_path, "reference").error


@pytest.mark.parametrize("content", [b"", b" \n\t\n"])
def test_empty_file(tmp_path, content):
    path = tmp_path / "empty.toml"
    path.write_bytes(content)
    assert "the file is empty" in replay(path, "reference").error


def test_not_utf8(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'title = "caf\xe9"\n[[seat]]\n')
    assert "not a text in UTF-8" in replay(path, "reference").error


def test_load_situation(tmp_path):
    path = tmp_path / "round.toml"
    path.write_text(ROUND, encoding="utf-8")
    situation = load_situation(path)
    assert situation.title == "One round"
    assert situation.names == ("A", "B", "C")
    assert situation.start.rules == Rules()
    assert situation.start.one_round
    assert situation.start.dealer == 2
    assert situation.start.seats[1] == SeatStart(numbers=(8,), total=150)
    assert situation.lines[1] == (0, Question.FLIP_THREE, 1, NO_CARD)


def test_default_names():
    assert [seat_name(place) for place in (0, 25, 26, 35)] == ["A", "Z", "AA", "AJ"]


def test_a_seed_is_any_integer():
    for seed in (-1, 0, 10**30):
        situation = parse_situation(f"seed = {seed}\ndiscard_pile = [1, 2, 3]\nscript = ['A hit']\n[[seat]]")
        assert replay(situation, "reference").error is None


def test_title_is_the_name_of_the_file_without_one(tmp_path):
    path = tmp_path / "some-round.toml"
    path.write_text("[[seat]]\n", encoding="utf-8")
    assert replay(path, "reference").title == "some-round"


def test_title_of_a_bad_file(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('title = "Mine"\nfoo = 1\n', encoding="utf-8")
    assert replay(path, "reference").title == "Mine"


def test_unknown_engine():
    with pytest.raises(Flip7Error, match="engine 'quick' is unknown"):
        replay("x.toml", "quick")


def test_state_holds_all_that_can_be_expected():
    result = replay(parse_situation(ROUND), "reference")
    assert result.state == {
        "awaiting": "",
        "question": "",
        "draw_pile": [5],
        "discard_pile": [1, 2, 8, 8, "flip3", "second_chance"],
        "round_over": True,
        "flip7": "",
        "winner": "",
        "unfinished": False,
        "dealer": "C",
        "seat": {
            "A": _seat("stayed"),
            "B": _seat("bust", numbers=[8, 8], total=150),
            "C": _seat("stayed", second_chance=True),
        },
    }


def _seat(status, *, numbers=(), second_chance=False, total=0):
    return {
        "status": status,
        "numbers": list(numbers),
        "modifiers": [],
        "second_chance": second_chance,
        "score": 0,
        "total": total,
    }


def test_mismatches_have_dotted_paths_and_the_words_of_the_file():
    text = (
        ROUND + '[expect]\nround_over = false\ndiscard_pile = ["8", 2]\n[expect.seat.B]\nscore = 8\nstatus = "bust"\n'
    )
    result = replay(parse_situation(text), "reference")
    assert result.mismatches == [
        {"field": "round_over", "expected": False, "got": True},
        {"field": "discard_pile", "expected": [2, 8], "got": [1, 2, 8, 8, "flip3", "second_chance"]},
        {"field": "seat.B.score", "expected": 8, "got": 0},
    ]
    assert not result.ok
    assert result.exit_status == 1


def test_piles_are_compared_in_order_and_as_multisets():
    text = (
        "dealer = 'B'\ndraw_pile = [3, 2, 1]\ndiscard_pile = [6, 5]\n[[seat]]\nnumbers = [8, 7]\n[[seat]]\n[expect]\n"
    )
    good = text + "draw_pile = [3, 2, 1]\ndiscard_pile = [5, 6]\n[expect.seat.A]\nnumbers = [7, 8]\n"
    assert replay(parse_situation(good), "reference").ok
    assert replay(parse_situation(text + "draw_pile = [1, 2, 3]\n"), "reference").exit_status == 1
    assert replay(parse_situation(text + "discard_pile = [5, 5, 6]\n"), "reference").exit_status == 1


@pytest.mark.parametrize(("card", "names"), [("freeze", ["freeze"]), ("flip3", ["freeze", "flip3"])])
def test_a_question_goes_by_the_first_verb_of_its_row_or_its_own(card, names):
    text = f"draw_pile = ['{card}']\nscript = ['A hit']\n[[seat]]\n[[seat]]\n[expect]\nquestion = "
    results = {verb: replay(parse_situation(f"{text}'{verb}'"), "reference") for verb in ("hit", "freeze", "flip3")}
    assert [verb for verb, result in results.items() if result.ok] == names
    assert results["hit"].state["question"] == "freeze"


def test_json_object():
    situation = parse_situation(ROUND, "round.toml")
    each = json.loads(json.dumps(replay(situation, "reference").to_json_object()))
    assert list(each) == ["file", "title", "ok", "mismatches", "error", "state", "events"]
    assert each["file"] == "round.toml"
    assert each["ok"] is True
    assert each["error"] is None
    assert each["events"][:4] == [
        {"event": "round", "dealer": "C", "round": 1},
        {"event": "hit", "seat": "A"},
        {"event": "draw", "seat": "A", "card": "flip3"},
        {"event": "choose", "seat": "A", "target": "B"},
    ]
    assert {"event": "bust", "seat": "B", "card": 8} in each["events"]


def test_json_object_of_an_error():
    each = replay(parse_situation(ROUND.replace("C stay", "C steal")), "reference").to_json_object()
    assert each["ok"] is False
    assert each["state"] is None
    assert each["mismatches"] == []
    assert "line 4" in each["error"]


def test_transcript():
    assert replay(parse_situation(ROUND), "reference").transcript == [
        "Round 1. C deals.",
        "  B has 8; total so far 150.",
        "  A hits and draws a Flip Three and gives it to B.",
        "    B takes a Second Chance and sets it aside.",
        "    B takes an 8, which it has already: bust!",
        "    B gives the Second Chance to C.",
        "  C stays with a Second Chance (0 points).",
        "  A stays with nothing (0 points).",
        "",
        "          round  total",
        "    A         0      0",
        "    B      bust    150",
        "    C         0      0",
        "",
    ]


def test_transcript_of_an_opening_deal():
    text = """
    rules = "us-3.1"
    dealer = "C"
    draw_pile = ["freeze", "x2", 7, 8]
    script = ["A freeze B"]
    [[seat]]
    [[seat]]
    [[seat]]
    """
    assert replay(parse_situation(text), "reference").transcript == [
        "Round 1. C deals.",
        "  A is dealt a Freeze and gives it to B, frozen with nothing (0 points).",
        "  C is dealt a ×2.",
        "  A must hit and draws a 7.",
        "  Here play halts: C was asked hit or stay.",
    ]


def test_both_must_agree(monkeypatch):
    import sys
    import types

    single = types.ModuleType("flip7sim.engine.single")
    monkeypatch.setitem(sys.modules, "flip7sim.engine.single", single)
    situation = parse_situation(ROUND)
    single.play_script = play_script
    assert replay(situation, "both").ok
    single.play_script = lambda start, lines: play_script(start, lines[:1])
    assert "the engines disagree: seats 0" in replay(situation, "both").error
    assert replay(situation, "fast").error is None


def test_export_needs_a_whole_game():
    start = Start(Rules(), (SeatStart(), SeatStart()), 0, draw_pile=(1, 2))
    with pytest.raises(Flip7Error, match="from its beginning"):
        to_toml(start, play_script(start, []))


def test_export_with_names():
    start = Start(Rules.of("us-3.1", max_rounds=2), (SeatStart(), SeatStart()), 1, seed=7)
    finish = play(start, lambda game, asked: asked.legal[-1])
    situation = parse_situation(to_toml(start, finish, title='Zoë\'s "game"', names=["Zoë", "Ann-Lee"]))
    assert situation.title == 'Zoë\'s "game"'
    assert situation.names == ("Zoë", "Ann-Lee")
    result = replay(situation, "reference")
    assert result.ok
    assert result.finish.seats == finish.seats
    assert result.finish.seats[0].status is Status.STAYED
    assert Event.UNFINISHED in [event for event, _, _ in result.finish.events]


def test_internal_difference_of_nothing():
    finish = play_script(Start(Rules(), (SeatStart(),), 0), [])
    assert run_module._difference(finish, finish) == "nothing"
