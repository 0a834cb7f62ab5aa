"""The base game in plain Python: what its cards do (B4 to B25)."""

from collections.abc import Iterable

from flip7sim.cards import FLIP_THREE, FREEZE, NUMBERS, SECOND_CHANCE
from flip7sim.codes import NO_CARD, NOBODY, Event, Question, Status
from flip7sim.reference.cards import Seat, score_of
from flip7sim.reference.game import ReferenceGame

__all__ = ["BaseGame"]

_QUESTIONS = {FREEZE: Question.FREEZE, FLIP_THREE: Question.FLIP_THREE, SECOND_CHANCE: Question.SECOND_CHANCE}


class BaseGame(ReferenceGame):
    """A base game in play; see `ReferenceGame`."""

    def must_hit(self, seat: Seat) -> bool:
        """Whether the seat may not stay on nothing (B7)."""
        return self.rules.stay_requires_card and not seat.front

    def score(self, seat: Seat) -> int:
        """What the seat would bank if the round ended now (B8, B25)."""
        if seat.status in (Status.BUST, Status.OUT):
            return 0
        return score_of(self.rules, seat.numbers, seat.modifiers, flip7=self.flip7 == seat.index)

    # Cards

    def receive(self, seat: Seat, card: int) -> None:
        """Do at once what the card asks for that the seat has just taken."""
        if card < NUMBERS:
            self.receive_number(seat, card)
        elif card < FREEZE:
            seat.modifiers.append(card)
            self.keep(seat, card)
        else:
            receiver = self.receiver(seat, card)
            self.resolve(seat, receiver, card)

    def receive_number(self, seat: Seat, card: int) -> None:
        """A new number joins the line, an old one breaks it unless a Second Chance is there (B8, B10, B14)."""
        if card not in seat.numbers:
            seat.numbers.append(card)
            self.keep(seat, card)
            if len(seat.numbers) >= self.rules.flip7_size:
                self.end_by_flip7(seat)
        elif seat.second_chance:
            seat.second_chance = False
            self.in_process.remove(card)
            self.discard_pile += [card, SECOND_CHANCE]
            self.tell(Event.SAVED, seat.index, card)
        else:
            self.bust(seat, card)

    # Actions

    def receiver(self, owner: Seat, card: int) -> Seat | None:
        """Whom the action goes to, as its owner chooses (B12, B15, B19, B23); None: nobody can have it."""
        legal = [seat for seat in self.seats if seat.active]
        if card == SECOND_CHANCE:
            if owner.active and not owner.second_chance:
                return owner
            legal = [seat for seat in legal if not seat.second_chance]
        return self.choose_seat(owner, _QUESTIONS[card], legal)

    def resolve(self, owner: Seat, target: Seat | None, card: int) -> None:
        """The action takes effect on its target, unless that can no longer be one (B4, B20, B21)."""
        if target is None or not target.active or self.flip7 != NOBODY:
            self.discard(owner, card)
        elif card == FREEZE:
            target.status = Status.FROZEN
            self.in_process.remove(card)
            self.tell(Event.PLAY, target.index, card)
        elif card == FLIP_THREE:
            self.flip_three(target)
        elif target.second_chance:
            self.discard(owner, card)
        else:
            target.second_chance = True
            self.keep(target, card)

    def flip_three(self, target: Seat) -> None:
        """Three cards for the target; then, and only then, what it set aside (B16, B17, B22)."""
        self.tell(Event.PLAY, target.index, FLIP_THREE)
        waiting = self.take_three(target)
        assigned: Iterable[tuple[Seat | None, int]] = ((self.assign(target, card), card) for card in waiting)
        if self.rules.deferred_order == "assign_then_resolve":
            assigned = list(assigned)  # now; otherwise each as its turn comes (B21)
        for receiver, card in assigned:
            if receiver is not None:
                self.resolve(target, receiver, card)
        self.used(FLIP_THREE)
        self.tell(Event.FINISH, target.index, FLIP_THREE)

    def take_three(self, target: Seat) -> list[int]:
        """Up to three cards, one at a time; the actions among them wait and are returned (B16, B18, B29)."""
        waiting = []
        for _ in range(3):
            card = self.draw(target)
            if card == NO_CARD:
                self.get_stuck(target)
                break
            if card >= FREEZE and (card != SECOND_CHANCE or self.rules.flip3_second_chance == "deferred"):
                waiting.append(card)
                self.tell(Event.ASIDE, target.index, card)
                continue
            self.receive(target, card)
            if not target.active or self.flip7 != NOBODY:
                break
        return waiting

    def assign(self, owner: Seat, card: int) -> Seat | None:
        """Whom a card goes to that waited at its owner; None: it has been discarded (B19, B20, B23)."""
        lost = owner.status is Status.BUST and self.rules.flip3_on_bust == "discard"
        receiver = None if lost or self.flip7 != NOBODY else self.receiver(owner, card)
        if receiver is None:
            self.discard(owner, card)
        return receiver
