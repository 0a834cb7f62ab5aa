"""The best decisions of a round alone, as a compact table: how it is made, kept in a file, and looked up.

A decision depends on the hand (numbers, modifiers, a Second Chance), on how many Flip Threes have been played and
Second Chances seen in the round, and on the duplicates that these have cancelled. For all but the modifiers and the
Flip Threes there is a place; there, for each number of Flip Threes, a code stands for all the sets of modifiers with
which to hit. Few such codes are needed, so that a table of 88 million decisions is a file of 25 kB.
"""

import io
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from flip7sim.cards import FLIP_THREE, FREEZE, NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.engine.records import FRESH, UNSEEN, inline, load64
from flip7sim.errors import Flip7Error

__all__ = ["best_place", "flip_threes_played", "hand_place", "is_hit", "pack", "unpack"]

Codes = npt.NDArray[np.uint8]
#: Numbers held at a decision: fewer than a Flip 7.
SIZE = 7
#: Flip Threes and Second Chances in a deck, at most.
MAX_PLAYED = 3
MAX_SEEN = 3
#: The code of a place that stands for no hand.
NO_CODE = 255


def _bases() -> npt.NDArray[np.int32]:
    """The first place of each set of numbers, then how many places there are; -1: a Flip 7, which has none."""
    sizes = np.bitwise_count(np.arange(1 << NUMBERS)).astype(np.int64)
    places = 4 + 5 * sizes + 3 * (sizes * (sizes + 1) // 2) + sizes * (sizes + 1) * (sizes + 2) // 6
    places[sizes >= SIZE] = 0
    starts = np.concatenate([[0], np.cumsum(places)])
    starts[:-1][sizes >= SIZE] = -1
    return starts.astype(np.int32)


BASES = _bases()
PLACES = int(BASES[-1])


@inline
def place_of(numbers, seen, held, cancelled):
    """The place of a hand.

    Parameters
    ----------
    numbers : int64
        The line, as bits.
    seen, held : int64
        Second Chances seen in the round; 1 with one in hand.
    cancelled : int64
        How many duplicates of each number were cancelled: two bits for each.

    Returns
    -------
    int64
        -1: there can be no such hand.
    """
    lost = np.int64(0)
    count = np.int64(0)
    rank = np.int64(0)
    for number in range(NUMBERS):
        has = (numbers >> number) & 1
        times = (cancelled >> (2 * number)) & 3
        if times > has * MAX_SEEN:
            return np.int64(-1)
        for _ in range(times):
            # The rank of a multiset of positions, in combinatorial order.
            lost += 1
            if lost == 1:
                rank += count
            elif lost == 2:
                rank += count * (count + 1) // 2
            else:
                rank += count * (count + 1) * (count + 2) // 6
        count += has
    possible = lost + held <= seen <= MAX_SEEN and (lost + held > 0 or seen == 0)
    if not possible or count >= SIZE:
        return np.int64(-1)
    pairs = count * (count + 1) // 2
    first = np.int64(BASES[numbers])
    if lost == 0:
        return first + seen
    if lost == 1:
        return first + 4 + (seen + 1 if held else seen - 1) * count + rank
    if lost == 2:
        return first + 4 + 5 * count + (2 if held else seen - 2) * pairs + rank
    return first + 4 + 5 * count + 3 * pairs + rank


@inline
def flip_threes_played(table):
    """How many Flip Threes are missing from the draw pile, 3 at most (int64)."""
    return min(load64(table, FRESH, FLIP_THREE) - load64(table, UNSEEN, FLIP_THREE), MAX_PLAYED)


@inline
def best_place(me, table):
    """The place of a seat's hand, if it is all that the draw pile lacks but for what its own round has used up.

    So it is alone with a fresh deck. Elsewhere cards are missing for other reasons, and the answer is -1.
    """
    for modifier in range(PLUS_TWO, TIMES_TWO + 1):
        mine = (me.modifiers >> (4 * (modifier - PLUS_TWO))) & 15
        if load64(table, FRESH, modifier) - load64(table, UNSEEN, modifier) != mine or mine > 1:
            return np.int64(-1)
    cancelled = np.int64(0)
    for number in range(NUMBERS):
        times = load64(table, FRESH, number) - load64(table, UNSEEN, number) - ((me.numbers >> number) & 1)
        if times < 0 or times > MAX_SEEN:
            return np.int64(-1)
        cancelled |= times << (2 * number)
    freezes = load64(table, FRESH, FREEZE) - load64(table, UNSEEN, FREEZE)
    flip_threes = load64(table, FRESH, FLIP_THREE) - load64(table, UNSEEN, FLIP_THREE)
    if freezes != 0 or flip_threes > MAX_PLAYED:
        return np.int64(-1)
    seen = load64(table, FRESH, SECOND_CHANCE) - load64(table, UNSEEN, SECOND_CHANCE)
    return place_of(me.numbers, seen, me.second_chance, cancelled)


@inline
def hand_place(me):
    """The place of a seat's hand as if nothing else had been seen; -1 for seven numbers or more."""
    return place_of(me.numbers, me.second_chance, me.second_chance, np.int64(0))


@inline
def is_hit(me, masks, code):
    """Whether the seat's modifiers are among those with which to hit (bool)."""
    column = np.int64(0)
    for modifier in range(TIMES_TWO - PLUS_TWO + 1):
        if (me.modifiers >> (4 * modifier)) & 15:
            column |= 1 << modifier
    return (masks[code] >> np.uint64(column)) & np.uint64(1) != 0


@nb.njit(cache=True)
def _fill(out, codes, bits, seen, held, left, copies):
    """Write the code of each line to its place."""
    for line in range(len(codes)):
        cancelled = np.int64(0)
        for number in range(NUMBERS):
            times = copies[number] - left[line, number] - ((bits[line] >> number) & 1)
            cancelled |= np.int64(times) << (2 * number)
        out[place_of(np.int64(bits[line]), np.int64(seen[line]), np.int64(held[line]), cancelled)] = codes[line]


def pack(
    lines: Any, copies: tuple[int, ...], sets: npt.NDArray[np.int64], hits: Mapping[int, npt.NDArray[np.uint8]]
) -> bytes:
    """Make a table of decisions.

    Parameters
    ----------
    lines : Lines
        Lines as in `flip7sim.exact.lines`: arrays `bits`, `held`, `seen`, `left`.
    copies : tuple of int
        How many cards of each number the deck holds.
    sets : int64 array
        The set of modifiers, as bits, of each column.
    hits : mapping of int to uint8 array (lines, columns)
        Decisions by Flip Threes played, 1 for a hit.

    Returns
    -------
    bytes
        What `unpack` reads.
    """
    masks = np.zeros((MAX_PLAYED + 1, len(lines.bits)), np.uint64)
    for played, decided in hits.items():
        for column, row in enumerate(sets):
            masks[played] |= decided[:, column].astype(np.uint64) << np.uint64(row)
    known, codes = np.unique(masks, return_inverse=True)
    if len(known) > NO_CODE:
        raise Flip7Error(f"the decisions are of {len(known)} kinds: a table can hold {NO_CODE}")
    places = np.full((MAX_PLAYED + 1, PLACES), NO_CODE, np.uint8)
    for out, row in zip(places, codes.reshape(masks.shape).astype(np.uint8), strict=True):
        _fill(out, row, lines.bits, lines.seen, lines.held, lines.left, np.array(copies))
    file = io.BytesIO()
    np.savez(file, masks=known, places=places)
    return lzma.compress(file.getvalue())


def unpack(table: bytes | Path) -> tuple[npt.NDArray[np.uint64], tuple[Codes, ...]]:
    """Read a table of decisions.

    Returns
    -------
    masks : uint64 array
        Sets of sets of modifiers with which to hit, as bits, by code.
    places : tuple of uint8 arrays
        The code at each place, by Flip Threes played; `NO_CODE` where there can be no hand.

    Raises
    ------
    Flip7Error
        If the file cannot be read.
    """
    try:
        data = table.read_bytes() if isinstance(table, Path) else table
        with np.load(io.BytesIO(lzma.decompress(data))) as kept:
            return kept["masks"], tuple(np.ascontiguousarray(row) for row in kept["places"])
    except (OSError, lzma.LZMAError, KeyError, ValueError) as error:
        raise Flip7Error(f"the table of best decisions cannot be read ({error}): install flip7sim again") from None
