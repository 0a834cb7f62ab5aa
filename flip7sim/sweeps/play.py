"""Sweeps: a strategy for every value of a parameter or two, alone or against a field, on the same deals."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from flip7sim.alone import Alone, evaluate
from flip7sim.engine.batch import BUSTS, FLIP7S, GAMES, ROUNDS, SCORE, WINS
from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy, Value
from flip7sim.policy.registry import Entrant
from flip7sim.results import describe_entrant, environment, write_files
from flip7sim.rules import Rules
from flip7sim.runs.backends import Jobs, backend_of
from flip7sim.runs.counts import Counts
from flip7sim.runs.grids import Values
from flip7sim.runs.simulate import simulate
from flip7sim.stats.comparisons import luck_of
from flip7sim.stats.intervals import effective_size, quantile, wilson
from flip7sim.stats.paired import Estimates, expected_rounds, jackknifed, may_be_best, ratios
from flip7sim.sweeps.plans import MEASURES, SweepPlan, columns, sweep_plan

__all__ = ["GOALS", "Sweep", "play_sweep", "sweep"]

#: What a best value is sought of, and whether more is better.
GOALS = {"win_rate": 1, "round_score": 1, "rounds_to_200": -1}
#: So many games a single one is worth at most.
MOST_WORTH = 100
_COUNTS = dict(zip(MEASURES, (SCORE, BUSTS, FLIP7S), strict=True))

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Sweep:
    """A sweep that was played.

    Attributes
    ----------
    plan : SweepPlan
        What was to be played.
    table : DataFrame
        One row a candidate: its parameters, and each measure with its standard error (0: it is exact).
    best : DataFrame
        One row a candidate and goal: how far it is from the best, and whether it may be the best itself.
    manifest : dict
        What `manifest.json` holds.
    """

    plan: SweepPlan
    table: pd.DataFrame
    best: pd.DataFrame
    manifest: dict[str, Any]

    def save(self, folder: str | Path) -> list[Path]:
        """Write `sweep.csv`, `best.csv` and the manifest into a folder (see `results.write_files`)."""
        return write_files(Path(folder), {"sweep.csv": self.table, "best.csv": self.best}, self.manifest)


def sweep(
    strategy: str | Strategy | Entrant = "stop-at",
    parameters: Mapping[str, Values] | None = None,
    against: Iterable[str | Strategy | Entrant] = (),
    players: int | None = None,
    games: int | None = None,
    seed: int = 1,
    rules: Rules | str = "fr-2.0",
    deck: str | None = None,
    method: str = "auto",
    totals: Iterable[int] = (),
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> Sweep:
    """Play a strategy for every value of a parameter or two.

    Alone, each candidate plays rounds with a fresh deck: exactly where that can be had, or with the engine. At a table
    it takes one seat, and opponents from the field take the others: all line-ups of the field, as in a tournament. Game
    number i of every candidate is the same deal, and the candidate sits in the same seat.

    Parameters
    ----------
    strategy : str, Strategy or Entrant
        The strategy; parameters that are not swept keep the values that it names.
    parameters : mapping of str to str or iterable, optional
        One or two parameters with their values, as ``{"score": "10:60"}`` (see `flip7sim.runs.grids.grid_of`).
    against : iterable of str, Strategy or Entrant
        The field; empty: rounds alone.
    players : int, optional
        Seats at a table; by default one for the candidate and one for each of the field.
    games : int, optional
        Games at a table (100,000), or rounds alone (1,000,000), that each candidate plays.
    seed : int
        The result is a function of it.
    rules : Rules or str
        A rule set, or the name of a preset.
    deck : str, optional
        The deck for rounds alone: ``numbers``, ``modifiers``, ``second-chance`` (the default) or ``full``; in Vengeance
        ``numbers`` (the default), ``modifiers`` or ``full``.
    method : {"auto", "exact", "simulate"}
        How rounds alone are worked out. `auto` is exact, but for decks that take minutes for each candidate (the full
        one, in Vengeance with modifiers too),
        and for strategies that cannot be evaluated exactly.
    totals : iterable of int, optional
        What a game begins with: the candidate's total, then one for each opponent in the order of `against` (a single
        one plays all the other seats); by default nothing.
    jobs : int or Backend, optional
        Threads, all processors by default, or what else plays (see `flip7sim.runs.backends.open_backend`). It does not
        change the result.
    progress : callable, optional
        Called with how many games (exactly: candidates) are done, and how many there are.

    Returns
    -------
    Sweep

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    plan = sweep_plan(strategy, parameters, against, players, games, seed, rules, deck, method, totals)
    return play_sweep(plan, jobs, progress)


def play_sweep(plan: SweepPlan, jobs: Jobs = None, progress: Progress | None = None) -> Sweep:
    """Play a sweep that has been planned (see `sweep` for the arguments)."""
    started, clock = datetime.now(UTC), time.perf_counter()
    backend = backend_of(jobs)
    measures = _exact(plan, backend.jobs, progress)
    exactly = measures is not None
    played: dict[str, npt.NDArray[Any]] = {}
    done, interrupted = 0, False
    if measures is None:
        what = plan.table
        total = sum(what.games)
        tell = (lambda games: progress(games, total)) if progress else None
        counts = simulate(what, backend, tell)
        if not counts.games:
            raise KeyboardInterrupt
        done, interrupted = counts.games, counts.interrupted
        measures, played = _estimated(plan, counts.batches)
    manifest = {
        "command": "sweep",
        **environment(),
        "rules": plan.rules.to_dict(),
        "players": plan.players,
        "strategy": describe_entrant(plan.base),
        "parameters": plan.grid,
        "against": [describe_entrant(entrant) for entrant in plan.against],
        "totals": list(plan.totals),
        "deck": None if plan.against else plan.deck,
        "method": plan.method,
        "exact": exactly,
        "seed": plan.seed,
        "games": plan.games,
        "games_played": done,
        "interrupted": interrupted,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - clock, 3),
        "backend": backend.name,
        "jobs": backend.jobs,
    }
    return Sweep(plan, _table(plan, measures, played), _best(plan, measures), manifest)


def _exact(plan: SweepPlan, jobs: int, progress: Progress | None) -> dict[str, Estimates] | None:
    """Every measure of a round alone; None where it is to be simulated.

    Raises
    ------
    Flip7Error
        If it should be exact, and cannot.
    """
    slow = plan.deck == "full" or (plan.rules.game == "vengeance" and plan.deck == "modifiers")
    if plan.against or plan.method == "simulate" or (plan.method == "auto" and slow):
        return None
    found: list[Alone] = []
    try:
        for done, candidate in enumerate(plan.candidates, 1):
            found += evaluate([candidate], plan.deck, plan.rules, jobs)
            if progress:
                progress(done, len(plan.candidates))
    except Flip7Error:
        if plan.method == "exact":
            raise
        return None
    summaries = pd.DataFrame([each.summary for each in found])
    names = {
        "round_score": "expected_score",
        "bust_rate": "bust",
        "flip7_rate": "flip7",
        "rounds_to_200": "rounds_to_200",
    }
    none = np.zeros((len(found), 0))
    return {name: Estimates(summaries[column].to_numpy(float), none) for name, column in names.items()}


def _estimated(plan: SweepPlan, batches: list[Counts]) -> tuple[dict[str, Estimates], dict[str, npt.NDArray[Any]]]:
    """Every measure from what was counted, and how many games and rounds it comes from."""
    ours = len(plan.candidates)
    sums = np.stack([counts.sheet.sums[:ours] for counts in batches], axis=1)
    measures = {name: ratios(sums[:, :, place], sums[:, :, ROUNDS]) for name, place in _COUNTS.items()}
    measures["round_score"] = measures["round_score"].without_luck(luck_of(sums, ROUNDS))
    if batches[0].lowest_score == 0:  # totals that can fall reach the target in another way
        histograms = np.stack([counts.histogram[:ours] for counts in batches], axis=1)
        total = histograms.sum(axis=1)
        without = expected_rounds(total[:, None] - histograms) if len(batches) > 1 else np.zeros((ours, 1))
        measures["rounds_to_200"] = jackknifed(expected_rounds(total), without)
    played = {"rounds": sums[:, :, ROUNDS].sum(axis=1)}
    if plan.against:
        rates = ratios(sums[:, :, WINS], sums[:, :, GAMES]).without_luck(luck_of(sums, GAMES))
        measures = {"win_rate": Estimates(np.clip(rates.value, 0, 1), rates.influence)} | measures
        played = {"games": sums[:, :, GAMES].sum(axis=1), "wins": sums[:, :, WINS].sum(axis=1)} | played
        played["batches"] = np.full(ours, len(batches))
    return measures, played


def _parameters(plan: SweepPlan) -> pd.DataFrame:
    columns: dict[str, list[Value]] = {"strategy": [each.label for each in plan.candidates]}
    for name in plan.grid:
        column = [each.parameters[name] for each in plan.candidates]
        columns[name] = [("yes" if value else "no") if isinstance(value, bool) else value for value in column]
    return pd.DataFrame(columns)


def _table(plan: SweepPlan, measures: dict[str, Estimates], played: dict[str, npt.NDArray[Any]]) -> pd.DataFrame:
    table = _parameters(plan)
    batches = played.pop("batches", None)
    for name, counts in played.items():
        table[name] = counts
    for name, estimates in measures.items():
        table[name], table[f"{name}_se"] = estimates.value, estimates.errors
    if batches is not None:
        deals = int(table["games"].min())
        z = quantile(int(batches[0]))
        # With luck taken out a game can be worth more than one.
        most = MOST_WORTH if plan.table.counts_luck else 1
        sizes = [
            effective_size(rate, error, most * games, deals)
            for rate, error, games in zip(table["win_rate"], table["win_rate_se"], table["games"], strict=True)
        ]
        limits = [wilson(rate, size, z) for rate, size in zip(table["win_rate"], sizes, strict=True)]
        table["win_rate_low"], table["win_rate_high"] = zip(*limits, strict=True)
    return table[[name for name in columns(plan.grid) if name in table]]


def _best(plan: SweepPlan, measures: dict[str, Estimates]) -> pd.DataFrame:
    tables = []
    for goal, sign in GOALS.items():
        if goal not in measures or np.all(np.isnan(measures[goal].value)):
            continue
        best, may_be = may_be_best(measures[goal], sign)
        table = _parameters(plan)
        table.insert(0, "measure", goal)
        table["difference"], table["difference_se"] = measures[goal].differences(best)
        table["best"] = np.arange(len(table)) == best
        table["may_be_best"] = may_be
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
