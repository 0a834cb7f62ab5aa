"""The steps of the dynamic programme over all hands, backward (what a hand is worth) and forward (how likely it is).

Arrays over hands have a row for each set of modifiers, as bits, and a column for each line (`lines.Lines`). A kernel
works on one row, so that rows with equally many modifiers can be worked on side by side. All kernels lie in this file,
since numba notices an edit in the file of a cached function only.
"""

from typing import Any, NamedTuple

import numba as nb

from flip7sim.cards import NUMBERS
from flip7sim.exact.lines import BUST, FLIP7

__all__ = [
    *("ARRAY", "ENDS", "NOTHING", "SCORE", "Deal", "Grid", "Step"),
    *("better", "card_values", "decide", "share_out", "spread", "spread_decided"),
]

#: Where a card leads: nowhere, to the score that is banked at once, or to a hand with its place in an array.
NOTHING, SCORE, ARRAY = 0, 1, 2
#: How a round ends, and how many decisions were taken: places in an array of chances.
ENDS = ("bust", "flip7", "frozen", "stayed", "decisions")
BUSTED, MADE, FROZEN, STAYED, DECISIONS = range(len(ENDS))
_MODIFIERS = 6


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


class Deal(NamedTuple):
    """What the deck holds: modifiers as bits, and how many cards but for those that line and modifiers account for.

    At line 0 with the modifiers `forced` there is no choice but to hit (-1: there always is one).
    """

    modifiers: int
    size: int
    bonus: int
    forced: int


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
def points(total, row):
    """Points for a line that adds up to `total`, with the modifiers of a row (B25)."""
    plus = 2 * (row & 1) + 4 * (row >> 1 & 1) + 6 * (row >> 2 & 1) + 8 * (row >> 3 & 1) + 10 * (row >> 4 & 1)
    return (total << (row >> 5 & 1)) + plus


@_inline
def popcount(word):
    """How many bits are set."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@_inline
def worth(step, row, line, grid):
    """What a step is worth."""
    if step.kind == SCORE:
        return float(points(grid.totals[line], row))
    for _ in range(step.shift):
        line = grid.after_second_chance[line]
    return step.array[row, line]


@_inline
def plain_cards(step, row, line, grid, deal):
    """Sum, over the number and modifier cards left, of what they lead to."""
    total = 0.0
    for number in range(NUMBERS):
        next_line = grid.after[line, number]
        if next_line >= 0:
            total += grid.left[line, number] * worth(step, row, next_line, grid)
        elif next_line == FLIP7:
            total += grid.left[line, number] * (points(grid.totals[line] + number, row) + deal.bonus)
    for modifier in range(_MODIFIERS):
        bit = 1 << modifier
        if deal.modifiers & bit and row & bit == 0:
            total += worth(step, row | bit, line, grid)
    return total


@_jit
def card_values(out, row, grid, deal, plain, freeze, flip_three, second_chance):
    """What a card inside a Flip Three is worth, for every line of a row, into `out`."""
    held = popcount(row)
    for line in range(out.shape[1]):
        total = plain_cards(plain, row, line, grid, deal)
        if freeze.weight:
            total += freeze.weight * worth(freeze, row, line, grid)
        if flip_three.weight:
            total += flip_three.weight * worth(flip_three, row, line, grid)
        chances = second_chance.weight - grid.seen[line]
        if chances > 0:
            total += chances * worth(second_chance, row, line, grid)
        out[row, line] = total / (deal.size - grid.cards[line] - held)


@_jit
def decide(out, row, grid, deal, freezes, flip_three, second_chances):
    """The better of hit and stay, for every line of a row, into `out`."""
    held = popcount(row)
    here = Step(1, ARRAY, out, 0)
    for line in range(out.shape[1] - 1, -1, -1):
        stay = float(points(grid.totals[line], row))
        left = deal.size - grid.cards[line] - held
        if left == 0:
            out[row, line] = stay
            continue
        total = plain_cards(here, row, line, grid, deal) + freezes * stay
        if flip_three.weight:
            total += flip_three.weight * worth(flip_three, row, line, grid)
        chances = second_chances - grid.seen[line]
        if chances > 0:
            total += chances * out[row, grid.after_second_chance[line]]
        hit = total / left
        out[row, line] = hit if hit > stay or (line == 0 and row == deal.forced) else stay


@_jit
def better(out, values, row, grid):
    """Whether a hit is what the best value comes from, for every line of a row, into `out`."""
    for line in range(out.shape[1]):
        out[row, line] = values[row, line] > points(grid.totals[line], row)


@_inline
def arrive(step, row, line, chance, grid, scores, ends):
    """Add a chance to where a step leads."""
    if step.kind == SCORE:
        scores[points(grid.totals[line], row)] += chance
        ends[FROZEN] += chance
    elif step.kind == ARRAY:
        for _ in range(step.shift):
            line = grid.after_second_chance[line]
        step.array[row, line] += chance


@_inline
def spread_numbers(step, row, line, chance, grid, deal, scores, ends):
    """Spread over the number cards left; `chance` is that of one card."""
    for number in range(NUMBERS):
        part = chance * grid.left[line, number]
        next_line = grid.after[line, number]
        if next_line >= 0:
            arrive(step, row, next_line, part, grid, scores, ends)
        elif next_line == BUST:
            scores[0] += part
            ends[BUSTED] += part
        elif next_line == FLIP7:
            scores[points(grid.totals[line] + number, row) + deal.bonus] += part
            ends[MADE] += part


@_inline
def gather_modifiers(here, step, row, grid, deal, scores, ends):
    """Bring the chances in, from rows with a modifier less, that the next card is the one that is missing there."""
    for modifier in range(_MODIFIERS):
        bit = 1 << modifier
        if deal.modifiers & bit and row & bit:
            for line in range(here.shape[1]):
                if here[row ^ bit, line] != 0.0:
                    arrive(step, row, line, here[row ^ bit, line], grid, scores, ends)


@_jit
def share_out(here, row, grid, deal):
    """Divide the chances of a row by the cards left: from now on `here` is the chance of a single card."""
    held = popcount(row)
    for line in range(here.shape[1]):
        here[row, line] /= deal.size - grid.cards[line] - held


@_jit
def spread(here, row, grid, deal, plain, freeze, flip_three, second_chance, scores, ends):
    """Spread the chances of single cards that are `here` over where these lead to in a row (inside a Flip Three)."""
    gather_modifiers(here, plain, row, grid, deal, scores, ends)
    for line in range(here.shape[1]):
        chance = here[row, line]
        if chance == 0.0:
            continue
        spread_numbers(plain, row, line, chance, grid, deal, scores, ends)
        if freeze.weight:
            arrive(freeze, row, line, chance * freeze.weight, grid, scores, ends)
        if flip_three.weight:
            arrive(flip_three, row, line, chance * flip_three.weight, grid, scores, ends)
        chances = second_chance.weight - grid.seen[line]
        if chances > 0:
            arrive(second_chance, row, line, chance * chances, grid, scores, ends)


@_jit
def spread_decided(here, hits, row, grid, deal, freezes, flip_three, second_chances, scores, ends, visits):
    """Let a strategy decide at every hand of a row, and spread the chances over its next card.

    `hits` holds its decisions, 1 for a hit; where it must hit it is not asked. Rows with fewer modifiers
    come before; what is left `here` is the chance of a single card. `visits` counts decisions by number cards held,
    Second Chance held, score, and whether the seat hit.
    """
    held = popcount(row)
    step = Step(1, ARRAY, here, 0)
    gather_modifiers(here, step, row, grid, deal, scores, ends)
    for line in range(here.shape[1]):
        chance = here[row, line]
        if chance == 0.0:
            continue
        left = deal.size - grid.cards[line] - held
        score = points(grid.totals[line], row)
        if line or row != deal.forced:
            ends[DECISIONS] += chance
            visits[grid.counts[line], grid.held[line], score, hits[row, line]] += chance
            if hits[row, line] == 0 or left == 0:
                scores[score] += chance
                ends[STAYED] += chance
                here[row, line] = 0.0
                continue
        chance /= left
        here[row, line] = chance
        spread_numbers(step, row, line, chance, grid, deal, scores, ends)
        scores[score] += chance * freezes
        ends[FROZEN] += chance * freezes
        if flip_three.weight:
            arrive(flip_three, row, line, chance * flip_three.weight, grid, scores, ends)
        chances = second_chances - grid.seen[line]
        if chances > 0:
            here[row, grid.after_second_chance[line]] += chance * chances
