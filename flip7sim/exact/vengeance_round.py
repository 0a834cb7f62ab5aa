"""A round of With A Vengeance played alone, exactly: the best there is, and what a strategy makes of it.

A round has two phases: before the Unlucky 7 and after it. What was wiped has left the deck, so that each line and set
of modifiers that it can wipe begins a phase of its own (V37). Backward, what these phases are worth goes into the first
one; forward, the first one says how likely each of them is. None of them is kept: each is walked when it is needed.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.cards import UNLUCKY_7
from flip7sim.errors import Flip7Error
from flip7sim.exact.distribution import Distribution
from flip7sim.exact.vengeance_decks import DEFAULT_VENGEANCE_DECK, MODIFIERS, VengeanceDeck, vengeance_deck_of
from flip7sim.exact.vengeance_kernels import ENDS, MARGIN, Cards, Grid, Sets, bounds, spread, values
from flip7sim.exact.vengeance_lines import KINDS, VALUES, VengeanceLines, all_vengeance_lines
from flip7sim.rules import Rules

__all__ = ["Phase", "VengeanceRound", "vengeance_round_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Decisions = npt.NDArray[np.uint8]
Hits = Callable[["Phase"], Decisions]
Progress = Callable[[int, int], object]
#: How many numbers may make a Flip 7, at most.
MAX_SIZE = 7
#: A line, by its place, and a group of sets of modifiers that the Unlucky 7 wipes with it.
Wipe = tuple[int, int]
#: Phases that are walked in one go.
CHUNK = 16
#: Columns of a phase, at most: what a processor can keep at hand.
COLUMNS = 1 << MODIFIERS


@dataclass(frozen=True)
class Columns:
    """What the columns of a phase stand for: a set of modifiers that is held, and one that was wiped before.

    Attributes
    ----------
    held, wiped : int64 arrays (columns,)
        The sets, as bits of a deck.
    starts : int64 array (wiped sets,)
        The columns in which nothing is held: where the phase begins.
    sets : Sets
        The same as the kernels read it.
    """

    held: Ints
    wiped: Ints
    starts: Ints
    sets: Sets


def _columns(modifiers: int, wiped_sets: Iterable[int]) -> Columns:
    """The columns for a deck's modifiers after each of some wipes; more modifiers come behind fewer."""
    pairs = [
        (held, wiped)
        for wiped in wiped_sets
        for held in range(modifiers + 1)
        if held & modifiers == held and held & wiped == 0
    ]
    place = {pair: column for column, pair in enumerate(pairs)}
    bits = range(MODIFIERS)
    up = [[-1 if held >> bit & 1 else place.get((held | 1 << bit, wiped), -1) for bit in bits] for held, wiped in pairs]
    minus = [sum(2 * (bit + 1) * (held >> bit & 1) for bit in range(MODIFIERS - 1)) for held, _ in pairs]
    held, wiped = np.array(pairs).T
    gone = np.bitwise_count(held | wiped).astype(np.int64)
    return Columns(
        held=held.copy(),
        wiped=wiped.copy(),
        starts=np.flatnonzero(held == 0),
        sets=Sets(np.array(up), np.array(minus), held >> (MODIFIERS - 1), gone),
    )


@dataclass(frozen=True)
class Phase:
    """The part of a round before the Unlucky 7, or some of those after it: those after the same line.

    Attributes
    ----------
    lines : VengeanceLines
        The rows of its arrays.
    columns : Columns
        The columns.
    copies : tuple of int
        How many cards of each kind of number there are at the first line, its own not counted, by code.
    modifiers : int
        The modifiers in the deck, as bits.
    wiped : tuple of int
        The codes of the number cards that were wiped.
    """

    lines: VengeanceLines
    columns: Columns
    copies: tuple[int, ...]
    modifiers: int
    wiped: tuple[int, ...] = ()

    @property
    def after(self) -> bool:
        """Whether the Unlucky 7 has come."""
        return int(self.lines.keys[0]) != 0

    @property
    def size(self) -> int:
        """How many cards there are at the first line, if no modifier has come."""
        return sum(self.copies) + self.modifiers.bit_count()

    @property
    def shape(self) -> tuple[int, int]:
        """Lines, and columns."""
        return self.lines.size, len(self.columns.held)

    @property
    def cards(self) -> Cards:
        """What is left at the first line, as the kernels read it."""
        return Cards(np.array(self.copies[:KINDS]), self.copies[UNLUCKY_7], self.size, int(self.after))


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
        columns = _columns(self.deck.modifiers, [0])
        return Phase(self._all_lines(wiped=False), columns, self.deck.numbers, self.deck.modifiers)

    @cached_property
    def _lines_after(self) -> VengeanceLines:
        return self._all_lines(wiped=True)

    def _all_lines(self, wiped: bool) -> VengeanceLines:
        return all_vengeance_lines(self.rules.flip7_size, self.rules.lucky13_flip7 == "cards", wiped)

    @cached_property
    def _groups(self) -> list[Ints]:
        """The columns of the first phase in groups: the sets of modifiers whose phases are walked together."""
        groups: list[list[int]] = []
        room = 0
        for column in sorted(range(self.before.shape[1]), key=lambda column: self.before.columns.sets.gone[column]):
            width = 1 << (self.deck.modifiers & ~int(self.before.columns.held[column])).bit_count()
            if width > room:
                groups.append([])
                room = COLUMNS
            groups[-1].append(column)
            room -= width
        return [np.array(group) for group in groups]

    @cached_property
    def _columns_after(self) -> list[Columns]:
        """The columns of the phases of each group."""
        return [_columns(self.deck.modifiers, self.before.columns.held[group].tolist()) for group in self._groups]

    def after(self, wipe: Wipe) -> Phase:
        """The phase that begins when the Unlucky 7 wipes a line with one of a group of sets of modifiers."""
        line, group = wipe
        key = int(self.before.lines.keys[line])
        copies = [count - (key >> kind & 1) for kind, count in enumerate(self.deck.numbers)]
        copies[UNLUCKY_7] = 0
        wiped = tuple(kind for kind in range(KINDS) if key >> kind & 1)
        return Phase(self._lines_after, self._columns_after[group], tuple(copies), self.deck.modifiers, wiped)

    def _wipes(self, chances: Floats) -> list[Wipe]:
        """The wipes that have a chance."""
        found = np.stack([chances[:, group].any(axis=1) for group in self._groups], axis=1)
        return [(int(line), int(group)) for line, group in np.argwhere(found)]

    @cached_property
    def _bounds(self) -> tuple[float, npt.NDArray[np.bool_]]:
        """What an Unlucky 7 can be worth at most; which hands after it there is reason to look at."""
        shape = self._lines_after.size, self.before.shape[1]
        out, live = np.empty(shape), np.zeros(shape, np.bool_)
        copies = np.array(self.deck.numbers[:KINDS])
        bounds(out, live, copies, _grid(self._lines_after), self.before.columns.sets, self.rules.flip7_bonus)
        return float(out[0, 0]), live

    @cached_property
    def _live(self) -> list[npt.NDArray[np.bool_]]:
        """Which lines there is reason to look at, by group."""
        held, (_, live) = self.before.columns.held, self._bounds
        return [np.any(live[:, np.isin(held, columns.held)], axis=1) for columns in self._columns_after]

    def solve(self, jobs: int = 1, progress: Progress | None = None) -> tuple[float, Distribution]:
        """The best expected score, by backward induction, and what comes of the decisions that reach it.

        What nobody comes to who plays well is left out: hands that are out of reach even if an Unlucky 7 were worth as
        much as it can be, and after it those that are out of reach even if the deck were as kind as it can be.

        Parameters
        ----------
        jobs : int
            Threads; they do not change the result.
        progress : callable, optional
            Called with how many pieces of work are done, and how many there are, of each of two passes.
        """
        before = self.before
        bound = np.full(before.shape, self._bounds[0] + MARGIN)
        _, hopeful = self._best(before, bound)
        reached = np.zeros(before.shape)
        self._follow(self._nothing(), before, hopeful, np.ones(1), reached)
        wipes = self._wipes(reached)
        worth = np.zeros(before.shape)
        with ThreadPoolExecutor(jobs) as pool:
            for part in self._in_chunks(pool, lambda chunk: [self._worth(wipe) for wipe in chunk], wipes, progress):
                for (line, group), found in part:
                    worth[line, self._groups[group]] = found
            out, hits = self._best(before, worth)
            best = self._forward(pool, hits, lambda phase, wipe: self._best(phase, group=wipe[1])[1], progress)
        return float(out[0, 0]), best

    def evaluate(self, hits: Hits, jobs: int = 1, progress: Progress | None = None) -> Distribution:
        """What comes of given decisions.

        Parameters
        ----------
        hits : callable
            Of a phase: an array (lines, columns) with 1 for a hit.
        jobs, progress
            As in `solve`; there is one pass.
        """
        with ThreadPoolExecutor(jobs) as pool:
            return self._forward(pool, hits(self.before), lambda phase, _: hits(phase), progress)

    def value(self, hits: Hits) -> float:
        """The expected score of given decisions, by backward induction over every phase that there is."""
        before = self.before
        worth = np.zeros(before.shape)
        if before.copies[UNLUCKY_7]:
            for wipe in np.ndindex(before.shape[0], len(self._groups)):
                phase = self.after(wipe)
                worth[wipe[0], self._groups[wipe[1]]] = self._values(phase, hits(phase))[0, phase.columns.starts]
        return float(self._values(before, hits(before), worth)[0, 0])

    @property
    def _most_points(self) -> int:
        """No round score is higher."""
        return int(self.before.lines.total.max() + VALUES.max() + self.rules.flip7_bonus)

    def _best(self, phase: Phase, wiped: Floats | None = None, group: int | None = None) -> tuple[Floats, Decisions]:
        """What every hand of a phase is worth, and the best decisions."""
        hits = np.zeros(phase.shape, np.uint8)
        live = None if group is None else self._live[group]
        return self._values(phase, hits, wiped, live, best=True), hits

    def _values(
        self,
        phase: Phase,
        hits: Decisions,
        wiped: Floats | None = None,
        live: npt.NDArray[np.bool_] | None = None,
        best: bool = False,
    ) -> Floats:
        out = np.empty(phase.shape)
        wiped = np.zeros((1, 1)) if wiped is None else wiped
        live = np.ones(phase.shape[0], np.bool_) if live is None else live
        about = (phase.cards, _grid(phase.lines), phase.columns.sets, self.rules.flip7_bonus)
        values(out, hits, best, live, wiped, *about)
        return out

    def _worth(self, wipe: Wipe) -> tuple[Wipe, Floats]:
        """What a wipe is worth, by set of modifiers of its group."""
        phase = self.after(wipe)
        return wipe, self._best(phase, group=wipe[1])[0][0, phase.columns.starts]

    def _nothing(self) -> _Found:
        most = self._most_points + 1
        visits = np.zeros((self.rules.flip7_size, 2, 2, most, 2))
        return _Found(np.zeros(most), np.zeros(len(ENDS)), visits)

    def _follow(self, found: _Found, phase: Phase, hits: Decisions, begun: Floats, wiped: Floats | None = None) -> None:
        """Follow a phase to its ends; `begun`: how likely each beginning is, `wiped` gets how likely each wipe is."""
        chances = np.zeros(phase.shape)
        chances[0, phase.columns.starts] = begun
        wiped = np.zeros((1, 1)) if wiped is None else wiped
        about = (phase.cards, _grid(phase.lines), phase.columns.sets, self.rules.flip7_bonus, int(phase.after))
        spread(chances, hits, wiped, *about, found.scores, found.ends, found.visits)

    def _forward(
        self,
        pool: ThreadPoolExecutor,
        first: Decisions,
        hits: Callable[[Phase, Wipe], Decisions],
        progress: Progress | None,
    ) -> Distribution:
        """What comes of the decisions of the first phase, and of those after it."""
        wiped = np.zeros(self.before.shape)
        total = self._nothing()
        self._follow(total, self.before, first, np.ones(1), wiped)

        def work(chunk: list[Wipe]) -> _Found:
            found = self._nothing()
            for wipe in chunk:
                phase = self.after(wipe)
                self._follow(found, phase, hits(phase, wipe), wiped[wipe[0], self._groups[wipe[1]]])
            return found

        for found in self._in_chunks(pool, work, self._wipes(wiped), progress):
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


def vengeance_round_of(deck: str | VengeanceDeck | None, rules: Rules) -> VengeanceRound:
    """The round that is played alone under some rules, by default with the deck ``numbers``.

    Raises
    ------
    Flip7Error
        If there is no such deck, or the rules ask for more than the solver can do.
    """
    if not isinstance(deck, VengeanceDeck):
        deck = vengeance_deck_of(deck or DEFAULT_VENGEANCE_DECK)
    if not 2 <= rules.flip7_size <= MAX_SIZE:
        raise Flip7Error(f"flip7_size: {rules.flip7_size} cannot be solved exactly; it must be from 2 to {MAX_SIZE}")
    if rules.decks not in ("auto", 1):
        raise Flip7Error(f"decks: {rules.decks} cannot be solved exactly; it must be 1")
    if deck.modifiers and (rules.score_floor == "none" or rules.modifiers_to_busted):
        raise Flip7Error(
            f"deck {deck.name!r} cannot be solved exactly where a round can score below 0; it must be numbers, or else "
            "score_floor=0 and modifiers_to_busted=no"
        )
    return VengeanceRound(deck, rules.alone)
