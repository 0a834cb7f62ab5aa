"""One step of the dynamic programme over all lines: what the next card is worth, or the better of hit and stay.

Arrays of values have a row for each set of modifiers and a column for each line. All kernels work on one row, so that
rows with equally many modifiers can be worked on side by side.
"""

from typing import Any

import numba as nb
import numpy as np

from flip7sim.cards import NUMBERS
from flip7sim.exact.lines import BUST, FLIP7, NONE

__all__ = ["ARRAY", "NOTHING", "SCORE", "card_values", "decide"]

#: What a value that is looked up is: of no weight, the score that would be banked, or in an array.
NOTHING, SCORE, ARRAY = 0, 1, 2
_ONLY = NUMBERS  # rows of modifiers are told by six bits
_MODIFIERS = 6

_jit = nb.njit(error_model="numpy", nogil=True, cache=True)
_inline = nb.njit(error_model="numpy", nogil=True, forceinline=True)


@_inline
def points(total: Any, row: Any) -> Any:
    """Points for a line that adds up to `total`, with the modifiers of a row."""
    plus = 2 * (row & 1) + 4 * (row >> 1 & 1) + 6 * (row >> 2 & 1) + 8 * (row >> 3 & 1) + 10 * (row >> 4 & 1)
    return (total << (row >> 5 & 1)) + plus


@_inline
def look_up(kind: Any, values: Any, shift: Any, row: Any, line: Any, totals: Any, after_second_chance: Any) -> Any:
    """The value of a line, after it has been given `shift` Second Chances."""
    if kind == SCORE:
        return float(points(totals[line], row))
    for _ in range(shift):
        line = after_second_chance[line]
    return values[row, line]


@_inline
def popcount(word: Any) -> Any:
    """How many bits are set."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@_inline
def numbers_and_modifiers(
    row: Any,
    line: Any,
    modifiers: Any,
    bonus: Any,
    kind: Any,
    values: Any,
    shift: Any,
    totals: Any,
    left: Any,
    after: Any,
    after_second_chance: Any,
) -> Any:
    """Sum over the next number or modifier card of what it leads to; divided by the cards left it is an expectation."""
    total = 0.0
    for number in range(NUMBERS):
        next_line = after[line, number]
        if next_line >= 0:
            value = look_up(kind, values, shift, row, next_line, totals, after_second_chance)
            total += left[line, number] * value
        elif next_line == FLIP7:
            total += left[line, number] * (points(totals[line] + number, row) + bonus)
    for modifier in range(_MODIFIERS):
        bit = 1 << modifier
        if modifiers & bit and row & bit == 0:
            total += look_up(kind, values, shift, row | bit, line, totals, after_second_chance)
    return total


@_jit
def card_values(
    out: Any,
    row: Any,
    modifiers: Any,
    bonus: Any,
    size: Any,
    next_kind: Any,
    next_values: Any,
    next_shift: Any,
    freeze_weight: Any,
    freeze_kind: Any,
    freeze_values: Any,
    freeze_shift: Any,
    flip_three_weight: Any,
    flip_three_kind: Any,
    flip_three_values: Any,
    flip_three_shift: Any,
    second_chance_most: Any,
    second_chance_kind: Any,
    second_chance_values: Any,
    second_chance_shift: Any,
    totals: Any,
    seen: Any,
    cards: Any,
    left: Any,
    after: Any,
    after_second_chance: Any,
) -> None:
    """What a card inside a Flip Three is worth, for every line of a row, into `out`.

    `next_*` is the value after a number or a modifier; the others that after setting an action aside. There are
    `size` cards left but for those that the line and the row account for, of which `second_chance_most` less those
    seen are Second Chances.
    """
    held = popcount(row)
    for line in range(out.shape[1]):
        total = numbers_and_modifiers(
            row,
            line,
            modifiers,
            bonus,
            next_kind,
            next_values,
            next_shift,
            totals,
            left,
            after,
            after_second_chance,
        )
        if freeze_weight:
            total += freeze_weight * look_up(
                freeze_kind, freeze_values, freeze_shift, row, line, totals, after_second_chance
            )
        if flip_three_weight:
            total += flip_three_weight * look_up(
                flip_three_kind, flip_three_values, flip_three_shift, row, line, totals, after_second_chance
            )
        weight = second_chance_most - seen[line]
        if weight > 0:
            total += weight * look_up(
                second_chance_kind,
                second_chance_values,
                second_chance_shift,
                row,
                line,
                totals,
                after_second_chance,
            )
        out[row, line] = total / (size - cards[line] - held)


@_jit
def decide(
    out: Any,
    row: Any,
    modifiers: Any,
    bonus: Any,
    size: Any,
    freeze_weight: Any,
    flip_three_weight: Any,
    flip_three_values: Any,
    second_chances: Any,
    totals: Any,
    held_chance: Any,
    seen: Any,
    cards: Any,
    left: Any,
    after: Any,
    after_second_chance: Any,
) -> None:
    """The better of hit and stay, for every line of a row, into `out`; nothing in front must hit."""
    held = popcount(row)
    for line in range(out.shape[1] - 1, -1, -1):
        stay = points(totals[line], row)
        remaining = size - cards[line] - held
        total = numbers_and_modifiers(
            row, line, modifiers, bonus, ARRAY, out, 0, totals, left, after, after_second_chance
        )
        total += freeze_weight * stay
        if flip_three_weight:
            total += flip_three_weight * flip_three_values[row, line]
        weight = second_chances - seen[line]
        if weight > 0:
            total += weight * out[row, after_second_chance[line]]
        hit = total / remaining if remaining > 0 else -1.0
        empty = (
            cards[line] == 0
            and row == 0
            or (totals[line] == 0 and left[line, 0] and row == 0 and not held_chance[line])
        )
        out[row, line] = hit if empty and remaining > 0 else max(hit, float(stay))
