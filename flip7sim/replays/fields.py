"""A value of a replay file with the place where it stands, so that every complaint names that place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flip7sim.cards import CardSet
from flip7sim.errors import Flip7Error, suggest

__all__ = ["Field", "written"]


@dataclass(frozen=True)
class Field:
    """One value of the file.

    Attributes
    ----------
    where : str
        The file, and the way to the value in it: what a complaint begins with.
    value : object
        As the file has it.
    """

    where: str
    value: Any

    def error(self, wrong: str, right: str) -> Flip7Error:
        """The complaint that says what is wrong here and what would be right."""
        return Flip7Error(f"{self.where}: {wrong}; {right}")

    def mistyped(self, right: str) -> Flip7Error:
        """The complaint that the value is of the wrong kind."""
        value = self.value
        shown = "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
        return self.error(f"{shown} cannot be used", f"it must be {right}")

    def table(self, known: Iterable[str]) -> "dict[str, Field]":
        """The fields of a table that may have just the `known` keys."""
        if not isinstance(self.value, dict):
            raise self.mistyped("a table of key = value")
        known = list(known)
        for key in self.value:
            if key not in known:
                raise self.error(f"key {key!r} is unknown", suggest(key, known))
        return {key: Field(f"{self.where}: {key}", value) for key, value in self.value.items()}

    def items(self, what: str) -> "list[Field]":
        """The elements of a list of `what`."""
        if not isinstance(self.value, list):
            raise self.mistyped(f"a list of {what}")
        return [Field(f"{self.where}: entry {place}", value) for place, value in enumerate(self.value, 1)]

    def integer(self, low: int | None = None, high: int | None = None) -> int:
        """A whole number within its bounds."""
        value = self.value
        bounds = "" if low is None else f" from {low} to {high}" if high is not None else f", {low} or more"
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.mistyped(f"a whole number{bounds}")
        if (low is not None and value < low) or (high is not None and value > high):
            raise self.mistyped(f"a whole number{bounds}")
        return value

    def truth(self) -> bool:
        """Either true or false."""
        if not isinstance(self.value, bool):
            raise self.mistyped("true or false")
        return self.value

    def text(self, what: str) -> str:
        """A string, which is `what`."""
        if not isinstance(self.value, str):
            raise self.mistyped(f"{what}, in quotes")
        return self.value

    def word(self, known: Iterable[str], what: str) -> str:
        """One of the `known` words."""
        known = list(known)
        word = self.text(what)
        if word not in known:
            raise self.error(f"{what} {word!r} is unknown", suggest(word, known))
        return word

    def cards(self, cards: CardSet, low: int = 0, high: int | None = None, kind: str = "") -> tuple[int, ...]:
        """The codes of a list of cards.

        Parameters
        ----------
        cards : CardSet
            The cards of the game.
        low, high : int
            Only codes from `low` on and below `high` belong here.
        kind : str
            What to call those.
        """
        codes = []
        known = cards.names[low:high]
        for item in self.items(f"{kind} cards".strip()):
            try:
                code = cards.code(item.value)
            except KeyError:
                hint = suggest(item.value, known)
                if "zero" in known and str(item.value) == "0":
                    hint = "the one 0 of With A Vengeance is 'zero'"
                raise self.error(f"card {item.value!r} is unknown", hint) from None
            if cards.names[code] not in known:
                hint = f"{kind} cards are {', '.join(known)}"
                if "+2" in known and f"+{item.value}" in known:
                    hint += f" (plus cards must be in quotes: '+{item.value}')"
                raise self.error(f"{item.value!r} is not a {kind} card", hint)
            codes.append(code)
        return tuple(codes)


def written(cards: CardSet, codes: Sequence[int], *, ordered: bool = False) -> list[int | str]:
    """Cards as files write them, numbers as numbers; in ascending order unless they are `ordered`."""
    return [
        int(cards.names[code]) if cards.names[code].isdigit() else cards.names[code]
        for code in (codes if ordered else sorted(codes))
    ]
