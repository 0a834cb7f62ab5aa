"""Integers that the engine, the reference and the strategies agree on, and the limits of a table."""

from enum import IntEnum


class Status(IntEnum):
    """What a seat is doing in the round."""

    ACTIVE = 0
    STAYED = 1
    FROZEN = 2
    BUST = 3
    OUT = 4  # sits out a tie-break (B26, tied_only)


class Question(IntEnum):
    """What a seat can be asked."""

    HIT = 0  # answer 1: hit, 0: stay
    FREEZE = 1  # answer: the seat it goes to
    FLIP_THREE = 2
    SECOND_CHANCE = 3  # an extra one
    # With A Vengeance. To whom a modifier goes, and on whom an action is played; answer: a seat.
    MODIFIER = 4
    JUST_ONE_MORE = 5
    FLIP_FOUR = 6
    SWAP = 7
    STEAL = 8
    DISCARD = 9
    # Which cards; answer: a place, or two for an exchange (see `place` below).
    EXCHANGE = 10
    TAKE = 11
    DROP = 12
    BONUS = 13  # answer: oneself for the bonus of a Flip 7, or the seat that gets the penalty (V46)


class Stop(IntEnum):
    """Why a round is cut short."""

    NO = 0
    FLIP7 = 1
    FAULT = 2  # an answer that is not legal: see the `fault` of the table


class Event(IntEnum):
    """What can happen at the table: the vocabulary of transcripts."""

    ROUND = 0  # a round begins; seat: the dealer, value: its number
    SHUFFLE = 1  # a new draw pile; value: its size
    DRAW = 2  # seat takes card `value`
    KEEP = 3  # number, modifier or Second Chance `value` now lies in front of seat
    SAVED = 4  # a Second Chance cancels the duplicate `value`
    BUST = 5  # by the duplicate `value`
    STAY = 6  # by its own choice
    STUCK = 7  # stays unasked: no card can be had (B29), or too many were taken (B30)
    ASIDE = 8  # card `value` waits
    PLAY = 9  # action `value` takes effect on seat
    DISCARD = 10  # card `value` of seat goes to the discard pile without effect
    FINISH = 11  # the Flip Three played on seat is finished
    FLIP7 = 12  # seat has made a Flip 7
    SCORE = 13  # seat banks `value` points
    WIN = 14  # seat wins with a total of `value`
    TIE = 15  # value: how many seats share the highest total
    UNFINISHED = 16  # cut after `value` rounds
    HIT = 17  # seat asks for a card
    CHOOSE = 18  # seat gives the action (or modifier) in question to seat `value`; a penalty too
    LOSE = 19  # card `value` is taken away from in front of seat, by a Swap, a Steal or a Discard
    WIPE = 20  # all that lies in front of seat goes to the discard pile, for the Unlucky 7 `value`
    BONUS = 21  # seat takes `value` points for its Flip 7 (where there is a choice)
    PENALTY = 22  # `value` points off the total of seat


#: The questions that name cards.
CARD_QUESTIONS = (Question.EXCHANGE, Question.TAKE, Question.DROP)
#: A card in front of a seat, as one number: card + 256 * seat. An exchange: one place + 65536 * the other.
SEAT_SHIFT = 8
PLACE_SHIFT = 16

NO_CARD = -1
NOBODY = -1
#: Answers that are never legal: a script at its end, and one that does not fit.
HALT = -1_000_001
MISFIT = -1_000_002
RAISED = -1_000_003

MAX_SEATS = 36
MAX_CARDS = 1024
MAX_KINDS = 32
MAX_WAITING = 128
MAX_PARAMETERS = 8
#: Luck is counted in such parts of a point.
LUCK_SCALE = 1 << 20
#: So many more strategies are asked at a time what they would have answered.
MAX_SUBSTITUTES = 4
#: B30: once so many cards have been taken in a round, the seat whose visit comes next stays.
MAX_ROUND_CARDS = 1000
