"""Writing a game that was played as a replay file."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flip7sim.errors import Flip7Error
from flip7sim.replays.check import state_of
from flip7sim.replays.fields import written
from flip7sim.replays.script import answer_line
from flip7sim.table import Finish, SeatStart, Start, seat_name

__all__ = ["to_toml"]


def to_toml(start: Start, finish: Finish, *, title: str = "", names: Sequence[str] | None = None) -> str:
    """Write a whole game as a replay file that plays to the same end.

    Parameters
    ----------
    start : Start
        Of a new game: a whole deck, shuffled, nothing in front of anybody; they may have totals.
    finish : Finish
        Its end, with all its shuffles and choices.
    title : str
        Of the file.
    names : sequence of str, optional
        Of the seats; A, B, C ... by default.

    Returns
    -------
    str
        A TOML text.

    Raises
    ------
    Flip7Error
        If play began in mid-game.
    """
    if (
        start.draw_pile is not None
        or start.first is not None
        or any(seat != SeatStart(total=seat.total) for seat in start.seats)
    ):
        raise Flip7Error("export: only a game from its beginning can be written as a replay file")
    names = names or [seat_name(place) for place in range(len(start.seats))]
    cards = start.rules.cards
    draw_pile, *reshuffles = (written(cards, order, ordered=True) for order in finish.shuffles)
    lines = [
        f"title = {_value(title)}",
        f"rules = {_value(start.rules.preset)}",
        *([f"options = {_value(start.rules.changes)}"] if start.rules.changes else []),
        f"dealer = {_value(names[start.dealer])}",
        f"until = {_value('round' if start.one_round else 'game')}",
        f"draw_pile = {_value(draw_pile)}",
        *_rows("reshuffles", reshuffles),
        *_rows("script", [answer_line(choice, choice.answer or 0, names, cards) for choice in finish.choices]),
    ]
    for name, seat in zip(names, start.seats, strict=True):
        lines += ["[[seat]]", f"name = {_value(name)}", *([f"total = {seat.total}"] if seat.total else [])]
    state = state_of(start.rules, names, finish)
    seats = state.pop("seat")
    lines += ["[expect]", *_pairs(state)]
    for name in names:
        lines += [f"[expect.seat.{_value(name)}]", *_pairs(seats[name])]
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, Any]) -> list[str]:
    """A line for each key and value."""
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _rows(key: str, items: Iterable[Any]) -> list[str]:
    """A list with a line for each item; no items, no list."""
    rows = [f"    {_value(item)}," for item in items]
    return [f"{key} = [", *rows, "]"] if rows else []


def _value(value: Any) -> str:
    """A value in TOML; strings are written as in JSON, which TOML reads."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pairs(value))} }}"
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False)
