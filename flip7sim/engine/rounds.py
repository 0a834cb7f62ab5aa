"""The course of a round, in either game: the opening deal, and the visits (B5 to B7, B10, B24, B29, B30, V32).

What a game adds travels with the table as functions: `take(table, me, ask, tell)` draws a card and does what it says,
`must_hit(table, me)` says whether a seat has no choice at its visit.
"""

import numpy as np

from flip7sim.codes import MAX_ROUND_CARDS, Event
from flip7sim.engine.records import inline, lowest_bit, outline, seat_at
from flip7sim.engine.seats import ACTIVE, ASK_HIT, NO, STAYED, fault, get_stuck, leave

TELL_HIT, TELL_STAY = int(Event.HIT), int(Event.STAY)


@inline
def cannot_hit(table):
    """Whether the seat whose visit it is must stay: no card is left, or too many were taken (B29, B30)."""
    return table.taken >= MAX_ROUND_CARDS or (table.draw_left == 0 and table.discarded == 0)


@inline
def wants_card(table, me, ask, tell):
    """Ask a seat at its visit whether it hits (B5); a stay, or a fault, is dealt with."""
    answer = np.int64(ask(me, table, ASK_HIT))
    if answer == 1:
        tell(table, TELL_HIT, me.index, 0)
        return True
    if answer == 0:
        leave(table, me, STAYED)
        tell(table, TELL_STAY, me.index, 0)
    else:
        fault(table, answer)
    return False


@inline
def next_active(table, seat):
    """The first active seat clockwise of `seat` (B5); there must be one."""
    beyond = table.active >> (seat + 1)
    return seat + 1 + lowest_bit(beyond) if beyond else lowest_bit(table.active)


@outline
def deal_opening(table, take, ask, tell):
    """One card each from the dealer's left; a seat that is out before its card gets none (B6, V32)."""
    seat = table.dealer
    for _ in range(table.players):
        seat += 1
        if seat >= table.players:
            seat = 0
        me = seat_at(table, seat)
        if me.status == ACTIVE:
            take(table, me, ask, tell)
            if table.stop != NO:
                return


@inline
def play_visits(table, take, must_hit, ask, tell):
    """Play on from where the round stands until no seat is active, a Flip 7, or a fault (B5 to B11)."""
    if table.deal:
        table.deal = 0
        deal_opening(table, take, ask, tell)
    seat = table.turn
    while table.active and table.stop == NO:
        seat = next_active(table, seat)
        me = seat_at(table, seat)
        table.turn = seat
        if cannot_hit(table):
            get_stuck(table, me, tell)
        elif must_hit(table, me) or wants_card(table, me, ask, tell):
            take(table, me, ask, tell)
