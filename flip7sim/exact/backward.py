"""The steps backward: what hands are worth, and which ones matter for that.

A row has the worth of one line with every set of modifiers; blocks of columns that do not matter are left out.
"""

import numba as nb
import numpy as np

from flip7sim.cards import NUMBERS
from flip7sim.exact.arrays import ARRAY, BLOCK, SCORE, Step
from flip7sim.exact.lines import BUST, FLIP7

__all__ = ["better", "card_values", "decide", "mark", "mark_decided"]

_BLOCK_MASK = np.uint64((1 << BLOCK) - 1)
_ONE = np.uint64(1)
_ALL = np.uint64((1 << 64) - 1)

_jit = nb.njit(error_model="numpy", nogil=True, cache=True)
_inline = nb.njit(error_model="numpy", nogil=True, forceinline=True)


@_inline
def shifted(step, line, grid):
    """The line at which a step reads its array."""
    # Few steps shift: asking first is ten times quicker than a look into a table.
    return grid.given[step.shift, line] if step.shift else line


@_inline
def add_row(row, weight, other, mask):
    """Add `weight` times another row to a row, in the blocks that a mask needs at least."""
    if mask == _ALL:
        for column in range(len(row)):
            row[column] += weight * other[column]
        return
    for block in range(0, len(row), BLOCK):
        if (mask >> np.uint64(block)) & _BLOCK_MASK != 0:
            for column in range(block, block + BLOCK):
                row[column] += weight * other[column]


@_inline
def row_of(step, line, grid, worth):
    """What a step is worth at a line, by column."""
    if step.kind == SCORE:
        return worth.banked[grid.totals[line]]
    return step.array[shifted(step, line, grid)]


@_inline
def add_numbers(row, line, mask, plain, grid, worth):
    """Begin a row with the number cards left, and what they lead to."""
    lost = 0.0
    for number in range(NUMBERS):
        if grid.after[line, number] == BUST:
            lost += grid.left[line, number]
    lost *= worth.bust
    for column in range(len(row)):
        row[column] = lost
    for number in range(NUMBERS):
        target = grid.after[line, number]
        weight = float(grid.left[line, number])
        if target >= 0:
            add_row(row, weight, row_of(plain, target, grid, worth), mask)
        elif target == FLIP7:
            add_row(row, weight, worth.flip7[grid.totals[line] + number], mask)


@_jit
def card_values(out, need, first, last, plain, freeze, flip_three, second_chance, grid, sets, size, worth):
    """What a card inside a Flip Three is worth, for the lines from `first` to before `last`, into `out`.

    `need` has the columns that matter for each line, as bits; the others may get anything.
    """
    columns = 1 << sets.free
    for line in range(first, last):
        mask = need[line]
        if mask == 0:
            continue
        row = out[line]
        add_numbers(row, line, mask, plain, grid, worth)
        other = row_of(plain, line, grid, worth)
        for bit in range(sets.free):
            width = 1 << bit
            for start in range(0, columns, 2 * width):
                for column in range(start, start + width):
                    row[column] += other[column + width]
        if freeze.weight:
            add_row(row, float(freeze.weight), row_of(freeze, line, grid, worth), mask)
        if flip_three.weight:
            add_row(row, float(flip_three.weight), row_of(flip_three, line, grid, worth), mask)
        chances = second_chance.weight - grid.seen[line]
        if chances > 0:
            add_row(row, float(chances), row_of(second_chance, line, grid, worth), mask)
        left = float(size - grid.cards[line])
        for column in range(len(row)):
            row[column] /= left - sets.held[column]


@_jit
def decide(
    out, need, first, last, hits, best, forced, freezes, flip_three, second_chances, grid, sets, size, worth
):  # fmt: skip
    """What a hand is worth at a decision, for the lines from `first` to before `last`, into `out`.

    With `best`, the better of hit and stay; else what `hits` says, 1 for a hit; with `forced` there is no choice but to
    hit at line 0 and column 0. All later lines must be there already, or lie in this range. `need` is as in
    `card_values`.
    """
    here = Step(1, ARRAY, out, 0)
    for line in range(last - 1, first - 1, -1):
        mask = need[line]
        if mask == 0:
            continue
        row = out[line]
        add_numbers(row, line, mask, here, grid, worth)
        if flip_three.weight:
            add_row(row, float(flip_three.weight), row_of(flip_three, line, grid, worth), mask)
        chances = second_chances - grid.seen[line]
        if chances > 0:
            add_row(row, float(chances), out[grid.given[1, line]], mask)
        stays = worth.banked[grid.totals[line]]
        for column in range((1 << sets.free) - 1, -1, -1):
            if (mask >> np.uint64(column)) & _ONE == 0:
                continue
            stay = stays[column]
            left = size - grid.cards[line] - sets.held[column]
            if left == 0:
                row[column] = stay
                continue
            total = row[column] + freezes * stay
            for bit in range(sets.free):
                if column >> bit & 1 == 0:
                    total += row[column | 1 << bit]
            hit = total / left
            takes = hit > stay if best else hits[line, column] != 0
            row[column] = hit if takes or (forced and line == 0 and column == 0) else stay


@_jit
def better(out, values, grid, sets, worth):
    """Whether a hit is what the best values come from, into `out`."""
    for line in range(out.shape[0]):
        for column in range(1 << sets.free):
            out[line, column] = values[line, column] > worth.banked[grid.totals[line], column]


# --- which hands matter ---


@_inline
def mark_step(step, line, mask, grid):
    """Mark where a step leads from the columns of a mask."""
    if step.kind == ARRAY:
        step.array[shifted(step, line, grid)] |= mask


@_inline
def grown(mask, lacking, free):
    """The columns that one more modifier leads to from those of a mask; `lacking[b]` are those without modifier b."""
    found = np.uint64(0)
    for bit in range(free):
        found |= (mask & lacking[bit]) << np.uint64(1 << bit)
    return found


@_jit
def mark(need, plain, freeze, flip_three, second_chance, grid, lacking, free):
    """Mark what the needed hands inside a Flip Three lead to."""
    for line in range(len(need)):
        mask = need[line]
        if mask == 0:
            continue
        for number in range(NUMBERS):
            target = grid.after[line, number]
            if target >= 0:
                mark_step(plain, target, mask, grid)
        mark_step(plain, line, grown(mask, lacking, free), grid)
        if freeze.weight:
            mark_step(freeze, line, mask, grid)
        if flip_three.weight:
            mark_step(flip_three, line, mask, grid)
        if second_chance.weight - grid.seen[line] > 0:
            mark_step(second_chance, line, mask, grid)


@_jit
def mark_decided(need, hits, flip_three, second_chances, grid, lacking, free, forced):
    """Mark what the needed hands lead to at which `hits` (columns as bits) decides to hit."""
    for line in range(len(need)):
        takes = hits[line]
        if forced and line == 0:
            takes |= _ONE
        mask = need[line]
        while True:
            more = mask | grown(mask & takes, lacking, free)
            if more == mask:
                break
            mask = more
        need[line] = mask
        mask &= takes
        if mask == 0:
            continue
        for number in range(NUMBERS):
            target = grid.after[line, number]
            if target >= 0:
                need[target] |= mask
        if flip_three.weight:
            mark_step(flip_three, line, mask, grid)
        if second_chances - grid.seen[line] > 0:
            need[grid.given[1, line]] |= mask
