"""Flip 7: With A Vengeance in plain Python: what its cards do (V30 to V46)."""

from collections.abc import Sequence

from flip7sim.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, STEAL, SWAP, UNLUCKY_7, ZERO
from flip7sim.codes import NO_CARD, NOBODY, PLACE_SHIFT, SEAT_SHIFT, Event, Question, Status
from flip7sim.reference.cards import Seat, bust_score_of, can_lie_together, count_of, score_of
from flip7sim.reference.game import Chooser, ReferenceGame
from flip7sim.table import Start

__all__ = ["VengeanceGame"]

_QUESTIONS = {
    JUST_ONE_MORE: Question.JUST_ONE_MORE,
    FLIP_FOUR: Question.FLIP_FOUR,
    SWAP: Question.SWAP,
    STEAL: Question.STEAL,
    DISCARD: Question.DISCARD,
}

#: A card in front of a seat: (seat, card).
Place = tuple[Seat, int]


class VengeanceGame(ReferenceGame):
    """A game of With A Vengeance in play; see `ReferenceGame`.

    Attributes
    ----------
    bonus : bool
        Whether the bonus of a Flip 7 is its maker's by now (V46).
    """

    def __init__(self, start: Start, choose: Chooser) -> None:
        super().__init__(start, choose)
        self.bonus = False

    def must_hit(self, seat: Seat) -> bool:
        """Whether the seat may not stay: it holds The Zero (V36), or nothing where that forces it (B7)."""
        return ZERO in seat.numbers or (self.rules.stay_requires_card and not seat.front)

    def score(self, seat: Seat) -> int:
        """What the seat would bank if the round ended now (V34, V44, V46)."""
        if seat.status is Status.OUT:
            return 0
        if seat.status is Status.BUST:
            return bust_score_of(self.rules, seat.modifiers)
        return score_of(self.rules, seat.numbers, seat.modifiers, flip7=self.flip7 == seat.index, bonus=self.bonus)

    # Cards that are drawn

    def receive(self, seat: Seat, card: int) -> None:
        """Do at once what the card asks for that the seat has just taken."""
        if card < self.rules.cards.modifiers:
            self.put(seat, card)
            self.look_for_flip7(seat)
        elif card < self.rules.cards.actions:
            self.give_modifier(seat, card)
        else:
            self.play_action(seat, card)

    def give_modifier(self, owner: Seat, card: int) -> None:
        """The modifier goes to a seat, as its owner chooses (V39, V46)."""
        busted = [seat for seat in self.seats if seat.status is Status.BUST and self.rules.modifiers_to_busted]
        legal = [seat for seat in self.seats if seat in busted or self.can_be_target(seat)]
        target = self.choose_seat(owner, Question.MODIFIER, legal, card)
        if target is None:
            self.discard(owner, card)
        else:
            self.put(target, card)

    def play_action(self, owner: Seat, card: int) -> None:
        """The action is played on a seat, as its owner chooses, and that seat resolves it (V40)."""
        target = self.choose_seat(owner, _QUESTIONS[card], [seat for seat in self.seats if self.can_be_target(seat)])
        if target is None:
            self.discard(owner, card)
        elif card == JUST_ONE_MORE:
            self.just_one_more(target)
        elif card == FLIP_FOUR:
            self.flip_four(target)
        else:
            self.name_cards(target, card)

    def can_be_target(self, seat: Seat) -> bool:
        """Whether actions and modifiers can go to the seat, and its cards be named (V33, V39, V40)."""
        return seat.standing if self.rules.stayed_are_targets else seat.active

    # Cards that come to a line, and leave it

    def put(self, seat: Seat, card: int) -> None:
        """The number or modifier comes to the seat, which may bust (V34, V37, V38, V39)."""
        number = card < self.rules.cards.modifiers
        if card == UNLUCKY_7:
            self.discard_pile += seat.front
            seat.numbers, seat.modifiers = [], []
            self.tell(Event.WIPE, seat.index, card)
        if number and not can_lie_together([*seat.numbers, card]):
            self.bust(seat, card)
            return
        (seat.numbers if number else seat.modifiers).append(card)
        self.keep(seat, card)

    def take_away(self, seat: Seat, card: int) -> None:
        """The number or modifier is no longer in front of the seat."""
        (seat.numbers if card < self.rules.cards.modifiers else seat.modifiers).remove(card)
        self.in_process.append(card)
        self.tell(Event.LOSE, seat.index, card)

    def look_for_flip7(self, *seats: Seat) -> None:
        """See whether one of the seats, the first of them first, has made a Flip 7 (V35, V43, V46)."""
        for seat in seats:
            if self.flip7 == NOBODY and seat.standing and count_of(self.rules, seat.numbers) >= self.rules.flip7_size:
                self.bonus = not self.rules.flip7_penalty
                self.end_by_flip7(seat)
                if self.rules.flip7_penalty:
                    self.bonus_or_penalty(seat)

    def bonus_or_penalty(self, seat: Seat) -> None:
        """The bonus for the seat's Flip 7, or as much off the total of another that plays, as it chooses (V46)."""
        playing = [other for other in self.seats if other.status is not Status.OUT]
        target = self.choose_seat(seat, Question.BONUS, playing)
        if target is None or target is seat:
            self.bonus = True
            self.tell(Event.BONUS, seat.index, self.rules.flip7_bonus)
        else:
            target.total -= self.rules.flip7_bonus
            self.tell(Event.PENALTY, target.index, self.rules.flip7_bonus)

    # Actions by which cards are taken

    def just_one_more(self, target: Seat) -> None:
        """One card for the target, all that comes of it, and then it has stayed (V41)."""
        self.tell(Event.PLAY, target.index, JUST_ONE_MORE)
        card = self.draw(target)
        if card != NO_CARD:
            self.receive(target, card)
        self.used(JUST_ONE_MORE)
        self.tell(Event.FINISH, target.index, JUST_ONE_MORE)
        if target.active and self.flip7 == NOBODY:
            target.status = Status.STAYED

    def flip_four(self, target: Seat) -> None:
        """Four cards for the target; then, and only then, it plays what it set aside (V42)."""
        self.tell(Event.PLAY, target.index, FLIP_FOUR)
        for card in self.take_four(target):
            if target.standing and self.flip7 == NOBODY:
                self.receive(target, card)
            else:
                self.discard(target, card)
        self.used(FLIP_FOUR)
        self.tell(Event.FINISH, target.index, FLIP_FOUR)

    def take_four(self, target: Seat) -> list[int]:
        """Up to four cards, one at a time; all but the numbers wait and are returned (V42, B29)."""
        waiting: list[int] = []
        for _ in range(4):
            card = self.draw(target)
            if card == NO_CARD:
                if target.active:
                    self.get_stuck(target)
                break
            if card >= self.rules.cards.modifiers:
                waiting.append(card)
                self.tell(Event.ASIDE, target.index, card)
                continue
            self.receive(target, card)
            if not target.standing or self.flip7 != NOBODY:
                break
        return waiting

    # Actions that name cards

    def name_cards(self, target: Seat, card: int) -> None:
        """A Swap, Steal or Discard: the target names cards if there are any that it may, else nothing happens (V43)."""
        places = self.places(target, card)
        if not places:
            self.discard(target, card)
            return
        self.tell(Event.PLAY, target.index, card)
        if card == SWAP:
            self.exchange(*self.choose_pair(target, places))
        elif card == STEAL:
            self.steal(target, self.choose_place(target, Question.TAKE, places))
        else:
            owner, dropped = self.choose_place(target, Question.DROP, places)
            self.take_away(owner, dropped)
            self.used(dropped)
        self.used(card)

    def places(self, target: Seat, card: int) -> list[Place]:
        """The cards that the target may name, by seats, each kind once (V43)."""
        seats = [seat for seat in self.seats if self.can_be_target(seat) and not (card == STEAL and seat is target)]
        places = [(seat, kind) for seat in seats for kind in sorted(set(seat.front))]
        if card == SWAP and all(seat is places[0][0] for seat, _ in places):
            return []
        return places

    def choose_place(self, target: Seat, question: Question, places: Sequence[Place]) -> Place:
        """One of the places, as the target chooses where there are two."""
        if len(places) == 1:
            return places[0]
        return self.place_of(self.ask(target, question, _numbers_of(places)))

    def choose_pair(self, target: Seat, places: Sequence[Place]) -> tuple[Place, Place]:
        """Two of the places, of different seats, the lower first, as the target chooses where there are two pairs."""
        if len(places) == 2:
            return places[0], places[1]
        answer = self.ask(target, Question.EXCHANGE, _numbers_of(places))
        one, other = self.place_of(answer & ((1 << PLACE_SHIFT) - 1)), self.place_of(answer >> PLACE_SHIFT)
        return (one, other) if one[0].index < other[0].index else (other, one)

    def place_of(self, number: int) -> Place:
        """The place that an answer names."""
        return self.seats[number >> SEAT_SHIFT], number & ((1 << SEAT_SHIFT) - 1)

    def exchange(self, lower: Place, higher: Place) -> None:
        """Both cards leave, then each comes to the other's seat; a bust counts before a Flip 7 is looked for (V43)."""
        (one, given), (other, returned) = lower, higher
        self.take_away(one, given)
        self.take_away(other, returned)
        self.put(one, returned)
        self.put(other, given)
        self.look_for_flip7(one, other)

    def steal(self, target: Seat, place: Place) -> None:
        """The card leaves its seat and comes to the target's line (V43)."""
        owner, card = place
        self.take_away(owner, card)
        self.put(target, card)
        self.look_for_flip7(target)


def _numbers_of(places: Sequence[Place]) -> tuple[int, ...]:
    """The places as answers name them: card + 256 * seat (see `codes.SEAT_SHIFT`)."""
    return tuple(card + (seat.index << SEAT_SHIFT) for seat, card in places)
