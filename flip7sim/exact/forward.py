"""The steps forward: how likely hands are, and what comes of them.

Arrays of chances have an axis for blocks of columns first: a block is small enough for a processor's cache, and blocks
are worked on side by side.
"""

import numba as nb
import numpy as np

from flip7sim.cards import NUMBERS
from flip7sim.exact.arrays import ARRAY, BLOCK, ENDS, SCORE, Step
from flip7sim.exact.lines import BUST, FLIP7

__all__ = ["share_out", "spread", "spread_decided"]

#: Places in an array of chances (see `arrays.ENDS`).
BUSTED, MADE, FROZEN, STAYED, DECISIONS = range(len(ENDS))

_jit = nb.njit(error_model="numpy", nogil=True, cache=True)
_inline = nb.njit(error_model="numpy", nogil=True, forceinline=True)


@_inline
def points(total, column, sets):
    """Points for a line that adds up to `total`, with the modifiers of a column (B25)."""
    return (total << sets.doubled[column]) + sets.plus[column]


@_inline
def shifted(step, line, grid):
    """The line at which a step reads its array."""
    # Few steps shift: asking first is ten times quicker than a look into a table.
    return grid.given[step.shift, line] if step.shift else line


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
            spread_step(step, row, block, grid.given[1, line], float(chances), grid, sets, scores, ends)
