"""What plays work items: threads, processes of this machine, or a Dask cluster.

A back end is given the items of a plan, and yields what came of them in their order. Whichever it is, the result is the
same. An item that is lost with a dead worker is played again by another one.
"""

import itertools
import multiprocessing
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

from flip7sim.engine.cache import digest
from flip7sim.errors import Flip7Error, suggest
from flip7sim.runs.counts import Plan
from flip7sim.runs.items import Played, Prepared, prepare
from flip7sim.runs.parcels import Parcel, pack, unpack

__all__ = [
    "BACKENDS",
    "Backend",
    "DaskCluster",
    "Jobs",
    "Processes",
    "Threads",
    "available_jobs",
    "backend_of",
    "open_backend",
]

#: The back ends by name, and what each is.
BACKENDS = {
    "threads": "threads of one process",
    "processes": "processes of this machine",
    "dask": "the workers of a Dask cluster (needs the extra dask)",
}
#: Work items are asked for so many times more than there are workers, so that none has to wait.
AHEAD = 2
#: When workers die so often one after another, with nothing done in between, it is given up.
MOST_DEATHS = 4
#: A worker keeps so many plans ready.
MOST_READY = 8
#: A scheduler must answer within so many seconds.
ANSWER_SECONDS = 20
#: A cluster may be without any worker for so many seconds.
PATIENCE = 60.0

Item = tuple[int, int]
Send = Callable[[Item], Any]


def available_jobs() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Backend(ABC):
    """What plays work items.

    Attributes
    ----------
    name : str
        One of `BACKENDS`.
    jobs : int
        How many are played at a time.
    lost : tuple of exception types
        What is raised for an item that is lost with a dead worker.
    """

    name: str
    jobs: int
    lost: tuple[type[BaseException], ...] = ()

    def play(self, plan: Plan, items: Iterable[Item], logged: bool = False) -> Generator[Played, None, None]:
        """Play work items, and yield what came of them in their order.

        Parameters
        ----------
        plan : Plan
            What is played.
        items : iterable of (int, int)
            First block and number of blocks of each.
        logged : bool
            Whether to say what each seat did in each game.

        Raises
        ------
        StrategyError
            If a strategy raised or gave an illegal answer.
        Flip7Error
            If the workers die again and again.
        """
        left, waiting, deaths = iter(items), deque[tuple[Item, Any]](), 0
        with self.sender(plan, logged) as send:
            try:
                waiting.extend((item, send(item)) for item in itertools.islice(left, AHEAD * self.jobs))
                while waiting:
                    try:
                        played = self.result(waiting[0][1])
                    except self.lost as error:
                        deaths += 1
                        if deaths == MOST_DEATHS:
                            raise Flip7Error(
                                f"workers died {deaths} times in a row ({type(error).__name__}): perhaps they run out "
                                "of memory; nothing more can be played with this back end"
                            ) from error
                        self.recover()
                        waiting = deque([(item, send(item)) for item, _ in waiting])
                        continue
                    deaths = 0
                    waiting.popleft()
                    waiting.extend((item, send(item)) for item in itertools.islice(left, 1))
                    yield played
            finally:
                for _, future in waiting:
                    future.cancel()

    @abstractmethod
    def sender(self, plan: Plan, logged: bool) -> Any:
        """A context whose value sends an item off, and returns its future."""

    def result(self, future: Any) -> Played:
        """Wait for what came of an item."""
        played: Played = future.result()
        return played

    def recover(self) -> None:  # noqa: B027 (not all have something to do)
        """Be ready again after a worker has died."""

    def close(self) -> None:  # noqa: B027
        """Let go of the workers."""


class Threads(Backend):
    """Threads of this process: the compiled games do not hold it up."""

    name = "threads"

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or available_jobs()

    @contextmanager
    def sender(self, plan: Plan, logged: bool) -> Iterator[Send]:
        """A pool of threads for this plan."""
        ready = prepare(plan)
        with ThreadPoolExecutor(self.jobs, thread_name_prefix="flip7sim") as pool:
            yield lambda item: pool.submit(ready.play, *item, logged)


#: Of a worker: the plans that it plays, by key, with everything compiled.
_ready: dict[str, Prepared] = {}


def play_item(key: str, parcel: Parcel, item: Item, logged: bool) -> Played:
    """Play one work item: what a worker does.

    Parameters
    ----------
    key : str
        Another one for every other parcel.
    parcel : Parcel
        The plan.
    item : (int, int)
        First block, and number of blocks.
    logged : bool
        Whether to say what each seat did in each game.
    """
    ready = _ready.get(key)
    if ready is None:
        if len(_ready) >= MOST_READY:
            _ready.clear()
        ready = _ready[key] = prepare(unpack(parcel))
    return ready.play(*item, logged)


class Processes(Backend):
    """Processes of this machine: for strategies in plain Python, of which only one thread can play at a time."""

    name = "processes"
    lost = (BrokenProcessPool,)

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or available_jobs()
        self.pool: ProcessPoolExecutor | None = None

    @contextmanager
    def sender(self, plan: Plan, logged: bool) -> Iterator[Send]:
        """The pool of processes, which stays for the next plan."""
        prepare(plan)  # once, and kept on disk: the processes load it
        parcel = pack(plan)
        key = digest(repr(parcel))

        def send(item: Item) -> Future[Played]:
            try:
                return self._pool().submit(play_item, key, parcel, item, logged)
            except BrokenProcessPool as error:
                gone: Future[Played] = Future()
                gone.set_exception(error)
                return gone

        yield send

    def _pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            # Not forked: this process has threads.
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin_worker)
        return self.pool

    def recover(self) -> None:
        """Begin with a new pool: one dead process makes the old one useless."""
        self.close()

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        sentinel = parent.sentinel

        def end() -> None:
            wait([sentinel])
            os._exit(1)

        threading.Thread(target=end, daemon=True).start()


class DaskCluster(Backend):
    """The workers of a Dask cluster: a running one, or one of processes of this machine.

    Raises
    ------
    Flip7Error
        If Dask is not installed, or the scheduler does not answer.
    """

    name = "dask"

    def __init__(self, jobs: int | None = None, scheduler: str | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise Flip7Error(
                "the back end dask needs Dask, which is not installed: pip install 'flip7sim[dask]'"
            ) from None
        self.cluster: Any = None
        if scheduler is None:
            self.cluster = distributed.LocalCluster(
                n_workers=jobs or available_jobs(), threads_per_worker=1, dashboard_address="127.0.0.1:0"
            )
        try:
            self.client = distributed.Client(scheduler or self.cluster, timeout=ANSWER_SECONDS)
        except (OSError, ValueError) as error:
            raise Flip7Error(
                f"scheduler {scheduler!r} does not answer: {str(error) or type(error).__name__}; it must be the "
                "address of a running Dask scheduler, such as tcp://10.0.0.1:8786"
            ) from None
        self.waiting_errors: Any = distributed.TimeoutError
        self.lost = (distributed.KilledWorker, distributed.CancelledError)
        self.jobs = jobs or max(1, sum(self.client.nthreads().values()))

    @contextmanager
    def sender(self, plan: Plan, logged: bool) -> Iterator[Send]:
        """Tasks that Dask gives to the workers, again if one dies."""
        prepare(plan)
        parcel = pack(plan)
        key = digest(repr(parcel))
        yield lambda item: self.client.submit(play_item, key, parcel, item, logged, pure=False)

    def result(self, future: Any) -> Played:
        """Wait for what came of an item, as long as there is a worker."""
        alive = time.monotonic()
        while True:
            try:
                played: Played = future.result(timeout=2)
                return played
            except self.waiting_errors:
                now = time.monotonic()
                if self.client.status == "running" and self.client.scheduler_info().get("workers"):
                    alive = now
                elif now - alive > PATIENCE:
                    raise Flip7Error(
                        f"the Dask cluster has had no worker for {PATIENCE:.0f} seconds: start one, and play again "
                        "(a tournament goes on with --resume)"
                    ) from None

    def recover(self) -> None:
        """See that there is a scheduler to send items to again."""
        if self.client.status != "running":
            raise Flip7Error(
                "the Dask scheduler has gone: start it, and play again (a tournament goes on with --resume)"
            )

    def close(self) -> None:
        """Let go of the cluster; end it if it was begun here."""
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


#: How many threads (None: all processors), or a back end.
Jobs = int | Backend | None


def backend_of(jobs: Jobs) -> Backend:
    """The back end itself, or so many threads."""
    return jobs if isinstance(jobs, Backend) else Threads(jobs)


@contextmanager
def open_backend(name: str = "threads", jobs: int | None = None, scheduler: str | None = None) -> Iterator[Backend]:
    """A back end, closed at the end.

    Parameters
    ----------
    name : str
        One of `BACKENDS`.
    jobs : int, optional
        How many threads, processes or workers; all processors by default.
    scheduler : str, optional
        The address of a running Dask scheduler.

    Raises
    ------
    Flip7Error
        If there is no such back end, or it cannot be had.
    """
    if name not in BACKENDS:
        raise Flip7Error(f"back end {name!r} is unknown; {suggest(name, BACKENDS)}")
    if scheduler is not None and name != "dask":
        raise Flip7Error("scheduler: only the back end dask has one; write --backend dask with it")
    backend: Backend
    if name == "dask":
        backend = DaskCluster(jobs, scheduler)
    else:
        backend = Processes(jobs) if name == "processes" else Threads(jobs)
    try:
        yield backend
    finally:
        backend.close()
