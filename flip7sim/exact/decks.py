"""Decks for the exact round: the whole one, and the smaller ones that teach something."""

from dataclasses import dataclass

from flip7sim.cards import BASE_CARDS, FLIP_THREE, FREEZE, NUMBERS, PLUS_TWO, SECOND_CHANCE
from flip7sim.errors import Flip7Error, suggest

__all__ = ["DECKS", "DEFAULT_DECK", "Deck", "deck_of"]

_MODIFIERS = 6


@dataclass(frozen=True)
class Deck:
    """How many cards of each kind a deck holds.

    Attributes
    ----------
    name : str
        What it is called.
    numbers : tuple of int
        Cards of each number, 0 to 12.
    modifiers : int
        The modifiers in it (one each), as bits: +2, +4, +6, +8, +10, x2.
    second_chances, freezes, flip_threes : int
        How many of each action.
    """

    name: str
    numbers: tuple[int, ...]
    modifiers: int
    second_chances: int
    freezes: int
    flip_threes: int

    @property
    def copies(self) -> tuple[int, ...]:
        """How many cards of each kind, by code."""
        modifiers = (self.modifiers >> bit & 1 for bit in range(_MODIFIERS))
        return (*self.numbers, *modifiers, self.freezes, self.flip_threes, self.second_chances)

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.numbers) + self.modifiers.bit_count() + self.second_chances + self.freezes + self.flip_threes


def _deck(name: str, *kinds: int) -> Deck:
    """A deck of all number cards, and of other kinds named by one card each."""
    counts = BASE_CARDS.counts
    has = {kind: counts[kind] if kind in kinds else 0 for kind in (SECOND_CHANCE, FREEZE, FLIP_THREE)}
    modifiers = (1 << _MODIFIERS) - 1 if PLUS_TWO in kinds else 0
    return Deck(name, counts[:NUMBERS], modifiers, has[SECOND_CHANCE], has[FREEZE], has[FLIP_THREE])


#: The decks by name: 79, 85, 88 and 94 cards.
DECKS: dict[str, Deck] = {
    deck.name: deck
    for deck in (
        _deck("numbers"),
        _deck("modifiers", PLUS_TWO),
        _deck("second-chance", PLUS_TWO, SECOND_CHANCE),
        _deck("full", PLUS_TWO, SECOND_CHANCE, FREEZE, FLIP_THREE),
    )
}


DEFAULT_DECK = "second-chance"


def deck_of(name: str) -> Deck:
    """The deck called `name`.

    Raises
    ------
    Flip7Error
        If there is none.
    """
    if name not in DECKS:
        raise Flip7Error(f"deck {name!r} is unknown; {suggest(name, DECKS)}")
    return DECKS[name]
