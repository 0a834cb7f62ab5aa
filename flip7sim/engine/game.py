"""A whole game: rounds, totals, the winner (rules B3, B11, B26, B27, V45).

What differs between the two games travels with the table as functions: `play_round(table, ask, tell)` plays a round to
its end, `clear_table(table)` puts all that lies in front of seats on the discard pile.
"""

from flip7sim.codes import NOBODY, Event
from flip7sim.engine.piles import reshuffle, shuffle_deck
from flip7sim.engine.records import inline, outline, seat_at
from flip7sim.engine.seats import ACTIVE, ASK_HIT, FAULT, NO, OUT
from flip7sim.engine.stream import game_key, stream_of
from flip7sim.randomness import SEAT_PURPOSE

TELL_ROUND, TELL_SCORE, TELL_WIN = int(Event.ROUND), int(Event.SCORE), int(Event.WIN)
TELL_TIE, TELL_UNFINISHED = int(Event.TIE), int(Event.UNFINISHED)
#: Below every total, which can be negative in Vengeance (V46).
NO_TOTAL = -(1 << 40)


@inline
def begin_game(table, seed, number, dealer, tell):
    """A new game: a shuffled deck, the first round (B3). What seats begin with is in their totals already.

    The game is a function of (seed, number): from them come the key of its shuffles and each seat's own stream.
    """
    table.game = number
    table.key = game_key(seed, number)
    table.shuffles = 0
    table.orders_read = 0
    table.round_number = 0
    table.cards = 0
    table.winner = NOBODY
    table.unfinished = 0
    table.waiting = 0
    table.dealer = dealer
    for seat in range(table.players):
        me = seat_at(table, seat)
        me.out = 0
        me.rounds = 0
        me.points = 0
        me.busts = 0
        me.flip7s = 0
        me.stream = stream_of(table.key, SEAT_PURPOSE + seat)
    shuffle_deck(table, tell)
    begin_round(table, tell)


@inline
def begin_round(table, tell):
    """The next round: everything off the table, the deal passed to the left (B3, B11)."""
    table.round_number += 1
    table.over = 0
    table.stop = NO
    table.flip7 = NOBODY
    table.laid = 0
    table.taken = 0
    table.deal = table.initial_deal
    table.turn = table.dealer
    active = 0
    for seat in range(table.players):
        me = seat_at(table, seat)
        me.status = OUT if me.out else ACTIVE
        active |= (1 - me.out) << seat
        me.numbers = 0
        me.count = 0
        me.line_sum = 0
        me.modifiers = 0
        me.plus = 0
        me.doubled = 0
        me.second_chance = 0
        me.score = 0
        me.line = 0
        me.kinds = 0
        me.minus = 0
        me.halved = 0
    table.active = active
    table.standing = active
    table.asked = NOBODY
    table.question = ASK_HIT
    tell_round(table, tell)


@inline
def tell_round(table, tell):
    """Say that a round begins, and who deals."""
    tell(table, TELL_ROUND, table.dealer, table.round_number)


@inline
def end_round(table, clear_table, tell):
    """Bank what each seat shows, clear the table, and see whether somebody has won (B10, B11, B26)."""
    table.over = 1
    best = NO_TOTAL
    tied = 0
    leader = NOBODY
    for seat in range(table.players):
        me = seat_at(table, seat)
        if me.out:
            continue
        me.total += me.score
        me.points += me.score
        me.rounds += 1
        tell(table, TELL_SCORE, seat, me.score)
        if me.total > best:
            best = me.total
            tied = 1
            leader = seat
        elif me.total == best:
            tied += 1
    clear_table(table)
    table.cards += table.taken
    if best >= table.target_score:
        if tied == 1:
            table.winner = leader
            tell(table, TELL_WIN, leader, best)
        else:
            break_tie(table, best, tied, tell)


@outline
def break_tie(table, best, tied, tell):
    """Another round is needed: for all, or for the tied seats only (B26)."""
    tell(table, TELL_TIE, NOBODY, tied)
    if table.tied_only:
        for seat in range(table.players):
            me = seat_at(table, seat)
            if me.total != best:
                me.out = 1


@outline
def play_game(table, play_round, clear_table, ask, tell):
    """Play from where the table stands: to the end of the game, of the round (`one_round`), or to a fault."""
    while True:
        play_round(table, ask, tell)
        if table.stop == FAULT:
            return
        end_round(table, clear_table, tell)
        if table.winner != NOBODY:
            return
        if table.round_number >= table.max_rounds:
            table.unfinished = 1
            tell(table, TELL_UNFINISHED, NOBODY, table.round_number)
            return
        if table.one_round:
            return
        table.dealer = table.dealer + 1 if table.dealer + 1 < table.players else 0
        begin_round(table, tell)
        if table.reshuffle_every_round:
            reshuffle(table, tell)
            if table.stop == FAULT:
                return
