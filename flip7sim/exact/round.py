"""A round played alone, exactly: the best there is, by backward induction, and what a strategy makes of it."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.exact.arrays import BLOCK, ENDS, Worth
from flip7sim.exact.backward import better, card_values, decide, mark, mark_decided
from flip7sim.exact.distribution import Distribution
from flip7sim.exact.forward import share_out, spread, spread_decided
from flip7sim.exact.graph import Node
from flip7sim.exact.states import MODIFIERS, States

__all__ = ["Round", "Solution"]

Floats = npt.NDArray[np.float64]
Decisions = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.uint64]
Progress = Callable[[int, int], object]
Hits = Callable[[int], Decisions]
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
class Round(States):
    """A round of one seat (its attributes are those of `states.States`)."""

    def solve(self, jobs: int = 1, progress: Progress | None = None, rewards: Floats | None = None) -> Solution:
        """The best decisions, and what they are worth.

        Parameters
        ----------
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many arrays are done, and how many there are.
        rewards : float64 array (scores,), optional
            What each round score is worth, a bust being a score of 0; the score itself by default.
        """
        worth = self.worth(rewards)
        hits = {}

        def keep(node: Node, values: Floats) -> None:
            hits[node.played] = out = np.zeros(values.shape, np.uint8)
            better(out, values, self.grid, self.sets, worth)

        arrays = self._values(None, worth, keep, jobs, progress)
        start = arrays[Node(0)]
        value, chance, more = float(start[0, 0]), int(self.grid.given[1, 0]), None
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
        worth = self.worth(rewards)
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
        order = self.order[::-1]
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
        order = self.order
        uses = Counter(need for node in order for need in self.graph.needs(node))
        uses.update(self.graph.needs(order[-1]))  # these are kept
        needed = None if hits is None else self._needed(hits)
        arrays: dict[Node, Floats] = {}
        spare = _Spare(self.most_rows)
        with ThreadPoolExecutor(jobs) as pool:
            for done, node in enumerate(order):
                arrays[node] = out = spare.take(self.shape(node))
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
                        spare.give(arrays.pop(need))
                if progress:
                    progress(done + 1, len(order))
        return arrays

    def _needed(self, hits: dict[int, Decisions]) -> dict[Node, Masks]:
        """The hands that come up with given decisions: for each line the columns, as bits."""
        order = self.order
        needed = {node: np.zeros(self.shape(node)[0], np.uint64) for node in order}
        needed[Node(0)][0] = 1
        free = self.sets.free
        columns = np.arange(64)
        lacking = np.array([_mask(columns[columns >> bit & 1 == 0]) for bit in range(MODIFIERS)], np.uint64)
        for node in reversed(order):
            steps, forced = self.steps(node, needed, _NO_MARKS), self.forced(node)
            if node.left:
                mark(needed[node], *steps, self.grid, lacking, free)
            else:
                takes = _bits(hits[node.played][: len(needed[node]), : 1 << free])
                actions = (*steps, self.deck.second_chances)
                mark_decided(needed[node], takes, *actions, self.grid, lacking, free, forced)
        return needed

    def _levels(self, node: Node) -> Iterator[list[tuple[int, int]]]:
        """Ranges of lines, the last ones first; those in a list do not need each other."""
        size = self.shape(node)[0]
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

    def _block_shape(self, node: Node) -> tuple[int, int, int]:
        """The same, but with an axis for blocks of columns first."""
        lines, columns = self.shape(node)
        return columns // BLOCK, lines, BLOCK

    def _backward(
        self,
        node: Node,
        out: Floats,
        need: Masks,
        hits: Decisions | None,
        worth: Worth,
        arrays: dict[Node, Floats],
    ) -> Callable[[int, int], Any]:
        steps = self.steps(node, arrays, _NO_VALUES)
        about = (self.grid, self.sets, self.cards(node), worth)
        if node.left:
            return lambda first, last: card_values(out, need, first, last, *steps, *about)
        decided = (_NO_HITS, True, self.forced(node)) if hits is None else (hits, False, self.forced(node))
        actions = (self.deck.freezes, *steps, self.deck.second_chances)
        return lambda first, last: decide(out, need, first, last, *decided, *actions, *about)

    def _share_out(self, node: Node, here: Floats) -> Callable[[int], Any]:
        return lambda block: share_out(here, block, self.grid, self.sets, self.cards(node))

    def _forward(
        self, node: Node, here: Floats, hits: Hits, arrays: dict[Node, Floats]
    ) -> Callable[[int], tuple[Floats, Floats, Floats]]:
        steps = self.steps(node, arrays, _NO_CHANCES)
        about = (self.grid, self.sets)
        decided = _NO_HITS if node.left else hits(node.played)

        def work(block: int) -> tuple[Floats, Floats, Floats]:
            scores, ends, visits = (
                np.zeros(self.scores),
                np.zeros(len(ENDS)),
                np.zeros((self.size, 2, 2, self.scores, 2)),
            )
            if node.left:
                spread(here, block, *steps, *about, self.bonus, scores, ends)
            else:
                actions = (self.forced(node), self.deck.freezes, *steps, self.deck.second_chances)
                limits = (self.cards(node), self.bonus)
                spread_decided(here, block, decided, *actions, *about, *limits, scores, ends, visits)
            return scores, ends, visits

        return work


class _Spare:
    """Arrays that are done with, for those that come next: fresh memory has to be cleared by the system first.

    Attributes
    ----------
    most : int
        How many rows all arrays may have, those that are taken and those that wait here.
    """

    def __init__(self, most: int) -> None:
        self._left = most
        self._arrays: list[Floats] = []

    def take(self, shape: tuple[int, int]) -> Floats:
        """An array of a shape, with any numbers in it."""
        for place, array in enumerate(self._arrays):
            if array.shape == shape:
                return self._arrays.pop(place)
        while self._arrays and self._left < shape[0]:
            self._left += len(self._arrays.pop(0))
        self._left -= shape[0]
        return np.zeros(shape)

    def give(self, array: Floats) -> None:
        """Take an array back."""
        self._arrays.append(array)


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


#: Instead of an array, where a step leads to none.
_NO_VALUES = np.zeros((1, 1))
_NO_CHANCES = np.zeros((1, 1, BLOCK))
_NO_MARKS = np.zeros(1, np.uint64)
_NO_HITS = np.zeros((1, 1), np.uint8)
