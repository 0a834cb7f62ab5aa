"""What both games share, in plain Python: rounds, totals, ties, piles and questions (B3, B26 to B30).

It is what the jitted engine is held against, so it shares nothing with it but the codes, the rules and the plain table
of `flip7sim.table`. Cards lie in lists, a nested card is a nested call, and a question is a call of the chooser.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from flip7sim.codes import MAX_ROUND_CARDS, NO_CARD, NOBODY, Event, Question, Status
from flip7sim.randomness import game_key, shuffled, stream_of
from flip7sim.reference.cards import Seat, check_order
from flip7sim.table import Asked, Finish, Happening, Start

__all__ = ["Chooser", "Halt", "ReferenceGame"]


class Halt(Exception):  # noqa: N818 (nothing is wrong: it stops play)
    """Raised by a chooser that has no answer: play stops at the question."""


#: Answers a question: called with the game as it stands and what is asked, it returns what `asked.allows`.
Chooser = Callable[["ReferenceGame", Asked], int]


class ReferenceGame(ABC):
    """A game in play, whichever it is: `base.BaseGame` and `vengeance.VengeanceGame` add what each card does.

    Parameters
    ----------
    start : Start
        The table to play on from.
    choose : Chooser
        Answers every question; it may look at the game's attributes, and must not change them.

    Attributes
    ----------
    seats : list of Seat
        Clockwise.
    draw_pile, discard_pile : list of int
        The piles; the draw pile with its top card first.
    in_process : list of int
        Cards that are being taken, resolved, or wait: on the table, but in front of nobody.
    dealer, turn, round : int
        The dealer, the seat whose visit it is (before the first of a round: the one before), and the round's number.
    flip7, winner : int
        Seats, or -1.
    round_over, unfinished : bool
        Whether the round is over, and whether the game was cut.
    """

    def __init__(self, start: Start, choose: Chooser) -> None:
        self.start = start
        self.rules = start.rules
        self.choose = choose
        self.key = game_key(start.seed, start.game)
        self.seats = [
            Seat(index, seat.total, seat.status, list(seat.numbers), list(seat.modifiers), seat.second_chance)
            for index, seat in enumerate(start.seats)
        ]
        self.deck = self.rules.cards.deck(self.rules.decks_for(len(self.seats)))
        self.draw_pile = list(start.draw_pile or ())
        self.discard_pile = list(start.discard_pile)
        self.in_process: list[int] = []
        self.dealer, self.turn, self.round = start.dealer, NOBODY, 1
        self.flip7, self.winner = NOBODY, NOBODY
        self.deal_to_come = start.deal and self.rules.initial_deal
        self.round_over, self.unfinished = False, False
        self.taken, self.cards = 0, 0
        self.asked: Asked | None = None
        self.events: list[Happening] = []
        self.shuffles: list[tuple[int, ...]] = []
        self.orders = iter(start.reshuffles)
        self.choices: list[Asked] = []

    # The game

    def play(self) -> Finish:
        """Play to the end, or until a question is not answered."""
        with suppress(Halt):
            self.play_game()
        return self.finish()

    def play_game(self) -> None:
        """Play rounds until somebody wins or play is to stop (B3, B26)."""
        if self.start.draw_pile is None:
            self.shuffle(self.deck, given=False)
        self.seat_out(self.tied())
        self.tell(Event.ROUND, self.dealer, self.round)
        self.play_round(self.left_of(self.dealer) if self.start.first is None else self.start.first)
        while not (self.decide() or self.cut() or self.start.one_round):
            self.begin_round()
            self.play_round(self.left_of(self.dealer))

    def begin_round(self) -> None:
        """Pass the deal to the left, and clear the table."""
        tied = self.tied()
        for seat in self.seats:
            seat.numbers, seat.modifiers, seat.second_chance = [], [], False
            if seat.status is not Status.OUT:  # who sits out a tie-break has lost: it will not play again
                seat.status = Status.ACTIVE
        self.seat_out(tied)
        self.round += 1
        self.dealer = self.left_of(self.dealer)
        self.flip7, self.round_over, self.taken = NOBODY, False, 0
        self.deal_to_come = self.rules.initial_deal
        self.tell(Event.ROUND, self.dealer, self.round)
        if self.rules.reshuffle == "every_round" and (self.draw_pile or self.discard_pile):
            self.shuffle(self.draw_pile + self.discard_pile)
            self.discard_pile = []

    def tied(self) -> list[Seat]:
        """The seats that share the highest total, if that reaches the target: one has won, several have not (B26)."""
        playing = [seat for seat in self.seats if seat.status is not Status.OUT]
        best = max((seat.total for seat in playing), default=0)
        return [seat for seat in playing if seat.total == best >= self.rules.target_score]

    def seat_out(self, tied: Sequence[Seat]) -> None:
        """In a tie-break among the tied only, the others sit out (B26, `tied_only`)."""
        if self.rules.tie_break == "tied_only" and len(tied) > 1:
            for seat in self.seats:
                if seat not in tied:
                    seat.status = Status.OUT

    def decide(self) -> bool:
        """See whether there is a winner after a round (B26)."""
        tied = self.tied()
        if len(tied) == 1:
            self.winner = tied[0].index
            self.tell(Event.WIN, self.winner, tied[0].total)
        elif tied:
            self.tell(Event.TIE, NOBODY, len(tied))
        return len(tied) == 1

    def cut(self) -> bool:
        """See whether the game has been played for as long as it may."""
        self.unfinished = self.round >= self.rules.max_rounds
        if self.unfinished:
            self.tell(Event.UNFINISHED, NOBODY, self.round)
        return self.unfinished

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % len(self.seats)

    # The round

    def play_round(self, first: int) -> None:
        """One round, from the opening deal to the scores (B6, B10, B11)."""
        self.turn = (first - 1) % len(self.seats)
        if self.deal_to_come:
            self.deal_to_come = False
            self.opening_deal()
        for seat in self.visits():
            self.visit(seat)
        for seat in self.seats:
            if seat.status is not Status.OUT:
                points = self.score(seat)
                seat.total += points
                seat.points += points
                seat.rounds += 1
                self.tell(Event.SCORE, seat.index, points)
        for seat in self.seats:
            self.discard_pile += seat.front
        self.round_over = True

    def opening_deal(self) -> None:
        """A card for every seat that is still in the round when its turn to get one comes (B6)."""
        for step in range(1, len(self.seats) + 1):
            seat = self.seats[(self.dealer + step) % len(self.seats)]
            if seat.active and self.flip7 == NOBODY:
                card = self.draw(seat)
                if card != NO_CARD:
                    self.receive(seat, card)

    def visits(self) -> Iterator[Seat]:
        """The active seats, clockwise and over again, while the round goes on (B5, B24)."""
        while self.flip7 == NOBODY and any(seat.active for seat in self.seats):
            self.turn = self.left_of(self.turn)
            if self.seats[self.turn].active:
                yield self.seats[self.turn]

    def visit(self, seat: Seat) -> None:
        """Offer one card to the seat (B5); it may have no choice (B7, B29, B30, V36)."""
        if self.taken >= MAX_ROUND_CARDS or not (self.draw_pile or self.discard_pile):
            self.get_stuck(seat)
            return
        if not self.must_hit(seat):
            if not self.ask(seat, Question.HIT, (1, 0)):
                seat.status = Status.STAYED
                self.tell(Event.STAY, seat.index)
                return
            self.tell(Event.HIT, seat.index)
        self.receive(seat, self.draw(seat))

    def get_stuck(self, seat: Seat) -> None:
        """Make a seat stay that was not asked (B29, B30)."""
        seat.status = Status.STAYED
        self.tell(Event.STUCK, seat.index)

    # Cards

    def draw(self, seat: Seat) -> int:
        """The next card for the seat, -1 if there is none: only now is an empty draw pile replaced (B27, B28)."""
        if not self.draw_pile:
            if not self.discard_pile:
                return NO_CARD
            self.shuffle(self.discard_pile)
            self.discard_pile = []
        card = self.draw_pile.pop(0)
        self.in_process.append(card)
        self.taken += 1
        self.cards += 1
        self.tell(Event.DRAW, seat.index, card)
        return card

    def shuffle(self, cards: Sequence[int], *, given: bool = True) -> None:
        """Make the draw pile out of `cards`: in the order that the start gives for it, else at random."""
        order = next(self.orders, None) if given else None
        if order is None:
            order = tuple(shuffled(cards, stream_of(self.key, len(self.shuffles))))
        else:
            check_order(self.rules, order, cards, 1 + len(self.shuffles) - (self.start.draw_pile is None))
        self.draw_pile = list(order)
        self.shuffles.append(order)
        self.tell(Event.SHUFFLE, NOBODY, len(order))

    @abstractmethod
    def receive(self, seat: Seat, card: int) -> None:
        """Do at once what the card asks for that the seat has just taken."""

    @abstractmethod
    def must_hit(self, seat: Seat) -> bool:
        """Whether the seat may not stay at its visit."""

    def keep(self, seat: Seat, card: int) -> None:
        """The card lies in front of the seat from now on."""
        self.in_process.remove(card)
        self.tell(Event.KEEP, seat.index, card)

    def bust(self, seat: Seat, card: int) -> None:
        """The card ends the round for the seat, and stays in front of it (B8, B9, V34)."""
        seat.status = Status.BUST
        seat.busts += 1
        seat.numbers.append(card)
        self.in_process.remove(card)
        self.tell(Event.BUST, seat.index, card)

    def end_by_flip7(self, seat: Seat) -> None:
        """The seat has made a Flip 7: the round ends for everybody (B10, V35)."""
        self.flip7 = seat.index
        seat.flip7s += 1
        self.tell(Event.FLIP7, seat.index, self.score(seat))

    def used(self, card: int) -> None:
        """The action has been resolved and goes to the discard pile."""
        self.in_process.remove(card)
        self.discard_pile.append(card)

    def discard(self, owner: Seat, card: int) -> None:
        """The card goes to the discard pile without effect."""
        self.used(card)
        self.tell(Event.DISCARD, owner.index, card)

    # Questions, and what can be seen

    def choose_seat(self, owner: Seat, question: Question, legal: Sequence[Seat], card: int = NO_CARD) -> Seat | None:
        """One of the `legal` seats, as the owner chooses where there are two; None: there is none."""
        if len(legal) < 2:
            return legal[0] if legal else None
        target = self.ask(owner, question, tuple(seat.index for seat in legal), card)
        self.tell(Event.CHOOSE, owner.index, target)
        return self.seats[target]

    def ask(self, seat: Seat, question: Question, legal: tuple[int, ...], card: int = NO_CARD) -> int:
        """The seat's answer; one that is not legal halts play."""
        asked = Asked(seat.index, question, legal, card=card)
        self.asked = asked
        answer = int(self.choose(self, asked))
        self.asked = replace(asked, answer=answer)
        if not asked.allows(answer):
            raise Halt
        self.choices.append(self.asked)
        self.asked = None
        return answer

    def tell(self, event: Event, seat: int, value: int = 0) -> None:
        """Note what happened."""
        self.events.append((event, seat, value))

    @abstractmethod
    def score(self, seat: Seat) -> int:
        """What the seat would bank if the round ended now."""

    def finish(self) -> Finish:
        """The table as it stands."""
        return Finish(
            seats=tuple(seat.now(self.score(seat)) for seat in self.seats),
            dealer=self.dealer,
            round=self.round,
            draw_pile=tuple(self.draw_pile),
            discard_pile=tuple(sorted(self.discard_pile)),
            round_over=self.round_over,
            flip7=self.flip7,
            winner=self.winner,
            unfinished=self.unfinished,
            asked=self.asked,
            cards=self.cards,
            events=self.events,
            shuffles=tuple(self.shuffles),
            choices=tuple(self.choices),
        )
