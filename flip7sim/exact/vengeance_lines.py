"""All lines that one seat can have in With A Vengeance: the rows of the exact solver's arrays (V34 to V38).

A line is a set of number cards, a bit for each code: no kind can lie in it twice, not even the plain 13, which may only
have the Lucky 13 beside it. Before the Unlucky 7 comes, lines begin with nothing; after it, with the Unlucky 7.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from flip7sim.cards import LUCKY_13, THIRTEEN, UNLUCKY_7, ZERO

__all__ = ["BUST", "FLIP7", "KINDS", "VALUES", "VengeanceLines", "all_vengeance_lines"]

#: Instead of the number of a line: where a number card leads.
BUST, FLIP7 = -1, -2
SEVEN = 7
#: Kinds of number cards that come to a line: all but the Unlucky 7, which wipes it.
KINDS = UNLUCKY_7
#: The number on each kind, the Unlucky 7 included.
VALUES = np.array([*range(THIRTEEN + 1), THIRTEEN, SEVEN])

Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True)
class VengeanceLines:
    """All lines, as arrays with an entry for each; those with fewer cards come first.

    Attributes
    ----------
    keys : int32 array (lines,)
        The cards, a bit for each code.
    bits, count, total, cards : int32 arrays (lines,)
        The numbers as bits, how many count toward a Flip 7, their sum, how many cards lie there.
    forced : int32 array (lines,)
        1 with The Zero: the seat must hit, and has no points (V36).
    after : int32 array (lines, KINDS)
        The line that a number card leads to, or `BUST`, or `FLIP7`. All lines but the first are behind one that leads
        to them.
    """

    keys: Int32s
    bits: Int32s
    count: Int32s
    total: Int32s
    cards: Int32s
    forced: Int32s
    after: Int32s

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self.keys)


def _kinds(key: int) -> list[int]:
    return [kind for kind in range(UNLUCKY_7 + 1) if key >> kind & 1]


def _count(key: int, lucky13_cards: bool) -> int:
    """How many of the numbers that make a Flip 7 there are (V35); 7 and Unlucky 7 never lie together."""
    both = 1 << THIRTEEN | 1 << LUCKY_13
    return key.bit_count() - (key & both == both and not lucky13_cards)


def _busts(key: int, kind: int) -> bool:
    return bool(key >> kind & 1) or (kind == SEVEN and bool(key >> UNLUCKY_7 & 1))


def all_vengeance_lines(size: int, lucky13_cards: bool, wiped: bool) -> VengeanceLines:
    """All lines that can come about.

    Parameters
    ----------
    size : int
        How many numbers make a Flip 7, 2 at least.
    lucky13_cards : bool
        Whether the Lucky 13 and another 13 count as two (V35).
    wiped : bool
        Whether the first line is that of an Unlucky 7 instead of none.
    """
    start = 1 << UNLUCKY_7 if wiped else 0
    keys, level = [start], [start]
    while level:
        longer = {key | 1 << kind for key in level for kind in range(KINDS) if not _busts(key, kind)}
        level = sorted(key for key in longer if _count(key, lucky13_cards) < size)
        keys += level
    place = {key: line for line, key in enumerate(keys)}

    def after(key: int, kind: int) -> int:
        return BUST if _busts(key, kind) else place.get(key | 1 << kind, FLIP7)

    def array(values: object) -> Int32s:
        return np.array(values, np.int32)

    numbers = [sum({1 << int(VALUES[kind]) for kind in _kinds(key)}) for key in keys]
    return VengeanceLines(
        keys=array(keys),
        bits=array(numbers),
        count=array([_count(key, lucky13_cards) for key in keys]),
        total=array([sum(int(VALUES[kind]) for kind in _kinds(key)) for key in keys]),
        cards=array([key.bit_count() for key in keys]),
        forced=array([key >> ZERO & 1 for key in keys]),
        after=array([[after(key, kind) for kind in range(KINDS)] for key in keys]),
    )
