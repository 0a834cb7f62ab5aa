"""Card kinds of each game: their codes, their names and how many a deck holds (rules B1, V30).

A card is an integer everywhere in the simulator: the code of its kind. Codes of number cards in the base game are the
numbers themselves, so a line of number cards is a set of bits.
"""

from dataclasses import dataclass

__all__ = ["BASE_CARDS", "FLIP_THREE", "FREEZE", "NUMBERS", "PLUS_TWO", "SECOND_CHANCE", "TIMES_TWO", "CardSet"]

#: Codes 0 .. 12 are the numbers of the base game; from here on come modifiers, then actions.
NUMBERS = 13
PLUS_TWO = 13
TIMES_TWO = 18
FREEZE = 19
FLIP_THREE = 20
SECOND_CHANCE = 21


@dataclass(frozen=True)
class CardSet:
    """The kinds of cards of one game.

    Attributes
    ----------
    game : str
        Name of the game that is played with them.
    names : tuple of str
        Name of each kind, as replay files write it; the position is the code.
    counts : tuple of int
        How many cards of each kind one deck holds.
    """

    game: str
    names: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of cards in one deck."""
        return sum(self.counts)

    def code(self, name: object) -> int:
        """Code of the kind called `name` (a string, or an integer for a number card).

        Raises
        ------
        KeyError
            If no kind has that name.
        """
        if isinstance(name, bool) or not isinstance(name, int | str) or str(name) not in self.names:
            raise KeyError(name)
        return self.names.index(str(name))

    def deck(self, decks: int = 1) -> list[int]:
        """All cards of `decks` decks, in ascending order of their codes."""
        return [code for code, count in enumerate(self.counts) for _ in range(count * decks)]


#: The base game (B1): 79 numbers, 6 modifiers, 9 actions.
BASE_CARDS = CardSet(
    game="base",
    names=(
        *(str(number) for number in range(NUMBERS)),
        *("+2", "+4", "+6", "+8", "+10", "x2"),
        *("freeze", "flip3", "second_chance"),
    ),
    counts=(1, *range(1, NUMBERS), *(1,) * 6, *(3,) * 3),
)
