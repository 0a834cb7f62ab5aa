"""One round of With A Vengeance (rules V32 to V44, V46).

Whatever is to be given or played lies on the stack until it is: an action or modifier that its owner must assign, and
under it the Flip Four or Just One More that it came out of. `ask` and `tell` are explained in `flip7sim.engine.seats`.
"""

from flip7sim import codes
from flip7sim.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, MINUS_TWO, STEAL, SWAP
from flip7sim.codes import NO_CARD, NOBODY, PLACE_SHIFT, SEAT_SHIFT
from flip7sim.engine.hooks import hook
from flip7sim.engine.lines import discard_front, lift, points, receive
from flip7sim.engine.piles import discard, draw
from flip7sim.engine.records import ASIDE, STACK, inline, load64, lowest_bit, outline, seat_at, store64
from flip7sim.engine.rounds import play_visits
from flip7sim.engine.seats import (
    ACTIVE,
    ASK_HIT,
    BUST,
    CARD_MASK,
    DEALT,
    FAULT,
    FLIP7,
    NO,
    OUT,
    SEAT_BITS,
    SEAT_MASK,
    STAYED,
    UNASSIGNED,
    choose,
    fault,
    get_stuck,
    leave,
    push,
    put_question,
)

ASK_MODIFIER, ASK_JUST_ONE_MORE = int(codes.Question.MODIFIER), int(codes.Question.JUST_ONE_MORE)
ASK_EXCHANGE, ASK_TAKE = int(codes.Question.EXCHANGE), int(codes.Question.TAKE)
ASK_BONUS = int(codes.Question.BONUS)
TELL_ASIDE, TELL_PLAY, TELL_DISCARD = int(codes.Event.ASIDE), int(codes.Event.PLAY), int(codes.Event.DISCARD)
TELL_FINISH, TELL_FLIP7, TELL_LOSE = int(codes.Event.FINISH), int(codes.Event.FLIP7), int(codes.Event.LOSE)
TELL_BONUS, TELL_PENALTY = int(codes.Event.BONUS), int(codes.Event.PENALTY)
CARDS_OF_FLIP_FOUR = 4
PLACE_MASK = (1 << PLACE_SHIFT) - 1


@outline
def choose_bonus(table, me, ask, tell):
    """Who made a Flip 7 takes the bonus, or takes it off the total of another seat that plays (V46)."""
    legal = 0
    for seat in range(table.players):
        legal |= (1 if seat_at(table, seat).status != OUT else 0) << seat
    table.legal = legal
    answer = choose(table, me.index, ASK_BONUS, ask, tell)
    if table.stop == FAULT:
        return
    if answer == me.index:
        me.score += table.flip7_bonus
        tell(table, TELL_BONUS, me.index, table.flip7_bonus)
    else:
        seat_at(table, answer).total -= table.flip7_bonus
        tell(table, TELL_PENALTY, answer, table.flip7_bonus)
    table.stop = FLIP7


@inline
def look_for_flip7(table, me, ask, tell):
    """See whether a seat, whose line has just changed, has made a Flip 7 (V35)."""
    if me.count < table.flip7_size or me.status == BUST:
        return
    table.flip7 = me.index
    me.flip7s += 1
    me.score = points(table, me)
    if table.flip7_penalty == 0:
        me.score += table.flip7_bonus
        table.stop = FLIP7
    tell(table, TELL_FLIP7, me.index, me.score)
    if table.flip7_penalty:
        choose_bonus(table, me, ask, tell)


@inline
def deal_card(table, me, ask, tell):
    """A seat takes a card: a number takes effect at once; any other, or `NO_CARD`, is returned."""
    card = draw(table, me.index, tell)
    if table.stop == FAULT:
        return NO_CARD
    if card != NO_CARD and card < MINUS_TWO:
        receive(table, me, card, tell)
        look_for_flip7(table, me, ask, tell)
    return card


@outline
def deal_one_more(table, target, ask, tell):
    """The target of a Just One More takes its card; what it must play comes on top of the stack (V41)."""
    card = deal_card(table, seat_at(table, target), ask, tell)
    if card >= MINUS_TWO and table.stop != FAULT:
        push(table, card, target, UNASSIGNED)


@outline
def deal_four(table, target, ask, tell):
    """The target of a Flip Four takes its cards; what it sets aside comes on top of the stack (V42, B29)."""
    me = seat_at(table, target)
    aside = 0
    for _ in range(CARDS_OF_FLIP_FOUR):
        card = deal_card(table, me, ask, tell)
        if table.stop == FAULT:
            return
        if card == NO_CARD:
            if me.status == ACTIVE:
                get_stuck(table, me, tell)
            break
        if card >= MINUS_TWO:
            store64(table, ASIDE, aside, card)
            aside += 1
            tell(table, TELL_ASIDE, target, card)
        elif me.status == BUST or table.stop != NO:
            break
    for place in range(aside - 1, -1, -1):
        push(table, load64(table, ASIDE, place), target, UNASSIGNED)


@inline
def number_of(kinds):
    """How many kinds there are in a set."""
    number = 0
    while kinds:
        kinds &= kinds - 1
        number += 1
    return number


@inline
def targets(table):
    """The seats that actions can be played on and modifiers given to, as bits (V33, V39, V40)."""
    return table.standing if table.stayed_are_targets else table.active


@inline
def place_in(table, seats, place):
    """Whether a place is that of a card in front of one of the seats."""
    seat = place >> SEAT_SHIFT
    if seat < 0 or seat >= table.players or (seats >> seat) & 1 == 0:
        return False
    card = place & CARD_MASK
    return card < JUST_ONE_MORE and (seat_at(table, seat).kinds >> card) & 1 == 1


@outline
def only_places(table, seats):
    """The place of the first card of the first of the seats, and of the last: an exchange, where there are just two."""
    first = lowest_bit(seats)
    place = lowest_bit(seat_at(table, first).kinds) + (first << SEAT_SHIFT)
    rest = seats & (seats - 1)
    if rest:
        last = lowest_bit(rest)
        place += (lowest_bit(seat_at(table, last).kinds) + (last << SEAT_SHIFT)) << PLACE_SHIFT
    return place


@outline
def name_cards(table, me, card, ask, tell):
    """Which cards the seat that an action is played on takes, drops or exchanges; `NOBODY` if it can name none (V43).

    The action takes effect if it can name any. A choice is asked for only where there are two answers at least; equal
    cards of a seat are one.
    """
    reach = targets(table)
    if card == STEAL:
        reach &= ~(1 << me.index)
    seats = 0
    kinds = 0
    pairs = 0
    for seat in range(table.players):
        if (reach >> seat) & 1:
            number = number_of(seat_at(table, seat).kinds)
            if number:
                seats |= 1 << seat
            pairs += kinds * number
            kinds += number
    answers = pairs if card == SWAP else kinds
    if answers == 0:
        return NOBODY
    tell(table, TELL_PLAY, me.index, card)
    if answers == 1:
        return only_places(table, seats)
    table.legal = seats
    answer = put_question(table, me, ASK_EXCHANGE + card - SWAP, ask)
    one, other = answer & PLACE_MASK, answer >> PLACE_SHIFT
    second = other == 0 if card != SWAP else place_in(table, seats, other) and one >> SEAT_SHIFT != other >> SEAT_SHIFT
    if answer < 0 or not second or not place_in(table, seats, one):
        fault(table, answer)
        return NOBODY
    table.asked = NOBODY
    table.question = ASK_HIT
    return answer


@inline
def take_away(table, place, tell):
    """The card at a place leaves its seat; it is returned."""
    card = place & CARD_MASK
    seat = place >> SEAT_SHIFT
    lift(table, seat_at(table, seat), card)
    tell(table, TELL_LOSE, seat, card)
    return card


@outline
def play_on_cards(table, card, target, ask, tell):
    """A seat resolves a Swap, a Steal or a Discard that was played on it (V40, V43)."""
    me = seat_at(table, target)
    answer = name_cards(table, me, card, ask, tell)
    if table.stop == FAULT:
        return
    if answer == NOBODY:
        discard(table, card)
        tell(table, TELL_DISCARD, target, card)
        return
    one, other = answer & PLACE_MASK, answer >> PLACE_SHIFT
    if card == DISCARD:
        discard(table, take_away(table, one, tell))
    elif card == STEAL:
        receive(table, me, take_away(table, one, tell), tell)
        look_for_flip7(table, me, ask, tell)
    else:
        if one > other:
            one, other = other, one
        low, high = seat_at(table, one >> SEAT_SHIFT), seat_at(table, other >> SEAT_SHIFT)
        from_low = take_away(table, one, tell)
        from_high = take_away(table, other, tell)
        receive(table, low, from_high, tell)
        receive(table, high, from_low, tell)
        look_for_flip7(table, low, ask, tell)
        if table.stop == NO:
            look_for_flip7(table, high, ask, tell)
    if table.stop != FAULT:
        discard(table, card)


@inline
def finish(table, card, target, tell):
    """A Flip Four or Just One More is finished, with all that came out of it (V41, V42)."""
    me = seat_at(table, target)
    if card == JUST_ONE_MORE and me.status == ACTIVE and table.stop == NO:
        leave(table, me, STAYED)
    discard(table, card)
    tell(table, TELL_FINISH, target, card)


@outline
def play_item(table, card, owner, ask, tell):
    """A seat gives away a modifier, or plays an action (V39, V40)."""
    legal = targets(table)
    question = ASK_MODIFIER
    if card >= JUST_ONE_MORE:
        question = ASK_JUST_ONE_MORE + card - JUST_ONE_MORE
    else:
        if table.modifiers_to_busted:
            for seat in range(table.players):
                legal |= (1 if seat_at(table, seat).status == BUST else 0) << seat
        table.card = card
    table.legal = legal
    target = choose(table, owner, question, ask, tell)
    if table.stop == FAULT:
        return
    table.card = NO_CARD
    if target == NOBODY:
        discard(table, card)
        tell(table, TELL_DISCARD, owner, card)
    elif card < JUST_ONE_MORE:
        receive(table, seat_at(table, target), card, tell)
    elif card >= SWAP:
        play_on_cards(table, card, target, ask, tell)
    else:
        tell(table, TELL_PLAY, target, card)
        push(table, card, target, DEALT)
        if card == FLIP_FOUR:
            deal_four(table, target, ask, tell)
        else:
            deal_one_more(table, target, ask, tell)


@outline
def resolve(table, ask, tell):
    """Play all that is on the stack, the newest first, until nothing is left (V39 to V43)."""
    while table.waiting > 0:
        table.waiting -= 1
        item = load64(table, STACK, table.waiting)
        card = item & CARD_MASK
        seat = (item >> SEAT_BITS) & SEAT_MASK
        if item >> (2 * SEAT_BITS) == DEALT:
            finish(table, card, seat, tell)
        elif table.stop == FLIP7 or seat_at(table, seat).status == BUST:
            discard(table, card)
            tell(table, TELL_DISCARD, seat, card)
        else:
            play_item(table, card, seat, ask, tell)
            if table.stop == FAULT:
                return


@hook
def take(table, me, ask, tell):
    """A seat takes one card and does what it says."""
    card = deal_card(table, me, ask, tell)
    if card >= MINUS_TWO and table.stop != FAULT:
        push(table, card, me.index, UNASSIGNED)
        resolve(table, ask, tell)


@hook
def must_hit(table, me):
    """Whether a seat has no choice at its visit (B7, V36)."""
    return me.numbers & 1 == 1 or (table.stay_requires_card != 0 and me.count + me.modifiers == 0)


@hook
def play_round(table, ask, tell):
    """Play on from where the round stands to its end (V32 to V44)."""
    play_visits(table, take, must_hit, ask, tell)


@hook
def clear_table(table):
    """Everything in front of seats goes to the discard pile (B11)."""
    for seat in range(table.players):
        discard_front(table, seat_at(table, seat))
