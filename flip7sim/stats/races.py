"""How games run: who wins from which total, and the race to the target, round by round."""

from typing import Any

import numpy as np
import pandas as pd

from flip7sim.engine.batch import GAMES, RANK2, WINS
from flip7sim.engine.records import RACE_ROUNDS
from flip7sim.runs.counts import Counts, Plan
from flip7sim.stats.intervals import effective_size, quantile, wilson
from flip7sim.stats.paired import ratios

__all__ = ["race", "starts"]


def race(plan: Plan, counts: Counts) -> pd.DataFrame:
    """What total a strategy has after each round, on average over all its games; one that is over keeps its totals.

    With x_r the points that it makes in round r of its games, b the totals that it begins them with, and g the number
    of its games, the mean total after round r is (b + x_1 + ... + x_r) / g: nobody drops out of it, so that a curve
    does not bend down because the games that last long are those in which little is scored.

    Returns
    -------
    DataFrame
        `strategy`, `round` (0: the beginning), `in_play` (the share of its games in which it plays that round),
        `total` with `total_se` (from batches of deals). As many rounds as any contender played, `RACE_ROUNDS` - 1 at
        most.
    """
    batches = counts.batches or [counts]
    games = np.stack([batch.sheet.sums[: plan.contenders, GAMES] for batch in batches], axis=1)
    points = np.stack([batch.race[: plan.contenders, :, 1] for batch in batches], axis=2)
    begun = np.zeros_like(games)
    if plan.totals:
        (lineup,) = plan.lineups
        for member, total in zip(lineup, plan.totals, strict=True):
            begun[member] += total * np.array([batch.games for batch in batches])
    rounds = counts.race[: plan.contenders, : RACE_ROUNDS - 1, 0]
    length = int(np.flatnonzero(rounds.any(axis=0))[-1]) + 1 if rounds.any() else 0
    rows: list[dict[str, Any]] = []
    after = begun
    curves = [ratios(after, games)]
    for number in range(length):
        after = after + points[:, number]
        curves.append(ratios(after, games))
    errors = [curve.errors for curve in curves]
    for place, entrant in enumerate(plan.entrants[: plan.contenders]):
        played = int(games[place].sum())
        if not played:
            continue
        for number, (curve, error) in enumerate(zip(curves, errors, strict=True)):
            still = int(rounds[place, number - 1]) / played if number else 1.0
            rows.append(
                {
                    "strategy": entrant.label,
                    "round": number,
                    "in_play": still,
                    "total": float(curve.value[place]),
                    "total_se": float(error[place]),
                }
            )
    return pd.DataFrame(rows, columns=["strategy", "round", "in_play", "total", "total_se"])


def starts(plan: Plan, counts: Counts) -> pd.DataFrame:
    """How often each seat wins from the total that it begins with, for a plan that has totals.

    Returns
    -------
    DataFrame
        One row a seat, the highest total first: `strategy`, `total`, `games`, `wins`, `win_rate` with `_se`, `_low`,
        `_high` (95 %), `mean_rank` with `_se`; errors from batches of deals.
    """
    (lineup,) = plan.lineups
    batches = counts.batches or [counts]
    sums = np.stack([batch.sheet.lineups[0] for batch in batches], axis=1)
    wins, ranks = (ratios(sums[:, :, over], sums[:, :, GAMES]) for over in (WINS, RANK2))
    errors, rank_errors = wins.errors, ranks.errors
    rows: list[dict[str, Any]] = []
    for place in sorted(range(plan.players), key=lambda place: (-plan.totals[place], place)):
        games, won = int(sums[place, :, GAMES].sum()), int(sums[place, :, WINS].sum())
        if not games:
            continue
        rate, error = float(wins.value[place]), float(errors[place])
        size = effective_size(rate, error, games, games)
        low, high = wilson(rate, size, quantile(len(batches), counts.error))
        rows.append(
            {
                "strategy": plan.entrants[lineup[place]].label,
                "total": plan.totals[place],
                "games": games,
                "wins": won,
                "win_rate": rate,
                "win_rate_se": error,
                "win_rate_low": low,
                "win_rate_high": high,
                "mean_rank": float(ranks.value[place]) / 2,
                "mean_rank_se": float(rank_errors[place]) / 2,
            }
        )
    columns = ["strategy", "total", "games", "wins", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high"]
    return pd.DataFrame(rows, columns=[*columns, "mean_rank", "mean_rank_se"])
