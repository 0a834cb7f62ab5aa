"""What lies in front of a seat in Vengeance: cards come and go, and what they are worth (V34 to V38, V44, V46)."""

from flip7sim import codes
from flip7sim.cards import HALF, LUCKY_13, MINUS_TWO, THIRTEEN, UNLUCKY_7
from flip7sim.engine.piles import discard
from flip7sim.engine.records import inline, lowest_bit, outline
from flip7sim.engine.seats import ACTIVE, BUST

TELL_KEEP, TELL_BUST, TELL_WIPE = int(codes.Event.KEEP), int(codes.Event.BUST), int(codes.Event.WIPE)
SEVEN = 7


@inline
def value_of(card):
    """The number that a number card stands for: the two special ones are a 13 and a 7."""
    return card - (card == LUCKY_13) * (LUCKY_13 - THIRTEEN) - (card == UNLUCKY_7) * (UNLUCKY_7 - SEVEN)


@inline
def held(me, card):
    """How many cards of a kind of number lie in the line."""
    return (me.line >> (4 * card)) & 15


@inline
def points(table, me):
    """What a seat shows, the bonus for a Flip 7 apart (V44, V46)."""
    if me.status == BUST:
        total = -me.minus if table.modifiers_to_busted else 0
    elif me.numbers & 1 and table.flip7 != me.index:
        total = 0
    else:
        total = (me.line_sum >> me.halved) - me.minus
    return 0 if total < 0 and table.score_floor else total


@inline
def put(table, me, card):
    """A card lies in front of a seat from now on."""
    me.kinds |= 1 << card
    if card < MINUS_TWO:
        value = value_of(card)
        bit = 1 << value
        me.count += table.lucky13_cards if me.numbers & bit else 1
        me.numbers |= bit
        me.line += 1 << (4 * card)
        me.line_sum += value
    else:
        me.modifiers += 1 << (4 * (card - MINUS_TWO))
        if card == HALF:
            me.halved = 1
        else:
            me.minus += 2 * (card - MINUS_TWO + 1)


@inline
def lift(table, me, card):
    """A card lies in front of a seat no longer."""
    if card < MINUS_TWO:
        value = value_of(card)
        me.line -= 1 << (4 * card)
        me.line_sum -= value
        if held(me, card) == 0:
            me.kinds ^= 1 << card
        if value == THIRTEEN and held(me, THIRTEEN) + held(me, LUCKY_13) > 0:
            me.count -= table.lucky13_cards
        else:
            me.numbers ^= 1 << value
            me.count -= 1
    else:
        me.modifiers -= 1 << (4 * (card - MINUS_TWO))
        left = (me.modifiers >> (4 * (card - MINUS_TWO))) & 15
        if left == 0:
            me.kinds ^= 1 << card
        if card == HALF:
            me.halved = 1 if left > 0 else 0
        else:
            me.minus -= 2 * (card - MINUS_TWO + 1)
    me.score = points(table, me)


@inline
def discard_all(counts, first, table):
    """Put the cards that four-bit counts stand for on the discard pile; the lowest kind is `first`."""
    while counts:
        kind = lowest_bit(counts) >> 2
        number = (counts >> (4 * kind)) & 15
        counts -= number << (4 * kind)
        for _ in range(number):
            discard(table, first + kind)


@outline
def discard_front(table, me):
    """Everything in front of a seat goes to the discard pile; what the seat shows is left as it is."""
    discard_all(me.line, 0, table)
    discard_all(me.modifiers, MINUS_TWO, table)


@inline
def wipe(table, me):
    """Everything in front of a seat goes to the discard pile, and it shows nothing (V37)."""
    discard_front(table, me)
    me.numbers = 0
    me.count = 0
    me.line_sum = 0
    me.line = 0
    me.kinds = 0
    me.modifiers = 0
    me.minus = 0
    me.halved = 0


@inline
def breaks(me, card):
    """Whether a number card would bust a seat (V34, V38); the Unlucky 7 is another matter."""
    value = value_of(card)
    if (me.numbers >> value) & 1 == 0:
        return False
    if value != THIRTEEN:
        return True
    lucky = held(me, LUCKY_13)
    return held(me, THIRTEEN) + lucky > 1 or (lucky == 0 and card != LUCKY_13)


@inline
def bust(table, me, card, tell):
    """The duplicate `card` ends the round for a seat, be it active or not (V34)."""
    me.line += 1 << (4 * card)
    if me.status == ACTIVE:
        table.active ^= 1 << me.index
    table.standing ^= 1 << me.index
    me.status = BUST
    me.score = points(table, me)
    me.busts += 1
    tell(table, TELL_BUST, me.index, card)


@inline
def receive(table, me, card, tell):
    """A number or modifier card comes to a seat, from a pile or from another: it lies there, wipes, or busts."""
    if card == UNLUCKY_7:
        wipe(table, me)
        tell(table, TELL_WIPE, me.index, card)
    elif card < MINUS_TWO and breaks(me, card):
        bust(table, me, card, tell)
        return
    put(table, me, card)
    me.score = points(table, me)
    tell(table, TELL_KEEP, me.index, card)
