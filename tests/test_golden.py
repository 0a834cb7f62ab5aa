"""Golden playthroughs: games told in full, one for each preset and a few with options, compared word by word.

They notice any change in cards, choices or words. Where the change is meant, write them anew and read the difference:

    python -m pytest tests/test_golden.py --update-golden
    git diff tests/golden
"""

from pathlib import Path

import pytest

from flip7sim.replays.simulated import simulated_game
from flip7sim.rules import PRESETS, Rules

GOLDEN = Path(__file__).parent / "golden"
LINE_UP = ["stop-at(score=28)", "bust-limit(p=0.3,target=most-to-lose)", "random(p=0.2,target=random)", "expected-gain"]

GAMES = {
    # games in which as much as possible happens: ties, reshuffles, Flip Threes in Flip Threes
    "fr-2.0": (PRESETS["fr-2.0"], LINE_UP, 112),
    "us-3.1": (PRESETS["us-3.1"], LINE_UP, 81),
    "us-first": (PRESETS["us-first"], LINE_UP, 73),
    "tied-only": (Rules.of("fr-2.0", target_score=10, tie_break="tied_only"), ["always-hit"] * 6, 127),
    "every-round": (Rules.of("us-3.1", target_score=80, reshuffle="every_round"), ["always-hit", "stop-at"], 3),
    "two-decks": (Rules.of("us-first", decks=2, max_rounds=2), ["always-hit(target=self)"] * 5, 0),
    "vengeance": (PRESETS["vengeance"], LINE_UP, 839),
    "vengeance-brutal": (PRESETS["vengeance-brutal"], LINE_UP, 1236),
    "alone": (Rules.of("fr-2.0", stay_requires_card=True), ["expected-gain"], 5),
}


def told(name):
    rules, line_up, game = GAMES[name]
    played = simulated_game(line_up, 2024, game, rules)
    return "\n".join([played.title, *played.transcript()]) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_word_by_word_as_before(name, request):
    path = GOLDEN / f"{name}.txt"
    text = told(name)
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_there_is_one_for_every_preset():
    assert set(PRESETS) <= set(GAMES)


def test_no_golden_text_is_left_over():
    assert {path.stem for path in GOLDEN.iterdir()} == set(GAMES)
