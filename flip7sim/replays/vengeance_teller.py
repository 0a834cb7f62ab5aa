"""Telling With A Vengeance: what its cards do, in sentences."""

from flip7sim.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, STEAL, SWAP, THIRTEEN, ZERO
from flip7sim.codes import NO_CARD, NOBODY, Event, Question, Status
from flip7sim.reference.cards import number_on
from flip7sim.replays.teller import Teller
from flip7sim.replays.words import the_card

__all__ = ["VengeanceTeller"]


class VengeanceTeller(Teller):
    """Puts a game of With A Vengeance into words; see `Teller`."""

    actions = {  # noqa: RUF012 (never changed)
        Question.JUST_ONE_MORE: JUST_ONE_MORE,
        Question.FLIP_FOUR: FLIP_FOUR,
        Question.SWAP: SWAP,
        Question.STEAL: STEAL,
        Question.DISCARD: DISCARD,
    }
    #: The action that names cards whose effect is not over yet, on whom it was played, and the cards that have been
    #: taken away for it and have not come to another seat yet.
    effect = NO_CARD
    resolver = NOBODY
    lost: tuple[str, ...] = ()
    #: Whether the round has ended by a Flip 7.
    flip7 = False

    def _tell_round(self, dealer: int, number: int) -> None:
        super()._tell_round(dealer, number)
        self.flip7 = False

    # Numbers and modifiers

    def forced(self, seat: int) -> str:
        """What a seat does that is not asked at its visit (B7, V36)."""
        return "holds The Zero, must hit and draws" if ZERO in self.numbers[seat] else super().forced(seat)

    def _tell_keep(self, seat: int, card: int) -> None:
        self.lay(seat, card)
        moved = self.arrived()
        if card < self.cards.modifiers or moved != NO_CARD or self.announced:
            return
        if self.before == (Event.DRAW, seat, card):
            self.amend(" and keeps it.")
        elif self.before[::2] == (Event.DRAW, card):
            self.amend(f", which goes to {self.names[seat]}.")
        else:
            self.say(f"{self.the_at_start(card)} goes to {self.names[seat]}.")

    def _tell_bust(self, seat: int, card: int) -> None:
        self.status[seat] = Status.BUST
        self.numbers[seat].append(card)
        thirteens = [number_on(number) for number in self.numbers[seat]].count(THIRTEEN)
        third = number_on(card) == THIRTEEN and thirteens > 2
        why = ", the third 13: bust!" if third else ", which it has already: bust!"
        moved = self.arrived()
        if moved == SWAP:
            self.deeper(f"{self.names[seat]} gets {self.the(card)}{why}")
        elif moved == STEAL:
            self.amend(": bust!")
        else:
            self.amend(why)

    def _tell_wipe(self, seat: int, card: int) -> None:
        swept = bool(self.numbers[seat] or self.modifiers[seat])
        self.numbers[seat], self.modifiers[seat] = [], []
        if not swept:
            return
        if self.effect == SWAP:
            self.deeper(f"{self.names[seat]} gets {self.the(card)}: all else in front of it is discarded.")
        else:
            self.amend(": all else in front of it is discarded.")

    def _tell_flip7(self, seat: int, score: int) -> None:
        self.flip7 = True
        bonus = "without" if self.start.rules.flip7_penalty else "with"
        self.say(
            f"Flip 7! {self.names[seat]} has {self.front(seat)}: {score} points {bonus} the bonus. The round is over."
        )

    def _tell_bonus(self, seat: int, points: int) -> None:
        self.say(f"{self.names[seat]} takes the bonus of {points} points.")

    def _tell_penalty(self, seat: int, points: int) -> None:
        self.totals[seat] -= points
        self.say(
            f"{self.names[seat]} gets the penalty: {points} points off its total, which is {self.totals[seat]} now."
        )

    # Actions

    def _tell_choose(self, seat: int, target: int) -> None:
        card = next(self.given)
        if card == NO_CARD:  # bonus or penalty: told when it comes
            return
        drawn = self.before == (Event.DRAW, seat, card)
        name = "it" if drawn else self.the(card)
        if card < self.cards.actions:
            deed = f"keeps {name}." if seat == target else f"gives {name} to {self.names[target]}."
        else:
            deed = f"plays {name} on {'itself' if seat == target else self.names[target]}."
        if drawn:
            self.amend(f" and {deed}")
        else:
            self.say(f"{self.names[seat]} {deed}")

    def _tell_play(self, seat: int, card: int) -> None:
        if not self.announced:
            self.say(f"{self.the_at_start(card)} is for {self.names[seat]}.")
        if card in (JUST_ONE_MORE, FLIP_FOUR):
            self.depth += 1
        else:
            self.effect, self.resolver, self.lost = card, seat, ()

    def _tell_lose(self, seat: int, card: int) -> None:
        (self.numbers if card < self.cards.modifiers else self.modifiers)[seat].remove(card)
        whose = "its own " + self.card(card) if seat == self.resolver else f"{self.the(card)} of {self.names[seat]}"
        self.lost = (*self.lost, whose)
        if self.effect == SWAP and len(self.lost) == 1:
            return
        verb = {SWAP: "exchanges", STEAL: "takes", DISCARD: "discards"}[self.effect]
        link = " and" if self.lines[-1].endswith("itself.") else ", which"
        self.amend(f"{link} {verb} {' and '.join(self.lost)}.")
        if self.effect == DISCARD:
            self.arrived()

    def arrived(self) -> int:
        """One of the cards that were taken away has come to its end; the action that moved it, -1 if none did."""
        moved, self.lost = self.effect, self.lost[1:]
        if not self.lost:
            self.effect = NO_CARD
        return moved

    def _tell_discard(self, seat: int, card: int) -> None:
        if self.before[0] in (Event.DRAW, Event.CHOOSE):
            self.amend(", without effect: it is discarded.")
        else:
            self.say(f"{self.the_at_start(card)} of {self.names[seat]} is discarded without effect.")

    def _tell_finish(self, seat: int, card: int) -> None:
        if card == JUST_ONE_MORE and self.status[seat] is Status.ACTIVE and not self.flip7:
            self.status[seat] = Status.STAYED
            self.say(f"{self.names[seat]} has to stay with {self.worth(seat)}.")
        self.depth -= 1

    # Words

    def the(self, card: int) -> str:
        """The card's name, as that of a certain card."""
        return the_card(self.cards, card)

    def the_at_start(self, card: int) -> str:
        """The same at the beginning of a sentence."""
        return "The" + self.the(card)[3:]

    def deeper(self, text: str) -> None:
        """A line of its own about what comes of the last one."""
        self.depth += 1
        self.say(text)
        self.depth -= 1
