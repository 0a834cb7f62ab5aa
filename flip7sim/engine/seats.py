"""What seats do in both games: answer a question, leave the round; and the stack of what waits to be played.

Two functions travel with the table: `ask(me, table, question)` answers for a seat, `tell(table, event, seat, value)`
hears what happens. Which functions they are is decided when a kernel is compiled, so neither costs more than its work.
"""

import numpy as np

from flip7sim import codes
from flip7sim.codes import NOBODY
from flip7sim.engine.records import STACK, inline, lowest_bit, outline, seat_at, store64

ACTIVE, STAYED, FROZEN, BUST, OUT = (int(status) for status in codes.Status)
NO, FLIP7, FAULT = (int(stop) for stop in codes.Stop)
ASK_HIT = int(codes.Question.HIT)
TELL_CHOOSE, TELL_STUCK = int(codes.Event.CHOOSE), int(codes.Event.STUCK)

#: Something on the stack: card + 256 * (seat that must assign it) + 65536 * (seat it is assigned to, or one of these)
UNASSIGNED = 255
#: A Flip Three (Flip Four, Just One More) that has been dealt out, finished once the stack is down to it again.
DEALT = 254
SEAT_BITS, SEAT_MASK, CARD_MASK = 8, 255, 255


@inline
def leave(table, me, status):
    """An active seat is out of the round."""
    me.status = status
    table.active ^= 1 << me.index


@inline
def get_stuck(table, me, tell):
    """A seat stays that was not asked (B29, B30)."""
    leave(table, me, STAYED)
    tell(table, TELL_STUCK, me.index, 0)


@inline
def fault(table, answer):
    """An answer that is not legal cuts the round short."""
    table.stop = FAULT
    table.fault = answer


@inline
def put_question(table, me, question, ask):
    """Ask a seat for a target or a card; until the answer is found legal, the question stays open."""
    table.asked = me.index
    table.question = question
    return np.int64(ask(me, table, question))


@outline
def choose(table, owner, question, ask, tell):
    """Whom `owner` gives an action to, among the seats in `table.legal`; `NOBODY` without any, or on a fault.

    A choice is asked for only where there are two answers at least.
    """
    legal = table.legal
    if legal == 0:
        return NOBODY
    if legal & (legal - 1) == 0:
        return lowest_bit(legal)
    answer = put_question(table, seat_at(table, owner), question, ask)
    if answer < 0 or answer >= table.players or (legal >> answer) & 1 == 0:
        fault(table, answer)
        return NOBODY
    table.asked = NOBODY
    table.question = ASK_HIT
    tell(table, TELL_CHOOSE, owner, answer)
    return answer


@inline
def push(table, card, owner, target):
    """Put an action on top of the stack."""
    store64(table, STACK, table.waiting, card | (owner << SEAT_BITS) | (target << (2 * SEAT_BITS)))
    table.waiting += 1
