"""The contract that every strategy must keep, tested on real tables."""

import random
import threading
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from flip7sim.codes import CARD_QUESTIONS, PLACE_SHIFT, RAISED, SEAT_SHIFT, Question
from flip7sim.engine.hooks import ask_entry
from flip7sim.engine.records import JIT, SEAT, SEATS, TABLE, inline, seat_at
from flip7sim.engine.single import Sitter, play_entries
from flip7sim.policy.declare import Strategy
from flip7sim.policy.declare import strategy as declare
from flip7sim.policy.entries import Entry, entry_of
from flip7sim.policy.registry import Entrant, find
from flip7sim.policy.view import uniform
from flip7sim.rules import PRESETS, Rules
from flip7sim.table import SeatStart, Start

__all__ = ["Report", "check"]

SEAT_COUNTS = (1, 2, 3, 4, 6, 12, 20, 36)
#: A table is kept out of so many questions, so that the sample reaches into games.
KEEP_ONE_IN = 7
REPEATS = 200


@dataclass
class Report:
    """What came of a check.

    Attributes
    ----------
    entrant : Entrant
        The strategy.
    states : int
        How many tables it was asked at.
    faults : list of str
        What it did wrong; empty if it keeps the contract.
    nanoseconds : float
        What a decision costs.
    """

    entrant: Entrant
    states: int = 0
    faults: list[str] = field(default_factory=list)
    nanoseconds: float = float("nan")

    @property
    def ok(self) -> bool:
        """Whether it keeps the contract."""
        return not self.faults


@cache
def sample_tables() -> tuple[Any, ...]:
    """Tables at which somebody is asked: `(table, seat, question)`, out of random games of all presets and sizes."""
    kept: list[tuple[bytes, int, int]] = []
    chance = random.Random(7)

    def keep(me: Any, table: Any, question: Question) -> None:
        if question != Question.HIT or chance.randrange(KEEP_ONE_IN) == 0:
            kept.append((table.tobytes(), int(me.index), int(question)))

    def watcher(me: Any, table: Any, p: float = 0.15) -> bool:
        keep(me, table, Question.HIT)
        return bool(uniform(me) >= p)

    watching: Strategy = declare(watcher, jit=False)
    for question in Question:

        def choose(me: Any, table: Any, p: float, question: Question = question) -> int:
            keep(me, table, question)
            legal = _legal_answers(table, question)
            return legal[int(uniform(me) * len(legal))]

        if question is not Question.HIT:
            getattr(watching, question.name.lower())(choose)
    entry = entry_of(watching)
    for preset in PRESETS:
        for players in SEAT_COUNTS:
            rules = Rules.of(preset, max_rounds=8)
            start = Start(rules, (SeatStart(),) * players, dealer=0, seed=1, game=players)
            play_entries(start, [Sitter(entry.address, (0.05 + 0.3 * chance.random(),)) for _ in range(players)])
    return tuple(kept)


def _legal_answers(table: Any, question: Question) -> list[int]:
    """Every legal answer to a question that a table is asked."""
    if question == Question.HIT:
        return [0, 1]
    seats = [seat for seat in range(int(table.players)) if int(table.legal) >> seat & 1]
    if question not in CARD_QUESTIONS:
        return seats
    places = [
        card + (seat << SEAT_SHIFT) for seat in seats for card in range(32) if int(table.seats[seat].kinds) >> card & 1
    ]
    if question != Question.EXCHANGE:
        return places
    apart = [(one, other) for one in places for other in places if one >> SEAT_SHIFT != other >> SEAT_SHIFT]
    return [one + (other << PLACE_SHIFT) for one, other in apart]


def _ask(entry: Entry, codes: list[float], state: bytes, seat: int, question: int) -> tuple[int | str, bytes, bytes]:
    """The answer at a table (or what was raised), and the table before and after, the seat's own stream apart."""
    memory = bytearray(state)
    table = np.recarray(1, dtype=TABLE, buf=memory)[0]
    me = table.seats.view(np.recarray)[seat]
    me.entry = entry.address
    me.parameters[: len(codes)] = codes
    before = bytes(memory)
    try:
        answer: int | str = int(_asker()(table, seat, question))
        if answer == RAISED:
            answer = f"raised {entry.errors.get(threading.get_ident())!r}"
    except Exception as error:
        answer = f"raised {error!r}"
    stream = SEATS + seat * SEAT.itemsize + int(SEAT.fields["stream"][1])  # type: ignore[index]
    return answer, before[:stream] + before[stream + 8 :], bytes(memory[:stream] + memory[stream + 8 :])


@cache
def _asker() -> Any:
    """A function that asks a seat, compiled if that is possible."""

    @inline
    def ask_seat(table, seat, question):  # type: ignore[no-untyped-def]
        return ask_entry(seat_at(table, seat), table, question)

    return ask_seat


def check(strategy: str | Strategy | Entrant) -> Report:
    """Ask a strategy at many tables, and see that it keeps the contract.

    At every table it must give a legal answer, raise nothing, give the same answer again for the same table and stream,
    and change nothing but its own stream.

    Parameters
    ----------
    strategy : str, Strategy or Entrant
        The strategy, with its parameters.

    Returns
    -------
    Report

    Raises
    ------
    Flip7Error
        If there is no such strategy, or it cannot be compiled.
    """
    entrant = find(strategy)
    report = Report(entrant)
    entry = entry_of(entrant.strategy)
    tables = sample_tables()
    for state, seat, question in tables:
        answer, before, after = _ask(entry, entrant.codes, state, seat, question)
        again, *_ = _ask(entry, entrant.codes, state, seat, question)
        report.states += 1
        where = f"asked {Question(question).name.lower()} at seat {seat}"
        table = np.recarray(1, dtype=TABLE, buf=bytearray(state))[0]
        if isinstance(answer, str):
            report.faults.append(f"{where}: {answer}")
        elif answer not in _legal_answers(table, Question(question)):
            report.faults.append(f"{where}: {_illegal(question, answer)}")
        if answer != again:
            report.faults.append(f"{where}: answered {answer}, then {again} at the same table with the same stream")
        if before != after:
            report.faults.append(f"{where}: changed the table")
        if len(report.faults) >= 5:
            break
    if report.ok:
        report.nanoseconds = _cost(entry, entrant.codes)
    return report


def _illegal(question: int, answer: int) -> str:
    """What is wrong with an answer."""
    if question == Question.HIT:
        return f"answered {answer}, which is neither 1 (hit) nor 0 (stay)"
    if question in CARD_QUESTIONS:
        return f"answered {answer}, which names no card that may be named"
    return f"answered seat {answer}, which is not a legal target"


def _cost(entry: Entry, codes: list[float]) -> float:
    """Nanoseconds for a hit-or-stay decision, the mean over tables of the sample."""
    hits = [(state, seat) for state, seat, question in sample_tables() if question == Question.HIT][:REPEATS]
    tables = np.frombuffer(bytearray(b"".join(state for state, _ in hits)), TABLE).view(np.recarray)
    seats = np.array([seat for _, seat in hits])
    for table, seat in zip(tables, seats, strict=True):
        table["seats"][seat]["entry"] = entry.address
        table["seats"][seat]["parameters"][: len(codes)] = codes
    kernel = _cost_kernel()
    kernel(tables[:1], seats, 1)
    rounds = 1
    while True:
        clock = time.perf_counter()
        kernel(tables, seats, rounds)
        seconds = time.perf_counter() - clock
        if seconds > 0.02:
            return 1e9 * seconds / (rounds * len(hits))
        rounds *= 4


@cache
def _cost_kernel() -> Any:
    import numba as nb

    def kernel(tables, seats, rounds):  # type: ignore[no-untyped-def]
        total = 0
        for _ in range(rounds):
            for place in range(len(tables)):
                table = tables[place]
                total += ask_entry(seat_at(table, seats[place]), table, 0)
        return total

    return nb.njit(kernel) if JIT else kernel
