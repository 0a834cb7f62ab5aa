"""A round of With A Vengeance played alone, exactly: the best there is, and what a strategy makes of it.

A round has two phases: before the Unlucky 7 and after it. What was wiped has left the deck, so that each line and set
of modifiers that it can wipe begins a phase of its own (V37). Backward, what these phases are worth goes into the first
one; forward, the first one says how likely each of them is. None of them is kept: each is walked when it is needed.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.cards import UNLUCKY_7
from flip7sim.exact.distribution import Distribution
from flip7sim.exact.vengeance_decks import MODIFIERS, VengeanceDeck
from flip7sim.exact.vengeance_kernels import ENDS, MARGIN, Cards, Grid, Sets, bounds, spread, values
from flip7sim.exact.vengeance_lines import KINDS, VALUES, VengeanceLines, all_vengeance_lines
from flip7sim.rules import Rules

__all__ = ["Phase", "VengeanceRound"]

Floats = npt.NDArray[np.float64]
Decisions = npt.NDArray[np.uint8]
Hits = Callable[["Phase"], Decisions]
Progress = Callable[[int, int], object]
#: A line and a set of modifiers, by their places, that the Unlucky 7 wipes.
Wipe = tuple[int, int]
#: Phases that are walked in one go.
CHUNK = 64


@dataclass(frozen=True)
class Phase:
    """The part of a round before the Unlucky 7, or one of those after it.

    Attributes
    ----------
    lines : VengeanceLines
        The rows of its arrays.
    copies : tuple of int
        How many cards of each kind of number there are at the first line, its own not counted, by code.
    modifiers : tuple of int
        The modifiers that may come, by their bits in a deck.
    wiped : tuple of int
        The codes of the number cards that were wiped.
    wiped_modifiers : int
        The modifiers that were wiped, as bits of a deck.
    """

    lines: VengeanceLines
    copies: tuple[int, ...]
    modifiers: tuple[int, ...]
    wiped: tuple[int, ...] = ()
    wiped_modifiers: int = 0

    @property
    def after(self) -> bool:
        """Whether the Unlucky 7 has come."""
        return int(self.lines.keys[0]) != 0

    @property
    def size(self) -> int:
        """How many cards there are at the first line."""
        return sum(self.copies) + len(self.modifiers)

    @property
    def shape(self) -> tuple[int, int]:
        """Lines, and sets of modifiers."""
        return self.lines.size, 1 << len(self.modifiers)

    @property
    def columns(self) -> npt.NDArray[np.int64]:
        """The set of modifiers, as bits of a deck, that each column stands for."""
        columns = np.arange(self.shape[1])
        sets = np.zeros_like(columns)
        for place, bit in enumerate(self.modifiers):
            sets |= (columns >> place & 1) << bit
        return sets

    @property
    def cards(self) -> Cards:
        """What is left at the first line, as the kernels read it."""
        return Cards(np.array(self.copies[:KINDS]), self.copies[UNLUCKY_7], self.size, int(self.after))

    @property
    def sets(self) -> Sets:
        """The columns as the kernels read them."""
        return _sets(self.modifiers)


@lru_cache(maxsize=1 << MODIFIERS)
def _sets(modifiers: tuple[int, ...]) -> Sets:
    columns = np.arange(1 << len(modifiers))
    minus, halved, held = np.zeros((3, len(columns)), np.int64)
    for place, bit in enumerate(modifiers):
        has = columns >> place & 1
        held += has
        if bit == MODIFIERS - 1:
            halved += has
        else:
            minus += 2 * (bit + 1) * has
    return Sets(len(modifiers), minus, halved, held)


def _grid(lines: VengeanceLines) -> Grid:
    return Grid(lines.keys, lines.total, lines.count, lines.cards, lines.forced, lines.after)


@dataclass
class _Found:
    """What has come of some hands so far: arrays that are added up."""

    scores: Floats
    ends: Floats
    visits: Floats

    def add(self, other: "_Found") -> None:
        self.scores += other.scores
        self.ends += other.ends
        self.visits += other.visits


@dataclass
class VengeanceRound:
    """A round of one seat; who has nothing in front, or The Zero, must hit; modifiers are kept (V39).

    Without a card left the seat stays.

    Attributes
    ----------
    deck : VengeanceDeck
        What is played with.
    rules : Rules
        Of them only the size of a Flip 7, 2 at least, its bonus, and what two 13 count (V35) matter.
    """

    deck: VengeanceDeck
    rules: Rules

    @cached_property
    def before(self) -> Phase:
        """The phase before the Unlucky 7."""
        lines = self._all_lines(wiped=False)
        modifiers = (bit for bit in range(MODIFIERS) if self.deck.modifiers >> bit & 1)
        return Phase(lines, self.deck.numbers, tuple(modifiers))

    @cached_property
    def _lines_after(self) -> VengeanceLines:
        return self._all_lines(wiped=True)

    def _all_lines(self, wiped: bool) -> VengeanceLines:
        return all_vengeance_lines(self.rules.flip7_size, self.rules.lucky13_flip7 == "cards", wiped)

    def after(self, line: int, column: int) -> Phase:
        """The phase that begins when the Unlucky 7 wipes a line with a set of modifiers."""
        key, row = int(self.before.lines.keys[line]), int(self.before.columns[column])
        copies = [count - (key >> kind & 1) for kind, count in enumerate(self.deck.numbers)]
        copies[UNLUCKY_7] = 0
        modifiers = (bit for bit in self.before.modifiers if not row >> bit & 1)
        wiped = tuple(kind for kind in range(KINDS) if key >> kind & 1)
        return Phase(self._lines_after, tuple(copies), tuple(modifiers), wiped, row)

    @cached_property
    def _bounds(self) -> tuple[float, npt.NDArray[np.bool_]]:
        """What an Unlucky 7 can be worth at most; which hands after it there is reason to look at."""
        shape = self._lines_after.size, self.before.shape[1]
        out, live = np.empty(shape), np.zeros(shape, np.bool_)
        copies = np.array(self.deck.numbers[:KINDS])
        bounds(out, live, copies, _grid(self._lines_after), self.before.sets, self.rules.flip7_bonus)
        return float(out[0, 0]), live

    @cached_property
    def _live(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Which lines there is reason to look at, by set of modifiers that was wiped."""
        sets, (_, live) = self.before.columns, self._bounds
        return {int(wiped): live[:, (sets & wiped) == 0].any(axis=1) for wiped in sets}

    def solve(self, jobs: int = 1, progress: Progress | None = None) -> tuple[float, Distribution]:
        """The best expected score, by backward induction, and what comes of the decisions that reach it.

        What nobody comes to who plays well is left out: hands that are out of reach even if an Unlucky 7 were worth as
        much as it can be, and after it those that are out of reach even if the deck were as kind as it can be.

        Parameters
        ----------
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many phases are done, and how many there are.
        """
        before = self.before
        bound = np.full(before.shape, self._bounds[0] + MARGIN)
        _, hopeful = self._best(before, bound)
        reached = np.zeros(before.shape)
        self._follow(before, hopeful, 1.0, reached)
        wipes = _places(reached)
        worth = np.zeros(before.shape)
        with ThreadPoolExecutor(jobs) as pool:
            found = self._in_chunks(pool, lambda chunk: [self._worth(wipe) for wipe in chunk], wipes, progress)
            for wipe, value in zip(wipes, (value for part in found for value in part), strict=True):
                worth[wipe] = value
            out, hits = self._best(before, worth)
            distribution = self._forward(pool, hits, lambda phase: self._best(phase)[1], None)
        return float(out[0, 0]), distribution

    def evaluate(self, hits: Hits, jobs: int = 1, progress: Progress | None = None) -> Distribution:
        """What comes of given decisions.

        Parameters
        ----------
        hits : callable
            Of a phase: an array (lines, sets of modifiers) with 1 for a hit.
        jobs, progress
            As in `solve`.
        """
        with ThreadPoolExecutor(jobs) as pool:
            return self._forward(pool, hits(self.before), hits, progress)

    def value(self, hits: Hits) -> float:
        """The expected score of given decisions, by backward induction over every phase that there is."""
        before = self.before
        worth = np.zeros(before.shape)
        if before.copies[UNLUCKY_7]:
            for wipe in np.ndindex(before.shape):
                phase = self.after(*wipe)
                worth[wipe] = self._values(phase, hits(phase))[0, 0]
        return float(self._values(before, hits(before), worth)[0, 0])

    @property
    def _most_points(self) -> int:
        """No round score is higher."""
        return int(self.before.lines.total.max() + VALUES.max() + self.rules.flip7_bonus)

    def _best(self, phase: Phase, wiped: Floats | None = None) -> tuple[Floats, Decisions]:
        """What every hand of a phase is worth, and the best decisions."""
        hits = np.zeros(phase.shape, np.uint8)
        return self._values(phase, hits, wiped, best=True), hits

    def _values(self, phase: Phase, hits: Decisions, wiped: Floats | None = None, best: bool = False) -> Floats:
        out = np.empty(phase.shape)
        nothing = np.zeros((1, 1)) if wiped is None else wiped
        live = self._live[phase.wiped_modifiers] if best and phase.after else np.ones(phase.shape[0], np.bool_)
        values(out, hits, best, live, nothing, phase.cards, _grid(phase.lines), phase.sets, self.rules.flip7_bonus)
        return out

    def _worth(self, wipe: Wipe) -> float:
        return float(self._best(self.after(*wipe))[0][0, 0])

    def _nothing(self) -> _Found:
        most = self._most_points + 1
        return _Found(np.zeros(most), np.zeros(len(ENDS)), np.zeros((self.rules.flip7_size, 2, 2, most, 2)))

    def _follow(self, phase: Phase, hits: Decisions, chance: float, wiped: Floats | None = None) -> _Found:
        """Follow a phase that begins with a chance to its ends; `wiped` gets how likely each wipe is."""
        chances, found = np.zeros(phase.shape), self._nothing()
        chances[0, 0] = chance
        nothing = np.zeros((1, 1)) if wiped is None else wiped
        about = (phase.cards, _grid(phase.lines), phase.sets, self.rules.flip7_bonus, int(phase.after))
        spread(chances, hits, nothing, *about, found.scores, found.ends, found.visits)
        return found

    def _forward(
        self, pool: ThreadPoolExecutor, first: Decisions, hits: Hits, progress: Progress | None
    ) -> Distribution:
        """What comes of the decisions of the first phase, and of those after it."""
        wiped = np.zeros(self.before.shape)
        total = self._follow(self.before, first, 1.0, wiped)

        def work(chunk: list[Wipe]) -> _Found:
            found = self._nothing()
            for wipe in chunk:
                phase = self.after(*wipe)
                found.add(self._follow(phase, hits(phase), float(wiped[wipe])))
            return found

        for found in self._in_chunks(pool, work, _places(wiped), progress):
            total.add(found)
        by_end = {name: float(end) for name, end in zip(ENDS, total.ends, strict=True)}
        return Distribution(scores=total.scores, visits=total.visits, **by_end)

    def _in_chunks(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[[list[Wipe]], Any],
        wipes: list[Wipe],
        progress: Progress | None,
    ) -> Iterator[Any]:
        """The results of work on chunks of wipes, in order."""
        chunks = [wipes[first : first + CHUNK] for first in range(0, len(wipes), CHUNK)]
        for done, result in enumerate(pool.map(work, chunks), 1):
            if progress:
                progress(done, len(chunks))
            yield result


def _places(chances: Floats) -> list[Wipe]:
    """Where there is a chance."""
    return [(int(line), int(column)) for line, column in zip(*np.nonzero(chances), strict=True)]
