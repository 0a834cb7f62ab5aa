"""What a strategy can work out from the table: jitted helpers for authors.

`me` is the record of the seat that is asked, `table` the record of the table (see `flip7sim.engine.records` for their
fields). Everything here is public at a real table. With `counting` a player remembers every card since the last
shuffle; without, it takes the deck to be fresh, but for the cards in front of itself.
"""

import numpy as np

from flip7sim.cards import HALF, JUST_ONE_MORE, MINUS_TWO, NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO, UNLUCKY_7
from flip7sim.engine.lines import breaks, held
from flip7sim.engine.records import FRESH, GONE, UNSEEN, inline, load64, outline
from flip7sim.engine.stream import GAMMA, S11, mix
from flip7sim.policy.vengeance import NO_CARD, score_after

__all__ = ["bust_chance", "cards_left", "chance_of", "count_of", "expected_gain", "uniform"]

UNIT = 2.0**-53


@inline
def uniform(me):
    """A random number from [0, 1) out of the seat's own stream.

    Parameters
    ----------
    me : SEAT record
        The seat that is asked.

    Returns
    -------
    float64
        The next number of the stream, which is a function of (seed, game number, seat).
    """
    me.stream += GAMMA
    return np.float64(mix(me.stream) >> S11) * UNIT


@inline
def own(me, table, card):
    """How many of the number or modifier `card` lie in front of the seat."""
    if table.vengeance:
        if card < MINUS_TWO:
            return held(me, card)
        return (me.modifiers >> (4 * (card - MINUS_TWO))) & 15 if card <= HALF else np.int64(0)
    if card < NUMBERS:
        return (me.numbers >> card) & 1
    if card <= TIMES_TWO:
        return (me.modifiers >> (4 * (card - PLUS_TWO))) & 15
    if card == SECOND_CHANCE:
        return me.second_chance
    return np.int64(0)


@inline
def count_of(me, table, card, counting):
    """How many cards of the kind `card` the next card may be.

    Parameters
    ----------
    me, table : records
        The seat that is asked, and its table.
    card : int64
        Code of a kind (`flip7sim.cards`).
    counting : bool or int64
        Whether to count cards; if so, and the draw pile is empty, the discard pile is what comes next (B27).

    Returns
    -------
    int64
    """
    if counting:
        if table.draw_left > 0:
            return load64(table, UNSEEN, card)
        return load64(table, GONE, card)
    return load64(table, FRESH, card) - own(me, table, card)


@inline
def total_of(counts):
    """The sum of four-bit counts."""
    total = np.int64(0)
    while counts:
        total += counts & 15
        counts >>= 4
    return total


@inline
def cards_left(me, table, counting):
    """How many cards `count_of` is a part of.

    Parameters
    ----------
    me, table : records
        The seat that is asked, and its table.
    counting : bool or int64
        Whether to count cards (see `count_of`).

    Returns
    -------
    int64
    """
    if counting:
        return table.draw_left if table.draw_left > 0 else table.discarded
    numbers = total_of(me.line) if table.vengeance else me.count
    return table.deck_size - numbers - me.second_chance - total_of(me.modifiers)


@inline
def chance_of(me, table, card, counting):
    """The chance that the next card is of a kind.

    Parameters
    ----------
    me, table : records
        The seat that is asked, and its table.
    card : int64
        Code of the kind (`flip7sim.cards`).
    counting : bool or int64
        Whether to count cards (see `count_of`).

    Returns
    -------
    float64
        0 without any card.
    """
    left = cards_left(me, table, counting)
    return count_of(me, table, card, counting) / left if left > 0 else 0.0


@inline
def duplicates(me, table, counting):
    """How many of the next cards are numbers that the seat already has, and that would bust it (int64)."""
    total = np.int64(0)
    if table.vengeance:
        for card in range(UNLUCKY_7):
            if breaks(me, card):
                total += count_of(me, table, card, counting)
        return total
    for card in range(NUMBERS):
        if (me.numbers >> card) & 1:
            total += count_of(me, table, card, counting)
    return total


@inline
def bust_chance(me, table, counting):
    """The chance that the next card busts the seat: 0 with a Second Chance in front of it.

    In Vengeance a second 13 does not bust beside the Lucky 13, and the Unlucky 7 never does (V37, V38).

    Parameters
    ----------
    me, table : records
        The seat that is asked, and its table.
    counting : bool or int64
        Whether to count cards (see `count_of`).

    Returns
    -------
    float64
    """
    if me.second_chance:
        return 0.0
    left = cards_left(me, table, counting)
    return duplicates(me, table, counting) / left if left > 0 else 0.0


@outline
def gain_in_vengeance(me, table, counting):
    """The sum of what each of the next cards would add to the score (int64)."""
    others = table.standing & ~(1 << me.index)
    gain = np.int64(0)
    for card in range(JUST_ONE_MORE):
        if card < MINUS_TWO or others == 0:
            gain += count_of(me, table, card, counting) * (score_after(me, table, card, NO_CARD) - me.score)
    return gain


@inline
def expected_gain(me, table, counting):
    """What one more card, and then staying, is expected to add to the score of the round.

    A duplicate costs the score, or nothing with a Second Chance; a new number adds itself, twice with x2, and the bonus
    if it completes a Flip 7; plus cards add themselves, x2 the sum of the line; an action adds nothing. In Vengeance
    The Zero takes all, unless it completes a Flip 7, and the Unlucky 7 leaves itself; a modifier adds nothing, as it is
    given away, unless there is nobody else to give it to (V36, V37, V39).

    Parameters
    ----------
    me, table : records
        The seat that is asked, and its table.
    counting : bool or int64
        Whether cards are counted.

    Returns
    -------
    float64
        Points; 0 if there is no card.
    """
    left = cards_left(me, table, counting)
    if left <= 0:
        return 0.0
    if table.vengeance:
        return gain_in_vengeance(me, table, counting) / left
    bonus = table.flip7_bonus if me.count + 1 == table.flip7_size else 0
    gain = np.int64(0)
    for card in range(NUMBERS):
        count = count_of(me, table, card, counting)
        if (me.numbers >> card) & 1:
            if me.second_chance == 0:
                gain -= count * me.score
        else:
            gain += count * ((card << me.doubled) + bonus)
    for card in range(PLUS_TWO, TIMES_TWO):
        gain += count_of(me, table, card, counting) * 2 * (card - PLUS_TWO + 1)
    if me.doubled == 0:
        gain += count_of(me, table, TIMES_TWO, counting) * me.line_sum
    return gain / left
