"""What a strategy can work out from the table: jitted helpers for authors.

`me` is the record of the seat that is asked, `table` the record of the table (see `flip7sim.engine.records` for their
fields). Everything here is public at a real table. With `counting` a player remembers every card since the last
shuffle; without, it takes the deck to be fresh, but for the cards in front of itself.
"""

import numpy as np

from flip7sim.cards import NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.engine.records import FRESH, GONE, UNSEEN, inline, load64
from flip7sim.engine.stream import GAMMA, S11, mix

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
def own(me, card):
    """How many of the number or modifier `card` lie in front of the seat."""
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
    return load64(table, FRESH, card) - own(me, card)


@inline
def cards_left(me, table, counting):
    """How many cards `count_of` is a part of (int64)."""
    if counting:
        return table.draw_left if table.draw_left > 0 else table.discarded
    mine = me.count + me.second_chance
    held = me.modifiers
    while held:
        mine += held & 15
        held >>= 4
    return table.deck_size - mine


@inline
def chance_of(me, table, card, counting):
    """The chance that the next card is of the kind `card` (float64); 0 without any card."""
    left = cards_left(me, table, counting)
    return count_of(me, table, card, counting) / left if left > 0 else 0.0


@inline
def duplicates(me, table, counting):
    """How many of the next cards are numbers that the seat already has (int64)."""
    total = np.int64(0)
    for card in range(NUMBERS):
        if (me.numbers >> card) & 1:
            total += count_of(me, table, card, counting)
    return total


@inline
def bust_chance(me, table, counting):
    """The chance that the next card busts the seat: 0 with a Second Chance in front of it (float64)."""
    if me.second_chance:
        return 0.0
    left = cards_left(me, table, counting)
    return duplicates(me, table, counting) / left if left > 0 else 0.0


@inline
def expected_gain(me, table, counting):
    """What one more card, and then staying, is expected to add to the score of the round.

    A duplicate costs the score, or nothing with a Second Chance; a new number adds itself, twice with x2, and the bonus
    if it completes a Flip 7; plus cards add themselves, x2 the sum of the line; an action adds nothing.

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
