"""Replay files: a TOML file becomes a `Situation`, or a complaint of one line that says how to mend it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flip7sim.errors import Flip7Error
from flip7sim.replays.fields import Field, written
from flip7sim.replays.script import VERBS, read_line, verbs_of
from flip7sim.replays.seats import check_deck, read_modifiers, read_names, read_numbers, read_seats, statuses_of
from flip7sim.rules import OPTIONS, PRESETS, Rules
from flip7sim.table import Line, Start

__all__ = ["Situation", "load_situation", "parse_situation", "read_file", "situation_of"]

_KEYS = (
    *("title", "rules", "options", "dealer", "until", "deal", "draw_pile", "discard_pile", "reshuffles"),
    *("seed", "script", "seat", "expect"),
)
_EXPECT = (
    *("awaiting", "question", "draw_pile", "discard_pile", "round_over", "flip7", "winner", "unfinished", "dealer"),
    "seat",
)
_EXPECT_SEAT = ("status", "numbers", "modifiers", "second_chance", "score", "total")
#: Seeds are folded into what both players of the game can take.
_SEEDS = 1 << 63


@dataclass(frozen=True)
class Situation:
    """A replay file, read and found to be sound.

    Attributes
    ----------
    file : str
        Where it comes from.
    title : str
        What it shows.
    names : tuple of str
        Of the seats, clockwise.
    start : Start
        The table to play on from.
    script : tuple of str
        The choices, a line each.
    expect : dict
        What is expected of the state that they lead to: a part of what `check.state_of` gives, in the same form.
    """

    file: str
    title: str
    names: tuple[str, ...]
    start: Start
    script: tuple[str, ...]
    expect: dict[str, Any]

    @property
    def lines(self) -> list[Line]:
        """The script for those who play."""
        return [read_line(line, self.names, self.start.rules) for line in self.script]


def load_situation(path: str | Path) -> Situation:
    """Read a replay file.

    Raises
    ------
    Flip7Error
        If the file cannot be read or played; the message names the file, the thing, and what would be right.
    """
    return situation_of(read_file(path), str(path))


def parse_situation(text: str, file: str = "replay") -> Situation:
    """Read the text of a replay file; `file` is what complaints call it."""
    return situation_of(_parse(text, file), file)


def read_file(path: str | Path) -> dict[str, Any]:
    """The TOML table in a file.

    Raises
    ------
    Flip7Error
        If there is none.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise Flip7Error(f"{path}: there is no such file; name a replay file (TOML)") from None
    except IsADirectoryError:
        raise Flip7Error(f"{path}: that is a directory; name the replay files in it") from None
    except UnicodeDecodeError:
        raise Flip7Error(f"{path}: not a text in UTF-8; a replay file is a TOML text") from None
    except (OSError, ValueError) as error:
        raise Flip7Error(f"{path}: cannot be read ({error}); name a replay file (TOML)") from None
    return _parse(text, str(path))


def _parse(text: str, file: str) -> dict[str, Any]:
    """The TOML table in a text."""
    if not text.strip():
        raise Flip7Error(f"{file}: the file is empty; a replay file has a [[seat]] for every seat at least")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Flip7Error(f"{file}: not a TOML text: {error}; strings stand in quotes, tables in brackets") from None
    except (RecursionError, ValueError):
        raise Flip7Error(f"{file}: not a TOML text that can be read; see the format of replay files") from None


def situation_of(data: Mapping[str, Any], file: str) -> Situation:
    """Make sense of the TOML table of a replay file (see `load_situation`)."""
    table = Field(file, dict(data)).table(_KEYS)

    def at(key: str, default: object) -> Field:
        return table.get(key, Field(f"{file}: {key}", default))

    rules = _read_rules(file, at("rules", "fr-2.0"), at("options", {}))
    names = read_names(at("seat", []))
    seats = read_seats(file, at("seat", []), names, rules)
    draw_pile, discard_pile = at("draw_pile", []).cards(rules.cards), at("discard_pile", []).cards(rules.cards)
    orders = at("reshuffles", []).items("piles, each a list of cards")
    decks = rules.decks_for(len(seats))
    check_deck(Field(f"{file}: seats and piles", None), rules, decks, draw_pile + discard_pile, seats)
    for order in orders:
        check_deck(order, rules, decks, order.cards(rules.cards))
    start = Start(
        rules=rules,
        seats=seats,
        dealer=names.index(at("dealer", names[-1]).word(names, "seat")),
        seed=at("seed", 0).integer() % _SEEDS,
        draw_pile=draw_pile,
        discard_pile=discard_pile,
        reshuffles=tuple(order.cards(rules.cards) for order in orders),
        deal=at("deal", True).truth(),
        one_round=at("until", "round").word(("round", "game"), "end") == "round",
    )
    return Situation(
        file=file,
        title=at("title", Path(file).stem).text("a title"),
        names=names,
        start=start,
        script=tuple(line.text("a line such as 'A hit'") for line in at("script", []).items("lines such as 'A hit'")),
        expect=_read_expect(at("expect", {}), names, rules),
    )


def _read_rules(file: str, preset: Field, options: Field) -> Rules:
    """The rules: a preset and options over it."""
    name = preset.word(PRESETS, "preset")
    values = options.table(OPTIONS)
    for field in values.values():
        if isinstance(field.value, list | dict | float):
            raise field.mistyped(OPTIONS[field.where.rsplit(": ", 1)[1]].domain)
    try:
        return Rules.of(name, **{key: field.value for key, field in values.items()})
    except Flip7Error as error:
        raise Flip7Error(f"{file}: options: {error}") from None


def _read_expect(field: Field, names: tuple[str, ...], rules: Rules) -> dict[str, Any]:
    """What is expected, in the form of `check.state_of`."""
    expect: dict[str, Any] = {}
    for key, value in field.table(_EXPECT).items():
        if key in ("awaiting", "flip7", "winner"):
            expect[key] = value.word(("", *names), "seat")
        elif key == "dealer":
            expect[key] = value.word(names, "seat")
        elif key == "question":
            verbs = [verb for verb in VERBS.values() if verb in verbs_of(rules)]
            expect[key] = value.word(("", *verbs), "question")
        elif key in ("round_over", "unfinished"):
            expect[key] = value.truth()
        elif key == "seat":
            seats = value.table(names)
            expect[key] = {name: _read_expected_seat(seat, rules) for name, seat in seats.items()}
        else:
            expect[key] = written(rules.cards, value.cards(rules.cards), ordered=key == "draw_pile")
    return expect


def _read_expected_seat(field: Field, rules: Rules) -> dict[str, Any]:
    """What is expected of one seat."""
    expect: dict[str, Any] = {}
    for key, value in field.table(_EXPECT_SEAT).items():
        if key == "status":
            expect[key] = value.word(statuses_of(rules), "status")
        elif key == "numbers":
            expect[key] = written(rules.cards, read_numbers(value, rules))
        elif key == "modifiers":
            expect[key] = written(rules.cards, read_modifiers(value, rules))
        elif key == "second_chance":
            expect[key] = value.truth()
        else:
            expect[key] = value.integer()
    return expect
