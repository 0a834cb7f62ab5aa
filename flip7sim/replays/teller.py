"""Telling what happens in sentences, as far as both games have it: rounds, turns, cards that are drawn, scores."""

from collections.abc import Mapping, Sequence

from flip7sim.codes import CARD_QUESTIONS, MAX_ROUND_CARDS, NOBODY, Event, Question, Status
from flip7sim.reference.cards import score_of
from flip7sim.replays.script import what_was_asked
from flip7sim.replays.words import card_name, with_article
from flip7sim.table import Finish, Happening, SeatStart, Start

__all__ = ["Teller"]

_STANDING = {
    Status.ACTIVE: " has",
    Status.STAYED: " has stayed with",
    Status.FROZEN: " is frozen with",
    Status.BUST: " is bust with",
    Status.OUT: " sits out with",
}


class Teller:
    """Follows what happens, and puts it into words; `BaseTeller` and `VengeanceTeller` add those for their cards.

    Parameters
    ----------
    start : Start
        The table that was played from.
    names : sequence of str
        Of the seats.
    finish : Finish
        What came of it.
    """

    #: The card that each question is about whose answer is told by `Event.CHOOSE`.
    actions: Mapping[Question, int] = {}

    def __init__(self, start: Start, names: Sequence[str], finish: Finish) -> None:
        self.start, self.names, self.finish = start, names, finish
        self.cards = start.rules.cards
        self.lines: list[str] = []
        self.numbers = [list(seat.numbers) for seat in start.seats]
        self.modifiers = [list(seat.modifiers) for seat in start.seats]
        self.second_chances = [seat.second_chance for seat in start.seats]
        self.status = [seat.status for seat in start.seats]
        self.totals = [seat.total for seat in start.seats]
        self.points: dict[int, int] = {}
        self.to_deal: list[int] = []
        chosen = (Question.HIT, *CARD_QUESTIONS)
        self.given = iter(
            [self.actions.get(each.question, each.card) for each in finish.choices if each.question not in chosen]
        )
        self.depth = self.taken = self.round = 0
        self.hitting = False
        self.before: Happening = (Event.ROUND, NOBODY, 0)

    def tell(self) -> list[str]:
        """All lines."""
        for happening in self.finish.events:
            event, seat, value = happening
            if self.points and event != Event.SCORE:
                self.score_table()
            getattr(self, f"_tell_{Event(event).name.lower()}")(seat, value)
            self.before = happening
        if self.points:
            self.score_table()
        if self.finish.asked is not None:
            self.depth = 0
            self.say(f"Here play halts: {what_was_asked(self.finish.asked, self.names, self.cards)}.")
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
        return card_name(self.cards, card)

    def a(self, card: int) -> str:
        """The card's name with its article."""
        return with_article(self.cards, card)

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

    def _tell_shuffle(self, seat: int, cards: int) -> None:
        if not self.lines:
            self.lines.append(f"The deck is shuffled: {cards} cards.")
        elif self.before[0] == Event.ROUND and self.round > 1 and self.start.rules.reshuffle == "every_round":
            self.say(f"All {cards} cards are shuffled.")
        else:
            self.say(f"The discard pile is shuffled: {cards} card{'' if cards == 1 else 's'} to draw from.")

    def _tell_round(self, dealer: int, number: int) -> None:
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
        tied = self.leaders()
        best = self.totals[tied[0]] if tied else 0
        if len(tied) > 1 and best >= self.start.rules.target_score and self.start.rules.tie_break == "tied_only":
            self.status = [status if seat in tied else Status.OUT for seat, status in enumerate(self.status)]

    def leaders(self) -> list[int]:
        """The seats that share the highest total of those that play."""
        playing = [seat for seat, status in enumerate(self.status) if status is not Status.OUT]
        best = max((self.totals[seat] for seat in playing), default=0)
        return [seat for seat in playing if self.totals[seat] == best]

    def _tell_score(self, seat: int, points: int) -> None:
        self.points[seat] = points
        self.totals[seat] += points

    def score_table(self) -> None:
        """What the round has brought, and the totals."""
        width = max(4, *(len(name) for name in self.names))
        self.lines += ["", f"    {'':{width}}  round  total"]
        for seat, name in enumerate(self.names):
            points = str(self.points.get(seat, "out"))
            if self.status[seat] is Status.BUST and not self.points.get(seat):
                points = "bust"
            self.lines.append(f"    {name:{width}}  {points:>5}  {self.totals[seat]:>5}")
        self.lines.append("")
        self.points = {}

    def _tell_win(self, seat: int, total: int) -> None:
        self.lines.append(f"{self.names[seat]} wins with {total} points.")

    def _tell_tie(self, _: int, seats: int) -> None:
        leaders = self.leaders()
        *others, last = [self.names[seat] for seat in leaders]
        best = self.totals[leaders[0]]
        self.lines.append(f"{', '.join(others)} and {last} are tied at {best}: there must be another round.")
        self.sit_out()

    def _tell_unfinished(self, _: int, rounds: int) -> None:
        self.lines.append(f"The game is cut after {rounds} round{'' if rounds == 1 else 's'}: it stays unfinished.")

    # Turns and cards

    def _tell_hit(self, _: int, __: int) -> None:
        self.to_deal = []
        self.hitting = True  # told with the card

    def _tell_stay(self, seat: int, _: int) -> None:
        self.to_deal = []
        self.status[seat] = Status.STAYED
        self.say(f"{self.names[seat]} stays with {self.worth(seat)}.")

    def _tell_stuck(self, seat: int, _: int) -> None:
        self.status[seat] = Status.STAYED
        why = (
            f"{self.taken} cards have been taken in this round" if self.taken >= MAX_ROUND_CARDS else "no card is left"
        )
        self.say(f"{self.names[seat]} has to stay, as {why}, with {self.worth(seat)}.")

    def _tell_draw(self, seat: int, card: int) -> None:
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
            verb = self.forced(seat)
        self.hitting = False
        self.taken += 1
        self.say(f"{self.names[seat]} {verb} {self.a(card)}.")

    def forced(self, seat: int) -> str:
        """What a seat does that is not asked at its visit (B7)."""
        return "must hit and draws"

    def lay(self, seat: int, card: int) -> None:
        """A number or modifier lies in front of the seat from now on."""
        (self.numbers if card < self.cards.modifiers else self.modifiers)[seat].append(card)

    def _tell_flip7(self, seat: int, score: int) -> None:
        self.say(
            f"Flip 7! {self.names[seat]} has {self.front(seat)}: {score} points with the bonus. The round is over."
        )

    def _tell_aside(self, _: int, __: int) -> None:
        self.amend(" and sets it aside.")
