"""Tournaments: strategies, seats and rules in, tables out."""

import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy
from flip7sim.policy.registry import Entrant, find_all
from flip7sim.results import Tables, describe, tables_of, write_files
from flip7sim.rules import Rules
from flip7sim.runs.backends import Jobs, backend_of
from flip7sim.runs.counts import Counts, Plan
from flip7sim.runs.gamelog import open_log
from flip7sim.runs.grids import spread
from flip7sim.runs.schedule import schedule_of, share_games
from flip7sim.runs.simulate import prepare, simulate
from flip7sim.runs.stored import COUNTS, Recorder
from flip7sim.runs.totals import check_totals, placed
from flip7sim.sequential import Goal, play_until, unsure

__all__ = [
    "DEFAULT_GAMES",
    "DEFAULT_PLAYERS",
    "DEFAULT_SEED",
    "DEFAULT_STRATEGIES",
    "Tournament",
    "estimate",
    "plan",
    "play_plan",
    "tournament",
]

DEFAULT_STRATEGIES = (
    "stop-at(score=25)",
    "stop-at(score=30)",
    "stop-at-cards(count=4)",
    "bust-limit(p=0.25)",
    "bust-limit(p=0.25,counting=no)",
    "expected-gain",
    "expected-gain(counting=no)",
    "random(p=0.2)",
)
DEFAULT_PLAYERS = 4
DEFAULT_GAMES = 1_000_000
DEFAULT_SEED = 1
#: More could not be counted in whole numbers; it would take centuries anyway.
MAX_GAMES = 10**15
#: For an estimate of the time games are played for so long.
TRIED_SECONDS = 0.2


@dataclass(frozen=True)
class Tournament:
    """A tournament that was played.

    Attributes
    ----------
    plan : Plan
        What was to be played.
    counts : Counts
        What was counted.
    tables : Tables
        The results as DataFrames.
    manifest : dict
        What `manifest.json` holds.
    stored : bytes
        What `counts.npz` holds (see `flip7sim.runs.stored`).
    """

    plan: Plan
    counts: Counts
    tables: Tables
    manifest: dict[str, Any]
    stored: bytes

    def save(self, folder: str | Path) -> list[Path]:
        """Write the CSV files, the counts and the manifest into a folder (see `results.write_files`)."""
        return write_files(Path(folder), self.tables.files, self.manifest, {COUNTS: self.stored})


def plan(
    strategies: Iterable[str | Strategy | Entrant] = DEFAULT_STRATEGIES,
    players: int | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    rules: Rules | str = "fr-2.0",
    schedule: str = "mixed",
    against: Iterable[str | Strategy | Entrant] = (),
    totals: Iterable[int] = (),
) -> Plan:
    """What a tournament would play (see `tournament` for the arguments).

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    """
    given, field = find_all(spread(strategies)), find_all(against)
    if not given:
        raise Flip7Error("a tournament needs a strategy: name one, for instance stop-at(score=25)")
    totals = tuple(totals)
    if players is None and totals:
        players = len(totals)
    if players is None:
        players = {"mixed": min(DEFAULT_PLAYERS, len(given)), "field": len(field) + 1}.get(schedule, DEFAULT_PLAYERS)
    if not 1 <= games <= MAX_GAMES:
        raise Flip7Error(f"games: {games} cannot be played; it must be from 1 to {MAX_GAMES:,}")
    # Seats of a line-up are told apart by strategy only: equal labels are one strategy. In a mixed schedule one that is
    # named twice takes two of the seats.
    entrants = list({entrant.label: entrant for entrant in given}.values())
    labels = [entrant.label for entrant in (given if schedule == "mixed" else entrants)]
    lineups = schedule_of(schedule, labels, [entrant.label for entrant in field], players)
    if schedule == "mixed":
        position = {entrant.label: place for place, entrant in enumerate(entrants)}
        lineups = [tuple(position[labels[member]] for member in lineup) for lineup in lineups]
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    totals = check_totals(totals, players, rules)
    if totals and schedule != "mixed":
        raise Flip7Error(f"totals: the schedule {schedule} lets all sit everywhere; leave schedule or totals out")
    return Plan(
        rules=rules,
        entrants=(*entrants, *field),
        lineups=tuple(lineups),
        games=tuple(share_games(games, len(lineups), players)),
        seed=seed,
        schedule=schedule,
        field=len(field),
        totals=placed(totals, labels) if totals else (),
    )


def tournament(
    strategies: Iterable[str | Strategy | Entrant] = DEFAULT_STRATEGIES,
    players: int | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    rules: Rules | str = "fr-2.0",
    schedule: str = "mixed",
    against: Iterable[str | Strategy | Entrant] = (),
    totals: Iterable[int] = (),
    precision: float | None = None,
    decide: bool = False,
    jobs: Jobs = None,
    progress: Callable[[int], object] | None = None,
) -> Tournament:
    """Play a tournament.

    Parameters
    ----------
    strategies : iterable of str, Strategy or Entrant
        Who plays, as `name(parameter=value)` or `file.py:name(...)`; a range, as in `stop-at(score=20:30)`, is a
        strategy for each of its values.
    players : int, optional
        Seats at a table, 1 to 36; by default 4, or as many as there are strategies if these are fewer. All line-ups of
        so many different strategies are played; with fewer strategies than seats, they share the seats evenly.
    games : int
        How many games in all.
    seed : int
        The result is a function of it.
    rules : Rules or str
        A rule set, or the name of a preset.
    schedule : str
        Who meets whom: one of `schedule.SCHEDULES`.
    against : iterable of str, Strategy or Entrant
        The field, for the schedule `field`.
    totals : iterable of int, optional
        What each seat begins a game with, in the order of the strategies (one strategy: of its seats); by default
        nothing. They go with the strategies: who deals, and who sits where, is as in any other tournament.
    precision : float, optional
        Play until every win rate is known to so much either way (0.001: 0.1 % of the games), `games` at most.
    decide : bool
        With it: until every two strategies are told apart, or the difference between them is known so well.
    jobs : int or Backend, optional
        Threads, all processors by default, or what else plays (see `flip7sim.runs.backends.open_backend`). It does not
        change the result.
    progress : callable, optional
        Called with the number of games done so far.

    Returns
    -------
    Tournament

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    goal = None if precision is None else Goal(precision, decide)
    return play_plan(plan(strategies, players, games, seed, rules, schedule, against, totals), jobs, progress, goal)


def play_plan(
    what: Plan,
    jobs: Jobs = None,
    progress: Callable[[int], object] | None = None,
    goal: Goal | None = None,
    recorder: Recorder | None = None,
    resume: bool = False,
    per_game: Path | None = None,
) -> Tournament:
    """Play a tournament that has been planned.

    Parameters
    ----------
    what : Plan
        What to play.
    jobs, progress
        As in `tournament`.
    goal : Goal, optional
        When to stop: the plan's games are the most that are played.
    recorder : Recorder, optional
        Writes checkpoints while it is played.
    resume : bool
        Go on from what the recorder's folder holds of the same run, cut short or of fewer games.
    per_game : Path, optional
        A file for what each seat did in each game (see `flip7sim.runs.gamelog`).

    Returns
    -------
    Tournament

    Raises
    ------
    Flip7Error
        If what is there is of another run.
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    if per_game and resume:
        raise Flip7Error("per-game rows are of a whole run: leave resume out, or per-game")
    recorder = recorder or Recorder(what)
    begun = recorder.resumed() if resume else Counts.empty(what)
    before = begun.games
    started, clock = datetime.now(UTC), time.perf_counter()
    most = what
    backend = backend_of(jobs)
    with open_log(per_game, what) if per_game else nullcontext() as log:
        if goal is None:
            counts = simulate(what, backend, progress, begun, recorder, log)
        else:
            what, counts = play_until(what, goal, backend, progress, begun, recorder, log)
    seconds = time.perf_counter() - clock
    manifest = (
        {"command": "tournament"}
        | describe(what, counts)
        | {
            "started": started.isoformat(timespec="seconds"),
            "seconds": round(seconds, 3),
            "games_per_second": round((counts.games - before) / seconds, 1),
            "resumed_from": before,
            "backend": backend.name,
            "jobs": backend.jobs,
        }
    )
    if goal is not None:
        left = unsure(what, counts, goal) if counts.games else []
        manifest |= {"precision": goal.precision, "decide": goal.decide, "max_games": sum(most.games), "unsure": left}
    return Tournament(what, counts, tables_of(what, counts), manifest, recorder.packed(counts))


def estimate(what: Plan, jobs: int) -> float:
    """How many seconds a plan will take on so many threads: from the time that a few of its games take on one.

    Raises
    ------
    StrategyError
        If a strategy raised or gave an illegal answer in one of them.
    """
    prepare(what)
    number, seconds, played = what.players, 0.0, 0
    while seconds < TRIED_SECONDS and played < sum(what.games):
        number *= 2
        some = replace(what, games=tuple(min(games, number) for games in what.games))
        clock = time.perf_counter()
        played = simulate(some, 1).games
        seconds = time.perf_counter() - clock
    return seconds / played * sum(what.games) / jobs
