"""A round played alone, exactly: the best there is, by backward induction, and what a strategy makes of it.

Decisions are arrays with a row for each line and a column for each set of modifiers (`Round.modifiers`).
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flip7sim.cards import NUMBERS
from flip7sim.exact.decks import Deck
from flip7sim.exact.distribution import Distribution
from flip7sim.exact.graph import Graph, Node, Place
from flip7sim.exact.kernels import (
    BLOCK,
    ENDS,
    Grid,
    Sets,
    Step,
    Worth,
    better,
    card_values,
    decide,
    mark,
    mark_decided,
    share_out,
    spread,
    spread_decided,
)
from flip7sim.exact.lines import Lines, all_lines

__all__ = ["SCORES", "Round", "Solution"]

Floats = npt.NDArray[np.float64]
Decisions = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.uint64]
Progress = Callable[[int, int], object]
Hits = Callable[[int], Decisions]
#: No round score is higher: 7 numbers, doubled, all plus cards, and a bonus.
SCORES = 512
MODIFIERS = 6
#: Lines that are worked on in one go.
CHUNK = 1 << 13


@dataclass(frozen=True)
class Solution:
    """The best there is.

    Attributes
    ----------
    value : float
        What the round is worth.
    with_second_chance : float or None
        The same for who begins with a Second Chance more, and must hit with it; None: there is none to have.
    hits : dict of int to uint8 array (lines, sets of modifiers)
        The best decisions by Flip Threes played, 1 for a hit.
    """

    value: float
    with_second_chance: float | None
    hits: dict[int, Decisions]


@dataclass
class Round:
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
    def grid(self) -> Grid:
        """The lines as the kernels read them."""
        lines = self.lines
        return Grid(
            *(lines.total, lines.count, lines.held, lines.seen, lines.cards),
            *(lines.left, lines.after, lines.after_second_chance),
        )

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

    def solve(self, jobs: int = 1, progress: Progress | None = None, rewards: Floats | None = None) -> Solution:
        """The best decisions, and what they are worth.

        Parameters
        ----------
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many arrays are done, and how many there are.
        rewards : float64 array (SCORES,), optional
            What each round score is worth, a bust being a score of 0; the score itself by default.
        """
        worth = self._worth(_POINTS if rewards is None else rewards)
        hits = {}

        def keep(node: Node, values: Floats) -> None:
            hits[node.played] = out = np.zeros(values.shape, np.uint8)
            better(out, values, self.grid, self.sets, worth)

        arrays = self._values(None, worth, keep, jobs, progress)
        start = arrays[Node(0)]
        value, chance, more = float(start[0, 0]), self.grid.after_second_chance[0], None
        if chance >= 0:
            decided = hits[0].copy()
            decided[chance, 0] = 1
            self._backward(Node(0), start, _all(start), decided, worth, arrays)(chance, chance + 1)
            more = float(start[chance, 0])
        return Solution(value, more, hits)

    def value(
        self, hits: Hits, jobs: int = 1, progress: Progress | None = None, rewards: Floats | None = None
    ) -> float:
        """What given decisions are worth, backward: quicker than `evaluate`, since only hands that come up matter.

        Parameters
        ----------
        hits
            As in `evaluate`.
        jobs, progress, rewards
            As in `solve`.
        """
        decided = {played: hits(played) for played in range(self.deck.flip_threes + 1)}
        worth = self._worth(_POINTS if rewards is None else rewards)
        arrays = self._values(decided, worth, None, jobs, progress)
        return float(arrays[Node(0)][0, 0])

    def evaluate(self, hits: Hits, jobs: int = 1, progress: Progress | None = None) -> Distribution:
        """What comes of a round with given decisions.

        Parameters
        ----------
        hits : callable
            Of the number of Flip Threes played: an array (lines, sets of modifiers) with 1 for a hit.
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many arrays are done, and how many there are.
        """
        order = self.graph.order()[::-1]
        arrays: dict[Node, Floats] = {Node(0): np.zeros(self._block_shape(Node(0)))}
        arrays[Node(0)][0, 0, 0] = 1.0
        # What ends in a block is added up by itself: the smallest chances would be lost in one large sum.
        found: list[list[Floats]] = [[], [], []]
        with ThreadPoolExecutor(jobs) as pool:
            for done, node in enumerate(order):
                for need in self.graph.needs(node):
                    if need not in arrays:
                        arrays[need] = np.zeros(self._block_shape(need))
                here = arrays[node]
                if node.left:
                    list(pool.map(self._share_out(node, here), range(len(here))))
                work = self._forward(node, here, hits, arrays)
                for blocks in self._blocks(together=node.left > 0):
                    for parts in pool.map(work, blocks):
                        for kind, part in zip(found, parts, strict=True):
                            kind.append(part)
                del arrays[node]
                found = [[np.sum(kind, axis=0)] for kind in found]
                if progress:
                    progress(done + 1, len(order))
        (scores,), (ends,), (visits,) = found
        by_end = {name: float(end) for name, end in zip(ENDS, ends, strict=True)}
        return Distribution(scores=scores, visits=visits, **by_end)

    def _values(
        self,
        hits: dict[int, Decisions] | None,
        worth: Worth,
        keep: Callable[[Node, Floats], None] | None,
        jobs: int,
        progress: Progress | None,
    ) -> dict[Node, Floats]:
        """What every hand is worth: of the arrays, those that the beginning of the round leads to are left."""
        order = self.graph.order()
        uses = Counter(need for node in order for need in self.graph.needs(node))
        uses.update(self.graph.needs(order[-1]))  # these are kept
        needed = None if hits is None else self._needed(hits)
        arrays: dict[Node, Floats] = {}
        with ThreadPoolExecutor(jobs) as pool:
            for done, node in enumerate(order):
                arrays[node] = out = np.empty(self._shape(node))
                marks = _all(out) if needed is None else needed.pop(node)
                decided = None if hits is None else hits[node.played]
                work = self._backward(node, out, marks, decided, worth, arrays)
                for chunks in self._levels(node):
                    if len(chunks) == 1:
                        work(*chunks[0])
                    else:
                        list(pool.map(work, *zip(*chunks, strict=True)))
                if keep and not node.left:
                    keep(node, out)
                for need in self.graph.needs(node):
                    uses[need] -= 1
                    if uses[need] == 0:
                        del arrays[need]
                if progress:
                    progress(done + 1, len(order))
        return arrays

    def _needed(self, hits: dict[int, Decisions]) -> dict[Node, Masks]:
        """The hands that come up with given decisions: for each line the columns, as bits."""
        order = self.graph.order()
        needed = {node: np.zeros(self._shape(node)[0], np.uint64) for node in order}
        needed[Node(0)][0] = 1
        free = self.sets.free
        columns = np.arange(64)
        lacking = np.array([_mask(columns[columns >> bit & 1 == 0]) for bit in range(MODIFIERS)], np.uint64)
        for node in reversed(order):
            steps, forced = self._steps(node, needed, _NO_MARKS), self._forced(node)
            if node.left:
                kinds = (steps["N"], steps["F"], steps["T"], steps["S"])
                mark(needed[node], *kinds, self.grid, lacking, free)
            else:
                takes = _bits(hits[node.played][: len(needed[node]), : 1 << free])
                actions = (steps["T"], self.deck.second_chances)
                mark_decided(needed[node], takes, *actions, self.grid, lacking, free, forced)
        return needed

    def _levels(self, node: Node) -> Iterator[list[tuple[int, int]]]:
        """Ranges of lines, the last ones first; those in a list do not need each other."""
        size = self._shape(node)[0]
        if size <= CHUNK:
            yield [(0, size)]
        elif node.left:
            yield _chunks(0, size)
        else:
            for first, last in reversed(self._groups):
                yield _chunks(first, last)

    @cached_property
    def _groups(self) -> list[tuple[int, int]]:
        """Ranges of lines with as many Second Chances seen, and as many cards: no card leads from one to another."""
        kind = self.lines.seen.astype(np.int64) * 64 + self.lines.cards
        cuts = [0, *(np.flatnonzero(np.diff(kind)) + 1).tolist(), len(kind)]
        return [*itertools.pairwise(cuts)]

    def _blocks(self, together: bool) -> list[list[int]]:
        """Blocks of columns; those with fewer modifiers first, unless all can go `together`."""
        blocks = range(self.columns // BLOCK)
        if together:
            return [[*blocks]]
        levels = [[block for block in blocks if block.bit_count() == held] for held in range(MODIFIERS)]
        return [level for level in levels if level]

    def _shape(self, node: Node) -> tuple[int, int]:
        """A row for each line that has not seen too many Second Chances, a column for each set of modifiers."""
        most = self.deck.second_chances - node.waiting.count("S")
        return self.lines.seen_at_most(most), self.columns

    def _block_shape(self, node: Node) -> tuple[int, int, int]:
        """The same, but with an axis for blocks of columns first."""
        lines, columns = self._shape(node)
        return columns // BLOCK, lines, BLOCK

    def _forced(self, node: Node) -> bool:
        """Whether there is no choice but to hit at the first line, without a modifier more."""
        return node == Node(0) or not (self.numbers or self.row)

    def _size(self, node: Node) -> int:
        """How many cards there are but for those that line and column account for."""
        return self.deck.size - node.played - len(node.waiting) - self.row.bit_count()

    def _worth(self, rewards: Floats) -> Worth:
        totals = np.arange(NUMBERS * (NUMBERS - 1) // 2 + 1)[:, None]
        points = (totals << self.sets.doubled) + self.sets.plus
        return Worth(float(rewards[0]), rewards[points], rewards[points + self.bonus])

    def _steps(self, node: Node, arrays: dict[Node, Any], empty: Any) -> dict[str, Step]:
        def step(weight: int, place: Place) -> Step:
            return Step(weight, place.kind, empty if place.node is None else arrays[place.node], place.shift)

        return {kind: step(*found) for kind, found in self.graph.steps(node).items()}

    def _backward(
        self,
        node: Node,
        out: Floats,
        need: Masks,
        hits: Decisions | None,
        worth: Worth,
        arrays: dict[Node, Floats],
    ) -> Callable[[int, int], Any]:
        steps = self._steps(node, arrays, _NO_VALUES)
        about = (self.grid, self.sets, self._size(node), worth)
        if node.left:
            kinds = (steps["N"], steps["F"], steps["T"], steps["S"])
            return lambda first, last: card_values(out, need, first, last, *kinds, *about)
        decided = (_NO_HITS, True, self._forced(node)) if hits is None else (hits, False, self._forced(node))
        actions = (self.deck.freezes, steps["T"], self.deck.second_chances)
        return lambda first, last: decide(out, need, first, last, *decided, *actions, *about)

    def _share_out(self, node: Node, here: Floats) -> Callable[[int], Any]:
        return lambda block: share_out(here, block, self.grid, self.sets, self._size(node))

    def _forward(
        self, node: Node, here: Floats, hits: Hits, arrays: dict[Node, Floats]
    ) -> Callable[[int], tuple[Floats, Floats, Floats]]:
        steps = self._steps(node, arrays, _NO_CHANCES)
        about = (self.grid, self.sets)
        decided = _NO_HITS if node.left else hits(node.played)

        def work(block: int) -> tuple[Floats, Floats, Floats]:
            scores, ends, visits = np.zeros(SCORES), np.zeros(len(ENDS)), np.zeros((self.size, 2, 2, SCORES, 2))
            if node.left:
                kinds = (steps["N"], steps["F"], steps["T"], steps["S"])
                spread(here, block, *kinds, *about, self.bonus, scores, ends)
            else:
                actions = (self._forced(node), self.deck.freezes, steps["T"], self.deck.second_chances)
                limits = (self._size(node), self.bonus)
                spread_decided(here, block, decided, *actions, *about, *limits, scores, ends, visits)
            return scores, ends, visits

        return work


def _chunks(first: int, last: int) -> list[tuple[int, int]]:
    """A range in pieces."""
    return [(start, min(start + CHUNK, last)) for start in range(first, last, CHUNK)]


def _mask(columns: npt.NDArray[np.int64]) -> int:
    """Columns as bits."""
    return sum(1 << int(column) for column in columns)


def _all(values: Floats) -> Masks:
    """All columns are needed, of every line."""
    return np.full(len(values), np.uint64(2**64 - 1))


def _bits(hits: Decisions) -> Masks:
    """Decisions for 1, 2, 4 ... 64 columns as bits of a word for each line."""
    packed = np.packbits(hits != 0, axis=1, bitorder="little")
    wide = np.zeros((len(hits), 8), np.uint8)
    wide[:, : packed.shape[1]] = packed
    return wide.view("<u8").reshape(-1).astype(np.uint64)


#: What a round score is worth, unless something else is wanted.
_POINTS = np.arange(SCORES, dtype=np.float64)
#: Instead of an array, where a step leads to none.
_NO_VALUES = np.zeros((1, 1))
_NO_CHANCES = np.zeros((1, 1, BLOCK))
_NO_MARKS = np.zeros(1, np.uint64)
_NO_HITS = np.zeros((1, 1), np.uint8)
