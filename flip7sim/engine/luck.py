"""Luck that averages to nothing: what a seat's busts have cost it less, or more, than was to be expected.

Before a card is drawn the chance p of a bust is known exactly: it is the share of duplicates among the cards that are
left, whose order nobody knows. With the score s at stake, the draw is worth p s of luck if the seat does not bust, and
(p - 1) s if it does: nothing on average, whatever has been and whoever plays. So the luck of a game can be taken out of
its result without a bias (`flip7sim.stats.comparisons`): a control variate, as in S. S. Lavenberg and P. D. Welch,
Management Science 27, 1981, and, for games, M. White and M. Bowling, "Learning a value analysis tool for agent
evaluation", IJCAI 2009.

The number cards left lie in one word, five bits for each number from 1 to 12 and three for the 0, so that the
duplicates of a whole line are counted at once.
"""

from collections.abc import Sequence

from flip7sim.cards import NUMBERS
from flip7sim.codes import LUCK_SCALE, Event
from flip7sim.engine.hooks import hook
from flip7sim.engine.records import UNSEEN, inline, load64, offset, outline, seat_at
from flip7sim.engine.substitutes import tally_all

__all__ = ["fits", "prepare_luck", "tally_luck"]

ROUND, SHUFFLE, DRAW, KEEP = int(Event.ROUND), int(Event.SHUFFLE), int(Event.DRAW), int(Event.KEEP)
UNITS, MASKS, SHARES = offset("units"), offset("masks"), offset("shares")
FIELD, FIELDS = 5, NUMBERS - 1
ZERO = FIELD * FIELDS
#: Every other field, and what adds them all up.
EVEN = sum(((1 << FIELD) - 1) << (2 * FIELD * pair) for pair in range(FIELDS // 2))
ONES = sum(1 << (2 * FIELD * pair) for pair in range(FIELDS // 2))
LAST = 2 * FIELD * (FIELDS // 2 - 1)
PAIR = (1 << (2 * FIELD)) - 1


def fits(copies: Sequence[int]) -> bool:
    """Whether so many cards of each kind can be counted in one word."""
    return all(count < 1 << FIELD for count in copies[1:NUMBERS]) and copies[0] < 1 << 3


def prepare_luck(table):
    """Set up what luck needs in a new table."""
    table.units[:] = 0
    table.masks[:] = 0
    for number in range(1, NUMBERS):
        table.units[number] = 1 << (FIELD * (number - 1))
        table.masks[number] = ((1 << FIELD) - 1) << (FIELD * (number - 1))
    table.units[0], table.masks[0] = 1 << ZERO, 7 << ZERO
    for left in range(table.shares.size):
        table.shares[left] = round(LUCK_SCALE / (left + 1))


@outline
def count_numbers(table):
    """Bring the number cards of a new draw pile into one word."""
    word = 0
    for number in range(NUMBERS):
        word += load64(table, UNSEEN, number) * load64(table, UNITS, number)
    table.numbers_left = word


@inline
def duplicates_of(table, me):
    """How many cards that are left are in the line of a seat already."""
    left = table.numbers_left & me.held
    pairs = (left & EVEN) + ((left >> FIELD) & EVEN)
    return (((pairs * ONES) >> LAST) & PAIR) + (left >> ZERO)


@hook
def tally_luck(table, event, seat, value):
    """Count the round scores, and the luck of each seat."""
    tally_all(table, event, seat, value)
    if event == ROUND:
        for each in range(table.players):
            me = seat_at(table, each)
            me.held = 0
            if value == 1:
                me.luck = 0
    if event == SHUFFLE:
        count_numbers(table)
    if event == KEEP:
        me = seat_at(table, seat)
        me.held |= load64(table, MASKS, value)
    if event == DRAW:
        me = seat_at(table, seat)
        table.numbers_left -= load64(table, UNITS, value)
        busts = (me.numbers >> value) & 1
        chance = (duplicates_of(table, me) + busts) * load64(table, SHARES, table.draw_left)
        me.luck += (1 - me.second_chance) * me.score * (chance - busts * LUCK_SCALE)
