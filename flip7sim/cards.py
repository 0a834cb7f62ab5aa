"""Card kinds of each game: their codes, their names and how many a deck holds (rules B1, V30).

A card is an integer everywhere in the simulator: the code of its kind. Codes of number cards are the numbers
themselves, so a line of number cards is a set of bits; in Vengeance two special numbers have codes of their own.
"""

from dataclasses import dataclass

__all__ = [
    *("BASE_CARDS", "FLIP_THREE", "FREEZE", "NUMBERS", "PLUS_TWO", "SECOND_CHANCE", "TIMES_TWO", "CardSet"),
    *("DISCARD", "FLIP_FOUR", "HALF", "JUST_ONE_MORE", "LUCKY_13", "MINUS_TWO", "STEAL", "SWAP", "THIRTEEN"),
    *("UNLUCKY_7", "VENGEANCE_CARDS", "ZERO"),
]

#: Codes 0 .. 12 are the numbers of the base game; from here on come modifiers, then actions.
NUMBERS = 13
PLUS_TWO = 13
TIMES_TWO = 18
FREEZE = 19
FLIP_THREE = 20
SECOND_CHANCE = 21

#: Codes 0 .. 13 are the numbers of Vengeance, The Zero among them; two special numbers follow (V36 to V38).
ZERO = 0
THIRTEEN = 13
LUCKY_13 = 14
UNLUCKY_7 = 15
MINUS_TWO = 16
HALF = 21
JUST_ONE_MORE = 22
FLIP_FOUR = 23
SWAP = 24
STEAL = 25
DISCARD = 26


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
    modifiers, actions : int
        The first code of a modifier, and of an action; lower ones are number cards.
    """

    game: str
    names: tuple[str, ...]
    counts: tuple[int, ...]
    modifiers: int
    actions: int

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
    modifiers=PLUS_TWO,
    actions=FREEZE,
)

#: With A Vengeance (V30): 92 numbers, 6 modifiers, 10 actions.
VENGEANCE_CARDS = CardSet(
    game="vengeance",
    names=(
        "zero",
        *(str(number) for number in range(1, THIRTEEN + 1)),
        *("lucky13", "unlucky7"),
        *("-2", "-4", "-6", "-8", "-10", "/2"),
        *("just_one_more", "flip4", "swap", "steal", "discard"),
    ),
    counts=(1, *range(1, 7), 6, *range(8, 13), 12, 1, 1, *(1,) * 6, *(2,) * 5),
    modifiers=MINUS_TWO,
    actions=JUST_ONE_MORE,
)
