"""A played game as a list of objects for programs, and told in sentences for people."""

from collections.abc import Iterable, Sequence
from typing import Any

from flip7sim.cards import FLIP_THREE, FREEZE, NUMBERS, SECOND_CHANCE, TIMES_TWO
from flip7sim.codes import MAX_ROUND_CARDS, NOBODY, Event, Question, Status
from flip7sim.reference.cards import score_of
from flip7sim.replays.fields import written
from flip7sim.replays.script import what_was_asked
from flip7sim.rules import Rules
from flip7sim.table import Finish, Happening, SeatStart, Start

__all__ = ["card_name", "event_objects", "tell"]

#: What the value of an event is called, for events that have one; cards are named.
_VALUES = {
    Event.ROUND: "round",
    Event.SHUFFLE: "cards",
    Event.FLIP7: "score",
    Event.SCORE: "score",
    Event.WIN: "total",
    Event.TIE: "seats",
    Event.UNFINISHED: "rounds",
}
_WITH_CARD = {
    *(Event.DRAW, Event.KEEP, Event.SAVED, Event.BUST, Event.ASIDE),
    *(Event.PLAY, Event.DISCARD, Event.FINISH),
}
_PEOPLE = {FREEZE: "Freeze", FLIP_THREE: "Flip Three", SECOND_CHANCE: "Second Chance", TIMES_TWO: "×2"}
_STANDING = {
    Status.ACTIVE: " has",
    Status.STAYED: " has stayed with",
    Status.FROZEN: " is frozen with",
    Status.BUST: " is bust with",
    Status.OUT: " sits out with",
}
_ACTIONS = {Question.FREEZE: FREEZE, Question.FLIP_THREE: FLIP_THREE, Question.SECOND_CHANCE: SECOND_CHANCE}


def event_objects(rules: Rules, names: Sequence[str], events: Iterable[Happening]) -> list[dict[str, Any]]:
    """What happened, an object each: `event`, `seat` (if one is concerned), and what goes with it.

    Parameters
    ----------
    rules : Rules
        That were played.
    names : sequence of str
        Of the seats.
    events : iterable of Happening
        As the players of the game record them.
    """
    objects = []
    for event, seat, value in events:
        each: dict[str, Any] = {"event": Event(event).name.lower()}
        if seat != NOBODY:
            each["dealer" if event == Event.ROUND else "seat"] = names[seat]
        if event in _WITH_CARD:
            each["card"] = written(rules.cards, (value,))[0]
        elif event == Event.CHOOSE:
            each["target"] = names[value]
        elif event in _VALUES:
            each[_VALUES[Event(event)]] = value
        objects.append(each)
    return objects


def card_name(rules: Rules, card: int) -> str:
    """The card's name for people."""
    return _PEOPLE.get(card, rules.cards.names[card])


def tell(start: Start, names: Sequence[str], finish: Finish) -> list[str]:
    """Tell the game from `start` to `finish`, a line each, by rounds, with what every seat banks."""
    return _Teller(start, names, finish).tell()


class _Teller:
    """Follows what happens, and puts it into words."""

    def __init__(self, start: Start, names: Sequence[str], finish: Finish) -> None:
        self.start, self.names, self.finish = start, names, finish
        self.lines: list[str] = []
        self.numbers = [list(seat.numbers) for seat in start.seats]
        self.modifiers = [list(seat.modifiers) for seat in start.seats]
        self.second_chances = [seat.second_chance for seat in start.seats]
        self.status = [seat.status for seat in start.seats]
        self.totals = [seat.total for seat in start.seats]
        self.points: dict[int, int] = {}
        self.to_deal: list[int] = []
        self.given = iter([_ACTIONS[choice.question] for choice in finish.choices if choice.question in _ACTIONS])
        self.depth = self.taken = self.round = 0
        self.hitting = False
        self.before: Happening = (Event.ROUND, NOBODY, 0)

    def tell(self) -> list[str]:
        """All lines."""
        for happening in self.finish.events:
            event, seat, value = happening
            if self.points and event != Event.SCORE:
                self.score_table()
            getattr(self, f"tell_{Event(event).name.lower()}")(seat, value)
            self.before = happening
        if self.points:
            self.score_table()
        if self.finish.asked is not None:
            self.depth = 0
            self.say(f"Here play halts: {what_was_asked(self.finish.asked, self.names)}.")
        return self.lines

    @property
    def announced(self) -> bool:
        """Whether the last line has said already who gets the action that now takes effect."""
        return self.before[0] == Event.CHOOSE

    # Words

    def say(self, text: str) -> None:
        """A line of its own, set in as deep as Flip Threes are nested."""
        self.lines.append("  " * (self.depth + 1) + text)

    def amend(self, text: str) -> None:
        """More to the last line, in place of its full stop."""
        self.lines[-1] = self.lines[-1].removesuffix(".") + text

    def card(self, card: int) -> str:
        """The card's name."""
        return card_name(self.start.rules, card)

    def a(self, card: int) -> str:
        """The card's name with its article."""
        return f"{'an' if card in (8, 11) else 'a'} {self.card(card)}"

    def front(self, seat: int) -> str:
        """What lies in front of the seat."""
        cards = [self.card(card) for card in self.numbers[seat] + self.modifiers[seat]]
        cards += ["a Second Chance"] * self.second_chances[seat]
        return ", ".join(cards) or "nothing"

    def worth(self, seat: int) -> str:
        """What lies in front of the seat, and its points."""
        points = score_of(self.start.rules, self.numbers[seat], self.modifiers[seat])
        return f"{self.front(seat)} ({points} point{'' if points == 1 else 's'})"

    # The game and its rounds

    def tell_shuffle(self, seat: int, cards: int) -> None:
        if not self.lines:
            self.lines.append(f"The deck is shuffled: {cards} cards.")
        elif self.before[0] == Event.ROUND and self.round > 1 and self.start.rules.reshuffle == "every_round":
            self.say(f"All {cards} cards are shuffled.")
        else:
            self.say(f"The discard pile is shuffled: {cards} card{'' if cards == 1 else 's'} to draw from.")

    def tell_round(self, dealer: int, number: int) -> None:
        if number == 1:
            self.sit_out()
        else:
            seats = range(len(self.names))
            self.numbers, self.modifiers = [[] for _ in seats], [[] for _ in seats]
            self.second_chances = [False for _ in seats]
            self.status = [Status.OUT if status is Status.OUT else Status.ACTIVE for status in self.status]
        if self.lines and self.lines[-1]:
            self.lines.append("")
        self.lines += [f"Round {number}. {self.names[dealer]} deals."]
        if number == 1:
            self.introduce()
        seats = range(dealer + 1, dealer + 1 + len(self.names))
        deal = self.start.rules.initial_deal and (number > 1 or self.start.deal)
        self.to_deal = [seat % len(self.names) for seat in seats] if deal else []
        self.depth, self.taken, self.round = 0, 0, number

    def introduce(self) -> None:
        """Say how the seats stand before the first card."""
        for name, seat, now in zip(self.names, range(len(self.names)), self.start.seats, strict=True):
            if now != SeatStart():
                self.say(f"{name}{_STANDING[self.status[seat]]} {self.front(seat)}; total so far {now.total}.")

    def sit_out(self) -> None:
        """Find out who plays no part in a tie-break."""
        best = max(self.totals)
        tied = self.totals.count(best) > 1 and best >= self.start.rules.target_score
        if tied and self.start.rules.tie_break == "tied_only":
            for seat, total in enumerate(self.totals):
                self.status[seat] = Status.OUT if total < best else self.status[seat]

    def tell_score(self, seat: int, points: int) -> None:
        self.points[seat] = points
        self.totals[seat] += points

    def score_table(self) -> None:
        """What the round has brought, and the totals."""
        width = max(4, *(len(name) for name in self.names))
        self.lines += ["", f"    {'':{width}}  round  total"]
        for seat, name in enumerate(self.names):
            points = "bust" if self.status[seat] is Status.BUST else str(self.points.get(seat, "out"))
            self.lines.append(f"    {name:{width}}  {points:>5}  {self.totals[seat]:>5}")
        self.lines.append("")
        self.points = {}

    def tell_win(self, seat: int, total: int) -> None:
        self.lines.append(f"{self.names[seat]} wins with {total} points.")

    def tell_tie(self, _: int, seats: int) -> None:
        best = max(self.totals)
        tied = [name for name, total in zip(self.names, self.totals, strict=True) if total == best]
        self.lines.append(f"{', '.join(tied[:-1])} and {tied[-1]} are tied at {best}: there must be another round.")
        self.sit_out()

    def tell_unfinished(self, _: int, rounds: int) -> None:
        self.lines.append(f"The game is cut after {rounds} round{'' if rounds == 1 else 's'}: it stays unfinished.")

    # Turns and cards

    def tell_hit(self, _: int, __: int) -> None:
        self.to_deal = []
        self.hitting = True  # told with the card

    def tell_stay(self, seat: int, _: int) -> None:
        self.to_deal = []
        self.status[seat] = Status.STAYED
        self.say(f"{self.names[seat]} stays with {self.worth(seat)}.")

    def tell_stuck(self, seat: int, _: int) -> None:
        self.status[seat] = Status.STAYED
        why = (
            f"{self.taken} cards have been taken in this round" if self.taken >= MAX_ROUND_CARDS else "no card is left"
        )
        self.say(f"{self.names[seat]} has to stay, as {why}, with {self.worth(seat)}.")

    def tell_draw(self, seat: int, card: int) -> None:
        while self.to_deal and self.status[self.to_deal[0]] is not Status.ACTIVE:
            self.to_deal.pop(0)
        if self.depth:
            verb = "takes"
        elif self.hitting:
            verb = "hits and draws"
        elif self.to_deal:
            self.to_deal.pop(0)
            verb = "is dealt"
        else:
            verb = "must hit and draws"
        self.hitting = False
        self.taken += 1
        self.say(f"{self.names[seat]} {verb} {self.a(card)}.")

    def tell_keep(self, seat: int, card: int) -> None:
        if card < NUMBERS:
            self.numbers[seat].append(card)
        elif card < FREEZE:
            self.modifiers[seat].append(card)
        else:
            self.second_chances[seat] = True
            if self.before == (Event.DRAW, seat, card):
                self.amend(" and keeps it.")
            elif not self.announced:
                self.say(f"The Second Chance goes to {self.names[seat]}.")

    def tell_saved(self, seat: int, card: int) -> None:
        self.second_chances[seat] = False
        self.amend(", which it has already: saved by its Second Chance, and both are discarded.")

    def tell_bust(self, seat: int, card: int) -> None:
        self.status[seat] = Status.BUST
        self.numbers[seat].append(card)
        self.amend(", which it has already: bust!")

    def tell_flip7(self, seat: int, score: int) -> None:
        self.say(
            f"Flip 7! {self.names[seat]} has {self.front(seat)}: {score} points with the bonus. The round is over."
        )

    # Actions

    def tell_aside(self, _: int, __: int) -> None:
        self.amend(" and sets it aside.")

    def tell_choose(self, seat: int, target: int) -> None:
        card = next(self.given)
        name = "it" if self.before == (Event.DRAW, seat, card) else f"the {self.card(card)}"
        deed = f"plays {name} on itself." if seat == target else f"gives {name} to {self.names[target]}."
        if name == "it":
            self.amend(f" and {deed}")
        else:
            self.say(f"{self.names[seat]} {deed}")

    def tell_play(self, seat: int, card: int) -> None:
        name = self.names[seat]
        if card == FLIP_THREE:
            if not self.announced:
                self.say(f"The Flip Three is for {name}.")
            self.depth += 1
            return
        self.status[seat] = Status.FROZEN
        if self.announced:
            self.amend(f", frozen with {self.worth(seat)}.")
        else:
            self.say(f"The Freeze is for {name}, frozen with {self.worth(seat)}.")

    def tell_discard(self, seat: int, card: int) -> None:
        if self.before == (Event.DRAW, seat, card):
            self.amend(", which nobody can have: it is discarded.")
        else:
            self.say(f"The {self.card(card)} of {self.names[seat]} is discarded without effect.")

    def tell_finish(self, _: int, __: int) -> None:
        self.depth -= 1
