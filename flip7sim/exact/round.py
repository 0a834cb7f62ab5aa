"""A round played alone, exactly: the best there is, by backward induction, and what a strategy makes of it, forward."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flip7sim.exact.decks import Deck
from flip7sim.exact.graph import Graph, Node, Place
from flip7sim.exact.kernels import (
    ENDS,
    Deal,
    Grid,
    Step,
    better,
    card_values,
    decide,
    share_out,
    spread,
    spread_decided,
)
from flip7sim.exact.lines import Lines, all_lines

__all__ = ["Distribution", "Round"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], object]
#: No round score is higher: 7 numbers, doubled, all plus cards, and a bonus.
SCORES = 512
ROWS = 64


@dataclass(frozen=True)
class Distribution:
    """What comes of a round.

    Attributes
    ----------
    scores : float64 array
        The chance of each round score; a bust scores 0.
    bust, flip7, frozen, stayed : float
        The chance that it ends like that.
    decisions : float
        How often hit or stay is decided, on average.
    visits : float64 array (numbers held, Second Chance held, score, 2)
        How often each decision is taken, on average: 0 for stay, 1 for hit.
    """

    scores: Floats
    bust: float
    flip7: float
    frozen: float
    stayed: float
    decisions: float
    visits: Floats

    @property
    def expected_score(self) -> float:
        """The mean of the round score."""
        return float(self.scores @ np.arange(len(self.scores)))

    @property
    def sd(self) -> float:
        """The standard deviation of the round score."""
        away = np.arange(len(self.scores)) - self.expected_score
        return float(np.sqrt(self.scores @ away**2))

    def rounds_to(self, target: int = 200) -> Floats:
        """The chance that a total of `target` is reached in exactly 1, 2, 3 ... independent rounds.

        Cut where less than 1e-12 is left; empty if the score never grows.
        """
        if self.scores[0] > 1 - 1e-9:
            return np.zeros(0)
        total = np.zeros(target)
        total[0] = 1.0
        found: list[float] = []
        while total.sum() > 1e-12:
            grown = np.convolve(total, self.scores)
            found.append(float(grown[target:].sum()))
            total = grown[:target]
        return np.array(found)


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
    held : bool
        Whether a Second Chance is there.
    """

    deck: Deck
    second_chance: Literal["deferred", "immediate"] = "deferred"
    size: int = 7
    bonus: int = 15
    numbers: tuple[int, ...] = ()
    row: int = 0
    held: bool = False

    @cached_property
    def lines(self) -> Lines:
        """All lines."""
        return all_lines(self.deck.numbers, self.deck.second_chances, self.size, self.numbers, self.held)

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

    def solve(self, jobs: int = 1, progress: Progress | None = None) -> dict[int, Floats]:
        """The best expected score from every hand.

        Parameters
        ----------
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many arrays are done, and how many there are.

        Returns
        -------
        dict of int to float64 array (64 or 1, lines)
            By Flip Threes played: values by set of modifiers and line. ``[0][row, 0]`` is that of the round.
        """
        order = self.graph.order()
        uses = Counter(need for node in order for need in self.graph.needs(node))
        arrays: dict[Node, Floats] = {}
        with ThreadPoolExecutor(jobs) as pool:
            for done, node in enumerate(order):
                arrays[node] = out = np.empty(self._shape(node))
                work = self._backward(node, out, arrays)
                for rows in self._rows():
                    list(pool.map(work, rows))
                for need in self.graph.needs(node):
                    uses[need] -= 1
                    if need.left and uses[need] == 0:
                        del arrays[need]
                if progress:
                    progress(done + 1, len(order))
        return {node.played: array for node, array in arrays.items() if not node.left}

    def hits(self, values: Floats) -> npt.NDArray[np.uint8]:
        """The decisions that the best values come from: 1 where a hit is worth more than what would be banked."""
        out = np.empty(values.shape, np.uint8)
        for row in (row for rows in self._rows() for row in rows):
            better(out, values, row, self.grid)
        return out

    def evaluate(
        self, hits: Callable[[int], npt.NDArray[np.uint8]], jobs: int = 1, progress: Progress | None = None
    ) -> Distribution:
        """What comes of a round with given decisions.

        Parameters
        ----------
        hits : callable
            Of the number of Flip Threes played: an array (64 or 1, lines) with 1 for a hit.
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many arrays are done, and how many there are.
        """
        order = self.graph.order()[::-1]
        arrays: dict[Node, Floats] = {Node(0): np.zeros(self._shape(Node(0)))}
        arrays[Node(0)][self.row, 0] = 1.0
        # What ends in a row is added up by itself: the smallest chances would be lost in one large sum.
        found: list[list[Floats]] = [[], [], []]
        with ThreadPoolExecutor(jobs) as pool:
            for done, node in enumerate(order):
                for need in self.graph.needs(node):
                    arrays.setdefault(need, np.zeros(self._shape(need)))
                here = arrays[node]
                deal = self._deal(node)
                levels = [*self._rows()][::-1]
                if node.left:
                    levels = [[row for rows in levels for row in rows]]
                    list(pool.map(lambda row, here=here, deal=deal: share_out(here, row, self.grid, deal), levels[0]))
                work = self._forward(node, here, hits, arrays)
                for rows in levels:
                    for parts in pool.map(work, rows):
                        for kind, part in zip(found, parts, strict=True):
                            kind.append(part)
                del arrays[node]
                found = [[np.sum(kind, axis=0)] for kind in found]
                if progress:
                    progress(done + 1, len(order))
        (scores,), (ends,), (visits,) = found
        by_end = {name: float(end) for name, end in zip(ENDS, ends, strict=True)}
        return Distribution(scores=scores, visits=visits, **by_end)

    def _rows(self) -> Iterator[list[int]]:
        """The sets of modifiers, the largest first; those in a list do not need each other."""
        rows = [row for row in range(ROWS) if row & ~self.deck.modifiers == 0 and row & self.row == self.row]
        for held in range(6, -1, -1):
            yield [row for row in rows if row.bit_count() == held]

    def _shape(self, node: Node) -> tuple[int, int]:
        """A row for each set of modifiers, a column for each line that has not seen too many Second Chances."""
        most = self.deck.second_chances - node.waiting.count("S")
        return ROWS if self.deck.modifiers else 1, self.lines.seen_at_most(most)

    def _deal(self, node: Node) -> Deal:
        begun_with_nothing = not self.numbers and not self.row and not self.held
        forced = self.row if node == Node(0) or begun_with_nothing else -1
        return Deal(self.deck.modifiers, self.deck.size - node.played - len(node.waiting), self.bonus, forced)

    def _steps(self, node: Node, arrays: dict[Node, Floats]) -> dict[str, Step]:
        def step(weight: int, place: Place) -> Step:
            array = _EMPTY if place.node is None else arrays[place.node]
            return Step(weight, place.kind, array, place.shift)

        return {kind: step(*found) for kind, found in self.graph.steps(node).items()}

    def _backward(self, node: Node, out: Floats, arrays: dict[Node, Floats]) -> Callable[[int], Any]:
        deck, deal, steps = self.deck, self._deal(node), self._steps(node, arrays)
        if node.left:
            kinds = (steps["N"], steps["F"], steps["T"], steps["S"])
            return lambda row: card_values(out, row, self.grid, deal, *kinds)
        return lambda row: decide(out, row, self.grid, deal, deck.freezes, steps["T"], deck.second_chances)

    def _forward(
        self, node: Node, here: Floats, hits: Callable[[int], npt.NDArray[np.uint8]], arrays: dict[Node, Floats]
    ) -> Callable[[int], tuple[Floats, Floats, Floats]]:
        deck, deal, steps = self.deck, self._deal(node), self._steps(node, arrays)
        decided = _NO_HITS if node.left else hits(node.played)

        def work(row: int) -> tuple[Floats, Floats, Floats]:
            scores, ends, visits = np.zeros(SCORES), np.zeros(len(ENDS)), np.zeros((self.size, 2, SCORES, 2))
            if node.left:
                kinds = (steps["N"], steps["F"], steps["T"], steps["S"])
                spread(here, row, self.grid, deal, *kinds, scores, ends)
            else:
                actions = (deck.freezes, steps["T"], deck.second_chances)
                spread_decided(here, decided, row, self.grid, deal, *actions, scores, ends, visits)
            return scores, ends, visits

        return work


#: Instead of an array, where a step leads to none.
_EMPTY = np.zeros((1, 1))
_NO_HITS = np.zeros((1, 1), np.uint8)
