"""Ratings from finishing orders: Plackett-Luce strengths on an Elo-like scale, shares of points, skill against luck.

In the model of Plackett and Luce a seat with strength g comes first among a set of seats with chance g / (sum of their
strengths), then the next among the rest, and so on (R. L. Plackett, Applied Statistics 24, 1975). Two of them then end
in one order or the other with odds g : h, whoever else is there, so strengths are estimated from the counts of who
ended above whom: the likelihood of all pairs, whose maximum is consistent (H. Azari Soufiani et al., "Generalized
method-of-moments for rank aggregation", NIPS 2013). Ties count half each way. Errors are jackknifed over batches of
deals, so they allow for everything that games share.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse.csgraph import connected_components

from flip7sim.engine.batch import GAMES, SCORE, WINS
from flip7sim.runs.counts import Counts, Plan
from flip7sim.stats.intervals import quantile
from flip7sim.stats.paired import Estimates, jackknifed, ratios

__all__ = ["ELO", "MIDDLE", "ratings", "skill", "strengths"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: Points of rating for a factor of e in strength: 400 for a factor of ten, as in chess.
ELO = 400 / np.log(10)
#: The mean of all ratings.
MIDDLE = 1500.0
#: Each two that have met are taken to have ended level once more, so that no strength is infinite.
PRIOR = 1.0
STEPS = 100


def strengths(pairs: npt.NDArray[np.number]) -> Floats:
    """The logarithms of the strengths that make the counts of pairs most likely.

    Parameters
    ----------
    pairs : array (strategies, strategies)
        How often each ended above each: 2 for a time, 1 for ending level.

    Returns
    -------
    float64 array (strategies,)
        Their mean is 0; nan if there are groups that never met each other.
    """
    above = np.asarray(pairs, float)
    met = above + above.T
    if connected_components(met > 0, directed=False)[0] > 1:
        return np.full(len(above), np.nan)
    above = above + PRIOR * (met > 0)
    met = above + above.T
    np.fill_diagonal(met, 0.0)
    np.fill_diagonal(above, 0.0)
    found = np.zeros(len(above))
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(found[None, :] - found[:, None]))
        slope = (above - met * odds).sum(axis=1)
        weights = met * odds * odds.T
        curve = np.diag(weights.sum(axis=1)) - weights
        # A constant added to all changes nothing: pin their sum.
        step = np.linalg.solve(curve + 1.0, slope)
        found += np.clip(step, -2, 2)
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    centred: Floats = found - found.mean()
    return centred


def ratings(plan: Plan, counts: Counts) -> pd.DataFrame:
    """The rating of every contender.

    Returns
    -------
    DataFrame
        `strategy`; `rating` with `rating_se`, `rating_low`, `rating_high` (95 %): 400 more is ten times the strength,
        the mean of all, those of the field included, is 1500; `score_share` with `score_share_se`: its points by all
        that are made at its tables, for one seat. The best first; ratings are nan where it was not counted who ended
        above whom, or one strategy plays.
    """
    batches = counts.batches or [counts]
    number = plan.contenders
    labels = [entrant.label for entrant in plan.entrants[:number]]
    found = Estimates(np.full(number, np.nan), np.full((number, len(batches)), np.nan))
    pairs = counts.sheet.pairs
    if len(pairs) > 1:
        # The field is rated with them: contenders of a field schedule meet nobody else.
        without = [strengths(pairs - batch.sheet.pairs) for batch in batches]
        whole = MIDDLE + ELO * strengths(pairs)
        found = jackknifed(whole[:number], MIDDLE + ELO * np.array(without).T[:number])
    shares = ratios(*_points(plan, batches))
    half = quantile(len(batches), counts.error) * found.errors
    table = pd.DataFrame(
        {
            "strategy": labels,
            "rating": found.value,
            "rating_se": found.errors,
            "rating_low": found.value - half,
            "rating_high": found.value + half,
            "score_share": shares.value,
            "score_share_se": shares.errors,
        }
    )
    return table.sort_values(["rating", "strategy"], ascending=[False, True], ignore_index=True)


def _points(plan: Plan, batches: list[Counts]) -> tuple[Ints, Ints]:
    """The points of each contender, and of the tables that it sat at (for each of its seats), by batch."""
    own = np.zeros((plan.contenders, len(batches)), np.int64)
    table = np.zeros_like(own)
    for place, batch in enumerate(batches):
        points = batch.sheet.lineups[:, :, SCORE]
        totals = points.sum(axis=1)
        for number, members in enumerate(plan.lineups):
            for member, strategy in enumerate(members):
                if strategy < plan.contenders:
                    own[strategy, place] += points[number, member]
                    table[strategy, place] += totals[number]
    return own, table


def skill(plan: Plan, counts: Counts) -> tuple[float, float]:
    """The share of the variance of who wins that the strategies explain: 1 if the better always won, 0 for pure luck.

    It is the mean over line-ups of the variance of its members' win rates, without what chance adds to that, by the
    variance of a win, (1/n)(1 - 1/n) with n seats.

    Returns
    -------
    share, error : float
        The error is jackknifed over batches of deals; nan with one seat, or too few games.
    """
    batches = counts.batches or [counts]
    if plan.players < 2:
        return float("nan"), float("nan")
    whole = counts.sheet.lineups
    value = np.array([_explained(whole, plan.players)])
    without = np.array([[_explained(whole - batch.sheet.lineups, plan.players) for batch in batches]])
    found = jackknifed(value, without)
    return float(value[0]), float(found.errors[0])


def _explained(lineups: Ints, players: int) -> float:
    games, wins = lineups[:, :, GAMES].astype(float), lineups[:, :, WINS].astype(float)
    known = games[:, 0] > 1
    if not known.any():
        return float("nan")
    games, rates = games[known], wins[known] / games[known]
    spread = (rates - 1 / players) ** 2 - rates * (1 - rates) / (games - 1)
    return float(spread.mean() / (1 / players * (1 - 1 / players)))
