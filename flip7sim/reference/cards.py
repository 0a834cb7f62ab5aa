"""What the readable reference puts on its table: a seat with its cards, their points, and given piles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from flip7sim.cards import (
    FREEZE,
    HALF,
    LUCKY_13,
    MINUS_TWO,
    PLUS_TWO,
    SECOND_CHANCE,
    TIMES_TWO,
    UNLUCKY_7,
    ZERO,
)
from flip7sim.codes import Status
from flip7sim.errors import Flip7Error
from flip7sim.rules import Rules
from flip7sim.table import SeatNow

__all__ = [
    *("Seat", "bust_score_of", "can_lie_together", "check_order", "count_of", "floored", "minus_of", "number_on"),
    "score_of",
]


def score_of(
    rules: Rules, numbers: Sequence[int], modifiers: Sequence[int], *, flip7: bool = False, bonus: bool = True
) -> int:
    """Points for what lies in front of a seat that has not bust (B25; V36, V44, V46).

    Parameters
    ----------
    rules : Rules
        They say which game is played, and what a Flip 7 is worth.
    numbers, modifiers : sequence of int
        The cards in front of it.
    flip7 : bool
        Whether it has made a Flip 7.
    bonus : bool
        Whether it gets the bonus for that: not if it takes the penalty off another seat instead (V46).
    """
    extra = rules.flip7_bonus if flip7 and bonus else 0
    if rules.game == "base":
        doubling = 2 if TIMES_TWO in modifiers else 1
        return (
            sum(numbers) * doubling + sum(2 * (card - PLUS_TWO + 1) for card in modifiers if card != TIMES_TWO) + extra
        )
    if ZERO in numbers and not flip7:
        return 0
    points = sum(number_on(card) for card in numbers)
    if HALF in modifiers:
        points //= 2
    return floored(rules, points - minus_of(modifiers)) + extra


def bust_score_of(rules: Rules, modifiers: Sequence[int]) -> int:
    """Points for a seat that has bust: none, but its minus cards count where it can be given some (V34, V46)."""
    return floored(rules, -minus_of(modifiers)) if rules.modifiers_to_busted else 0


def floored(rules: Rules, points: int) -> int:
    """The points of a round, as far down as they may go (V44, V46)."""
    return max(points, 0) if rules.score_floor == "0" else points


def minus_of(modifiers: Sequence[int]) -> int:
    """What the minus cards of Vengeance take off."""
    return sum(2 * (card - MINUS_TWO + 1) for card in modifiers if card != HALF)


def number_on(card: int) -> int:
    """The number that stands on a number card of Vengeance (V30)."""
    return {LUCKY_13: 13, UNLUCKY_7: 7}.get(card, card)


def can_lie_together(numbers: Sequence[int]) -> bool:
    """Whether number cards of Vengeance can lie in a line that is not bust (V34, V38)."""
    times = Counter(number_on(card) for card in numbers)
    if LUCKY_13 in numbers and times[13] == 2:
        times[13] = 1
    return all(count == 1 for count in times.values())


def count_of(rules: Rules, numbers: Sequence[int]) -> int:
    """How many of the numbers that make a Flip 7 lie in a line of Vengeance that is not bust (V35)."""
    return len(numbers) if rules.lucky13_flip7 == "cards" else len({number_on(card) for card in numbers})


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
    def standing(self) -> bool:
        """Whether it has not bust, and does not sit out: in Vengeance it can be a target (V33, V40)."""
        return self.status in (Status.ACTIVE, Status.STAYED)

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
