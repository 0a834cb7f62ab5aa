"""What the readable reference puts on its table: a seat with its cards, their points, and given piles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from flip7sim.cards import FREEZE, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.codes import Status
from flip7sim.errors import Flip7Error
from flip7sim.rules import Rules
from flip7sim.table import SeatNow

__all__ = ["Seat", "check_order", "score_of"]


def score_of(rules: Rules, numbers: Sequence[int], modifiers: Sequence[int], *, flip7: bool = False) -> int:
    """Points for what lies in front of a seat that has not bust (B25).

    Parameters
    ----------
    rules : Rules
        They say what a Flip 7 is worth.
    numbers, modifiers : sequence of int
        The cards in front of it.
    flip7 : bool
        Whether it has made a Flip 7.
    """
    points = sum(numbers)
    if TIMES_TWO in modifiers:
        points *= 2
    points += sum(2 * (card - PLUS_TWO + 1) for card in modifiers if card != TIMES_TWO)
    return points + rules.flip7_bonus if flip7 else points


@dataclass
class Seat:
    """A seat and what lies in front of it; a frozen one has its Freeze there too (B13).

    The duplicate that broke a line is the last of its numbers (B9). `rounds`, the `points` banked in them, `busts` and
    `flip7s` are counted over the game.
    """

    index: int
    total: int = 0
    status: Status = Status.ACTIVE
    numbers: list[int] = field(default_factory=list)
    modifiers: list[int] = field(default_factory=list)
    second_chance: bool = False
    rounds: int = 0
    points: int = 0
    busts: int = 0
    flip7s: int = 0

    @property
    def active(self) -> bool:
        """Whether it is still in the round: it has visits, and can be a target (B4)."""
        return self.status is Status.ACTIVE

    @property
    def front(self) -> list[int]:
        """All cards in front of it."""
        actions = [SECOND_CHANCE] * self.second_chance + [FREEZE] * (self.status is Status.FROZEN)
        return self.numbers + self.modifiers + actions

    def now(self, score: int) -> SeatNow:
        """How the seat stands, if that is its score."""
        numbers, modifiers = tuple(sorted(self.numbers)), tuple(sorted(self.modifiers))
        return SeatNow(self.status, numbers, modifiers, self.second_chance, score, self.total)


def check_order(rules: Rules, order: Sequence[int], cards: Sequence[int], number: int) -> None:
    """Make sure that the given order number `number` is one of just the `cards` that are to be shuffled.

    Raises
    ------
    Flip7Error
        It says which cards are missing, and which are too many.
    """
    names = rules.cards.names
    missing = [names[card] for card in sorted((Counter(cards) - Counter(order)).elements())]
    excess = [names[card] for card in sorted((Counter(order) - Counter(cards)).elements())]
    faults = [f"{', '.join(these)} {what}" for these, what in ((missing, "missing"), (excess, "too many")) if these]
    if faults:
        raise Flip7Error(
            f"reshuffles: order {number} is not just the cards that are shuffled then: {'; '.join(faults)}"
        )
