"""Playing a plan: work items, merged into integer counts in their order.

A game is a function of the plan's seed and its number, a work item is a range of games, and counts merge by addition,
in order; so the result is the same to the byte for any back end, any number of jobs and any size of work items, and
what was done before an interruption is just the run of fewer games.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType

from flip7sim.engine.records import JIT
from flip7sim.errors import Flip7Error
from flip7sim.runs.backends import Jobs, available_jobs, backend_of
from flip7sim.runs.counts import Counts, Ints, Plan, batch_length
from flip7sim.runs.items import prepare

__all__ = ["Counts", "Jobs", "Plan", "available_jobs", "prepare", "simulate"]
#: Seats played in one work item, roughly: a tenth of a second of work.
ITEM_SEATS = 100_000
#: The same, if a strategy is plain Python: some thousand times slower.
ITEM_SEATS_OF_PYTHON = 200


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
    jobs: Jobs = None,
    progress: Callable[[int], object] | None = None,
    counts: Counts | None = None,
    watch: Callable[[Counts], object] | None = None,
    log: Callable[[Ints], object] | None = None,
) -> Counts:
    """Play a plan, or what is left of it.

    Parameters
    ----------
    plan : Plan
        What to play.
    jobs : int or Backend, optional
        How many threads, or what else plays; all processors by default. It does not change the result.
    progress : callable, optional
        Called with the number of games done so far, now and then.
    counts : Counts, optional
        What was counted of the first blocks already; it is added to. They must be whole ones, of a plan that differs in
        the number of games at most: then the result is the same as that of a run that was never cut.
    watch : callable, optional
        Called with the counts so far whenever a work item has been added to them; it may keep a copy of them.
    log : callable, optional
        Called with what each seat did in each game (see `items.Played`), a work item after the other, in order.

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
    total = Counts.empty(plan) if counts is None else counts
    if total.blocks > plan.whole_blocks:
        raise Flip7Error(f"games: {sum(plan.games):,} are fewer than have been played already ({total.games:,})")
    parts = backend_of(jobs).play(plan, _items(plan, total.blocks), log is not None)
    with _deferred_interrupt() as stop, closing(parts):
        for part in parts:
            if stop.is_set():
                break
            total.append(part.counts)
            if log:
                log(part.log)
            if watch:
                watch(total)
            if progress:
                progress(total.games)
            if stop.is_set():  # rather than wait for one more
                break
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
