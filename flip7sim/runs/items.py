"""Work items: a range of a plan's blocks, played and counted. Whatever plays them, near or far, does this."""

import shlex
import threading
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flip7sim.codes import CARD_QUESTIONS, MAX_PARAMETERS, NOBODY, RAISED, Question, Stop
from flip7sim.engine.batch import LOG_SIZE, Work
from flip7sim.engine.kernels import blocks_kernel, table_for
from flip7sim.engine.records import JIT
from flip7sim.engine.substitutes import MAX_NOTED
from flip7sim.errors import Flip7Error, StrategyError
from flip7sim.policy.entries import Entry, entry_of
from flip7sim.rules import option_text
from flip7sim.runs.counts import Counts, Ints, Plan
from flip7sim.table import seat_name

__all__ = ["Played", "Prepared", "prepare"]


@dataclass(frozen=True)
class Played:
    """What came of a work item.

    Attributes
    ----------
    counts : Counts
        What was counted.
    log : int64 array (games * players, LOG_SIZE)
        What each seat did in each game (see `engine.batch.LOG`); no rows, unless it was asked for.
    """

    counts: Counts
    log: Ints


def _followers(plan: Plan) -> list[int]:
    """For each line-up the next one of the same deals that differs from it in the first member only; -1: none does.

    Asking a strategy in plain Python takes longer than the game that it might save.
    """
    followers = [-1] * len(plan.lineups)
    if plan.common_deals:
        latest: dict[tuple[int, ...], int] = {}
        for place, (first, *others) in enumerate(plan.lineups):
            if not plan.entrants[first].strategy.jit:
                continue
            before = latest.get(tuple(others))
            if before is not None:
                followers[before] = place
            latest[tuple(others)] = place
    return followers


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
            totals=np.array(plan.totals or (0,) * plan.players, np.int64),
            followers=np.array(_followers(plan), np.int64),
        )

    def play(self, first: int, blocks: int, logged: bool = False) -> Played:
        """Play one work item.

        Parameters
        ----------
        first, blocks : int
            The first block, and how many there are.
        logged : bool
            Whether to say what each seat did in each game.

        Raises
        ------
        StrategyError
            If a strategy raised or gave an illegal answer.
        """
        if not hasattr(self.tables, "table"):
            self.tables.table = table_for(self.plan.rules, self.plan.players, self.plan.copies)
            self.tables.scores = np.zeros(MAX_NOTED, np.int64)
        table = self.tables.table
        table.substitute = NOBODY
        table.scores = self.tables.scores.ctypes.data
        counts = Counts.empty(self.plan)
        log = np.zeros((self._seats(first, blocks) if logged else 0, LOG_SIZE), np.int64)
        table.histogram = counts.histogram.ctypes.data
        table.race = counts.race.ctypes.data
        table.histogram_low, table.histogram_width = counts.lowest_score, counts.histogram.shape[1]
        numbers = (np.int64(self.plan.seed), np.int64(first), np.int64(blocks))
        try:
            with nullcontext() if JIT else np.errstate(over="ignore"):
                counts.games = int(self.kernel(table, *numbers, self.work, counts.sheet, log))
        except Exception as error:
            raise self.fault(table, error) from error
        if table.stop == Stop.FAULT:
            raise self.fault(table, None)
        counts.blocks = blocks
        return Played(counts, log)

    def _seats(self, first: int, blocks: int) -> int:
        """How many seats are played in all games of a work item."""
        most = blocks * self.plan.players
        return self.plan.players * sum(
            min(most, max(0, games - first * self.plan.players)) for games in self.plan.games
        )

    def fault(self, table: Any, error: Exception | None) -> StrategyError:
        """Say which strategy failed, how, in which game, and how to see that game."""
        place = int(table.turn if table.asked == NOBODY else table.asked)
        asked = table.seats[place] if table.substitute == NOBODY else table.substitutes[int(table.substitute)]
        number = int(asked.strategy)
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
        playing = [int(one.strategy) for one in table.seats[: self.plan.players]]
        playing[place] = number
        lineup = next(lineup for lineup in self.plan.lineups if sorted(lineup) == sorted(playing))
        members = [self.plan.entrants[member] for member in lineup]
        begun = f" --totals {','.join(map(str, self.plan.totals))}" if self.plan.totals else ""
        rules = self.plan.rules
        options = "".join(f" --option {name}={option_text(value)}" for name, value in rules.changes.items())
        command = (
            f"flip7sim replay --export --seed {self.plan.seed} --game {int(table.game)}"
            f" --rules {rules.preset}{options}{begun} "
            + " ".join(
                f"--{'against' if place and self.plan.common_deals else 'strategy'} {shlex.quote(member.spec)}"
                for place, member in enumerate(members)
            )
        )
        where = f"in game {int(table.game)}, at seat {seat_name(place)}"
        return StrategyError(f"strategy {entrant.label} {what}, {where}; see it with: {command}")


def prepare(plan: Plan) -> Prepared:
    """Compile, or load from the cache, what a plan needs.

    Raises
    ------
    Flip7Error
        If a strategy cannot be compiled, or the seed is out of range.
    """
    if not 0 <= plan.seed < 2**63:
        raise Flip7Error(f"seed: {plan.seed} cannot be used; it must be from 0 to {2**63 - 1}")
    kernel = blocks_kernel(plan.rules.game, plan.counts_luck)
    entries = [entry_of(entrant.strategy) for entrant in plan.entrants]
    return Prepared(plan, kernel, entries)
