"""Best responses: which candidate wins most against a field, and iterated until nobody gains by another value."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy
from flip7sim.policy.registry import Entrant, find, find_all
from flip7sim.results import describe_entrant, environment, write_files
from flip7sim.rules import Rules
from flip7sim.runs.backends import Jobs, backend_of
from flip7sim.runs.grids import Values, default_values
from flip7sim.sweeps.plans import DEFAULT_GAMES, SweepPlan, sweep_plan
from flip7sim.sweeps.play import Progress, Sweep, play_sweep

__all__ = ["DEFAULT_PLAYERS", "MOST_STEPS", "Responses", "best_response", "play_responses", "response_plans"]

#: Seats at a table unless the field says otherwise.
DEFAULT_PLAYERS = 4
#: An iteration that has not settled by then is given up.
MOST_STEPS = 20


@dataclass(frozen=True)
class Responses:
    """Best responses that were found.

    Attributes
    ----------
    plans : tuple of SweepPlan
        The first step for each number of players.
    steps : DataFrame
        One row a number of players and step: against whom, the best reply, what it gains, and how the iteration ended.
    curves : DataFrame
        One row a number of players, step and candidate, as in `sweep.csv`, with `best` and `may_be_best`.
    manifest : dict
        What `manifest.json` holds.
    """

    plans: tuple[SweepPlan, ...]
    steps: pd.DataFrame
    curves: pd.DataFrame
    manifest: dict[str, Any]

    def save(self, folder: str | Path) -> list[Path]:
        """Write `steps.csv`, `curves.csv` and the manifest into a folder (see `results.write_files`)."""
        return write_files(Path(folder), {"steps.csv": self.steps, "curves.csv": self.curves}, self.manifest)


def response_plans(
    strategy: str | Strategy | Entrant = "stop-at",
    parameters: Mapping[str, Values | None] | None = None,
    against: Iterable[str | Strategy | Entrant] = (),
    players: int | Iterable[int] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    rules: Rules | str = "fr-2.0",
    totals: Iterable[Iterable[int]] = (),
) -> tuple[SweepPlan, ...]:
    """The first step for each number of players, or each standing (see `best_response` for the arguments).

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    """
    base = find(strategy)
    if parameters is None:
        parameters = {"score": None} if base.strategy.name == "stop-at" else {}
    values = {name: default_values(base, name) if given is None else given for name, given in parameters.items()}
    field = find_all(against)
    standings = list(dict.fromkeys(tuple(standing) for standing in totals))
    if players is None and standings:
        players = [len(standing) for standing in standings]
    if players is None:
        players = len(field) + 1 if len(field) > 1 else DEFAULT_PLAYERS
    counts = [players] if isinstance(players, int) else list(dict.fromkeys(players))
    if not counts:
        raise Flip7Error("players: name a number of seats, for instance 4")
    # A standing is one of a number of players. What has no counterpart is planned all the same, to be refused there.
    tables: list[tuple[int, tuple[int, ...]]] = [(count, ()) for count in counts]
    if standings:
        tables = [(len(each) if len(each) in counts else counts[0], each) for each in standings]
        tables += [(count, standings[0]) for count in counts if count not in {len(each) for each in standings}]
    return tuple(
        sweep_plan(base, values, field or [base], count, games, seed, rules, totals=standing)
        for count, standing in tables
    )


def best_response(
    strategy: str | Strategy | Entrant = "stop-at",
    parameters: Mapping[str, Values | None] | None = None,
    against: Iterable[str | Strategy | Entrant] = (),
    players: int | Iterable[int] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    rules: Rules | str = "fr-2.0",
    iterate: bool = False,
    totals: Iterable[Iterable[int]] = (),
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> Responses:
    """Find the candidate that wins most against a field.

    Iterated, the field becomes copies of the best reply, and so on, until no candidate can be told to win more than the
    one that all the others play: an equilibrium, as far as these games can tell. It may also go round in a circle.

    Parameters
    ----------
    strategy : str, Strategy or Entrant
        The strategy; parameters that are not swept keep the values that it names.
    parameters : mapping of str to str, iterable or None, optional
        One or two parameters with their values, as in `flip7sim.sweeps.play.sweep`; None: a range about the default.
    against : iterable of str, Strategy or Entrant
        The field; empty: the strategy itself.
    players : int or iterable of int, optional
        Seats at a table, one number or several; by default one more than the field has strategies, or 4.
    games : int
        Games that each candidate plays in each step.
    seed : int
        The result is a function of it.
    rules : Rules or str
        A rule set, or the name of a preset.
    iterate : bool
        Whether to go on.
    totals : iterable of iterable of int, optional
        Standings: in each, the candidate's total at the beginning of a game, then one for each opponent in the order of
        `against` (a single one plays all the other seats). One answer for each; by default all begin with nothing.
    jobs : int or Backend, optional
        Threads, all processors by default, or what else plays (see `flip7sim.runs.backends.open_backend`). It does not
        change the result.
    progress : callable, optional
        Called with how many games of the step are done, and how many there are.

    Returns
    -------
    Responses

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    StrategyError
        If a strategy raised or gave an illegal answer.
    """
    return play_responses(
        response_plans(strategy, parameters, against, players, games, seed, rules, totals), iterate, jobs, progress
    )


def play_responses(
    plans: Iterable[SweepPlan], iterate: bool, jobs: Jobs = None, progress: Progress | None = None
) -> Responses:
    """Find the best responses that have been planned (see `best_response` for the arguments)."""
    started, clock = datetime.now(UTC), time.perf_counter()
    plans, backend = tuple(plans), backend_of(jobs)
    if iterate and any(plan.totals for plan in plans):
        raise Flip7Error(
            "totals: who stands otherwise replies otherwise, so all cannot take over one reply: leave iterate out"
        )
    steps: list[dict[str, Any]] = []
    curves: list[pd.DataFrame] = []
    interrupted = False
    for first in plans:
        plan, seen = first, set()
        for step in range(1, MOST_STEPS + 1):
            try:
                played = play_sweep(plan, backend, progress)
            except KeyboardInterrupt:  # pressed before anything of this step was done
                if not steps:
                    raise
                interrupted = True
                break
            interrupted = bool(played.manifest["interrupted"])
            own = plan.against[0].label if len({entrant.label for entrant in plan.against}) == 1 else None
            row, reply = _step(played, own)
            settled = own is not None and own in row.pop("_may_be_best")
            seen.add(own)
            end = (
                ""
                if interrupted
                else "settled"
                if settled
                else "circle"
                if reply.label in seen
                else "limit"
                if step == MOST_STEPS
                else ""
            )
            steps.append(
                {"players": plan.players, **_standing(plan), "step": step} | row | {"end": end if iterate else ""}
            )
            curves.append(_curve(played, step, own))
            if interrupted or end or not iterate:
                break
            plan = sweep_plan(plan.base, plan.grid, [reply], plan.players, plan.games, plan.seed, plan.rules)
        if interrupted:
            break
    manifest = {
        "command": "best-response",
        **environment(),
        "rules": plans[0].rules.to_dict(),
        "players": list(dict.fromkeys(plan.players for plan in plans)),
        "strategy": describe_entrant(plans[0].base),
        "parameters": plans[0].grid,
        "against": [describe_entrant(entrant) for entrant in plans[0].against],
        "totals": [list(plan.totals) for plan in plans if plan.totals],
        "iterate": iterate,
        "seed": plans[0].seed,
        "games": plans[0].games,
        "games_played": int(sum(curve["games"].sum() for curve in curves)),
        "interrupted": interrupted,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - clock, 3),
        "backend": backend.name,
        "jobs": backend.jobs,
    }
    return Responses(plans, pd.DataFrame(steps), pd.concat(curves, ignore_index=True), manifest)


def _step(played: Sweep, own: str | None) -> tuple[dict[str, Any], Entrant]:
    """What came of a step, and the best reply.

    The gain is over the candidate that the whole field plays, if it is one: paired, as in `best.csv`.
    """
    plan = played.plan
    rows = played.best[played.best["measure"] == "win_rate"].reset_index(drop=True)
    place = int(rows["best"].argmax())
    found = played.table.iloc[place]
    may_be = list(rows.loc[rows["may_be_best"], "strategy"])
    ours = rows[rows["strategy"] == own]
    row = {
        "against": " ".join(entrant.label for entrant in plan.against),
        "strategy": found["strategy"],
        **{name: found[name] for name in plan.grid},
        **{name: found[name] for name in ("games", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high")},
        "gain": 0.0 - float(ours["difference"].iloc[0]) if len(ours) else None,
        "gain_se": float(ours["difference_se"].iloc[0]) if len(ours) else None,
        "may_be_best": " ".join(may_be),
        "_may_be_best": may_be,
    }
    return row, plan.candidates[place]


def _curve(played: Sweep, step: int, own: str | None) -> pd.DataFrame:
    """The table of a step, with who is best by wins."""
    rows = played.best[played.best["measure"] == "win_rate"].reset_index(drop=True)
    table = played.table.assign(best=rows["best"], may_be_best=rows["may_be_best"])
    field = own or " ".join(entrant.label for entrant in played.plan.against)
    first = {"players": played.plan.players, **_standing(played.plan), "step": step, "against": field}
    for place, (name, value) in enumerate(first.items()):
        table.insert(place, name, value)
    return table


def _standing(plan: SweepPlan) -> dict[str, Any]:
    """With what totals a game begins, and how far the candidate is ahead of the best of the others, or behind."""
    if not plan.totals:
        return {}
    own, *others = plan.totals
    return {"totals": " ".join(map(str, plan.totals)), "lead": own - max(others)}
