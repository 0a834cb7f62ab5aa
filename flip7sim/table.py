"""A table in plain Python values: where play starts, where it stands, and what happened.

Both players of the game, the engine and the readable reference, take a `Start` and give a `Finish`, so that they can be
compared field by field and event by event. Cards are codes (see `flip7sim.cards`), seats are numbers.
"""

import string
from dataclasses import dataclass, field

from flip7sim.codes import MISFIT, NO_CARD, PLACE_SHIFT, SEAT_SHIFT, Event, Question, Status
from flip7sim.rules import Rules

__all__ = ["Asked", "Finish", "Happening", "Line", "SeatNow", "SeatStart", "Start", "seat_name"]


def seat_name(place: int) -> str:
    """The name of a seat that has no other: A .. Z, AA, AB ..."""
    letters = string.ascii_uppercase
    return (
        letters[place] if place < len(letters) else seat_name(place // len(letters) - 1) + letters[place % len(letters)]
    )


#: One line of a transcript: what happened, to which seat (-1: to none), and a value (see `codes.Event`).
Happening = tuple[Event, int, int]

#: A line of a script: seat, question, answer, and the card that is given (see `Asked.card`).
Line = tuple[int, int, int, int]


@dataclass(frozen=True)
class SeatStart:
    """What lies in front of a seat, and how it stands, when play starts."""

    numbers: tuple[int, ...] = ()
    modifiers: tuple[int, ...] = ()
    second_chance: bool = False
    status: Status = Status.ACTIVE
    total: int = 0


@dataclass(frozen=True)
class Start:
    """A table to play on from.

    Attributes
    ----------
    rules : Rules
        The rules that are played.
    seats : tuple of SeatStart
        Clockwise.
    dealer : int
        The dealer of the round in play.
    seed, game : int
        Shuffles that are not given, and the strategies' own randomness, are a function of these two.
    draw_pile : tuple of int or None
        Top card first; None: a whole deck, shuffled.
    discard_pile : tuple of int
        In any order.
    reshuffles : tuple of tuple of int
        The order, top first, of each later draw pile, as it comes to be needed.
    deal : bool
        Whether the opening deal, where the rules have one, is still to come.
    one_round : bool
        Stop after this round instead of playing the game to its end.
    first : int or None
        The seat whose visit comes first; None: the one to the left of the dealer.
    """

    rules: Rules
    seats: tuple[SeatStart, ...]
    dealer: int
    seed: int = 0
    game: int = 0
    draw_pile: tuple[int, ...] | None = None
    discard_pile: tuple[int, ...] = ()
    reshuffles: tuple[tuple[int, ...], ...] = ()
    deal: bool = True
    one_round: bool = False
    first: int | None = None


@dataclass(frozen=True)
class Asked:
    """A question that was not answered, or not legally.

    Attributes
    ----------
    seat : int
        Who was asked.
    question : Question
        What it was asked.
    legal : tuple of int
        The legal answers: seats, or 1 and 0 for hit and stay; where cards are named (`codes.CARD_QUESTIONS`) the
        places of all that may be, in ascending order: an exchange names two of different seats.
    answer : int or None
        What it answered; None: nothing, the script was at its end.
    card : int
        The modifier that is to be given (V39); -1 for any other question.
    """

    seat: int
    question: Question
    legal: tuple[int, ...]
    answer: int | None = None
    card: int = NO_CARD

    @property
    def line(self) -> "Line":
        """The answer as a line of a script."""
        return (self.seat, int(self.question), MISFIT if self.answer is None else self.answer, self.card)

    def allows(self, answer: int) -> bool:
        """Whether `answer` is legal."""
        if self.question is not Question.EXCHANGE:
            return answer in self.legal
        one, other = answer & ((1 << PLACE_SHIFT) - 1), answer >> PLACE_SHIFT
        return one in self.legal and other in self.legal and one >> SEAT_SHIFT != other >> SEAT_SHIFT


@dataclass(frozen=True)
class SeatNow:
    """How a seat stands; once the round is over, how it ended.

    `numbers` and `modifiers` are sorted; `score` is what the seat would bank now, or banked.
    """

    status: Status
    numbers: tuple[int, ...]
    modifiers: tuple[int, ...]
    second_chance: bool
    score: int
    total: int


@dataclass(frozen=True)
class Finish:
    """Where play stopped.

    Attributes
    ----------
    seats : tuple of SeatNow
        Clockwise.
    dealer : int
        Of the round in play, or just played.
    round : int
        Its number, from 1.
    draw_pile : tuple of int
        Top card first, in the order in which it would be drawn.
    discard_pile : tuple of int
        Sorted.
    round_over : bool
        Whether the round is over.
    flip7, winner : int
        Seats, or -1.
    unfinished : bool
        Cut at `max_rounds`.
    asked : Asked or None
        The question at which play halted.
    cards : int
        Cards taken in the whole game.
    events : list of Happening
        All that happened.
    shuffles : tuple of tuple of int
        The order, top first, of every draw pile that was shuffled, the first included.
    choices : tuple of Asked
        Every question that was asked, with its answer, in order.
    """

    seats: tuple[SeatNow, ...]
    dealer: int
    round: int
    draw_pile: tuple[int, ...]
    discard_pile: tuple[int, ...]
    round_over: bool
    flip7: int
    winner: int
    unfinished: bool
    asked: Asked | None
    cards: int
    events: list[Happening] = field(default_factory=list)
    shuffles: tuple[tuple[int, ...], ...] = ()
    choices: tuple[Asked, ...] = ()
