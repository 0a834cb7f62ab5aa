"""What is to be played, and what was counted of it."""

import hashlib
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from flip7sim.engine.batch import Sheet
from flip7sim.engine.kernels import histogram_bounds
from flip7sim.engine.luck import fits
from flip7sim.engine.records import RACE_ROUNDS
from flip7sim.policy.registry import Entrant
from flip7sim.rules import Rules

__all__ = ["Counts", "Plan", "batch_length"]

Ints = npt.NDArray[np.int64]
#: Line-ups that play their own deals begin so many blocks apart.
BLOCKS_APART = 1 << 30
#: When there are so many batches, each two of them become one.
MOST_BATCHES = 128


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes
    ----------
    rules : Rules
        The rules.
    entrants : tuple of Entrant
        The strategies.
    lineups : tuple of tuple of int
        The members of each line-up, as positions in `entrants`.
    games : tuple of int
        How many games each line-up plays, from its first on (see `first_games`).
    seed : int
        Whatever is random is a function of it and the number of the game.
    copies : tuple of int or None
        How many cards of each kind there are, if it is not the deck of the rules.
    schedule : str
        How the line-ups were drawn up (`schedule.SCHEDULES`).
    field : int
        So many of the entrants, the last ones, are the field that the others, the contenders, are played against.
    totals : tuple of int
        What each place of a line-up begins a game with; empty: all begin with nothing.
    """

    rules: Rules
    entrants: tuple[Entrant, ...]
    lineups: tuple[tuple[int, ...], ...]
    games: tuple[int, ...]
    seed: int
    copies: tuple[int, ...] | None = None
    schedule: str = "mixed"
    field: int = 0
    totals: tuple[int, ...] = ()

    @property
    def contenders(self) -> int:
        """How many of the entrants, the first ones, it is about."""
        return len(self.entrants) - self.field

    @property
    def players(self) -> int:
        """Seats at a table."""
        return len(self.lineups[0])

    def seats_of(self, strategy: int) -> int | None:
        """How many seats a strategy has in the only line-up; None if there are several."""
        return self.lineups[0].count(strategy) if len(self.lineups) == 1 else None

    @property
    def named_totals(self) -> tuple[int, ...]:
        """The totals in the order of the entrants, and for each in that of its seats."""
        places = sorted(range(len(self.totals)), key=lambda place: self.lineups[0][place])
        return tuple(self.totals[place] for place in places)

    @property
    def common_deals(self) -> bool:
        """Whether all line-ups play the same deals; else each plays its own.

        In a field schedule contenders are compared one in the place of the other, which pays on the same deals. In all
        others it does not: what a deal is like is learned once, and then again and again in the other line-ups.
        """
        return self.schedule == "field"

    @property
    def counts_luck(self) -> bool:
        """Whether luck is counted (see `engine.luck`): where strategies are compared, in the base game."""
        copies = self.copies or [count * self.rules.decks_for(self.players) for count in self.rules.cards.counts]
        return len(self.entrants) > 1 and self.rules.game == "base" and fits(copies)

    @property
    def first_blocks(self) -> tuple[int, ...]:
        """The first block of each line-up: 0, or a function of who is in it, whoever else plays in other line-ups."""
        if self.common_deals:
            return (0,) * len(self.lineups)
        names = ("\n".join(sorted(self.entrants[member].label for member in lineup)) for lineup in self.lineups)
        hashes = (hashlib.sha256(name.encode()).digest()[:3] for name in names)
        return tuple(int.from_bytes(word, "big") * BLOCKS_APART for word in hashes)

    @property
    def first_games(self) -> tuple[int, ...]:
        """The number of the first game of each line-up."""
        return tuple(block * self.players for block in self.first_blocks)

    @property
    def blocks(self) -> int:
        """Number of blocks: the longest line-up's games by the number of seats, rounded up."""
        return -(-max(self.games) // self.players)

    @property
    def whole_blocks(self) -> int:
        """Number of blocks, the first ones, that every line-up plays in full: a run of more games has them too."""
        return min(self.games) // self.players


@dataclass
class Counts:
    """What was counted.

    Attributes
    ----------
    sheet : Sheet
        Counts of games and seats, and their products (see `engine.batch.Sheet`).
    histogram : int64 array (strategies, width)
        Rounds by strategy and round score; a bust is a score of 0 (less in brutal mode, V46).
    race : int64 array (strategies, RACE_ROUNDS, 2)
        Rounds that a strategy played, and points that it made in them (less what a Flip 7 of others took off, V46), by
        the number of the round in its game; the last one counts all later rounds too.
    lowest_score : int
        The round score that the first place of the histogram counts.
    games, blocks : int
        How many were played.
    interrupted : bool
        Whether that is less than was planned.
    looks : int
        How often the run was looked at to see whether it is sure enough (see `sequential`); 0: it was not.
    batches : list of Counts
        The same by runs of consecutive blocks, all of one length but the last: what all strategies do in a batch they
        do with the same deals. How they are cut is a function of the number of blocks (see `batch_length`).
    """

    sheet: Sheet
    histogram: Ints
    race: Ints
    lowest_score: int
    games: int = 0
    blocks: int = 0
    interrupted: bool = False
    looks: int = 0
    batches: "list[Counts]" = field(default_factory=list)

    @classmethod
    def empty(cls, plan: Plan) -> "Counts":
        """Nothing counted yet."""
        strategies = len(plan.entrants)
        lowest_score, width = histogram_bounds(plan.rules, plan.players)
        sheet = Sheet.empty(strategies, len(plan.lineups), plan.players)
        histogram, race = np.zeros((strategies, width), np.int64), np.zeros((strategies, RACE_ROUNDS, 2), np.int64)
        return cls(sheet, histogram, race, lowest_score)

    @property
    def price(self) -> int:
        """By how much chances of error must be multiplied for the looks that were taken."""
        return max(1, self.looks * (self.looks + 1))

    @property
    def error(self) -> float:
        """The chance that an interval of this run misses: 5 % over all looks."""
        return 0.05 / self.price

    @property
    def arrays(self) -> tuple[Ints, ...]:
        """All arrays."""
        return *self.sheet, self.histogram, self.race

    def add(self, other: "Counts") -> None:
        """Merge what was counted elsewhere."""
        for mine, theirs in zip(self.arrays, other.arrays, strict=True):
            mine += theirs
        self.games += other.games
        self.blocks += other.blocks

    def append(self, other: "Counts") -> None:
        """Count the blocks that come next, which lie in one batch; `other` may become that batch."""
        self.add(other)
        if self.blocks - other.blocks == batch_length(self.blocks - other.blocks) * len(self.batches):
            self.batches.append(other)
        else:
            self.batches[-1].add(other)
        if self.blocks == MOST_BATCHES * batch_length(self.blocks - 1):
            pairs = [(self.batches[place], self.batches[place + 1]) for place in range(0, len(self.batches), 2)]
            for one, other in pairs:
                one.add(other)
            self.batches = [one for one, _ in pairs]

    def like(self) -> "Counts":
        """Counts of the same form, of nothing."""
        sheet = Sheet(*(np.zeros_like(array) for array in self.sheet))
        return Counts(sheet, np.zeros_like(self.histogram), np.zeros_like(self.race), self.lowest_score)


def batch_length(blocks: int) -> int:
    """How many blocks a batch has when so many have been counted: it doubles whenever there are `MOST_BATCHES`.

    A power of two, so that there are from half of `MOST_BATCHES` batches up to it, whatever the run's length.
    """
    return 1 << max(0, (blocks // MOST_BATCHES).bit_length())
