"""One round of the base game (rules B5 to B25, B28 to B30).

`ask` and `tell` are explained in `flip7sim.engine.seats`.
"""

from flip7sim import codes
from flip7sim.cards import FREEZE as FREEZE_CARD
from flip7sim.cards import NUMBERS, PLUS_TWO, TIMES_TWO
from flip7sim.cards import SECOND_CHANCE as SECOND_CHANCE_CARD
from flip7sim.codes import NO_CARD, NOBODY
from flip7sim.engine.hooks import hook
from flip7sim.engine.piles import clear_front, discard, draw, lay
from flip7sim.engine.records import ASIDE, STACK, inline, load64, outline, seat_at, store64
from flip7sim.engine.rounds import play_visits
from flip7sim.engine.seats import (
    ACTIVE,
    BUST,
    CARD_MASK,
    DEALT,
    FAULT,
    FLIP7,
    FROZEN,
    NO,
    SEAT_BITS,
    SEAT_MASK,
    UNASSIGNED,
    choose,
    get_stuck,
    leave,
    push,
)

ASK_FREEZE = int(codes.Question.FREEZE)
TELL_KEEP, TELL_SAVED, TELL_BUST = int(codes.Event.KEEP), int(codes.Event.SAVED), int(codes.Event.BUST)
TELL_ASIDE, TELL_PLAY, TELL_DISCARD = int(codes.Event.ASIDE), int(codes.Event.PLAY), int(codes.Event.DISCARD)
TELL_FINISH, TELL_FLIP7 = int(codes.Event.FINISH), int(codes.Event.FLIP7)


@inline
def score_of(line_sum, doubled, plus):
    """What a seat banks, the bonus for a Flip 7 apart (B25)."""
    return (line_sum << doubled) + plus


@inline
def bust(table, me, card, tell):
    """The duplicate `card` ends the round for a seat (B8, B9)."""
    lay(table, me.index, card)
    leave(table, me, BUST)
    me.score = 0
    me.busts += 1
    tell(table, TELL_BUST, me.index, card)


@inline
def give(table, me, card, tell):
    """Number or modifier `card` comes to a seat: it lies there, busts, is cancelled, or completes a Flip 7."""
    if card < NUMBERS:
        bit = 1 << card
        if me.numbers & bit:
            if me.second_chance:
                me.second_chance = 0
                discard(table, card)
                discard(table, SECOND_CHANCE_CARD)
                tell(table, TELL_SAVED, me.index, card)
            else:
                bust(table, me, card, tell)
            return
        lay(table, me.index, card)
        line_sum, count = me.line_sum + card, me.count + 1
        me.score = score_of(line_sum, me.doubled, me.plus)
        me.numbers |= bit
        me.line_sum = line_sum
        me.count = count
        tell(table, TELL_KEEP, me.index, card)
        if count == table.flip7_size:
            me.score += table.flip7_bonus
            me.flip7s += 1
            table.flip7 = me.index
            table.stop = FLIP7
            tell(table, TELL_FLIP7, me.index, me.score)
        return
    lay(table, me.index, card)
    if card == TIMES_TWO:
        me.doubled = 1
    else:
        me.plus += 2 * (card - PLUS_TWO + 1)
    me.modifiers += 1 << (4 * (card - PLUS_TWO))
    me.score = score_of(me.line_sum, me.doubled, me.plus)
    tell(table, TELL_KEEP, me.index, card)


@outline
def assign(table, card, owner, ask, tell):
    """The seat that `owner` gives the action `card` to: itself for a Second Chance that it may keep (B12, B19, B23)."""
    legal = table.active
    if card == SECOND_CHANCE_CARD:
        for seat in range(table.players):
            legal &= ~(seat_at(table, seat).second_chance << seat)
        if (legal >> owner) & 1:
            return owner
    table.legal = legal
    return choose(table, owner, ASK_FREEZE + card - FREEZE_CARD, ask, tell)


@inline
def hand_over(table, card, owner, target, tell):
    """An action that nobody takes goes to the discard pile; a Second Chance lies in front of its new holder."""
    if target == NOBODY or card != SECOND_CHANCE_CARD:
        discard(table, card)
        tell(table, TELL_DISCARD, owner, card)
    else:
        seat_at(table, target).second_chance = 1
        tell(table, TELL_KEEP, target, card)


@outline
def deal_three(table, target, ask, tell):
    """The target of a Flip Three takes its cards; what it sets aside comes on top of the stack (B16 to B21, B29)."""
    me = seat_at(table, target)
    aside = 0
    for _ in range(3):
        card = draw(table, target, tell)
        if table.stop == FAULT:
            return
        if card == NO_CARD:
            get_stuck(table, me, tell)
            break
        if card < FREEZE_CARD:
            give(table, me, card, tell)
        elif card == SECOND_CHANCE_CARD and table.flip3_immediate:
            receiver = assign(table, card, target, ask, tell)
            if table.stop == FAULT:
                return
            hand_over(table, card, target, receiver, tell)
        else:
            store64(table, ASIDE, aside, card)
            aside += 1
            tell(table, TELL_ASIDE, target, card)
        if me.status != ACTIVE or table.stop != NO:
            break
    if table.stop == FAULT:
        return
    lost = me.status == BUST and table.flip3_discard
    for place in range(aside):
        card = load64(table, ASIDE, place)
        receiver = UNASSIGNED
        if lost:
            receiver = NOBODY
        elif table.assign_first and table.stop == NO:
            receiver = assign(table, card, target, ask, tell)
            if table.stop == FAULT:
                return
        if receiver == NOBODY:
            hand_over(table, card, target, NOBODY, tell)
        store64(table, ASIDE, place, card | (target << SEAT_BITS) | (receiver << (2 * SEAT_BITS)))
    for place in range(aside - 1, -1, -1):
        item = load64(table, ASIDE, place)
        if item >= 0:
            store64(table, STACK, table.waiting, item)
            table.waiting += 1


@outline
def resolve(table, ask, tell):
    """Play all actions on the stack, the newest first, until none is left (B12 to B23)."""
    while table.waiting > 0:
        item = load64(table, STACK, table.waiting - 1)
        card = item & CARD_MASK
        owner = (item >> SEAT_BITS) & SEAT_MASK
        target = item >> (2 * SEAT_BITS)
        if target == DEALT:
            table.waiting -= 1
            discard(table, card)
            tell(table, TELL_FINISH, owner, card)
            continue
        if table.stop == FLIP7:
            table.waiting -= 1
            hand_over(table, card, owner, NOBODY, tell)
            continue
        if target == UNASSIGNED:
            if table.flip3_discard and seat_at(table, owner).status == BUST:
                target = NOBODY
            else:
                target = assign(table, card, owner, ask, tell)
                if table.stop == FAULT:
                    return
        elif seat_at(table, target).status != ACTIVE:
            target = NOBODY
        if target != NOBODY and card == SECOND_CHANCE_CARD and seat_at(table, target).second_chance:
            target = NOBODY
        table.waiting -= 1
        if target == NOBODY or card == SECOND_CHANCE_CARD:
            hand_over(table, card, owner, target, tell)
        elif card == FREEZE_CARD:
            lay(table, target, card)
            leave(table, seat_at(table, target), FROZEN)
            tell(table, TELL_PLAY, target, card)
        else:
            tell(table, TELL_PLAY, target, card)
            push(table, card, target, DEALT)
            deal_three(table, target, ask, tell)
            if table.stop == FAULT:
                return


@hook
def take(table, me, ask, tell):
    """A seat takes one card and does what it says; the card is `NO_CARD` if none can be had."""
    card = draw(table, me.index, tell)
    if card == NO_CARD or table.stop == FAULT:
        return
    if card < FREEZE_CARD:
        give(table, me, card, tell)
        return
    push(table, card, me.index, UNASSIGNED)
    resolve(table, ask, tell)


@hook
def must_hit(table, me):
    """Whether a seat has no choice at its visit (B7)."""
    return table.stay_requires_card != 0 and me.count + me.modifiers + me.second_chance == 0


@hook
def play_round(table, ask, tell):
    """Play on from where the round stands to its end (B5 to B25)."""
    play_visits(table, take, must_hit, ask, tell)


@hook
def clear_table(table):
    """Everything in front of seats, unused Second Chances too, goes to the discard pile (B11)."""
    for seat in range(table.players):
        if seat_at(table, seat).second_chance:
            discard(table, SECOND_CHANCE_CARD)
    clear_front(table)
