"""Playing a plan: work items on threads, merged into integer counts. The only place with concurrency.

A game is a function of the plan's seed and its number, a work item is a range of games, and counts merge by addition,
in order; so the result is the same to the byte for any number of jobs and any size of work items, and what was done
before an interruption is just the run of fewer games.
"""

import itertools
import os
import shlex
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.codes import CARD_QUESTIONS, MAX_PARAMETERS, NOBODY, RAISED, Question, Stop
from flip7sim.engine.batch import GAME_SIZE, SIZE
from flip7sim.engine.kernels import blocks_kernel, histogram_bounds, table_for
from flip7sim.engine.records import JIT
from flip7sim.errors import Flip7Error, StrategyError
from flip7sim.policy.entries import Entry, entry_of
from flip7sim.policy.registry import Entrant
from flip7sim.rules import Rules, option_text
from flip7sim.table import seat_name

__all__ = ["Counts", "Plan", "available_jobs", "prepare", "simulate", "simulate_batches"]

Ints = npt.NDArray[np.int64]
#: Seats played in one work item, roughly: a tenth of a second of work.
ITEM_SEATS = 100_000
#: The same, if a strategy is plain Python: some thousand times slower.
ITEM_SEATS_OF_PYTHON = 200


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
        How many games each line-up plays: numbers 0, 1, 2 ...
    seed : int
        Whatever is random is a function of it and the number of the game.
    copies : tuple of int or None
        How many cards of each kind there are, if it is not the deck of the rules.
    """

    rules: Rules
    entrants: tuple[Entrant, ...]
    lineups: tuple[tuple[int, ...], ...]
    games: tuple[int, ...]
    seed: int
    copies: tuple[int, ...] | None = None

    @property
    def players(self) -> int:
        """Seats at a table."""
        return len(self.lineups[0])

    @property
    def blocks(self) -> int:
        """Number of blocks: the longest line-up's games by the number of seats, rounded up."""
        return -(-max(self.games) // self.players)


@dataclass
class Counts:
    """What was counted; the arrays are described in `engine.batch.play_blocks`.

    Attributes
    ----------
    histogram : int64 array (strategies, width)
        Rounds by strategy and round score; a bust is a score of 0 (less in brutal mode, V46).
    lowest_score : int
        The round score that the first place of the histogram counts.
    lineup_sums, game_sums, seat_sums, sums, moments : int64 arrays
        See there.
    games, blocks : int
        How many were played.
    interrupted : bool
        Whether that is less than was planned.
    """

    histogram: Ints
    lowest_score: int
    lineup_sums: Ints
    game_sums: Ints
    seat_sums: Ints
    sums: Ints
    moments: Ints
    games: int = 0
    blocks: int = 0
    interrupted: bool = False

    @classmethod
    def empty(cls, plan: Plan) -> "Counts":
        """Nothing counted yet."""
        strategies, players, lineups = len(plan.entrants), plan.players, len(plan.lineups)
        rows = strategies + players + 1
        lowest_score, width = histogram_bounds(plan.rules, players)
        return cls(
            histogram=np.zeros((strategies, width), np.int64),
            lowest_score=lowest_score,
            lineup_sums=np.zeros((lineups, players, SIZE), np.int64),
            game_sums=np.zeros((lineups, GAME_SIZE), np.int64),
            seat_sums=np.zeros((strategies, players, 3), np.int64),
            sums=np.zeros((rows, SIZE), np.int64),
            moments=np.zeros((rows, SIZE, SIZE), np.int64),
        )

    @property
    def arrays(self) -> tuple[Ints, ...]:
        """The arrays, in the order in which the kernel takes them, the histogram last."""
        return self.lineup_sums, self.game_sums, self.seat_sums, self.sums, self.moments, self.histogram

    def add(self, other: "Counts") -> None:
        """Merge what was counted elsewhere."""
        for mine, theirs in zip(self.arrays, other.arrays, strict=True):
            mine += theirs
        self.games += other.games
        self.blocks += other.blocks


@dataclass
class Prepared:
    """A plan with everything compiled that it needs."""

    plan: Plan
    kernel: Any
    entries: list[Entry]
    tables: threading.local = field(default_factory=threading.local)

    def __post_init__(self) -> None:
        """Bring the plan into the kernel's form."""
        plan = self.plan
        self.addresses = np.array([entry.address for entry in self.entries], np.uint64)
        self.parameters = np.zeros((len(plan.entrants), MAX_PARAMETERS))
        for row, entrant in zip(self.parameters, plan.entrants, strict=True):
            row[: len(entrant.codes)] = entrant.codes
        self.lineups = np.array(plan.lineups, np.int64).reshape(len(plan.lineups), -1)
        self.games = np.array(plan.games, np.int64)

    def play(self, first: int, blocks: int) -> Counts:
        """Play one work item.

        Raises
        ------
        StrategyError
            If a strategy raised or gave an illegal answer.
        """
        if not hasattr(self.tables, "table"):
            self.tables.table = table_for(self.plan.rules, self.plan.players, self.plan.copies)
        table = self.tables.table
        counts = Counts.empty(self.plan)
        table.histogram = counts.histogram.ctypes.data
        table.histogram_low, table.histogram_width = counts.lowest_score, counts.histogram.shape[1]
        *arrays, _ = counts.arrays
        numbers = (np.int64(self.plan.seed), np.int64(first), np.int64(blocks))
        work = (self.games, self.lineups, self.addresses, self.parameters)
        try:
            with nullcontext() if JIT else np.errstate(over="ignore"):
                counts.games = int(self.kernel(table, *numbers, *work, *arrays))
        except Exception as error:
            raise self.fault(table, error) from error
        if table.stop == Stop.FAULT:
            raise self.fault(table, None)
        counts.blocks = blocks
        return counts

    def fault(self, table: Any, error: Exception | None) -> StrategyError:
        """Say which strategy failed, how, in which game, and how to see that game."""
        place = int(table.turn if table.asked == NOBODY else table.asked)
        seat = table.seats[place]
        number = int(seat.strategy)
        entrant, entry = self.plan.entrants[number], self.entries[number]
        raised = entry.errors.get(threading.get_ident()) if int(table.fault) == RAISED else error
        if raised is not None:
            what = f"raised {type(raised).__name__}: {raised}".split("\n")[0]
        elif table.question == Question.HIT:
            what = f"answered {int(table.fault)} to hit or stay (1 or 0)"
        elif table.question in CARD_QUESTIONS:
            question = Question(int(table.question)).name.lower()
            what = f"answered {int(table.fault)} to {question}, which names no card that may be named"
        else:
            legal = ", ".join(str(one) for one in range(self.plan.players) if int(table.legal) >> one & 1)
            what = (
                f"gave {Question(int(table.question)).name.lower()} to seat number {int(table.fault)} (legal: {legal})"
            )
        members = [self.plan.entrants[int(one.strategy)] for one in table.seats[: self.plan.players]]
        specs = sorted((member.label, member.spec) for member in members)
        rules = self.plan.rules
        options = "".join(f" --option {name}={option_text(value)}" for name, value in rules.changes.items())
        command = (
            f"flip7sim replay --export --seed {self.plan.seed} --game {int(table.game)}"
            f" --rules {rules.preset}{options} " + " ".join(f"--strategy {shlex.quote(spec)}" for _, spec in specs)
        )
        where = f"in game {int(table.game)}, at seat {seat_name(place)}"
        return StrategyError(f"strategy {entrant.label} {what}, {where}; see it with: {command}")


def available_jobs() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prepare(plan: Plan) -> Prepared:
    """Compile, or load from the cache, what a plan needs.

    Raises
    ------
    Flip7Error
        If a strategy cannot be compiled, or the seed is out of range.
    """
    if not 0 <= plan.seed < 2**63:
        raise Flip7Error(f"seed: {plan.seed} cannot be used; it must be from 0 to {2**63 - 1}")
    kernel = blocks_kernel(plan.rules.game)
    entries = [entry_of(entrant.strategy) for entrant in plan.entrants]
    return Prepared(plan, kernel, entries)


def _items(plan: Plan, batches: int) -> Iterator[tuple[int, int, int]]:
    """The work items: batch, first block and number of blocks."""
    compiled = JIT and all(entrant.strategy.jit for entrant in plan.entrants)
    seats = ITEM_SEATS if compiled else ITEM_SEATS_OF_PYTHON
    size = max(1, seats // (len(plan.lineups) * plan.players * plan.players))
    edges = [plan.blocks * place // batches for place in range(batches + 1)]
    # All batches grow together, so that an interrupted run has counts in each.
    for done in range(0, -(-plan.blocks // batches), size):
        for batch, (start, stop) in enumerate(itertools.pairwise(edges)):
            if start + done < stop:
                yield batch, start + done, min(size, stop - start - done)


def simulate(plan: Plan, jobs: int | None = None, progress: Callable[[int], object] | None = None) -> Counts:
    """Play a plan.

    Parameters
    ----------
    plan : Plan
        What to play.
    jobs : int, optional
        How many threads; all processors by default. It does not change the result.
    progress : callable, optional
        Called with the number of games done so far, now and then.

    Returns
    -------
    Counts
        With `interrupted` set if Ctrl-C was pressed in between: then the counts are those of the first games.

    Raises
    ------
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    return simulate_batches(plan, 1, jobs, progress)[0]


def simulate_batches(
    plan: Plan, batches: int, jobs: int | None = None, progress: Callable[[int], object] | None = None
) -> list[Counts]:
    """Play a plan, and count each of so many runs of blocks, all of one length as far as can be, by itself.

    What all line-ups do in a batch they do with the same deals: differences between them can be had batch by batch.

    Parameters
    ----------
    plan, jobs, progress
        As in `simulate`.
    batches : int
        How many; they are a function of the plan, not of the work items.

    Returns
    -------
    list of Counts
        By batch; after an interruption they hold less, or nothing, and `interrupted` is set in all.

    Raises
    ------
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    jobs = jobs or available_jobs()
    ready = prepare(plan)
    found = [Counts.empty(plan) for _ in range(batches)]
    items = _items(plan, batches)
    waiting: deque[tuple[Counts, Future[Counts]]] = deque()

    def submit(count: int) -> None:
        waiting.extend(
            (found[batch], pool.submit(ready.play, *item)) for batch, *item in itertools.islice(items, count)
        )

    done = 0
    with _deferred_interrupt() as stop, ThreadPoolExecutor(jobs, thread_name_prefix="flip7sim") as pool:
        try:
            submit(2 * jobs)
            while waiting and not stop.is_set():
                counts, future = waiting.popleft()
                counts.add(future.result())
                done += future.result().games
                submit(1)
                if progress:
                    progress(done)
        finally:
            for _, future in waiting:
                future.cancel()
    for counts in found:
        counts.interrupted = done < sum(plan.games)
    return found


@contextmanager
def _deferred_interrupt() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event, so that no count is half merged; the second one interrupts at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def note(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
