"""Decks of With A Vengeance for the exact round: those without actions.

Alone, a Discard is a choice among all cards in front, and what it takes away has left the deck: a state would have to
remember it all. Numbers and modifiers are exact; the rest is left to Monte Carlo.
"""

from dataclasses import dataclass

from flip7sim.cards import JUST_ONE_MORE, MINUS_TWO, UNLUCKY_7, VENGEANCE_CARDS
from flip7sim.errors import Flip7Error

__all__ = ["DEFAULT_VENGEANCE_DECK", "VENGEANCE_DECKS", "VengeanceDeck", "vengeance_deck_of"]

MODIFIERS = JUST_ONE_MORE - MINUS_TWO
DEFAULT_VENGEANCE_DECK = "numbers"


@dataclass(frozen=True)
class VengeanceDeck:
    """How many cards of each kind a deck holds.

    Attributes
    ----------
    name : str
        What it is called.
    numbers : tuple of int
        Cards of each kind of number, by code: 0 to 13, the Lucky 13, the Unlucky 7; one Unlucky 7 at most.
    modifiers : int
        The modifiers in it (one each), as bits: -2, -4, -6, -8, -10, /2.
    """

    name: str
    numbers: tuple[int, ...]
    modifiers: int = 0

    @property
    def copies(self) -> tuple[int, ...]:
        """How many cards of each kind, by code."""
        modifiers = (self.modifiers >> bit & 1 for bit in range(MODIFIERS))
        return (*self.numbers, *modifiers, *(0,) * (len(VENGEANCE_CARDS.names) - JUST_ONE_MORE))

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.copies)


_NUMBERS = VENGEANCE_CARDS.counts[: UNLUCKY_7 + 1]

#: The decks by name: 92 and 98 cards.
VENGEANCE_DECKS: dict[str, VengeanceDeck] = {
    deck.name: deck
    for deck in (VengeanceDeck("numbers", _NUMBERS), VengeanceDeck("modifiers", _NUMBERS, (1 << MODIFIERS) - 1))
}


def vengeance_deck_of(name: str) -> VengeanceDeck:
    """The deck called `name`.

    Raises
    ------
    Flip7Error
        If a round with it cannot be exact.
    """
    if name not in VENGEANCE_DECKS:
        can = ", ".join(f"{deck.name} ({deck.size} cards)" for deck in VENGEANCE_DECKS.values())
        raise Flip7Error(
            f"deck {name!r} cannot be solved exactly in Vengeance; these can, the decks without actions: {can}"
        )
    return VENGEANCE_DECKS[name]
