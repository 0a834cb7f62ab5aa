"""What a strategy can work out at a table of With A Vengeance: what a line would be worth, which cards to name.

The helpers are jitted, for authors, as those of `flip7sim.policy.view`. A card in front of a seat is named by its
place: card + 256 * seat; an exchange by two places (V43).
"""

import numpy as np

from flip7sim.cards import HALF, LUCKY_13, MINUS_TWO, THIRTEEN, UNLUCKY_7
from flip7sim.codes import PLACE_SHIFT, SEAT_SHIFT, Question
from flip7sim.engine.lines import breaks, held, value_of
from flip7sim.engine.records import inline, lowest_bit, outline, seat_at

__all__ = ["best_cards", "breaks", "exchange_of", "place_of", "score_after"]

NO_CARD = -1
EXCHANGE, TAKE, DROP = int(Question.EXCHANGE), int(Question.TAKE), int(Question.DROP)
SEVEN = 7
#: Below every gain.
NOTHING = -(1 << 40)


@inline
def place_of(seat, card):
    """The answer that names a card in front of a seat, for a Steal or a Discard (V43).

    Parameters
    ----------
    seat : int64
        Index of the seat.
    card : int64
        Code of the kind of card (`flip7sim.cards`).

    Returns
    -------
    int64
    """
    return card + (seat << SEAT_SHIFT)


@inline
def exchange_of(place, other):
    """The answer that names two places of different seats, for a Swap (V43).

    Parameters
    ----------
    place, other : int64
        Places, as `place_of` makes them.

    Returns
    -------
    int64
    """
    return place + (other << PLACE_SHIFT)


@inline
def minus_of(card):
    """The points that a modifier takes off: none for /2 (int64)."""
    return 2 * (card - MINUS_TWO + 1) if card < HALF else 0


@outline
def score_after(me, table, gained, lost):
    """What a seat would show after it has lost one card and gained another: the bonus of a Flip 7 included.

    Parameters
    ----------
    me : SEAT record
        Any seat that has not bust.
    table : TABLE record
        Its table.
    gained, lost : int64
        Number or modifier cards, or -1 for none; a card that is lost must lie in front of the seat.

    Returns
    -------
    int64
        Points (V44); 0 after a bust (V34, V38); 7 after an Unlucky 7, which wipes the rest (V37).
    """
    if gained == UNLUCKY_7:
        return SEVEN
    line_sum, minus, halves = me.line_sum, me.minus, (me.modifiers >> (4 * (HALF - MINUS_TWO))) & 15
    numbers, count = me.numbers, me.count
    plain, lucky = held(me, THIRTEEN), held(me, LUCKY_13)
    if lost >= MINUS_TWO:
        minus -= minus_of(lost)
        halves -= lost == HALF
    elif lost >= 0:
        value = value_of(lost)
        line_sum -= value
        plain -= lost == THIRTEEN
        lucky -= lost == LUCKY_13
        if value == THIRTEEN and plain + lucky > 0:
            count -= table.lucky13_cards
        else:
            numbers ^= 1 << value
            count -= 1
    if gained >= MINUS_TWO:
        minus += minus_of(gained)
        halves += gained == HALF
    elif gained >= 0:
        value = value_of(gained)
        if (numbers >> value) & 1:
            if value != THIRTEEN or plain + lucky > 1 or (lucky == 0 and gained != LUCKY_13):
                return 0
            count += table.lucky13_cards
        else:
            numbers |= 1 << value
            count += 1
        line_sum += value
    score = (line_sum >> 1 if halves > 0 else line_sum) - minus
    if score < 0 and table.score_floor:
        score = 0
    if count >= table.flip7_size:
        return score + table.flip7_bonus
    return 0 if numbers & 1 else score


@inline
def gain_of_taking(me, other, table, card):
    """What it brings `me` to take `card` from another seat, and costs that seat (int64, points)."""
    own = score_after(me, table, card, NO_CARD) - me.score
    return own + other.score - score_after(other, table, NO_CARD, card)


@inline
def gain_of_dropping(me, other, table, card):
    """What it brings `me` that `card` of a seat, its own or another, is discarded (int64, points)."""
    gain = score_after(other, table, NO_CARD, card) - other.score
    return gain if other.index == me.index else -gain


@outline
def best_to_take(me, other, table):
    """The card of another seat that is best to take, and what that brings: `gain, card` (int64)."""
    best = NOTHING
    choice = NO_CARD
    cards = other.kinds
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        gain = gain_of_taking(me, other, table, card)
        if gain > best:
            best = gain
            choice = card
    return best, choice


@outline
def best_to_give(me, other, table, taken):
    """The own card that is best to give another seat for its card `taken`, and what the exchange brings (int64)."""
    best = NOTHING
    choice = NO_CARD
    cards = me.kinds
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        own = score_after(me, table, taken, card) - me.score
        gain = own + other.score - score_after(other, table, card, taken)
        if gain > best:
            best = gain
            choice = card
    return best, choice


@outline
def best_to_drop(me, other, table):
    """The card of a seat that is best to discard, and what that brings `me`: `gain, card` (int64)."""
    best = NOTHING
    choice = NO_CARD
    cards = other.kinds
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        gain = gain_of_dropping(me, other, table, card)
        if gain > best:
            best = gain
            choice = card
    return best, choice


@outline
def any_exchange(table, seats):
    """An exchange between the first two of the seats, of the lowest card of each."""
    one = lowest_bit(seats)
    other = lowest_bit(seats & (seats - 1))
    place = place_of(one, lowest_bit(seat_at(table, one).kinds))
    return exchange_of(place, place_of(other, lowest_bit(seat_at(table, other).kinds)))


@outline
def best_cards(me, table, question, seats):
    """The cards that do most for a seat: what they bring it, less what they bring the other seat concerned.

    Parameters
    ----------
    me : SEAT record
        The seat that takes, drops or exchanges (V43).
    table : TABLE record
        Its table.
    question : int64
        `Question.EXCHANGE`, `TAKE` or `DROP`.
    seats : int64
        The seats whose cards may be named, as bits.

    Returns
    -------
    gain, answer : int64
        Points, and the answer that names the cards. For an exchange that is, of the card of each other seat that would
        be best to take, and the own card that is best to give for it, the best pair; without an own card any exchange,
        which brings nothing. Without any card to name the gain is below all others.
    """
    best = NOTHING
    answer = np.int64(0)
    if question == EXCHANGE and (me.kinds == 0 or (seats >> me.index) & 1 == 0):
        return np.int64(0), any_exchange(table, seats)
    for seat in range(table.players):
        if (seats >> seat) & 1 == 0 or (seat == me.index and question != DROP):
            continue
        other = seat_at(table, seat)
        gain, card = best_to_drop(me, other, table) if question == DROP else best_to_take(me, other, table)
        if card == NO_CARD:
            continue
        named = place_of(seat, card)
        if question == EXCHANGE:
            gain, given = best_to_give(me, other, table, card)
            named = exchange_of(place_of(me.index, given), named)
        if gain > best:
            best = gain
            answer = named
    return best, answer
