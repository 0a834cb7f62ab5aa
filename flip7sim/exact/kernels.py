"""The steps of the dynamic programme over all hands, backward (what a hand is worth) and forward (how likely it is).

Arrays over hands have a row for each line (`lines.Lines`) and a column for each set of modifiers, so that a card that
changes the line moves all sets of modifiers at once. Columns come in blocks of eight, which is what a processor adds at
once: backward, blocks that do not matter are left out; forward, blocks are worked on side by side. All kernels lie in
this file, since numba notices an edit in the file of a cached function only.
"""

from typing import Any, NamedTuple

import numba as nb
import numpy as np

from flip7sim.cards import NUMBERS
from flip7sim.exact.lines import BUST, FLIP7

__all__ = [
    *("ARRAY", "BLOCK", "ENDS", "NOTHING", "SCORE", "Grid", "Sets", "Step", "Worth"),
    *("better", "card_values", "decide", "mark", "mark_decided", "share_out", "spread", "spread_decided"),
]

#: Where a card leads: nowhere, to the score that is banked at once, or to a hand with its place in an array.
NOTHING, SCORE, ARRAY = 0, 1, 2
#: How a round ends, and how many decisions were taken: places in an array of chances.
ENDS = ("bust", "flip7", "frozen", "stayed", "decisions")
BUSTED, MADE, FROZEN, STAYED, DECISIONS = range(len(ENDS))
#: Columns that are worked on together.
BLOCK = 8
_BLOCK_MASK = np.uint64((1 << BLOCK) - 1)
_ONE = np.uint64(1)
_ALL = np.uint64((1 << 64) - 1)


class Grid(NamedTuple):
    """The arrays of `lines.Lines` that the kernels read."""

    totals: Any
    counts: Any
    held: Any
    seen: Any
    cards: Any
    left: Any
    after: Any
    after_second_chance: Any


class Sets(NamedTuple):
    """The sets of modifiers that the columns stand for.

    Column c has the modifiers with which the round began, and of the `free` ones that may come those that are bits of
    c. `plus`, `doubled` and `held` are arrays: what the plus cards add up to, 1 with x2, how many cards have come.
    """

    free: int
    plus: Any
    doubled: Any
    held: Any


class Worth(NamedTuple):
    """What the end of a round is worth: a bust; and what is banked by sum of the line and column, or makes a Flip 7."""

    bust: float
    banked: Any
    flip7: Any


class Step(NamedTuple):
    """Where a kind of card leads: how many there are (Second Chances: less those seen), and to what.

    `array` is read at the same line, or at the next one, after it has been given `shift` Second Chances.
    """

    weight: int
    kind: int
    array: Any
    shift: int


_jit = nb.njit(error_model="numpy", nogil=True, cache=True)
_inline = nb.njit(error_model="numpy", nogil=True, forceinline=True)


@_inline
def points(total, column, sets):
    """Points for a line that adds up to `total`, with the modifiers of a column (B25)."""
    return (total << sets.doubled[column]) + sets.plus[column]


@_inline
def shifted(step, line, grid):
    """The line at which a step reads its array."""
    for _ in range(step.shift):
        line = grid.after_second_chance[line]
    return line


# --- backward: what hands are worth ---


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
            add_row(row, float(chances), out[grid.after_second_chance[line]], mask)
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
            need[grid.after_second_chance[line]] |= mask


# --- forward: how likely hands are ---
#
# Arrays of chances have an axis for blocks of columns first: a block is small enough for a processor's cache.


@_inline
def spread_step(step, row, block, line, weight, grid, sets, scores, ends):
    """Spread the chances of a row (a block of a line), `weight` times, over where a step leads at a line."""
    if step.kind == ARRAY:
        other = step.array[block, shifted(step, line, grid)]
        for place in range(BLOCK):
            other[place] += weight * row[place]
    elif step.kind == SCORE:
        for place in range(BLOCK):
            chance = weight * row[place]
            scores[points(grid.totals[line], block * BLOCK + place, sets)] += chance
            ends[FROZEN] += chance


@_inline
def spread_numbers(step, row, block, line, grid, sets, bonus, scores, ends):
    """Spread the chances of single cards of a row over the number cards left."""
    busts = 0.0
    for number in range(NUMBERS):
        target = grid.after[line, number]
        weight = float(grid.left[line, number])
        if target >= 0:
            spread_step(step, row, block, target, weight, grid, sets, scores, ends)
        elif target == BUST:
            busts += weight
        elif target == FLIP7:
            for place in range(BLOCK):
                chance = weight * row[place]
                scores[points(grid.totals[line] + number, block * BLOCK + place, sets) + bonus] += chance
                ends[MADE] += chance
    if busts:
        for place in range(BLOCK):
            scores[0] += busts * row[place]
            ends[BUSTED] += busts * row[place]


@_inline
def from_modifiers(here, block, line, place, sets):
    """The chance that the next card brings a modifier of a column, which was missing so far."""
    column = block * BLOCK + place
    chance = 0.0
    for bit in range(sets.free):
        if column >> bit & 1:
            before = column ^ 1 << bit
            chance += here[before // BLOCK, line, before % BLOCK]
    return chance


@_inline
def any_chance(row):
    """Whether a row has a chance at all."""
    total = 0.0
    for place in range(BLOCK):
        total += row[place]
    return total != 0.0


@_jit
def share_out(here, block, grid, sets, size):
    """Divide the chances of a block by the cards left: from now on `here` is the chance of a single card."""
    for line in range(here.shape[1]):
        row = here[block, line]
        if any_chance(row):
            left = size - grid.cards[line]
            for place in range(BLOCK):
                row[place] /= left - sets.held[block * BLOCK + place]


@_jit
def spread(here, block, plain, freeze, flip_three, second_chance, grid, sets, bonus, scores, ends):
    """Spread the chances of single cards that are `here` over where these lead to in a block (inside a Flip Three)."""
    came = np.zeros(BLOCK)
    for line in range(here.shape[1]):
        for place in range(BLOCK):
            came[place] = from_modifiers(here, block, line, place, sets)
        if any_chance(came):
            spread_step(plain, came, block, line, 1.0, grid, sets, scores, ends)
        row = here[block, line]
        if not any_chance(row):
            continue
        spread_numbers(plain, row, block, line, grid, sets, bonus, scores, ends)
        if freeze.weight:
            spread_step(freeze, row, block, line, float(freeze.weight), grid, sets, scores, ends)
        if flip_three.weight:
            spread_step(flip_three, row, block, line, float(flip_three.weight), grid, sets, scores, ends)
        chances = second_chance.weight - grid.seen[line]
        if chances > 0:
            spread_step(second_chance, row, block, line, float(chances), grid, sets, scores, ends)


@_jit
def spread_decided(
    here, block, hits, forced, freezes, flip_three, second_chances, grid, sets, size, bonus, scores, ends, visits
):  # fmt: skip
    """Let a strategy decide at every hand of a block, and spread the chances over its next card.

    `hits` holds its decisions, 1 for a hit; where it must hit it is not asked. Blocks with fewer modifiers
    come before; what is left `here` is the chance of a single card. `visits` counts decisions by number cards held,
    Second Chance held, x2 held, score, and whether the seat hit.
    """
    step = Step(1, ARRAY, here, 0)
    for line in range(here.shape[1]):
        row = here[block, line]
        for place in range(BLOCK):
            chance = row[place] + from_modifiers(here, block, line, place, sets)
            if chance == 0.0:
                continue
            column = block * BLOCK + place
            left = size - grid.cards[line] - sets.held[column]
            score = points(grid.totals[line], column, sets)
            if line or column or not forced:
                takes = hits[line, column] != 0
                ends[DECISIONS] += chance
                visits[grid.counts[line], grid.held[line], sets.doubled[column], score, int(takes)] += chance
                if left == 0 or not takes:
                    scores[score] += chance
                    ends[STAYED] += chance
                    row[place] = 0.0
                    continue
            chance /= left
            row[place] = chance
            scores[score] += chance * freezes
            ends[FROZEN] += chance * freezes
        if not any_chance(row):
            continue
        spread_numbers(step, row, block, line, grid, sets, bonus, scores, ends)
        if flip_three.weight:
            spread_step(flip_three, row, block, line, float(flip_three.weight), grid, sets, scores, ends)
        chances = second_chances - grid.seen[line]
        if chances > 0:
            spread_step(step, row, block, grid.after_second_chance[line], float(chances), grid, sets, scores, ends)
