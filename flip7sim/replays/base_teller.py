"""Telling the base game: what its cards do, in sentences."""

from flip7sim.cards import FLIP_THREE, FREEZE, SECOND_CHANCE
from flip7sim.codes import Event, Question, Status
from flip7sim.replays.teller import Teller

__all__ = ["BaseTeller"]


class BaseTeller(Teller):
    """Puts a base game into words; see `Teller`."""

    actions = {  # noqa: RUF012 (never changed)
        Question.FREEZE: FREEZE,
        Question.FLIP_THREE: FLIP_THREE,
        Question.SECOND_CHANCE: SECOND_CHANCE,
    }

    def _tell_keep(self, seat: int, card: int) -> None:
        if card < FREEZE:
            self.lay(seat, card)
        else:
            self.second_chances[seat] = True
            if self.before == (Event.DRAW, seat, card):
                self.amend(" and keeps it.")
            elif not self.announced:
                self.say(f"The Second Chance goes to {self.names[seat]}.")

    def _tell_saved(self, seat: int, card: int) -> None:
        self.second_chances[seat] = False
        self.amend(", which it has already: saved by its Second Chance, and both are discarded.")

    def _tell_bust(self, seat: int, card: int) -> None:
        self.status[seat] = Status.BUST
        self.numbers[seat].append(card)
        self.amend(", which it has already: bust!")

    # Actions

    def _tell_choose(self, seat: int, target: int) -> None:
        card = next(self.given)
        name = "it" if self.before == (Event.DRAW, seat, card) else f"the {self.card(card)}"
        deed = f"plays {name} on itself." if seat == target else f"gives {name} to {self.names[target]}."
        if name == "it":
            self.amend(f" and {deed}")
        else:
            self.say(f"{self.names[seat]} {deed}")

    def _tell_play(self, seat: int, card: int) -> None:
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

    def _tell_discard(self, seat: int, card: int) -> None:
        if self.before == (Event.DRAW, seat, card):
            self.amend(", which nobody can have: it is discarded.")
        else:
            self.say(f"The {self.card(card)} of {self.names[seat]} is discarded without effect.")

    def _tell_finish(self, _: int, __: int) -> None:
        self.depth -= 1
