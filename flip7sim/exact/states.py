"""The states of a round played alone: which hands there are at each moment, and what a card makes of them.

Decisions are arrays with a row for each line and a column for each set of modifiers (`States.modifiers`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flip7sim.cards import NUMBERS
from flip7sim.exact.arrays import BLOCK, Grid, Sets, Step, Worth
from flip7sim.exact.decks import Deck
from flip7sim.exact.graph import Graph, Node
from flip7sim.exact.lines import Lines, all_lines

__all__ = ["MODIFIERS", "States"]

MODIFIERS = 6
#: No line adds up to more: all numbers.
HIGHEST_TOTAL = NUMBERS * (NUMBERS - 1) // 2
Floats = npt.NDArray[np.float64]


@dataclass
class States:
    """A round of one seat; who has nothing in front must hit, and so must whoever begins with something.

    Attributes
    ----------
    deck : Deck
        What is played with.
    second_chance : {"deferred", "immediate"}
        Whether a Second Chance revealed in a Flip Three waits, or can be used at once (B18).
    size, bonus : int
        How many numbers make a Flip 7, and what it adds.
    numbers : tuple of int
        What is in front of the seat to begin with; these cards are counted in the deck.
    row : int
        The modifiers there, as bits.
    """

    deck: Deck
    second_chance: Literal["deferred", "immediate"] = "deferred"
    size: int = 7
    bonus: int = 15
    numbers: tuple[int, ...] = ()
    row: int = 0

    @cached_property
    def lines(self) -> Lines:
        """All lines."""
        return all_lines(self.deck.numbers, self.deck.second_chances, self.size, self.numbers)

    @cached_property
    def graph(self) -> Graph:
        """All moments."""
        return Graph(self.deck, self.second_chance)

    @cached_property
    def order(self) -> list[Node]:
        """All nodes of the graph, each behind all that it leads to."""
        return self.graph.order(self.rows)

    @property
    def most_rows(self) -> int:
        """How many rows all arrays that are needed at a time have at most."""
        return self.graph.peak(self.order, self.rows)

    @cached_property
    def grid(self) -> Grid:
        """The lines as the kernels read them."""
        lines = self.lines
        given = np.empty((4, lines.size), np.int32)
        given[0] = np.arange(lines.size)
        for count in range(1, len(given)):
            before = given[count - 1]
            given[count] = np.where(before >= 0, lines.after_second_chance[before], before)
        about = (lines.total, lines.count, lines.held, lines.seen, lines.cards, lines.left, lines.after)
        return Grid(*about, given)

    @cached_property
    def modifiers(self) -> npt.NDArray[np.int64]:
        """The set of modifiers, as bits, that each column stands for: 1, 2, 4 ... 64 of them."""
        free = [bit for bit in range(MODIFIERS) if (self.deck.modifiers & ~self.row) >> bit & 1]
        columns = np.full(1 << len(free), self.row)
        for place, bit in enumerate(free):
            columns |= (np.arange(len(columns)) >> place & 1) << bit
        return columns

    @cached_property
    def sets(self) -> Sets:
        """The columns as the kernels read them; there is a whole block of them at least."""
        columns = self.modifiers
        free = len(columns).bit_length() - 1
        columns = np.concatenate([columns, np.full(max(BLOCK - len(columns), 0), self.row)])
        plus = sum(2 * (bit + 1) * (columns >> bit & 1) for bit in range(MODIFIERS - 1))
        held = np.bitwise_count(columns) - self.row.bit_count()
        return Sets(free, plus, columns >> (MODIFIERS - 1), held.astype(np.int64))

    @property
    def columns(self) -> int:
        """How many columns arrays have."""
        return len(self.sets.plus)

    @cached_property
    def points(self) -> npt.NDArray[np.int64]:
        """What is banked (B25), by sum of the line and column."""
        totals = np.arange(HIGHEST_TOTAL + 1)[:, None]
        banked: npt.NDArray[np.int64] = (totals << self.sets.doubled) + self.sets.plus
        return banked

    @property
    def scores(self) -> int:
        """How many round scores there can be: 0, 1, 2 ... up to the highest one."""
        return int(self.points.max()) + self.bonus + 1

    def rows(self, node: Node) -> int:
        """How many lines have not seen too many Second Chances."""
        return self.lines.seen_at_most(self.graph.most_seen(node))

    def shape(self, node: Node) -> tuple[int, int]:
        """A row for each of these lines, a column for each set of modifiers."""
        return self.rows(node), self.columns

    def cards(self, node: Node) -> int:
        """How many cards there are but for those that line and column account for."""
        return self.deck.size - node.played - len(node.waiting) - self.row.bit_count()

    def forced(self, node: Node) -> bool:
        """Whether there is no choice but to hit at the first line, without a modifier more."""
        return node == Node(0) or not (self.numbers or self.row)

    def worth(self, rewards: Floats | None) -> Worth:
        """What ends are worth, given what each round score is worth: by default itself."""
        rewards = np.arange(self.scores, dtype=np.float64) if rewards is None else rewards
        return Worth(float(rewards[0]), rewards[self.points], rewards[self.points + self.bonus])

    def steps(self, node: Node, arrays: dict[Node, Any], empty: Any) -> tuple[Step, ...]:
        """Where cards lead: a number or modifier, a Freeze, a Flip Three, a Second Chance; at a decision a Flip Three.

        Instead of an array there is an `empty` one where a card leads to none.
        """
        return tuple(
            Step(weight, place.kind, empty if place.node is None else arrays[place.node], place.shift)
            for weight, place in self.graph.steps(node).values()
        )
