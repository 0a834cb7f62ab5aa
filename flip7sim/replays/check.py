"""The state that a replay has come to, in the words of its file, and how it differs from what was expected."""

from collections.abc import Mapping, Sequence
from typing import Any

from flip7sim.replays.fields import written
from flip7sim.replays.script import QUESTION_NAMES, VERBS
from flip7sim.rules import Rules
from flip7sim.table import Finish

__all__ = ["check", "mismatches", "state_of"]


def state_of(rules: Rules, names: Sequence[str], finish: Finish) -> dict[str, Any]:
    """All that can stand under ``[expect]``, with the values that it has.

    Parameters
    ----------
    rules : Rules
        That were played.
    names : sequence of str
        Of the seats.
    finish : Finish
        Where play stopped.
    """

    def name(seat: int) -> str:
        return names[seat] if seat >= 0 else ""

    cards = rules.cards
    return {
        "awaiting": name(finish.asked.seat) if finish.asked else "",
        "question": QUESTION_NAMES[finish.asked.question] if finish.asked else "",
        "draw_pile": written(cards, finish.draw_pile, ordered=True),
        "discard_pile": written(cards, finish.discard_pile),
        "round_over": finish.round_over,
        "flip7": name(finish.flip7),
        "winner": name(finish.winner),
        "unfinished": finish.unfinished,
        "dealer": name(finish.dealer),
        "seat": {
            names[place]: {
                "status": seat.status.name.lower(),
                "numbers": written(cards, seat.numbers),
                "modifiers": written(cards, seat.modifiers),
                "second_chance": seat.second_chance,
                "score": seat.score,
                "total": seat.total,
            }
            for place, seat in enumerate(finish.seats)
        },
    }


def check(expect: Mapping[str, Any], state: Mapping[str, Any], finish: Finish) -> list[dict[str, Any]]:
    """Every mismatch; a question may also be expected by its own verb (`flip3`), not just by its row's (`freeze`)."""
    asked = VERBS[finish.asked.question] if finish.asked else ""
    if asked and expect.get("question") == asked:
        expect = {**expect, "question": state["question"]}
    return mismatches(expect, state)


def mismatches(expect: Mapping[str, Any], state: Mapping[str, Any], path: str = "") -> list[dict[str, Any]]:
    """Every expected value that the state does not have.

    Parameters
    ----------
    expect : mapping
        A part of a state.
    state : mapping
        As `state_of` makes it.
    path : str
        What goes before each field's name.

    Returns
    -------
    list of dict
        With `field` (a dotted path such as ``seat.B.score``), `expected` and `got`.
    """
    found: list[dict[str, Any]] = []
    for key, expected in expect.items():
        if isinstance(expected, Mapping):
            found += mismatches(expected, state[key], f"{path}{key}.")
        elif expected != state[key]:
            found.append({"field": f"{path}{key}", "expected": expected, "got": state[key]})
    return found
