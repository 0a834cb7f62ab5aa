"""All lines that one seat can have, with what it has seen of Second Chances: the states of the exact solver.

A line is the set of numbers held (fewer than a Flip 7), how many Second Chances have been seen, whether one is held,
and which duplicates were cancelled by them. Modifiers and Flip Threes are kept apart: they change neither which lines
there are nor how numbers move between them. Lines are sorted by Second Chances seen, then by how many cards they
account for, so that every card leads to a line with a higher number, and lines that have seen few come first.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from flip7sim.cards import NUMBERS

__all__ = ["BUST", "FLIP7", "NONE", "Lines", "all_lines"]

#: Instead of the number of a line: where a number card leads.
BUST, FLIP7, NONE = -1, -2, -3

# A line as one integer: 13 bits for the numbers, 2 for Second Chances seen, 1 for one held, and three times 4 bits for
# cancelled duplicates in ascending order (15: none).
_SEEN, _HELD, _CANCELLED = 13, 15, 16
_NO_DUPLICATES = 0xFFF
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lines:
    """All lines, as arrays with an entry for each.

    Attributes
    ----------
    bits, count, total, held, seen, cards : int32 arrays (lines,)
        The numbers as bits, how many, their sum; whether a Second Chance is held, how many were seen; how many cards
        the line accounts for.
    left : uint8 array (lines, 13)
        How many cards of each number are left in the deck.
    after : int32 array (lines, 13)
        The line that a number card leads to, or `BUST`, `FLIP7`, or `NONE` without such a card.
    after_second_chance : int32 array (lines,)
        The line that a Second Chance leads to (an extra one is discarded), or `NONE`.
    """

    bits: Int32s
    count: Int32s
    total: Int32s
    held: Int32s
    seen: Int32s
    cards: Int32s
    left: npt.NDArray[np.uint8]
    after: Int32s
    after_second_chance: Int32s

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self.bits)

    def seen_at_most(self, second_chances: int) -> int:
        """How many lines have seen so many Second Chances at most: they are the first ones."""
        return self._seen_at_most[second_chances]

    @cached_property
    def _seen_at_most(self) -> list[int]:
        """By number of Second Chances, none to three."""
        return [int(np.count_nonzero(self.seen <= count)) for count in range(4)]


def _count_of(keys: Int64s, number: int) -> Int64s:
    """How many cards of a number each line accounts for."""
    total = (keys >> number) & 1
    for place in range(3):
        total = total + (((keys >> (_CANCELLED + 4 * place)) & 15) == number)
    return total


def _cancel(keys: Int64s, number: int) -> Int64s:
    """The lines after a Second Chance has cancelled a duplicate of `number`."""
    slots = np.stack([(keys >> (_CANCELLED + 4 * place)) & 15 for place in range(3)])
    slots[2] = number  # the slots are sorted, and there is room: no more can be cancelled than were seen
    slots = np.sort(slots, axis=0)
    rest = keys & ((1 << _HELD) - 1)
    after: Int64s = rest | (slots[0] << _CANCELLED) | (slots[1] << (_CANCELLED + 4)) | (slots[2] << (_CANCELLED + 8))
    return after


def _number(keys: Int64s, number: int, copies: int, size: int) -> Int64s:
    """Where a number card leads from each line: a key, or a negative code."""
    has = (keys >> number) & 1 == 1
    held = (keys >> _HELD) & 1 == 1
    bits = keys & ((1 << NUMBERS) - 1)
    full = np.bitwise_count(bits).astype(np.int64) == size - 1
    after = np.where(has, np.where(held, _cancel(keys, number), BUST), np.where(full, FLIP7, keys | (1 << number)))
    return np.where(_count_of(keys, number) < copies, after, NONE)


def _second_chance(keys: Int64s, copies: int) -> Int64s:
    seen = (keys >> _SEEN) & 3
    return np.where(seen < copies, (keys + (1 << _SEEN)) | (1 << _HELD), NONE)


def _cards(keys: Int64s) -> Int64s:
    total: Int64s = np.bitwise_count(keys & ((1 << NUMBERS) - 1)).astype(np.int64) + ((keys >> _SEEN) & 3)
    for place in range(3):
        total = total + (((keys >> (_CANCELLED + 4 * place)) & 15) != 15)
    return total


def all_lines(
    copies: tuple[int, ...], second_chances: int, size: int, numbers: Iterable[int] = (), held: bool = False
) -> Lines:
    """All lines that can come about.

    Parameters
    ----------
    copies : tuple of int
        How many cards of each of the 13 numbers the deck holds.
    second_chances : int
        How many Second Chances it holds, 3 at most.
    size : int
        How many numbers make a Flip 7.
    numbers : iterable of int
        What is held to begin with.
    held : bool
        Whether a Second Chance is, too.

    Returns
    -------
    Lines
        The first one is the beginning.
    """
    first = (_NO_DUPLICATES << _CANCELLED) | sum(1 << number for number in numbers)
    start = np.array([first | (held << _SEEN) | (held << _HELD)], np.int64)
    levels, frontier = [start], start
    while frontier.size:
        found = [_number(frontier, number, copies[number], size) for number in range(NUMBERS)]
        found.append(_second_chance(frontier, second_chances))
        every = np.unique(np.concatenate(found))
        frontier = every[every >= 0]
        levels.append(frontier)
    keys = np.unique(np.concatenate(levels))
    order = np.lexsort((_cards(keys), (keys >> _SEEN) & 3))
    place = np.empty(keys.size, np.int32)
    place[order] = np.arange(keys.size, dtype=np.int32)

    def number_of(after: Int64s) -> Int32s:
        found = np.searchsorted(keys, np.maximum(after, 0)).clip(0, keys.size - 1)
        return np.where(after >= 0, place[found], after).astype(np.int32)

    lines = keys[order]
    bits = lines & ((1 << NUMBERS) - 1)
    values = np.arange(NUMBERS)
    return Lines(
        bits=bits.astype(np.int32),
        count=np.bitwise_count(bits).astype(np.int32),
        total=(((bits[:, None] >> values) & 1) * values).sum(axis=1).astype(np.int32),
        held=((lines >> _HELD) & 1).astype(np.int32),
        seen=((lines >> _SEEN) & 3).astype(np.int32),
        cards=_cards(lines).astype(np.int32),
        left=np.stack([copies[v] - _count_of(lines, v) for v in range(NUMBERS)], axis=1).astype(np.uint8),
        after=np.stack([number_of(_number(lines, v, copies[v], size)) for v in range(NUMBERS)], axis=1),
        after_second_chance=number_of(_second_chance(lines, second_chances)),
    )
