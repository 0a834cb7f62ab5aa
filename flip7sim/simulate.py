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

from flip7sim.codes import CARD_QUESTIONS, MAX_PARAMETERS, NOBODY, RAISED, Question, Stop
from flip7sim.counts import Counts, Plan, batch_length
from flip7sim.engine.batch import Work
from flip7sim.engine.kernels import blocks_kernel, table_for
from flip7sim.engine.records import JIT
from flip7sim.errors import Flip7Error, StrategyError
from flip7sim.policy.entries import Entry, entry_of
from flip7sim.rules import option_text
from flip7sim.table import seat_name

__all__ = ["Counts", "Plan", "available_jobs", "prepare", "simulate"]

#: Seats played in one work item, roughly: a tenth of a second of work.
ITEM_SEATS = 100_000
#: The same, if a strategy is plain Python: some thousand times slower.
ITEM_SEATS_OF_PYTHON = 200


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
        parameters = np.zeros((len(plan.entrants), MAX_PARAMETERS))
        for row, entrant in zip(parameters, plan.entrants, strict=True):
            row[: len(entrant.codes)] = entrant.codes
        self.work = Work(
            games=np.array(plan.games, np.int64),
            lineups=np.array(plan.lineups, np.int64).reshape(len(plan.lineups), -1),
            firsts=np.array(plan.first_blocks, np.int64),
            entries=np.array([entry.address for entry in self.entries], np.uint64),
            parameters=parameters,
        )

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
        numbers = (np.int64(self.plan.seed), np.int64(first), np.int64(blocks))
        try:
            with nullcontext() if JIT else np.errstate(over="ignore"):
                counts.games = int(self.kernel(table, *numbers, self.work, counts.sheet))
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


def _items(plan: Plan, first: int) -> Iterator[tuple[int, int]]:
    """The work items from a block on: first block and number of blocks, all of one batch."""
    compiled = JIT and all(entrant.strategy.jit for entrant in plan.entrants)
    seats = ITEM_SEATS if compiled else ITEM_SEATS_OF_PYTHON
    most = max(1, seats // (len(plan.lineups) * plan.players * plan.players))
    while first < plan.blocks:
        length = batch_length(first)
        # No item crosses the end of the whole blocks: there a longer run can go on (see `Plan.whole_blocks`).
        end = plan.whole_blocks if first < plan.whole_blocks else plan.blocks
        size = min(most, length - first % length, end - first)
        yield first, size
        first += size


def simulate(
    plan: Plan,
    jobs: int | None = None,
    progress: Callable[[int], object] | None = None,
    counts: Counts | None = None,
    watch: Callable[[Counts], object] | None = None,
) -> Counts:
    """Play a plan, or what is left of it.

    Parameters
    ----------
    plan : Plan
        What to play.
    jobs : int, optional
        How many threads; all processors by default. It does not change the result.
    progress : callable, optional
        Called with the number of games done so far, now and then.
    counts : Counts, optional
        What was counted of the first blocks already; it is added to. They must be whole ones, of a plan that differs in
        the number of games at most: then the result is the same as that of a run that was never cut.
    watch : callable, optional
        Called with the counts so far whenever a work item has been added to them; it may keep a copy of them.

    Returns
    -------
    Counts
        With `interrupted` set if Ctrl-C was pressed in between: then the counts are those of the first games.

    Raises
    ------
    StrategyError
        If a strategy raised or gave an illegal answer.
    Flip7Error
        If more blocks were counted already than the plan has whole ones.
    """
    jobs = jobs or available_jobs()
    total = Counts.empty(plan) if counts is None else counts
    if total.blocks > plan.whole_blocks:
        raise Flip7Error(f"games: {sum(plan.games):,} are fewer than have been played already ({total.games:,})")
    ready = prepare(plan)
    items = _items(plan, total.blocks)
    waiting: deque[Future[Counts]] = deque()
    with _deferred_interrupt() as stop, ThreadPoolExecutor(jobs, thread_name_prefix="flip7sim") as pool:
        try:
            waiting.extend(pool.submit(ready.play, *item) for item in itertools.islice(items, 2 * jobs))
            while waiting and not stop.is_set():
                total.append(waiting.popleft().result())
                waiting.extend(pool.submit(ready.play, *item) for item in itertools.islice(items, 1))
                if watch:
                    watch(total)
                if progress:
                    progress(total.games)
        finally:
            for future in waiting:
                future.cancel()
    total.interrupted = total.games < sum(plan.games)
    return total


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
