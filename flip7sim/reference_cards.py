"""What the readable reference puts on its table: a seat with its cards, their points, and shuffled piles.

The random stream is that of the engine (SplitMix64, keyed by seed and game number), written again in plain integers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from flip7sim.cards import FREEZE, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.codes import Status
from flip7sim.errors import Flip7Error
from flip7sim.rules import Rules
from flip7sim.table import SeatNow

__all__ = ["Seat", "check_order", "game_key", "score_of", "shuffled", "stream_of"]

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def _mix(word: int) -> int:
    """The output function of SplitMix64."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
    return word ^ (word >> 31)


def game_key(seed: int, game: int) -> int:
    """The key of game number `game` under `seed`: all its randomness comes from it."""
    return _mix((_mix((seed + _GAMMA) & _MASK) + game * _GAMMA) & _MASK)


def stream_of(key: int, purpose: int) -> int:
    """The state in which the stream for `purpose` starts, in the game with that key."""
    return _mix((key + (purpose + 1) * _GAMMA) & _MASK)


def shuffled(cards: Sequence[int], state: int) -> list[int]:
    """The `cards` in the random order, top first, that the stream in `state` gives."""
    pile = sorted(cards)
    order = []
    for left in range(len(pile), 0, -1):
        state = (state + _GAMMA) & _MASK
        drawn = ((_mix(state) >> 32) * left) >> 32
        order.append(pile[drawn])
        pile[drawn] = pile[left - 1]
    return order


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
