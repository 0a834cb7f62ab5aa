"""Which strategy is better, by how much, and how sure that is: differences on the same deals, ranks, head to head.

Where strategies play the same deals a difference between two of them is known better than either of their rates: its
standard error comes from the batches of deals (see `flip7sim.stats.paired`), in which what they share cancels. In the
base game luck is taken out of it besides: what busts have cost less or more than was to be expected. Many differences
at once are corrected by Holm's method (S. Holm, Scandinavian Journal of Statistics 6, 1979).
"""

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from flip7sim.codes import LUCK_SCALE
from flip7sim.engine.batch import GAMES, LUCK, RIVALS_LUCK, WINS
from flip7sim.runs.counts import Counts, Plan
from flip7sim.stats.intervals import chance_of_difference, quantile, wilson
from flip7sim.stats.paired import Estimates, ratios

__all__ = ["LEVEL", "differences", "fair_win_rates", "head_to_head", "holm", "luck_of", "ranks", "win_rates"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: Two strategies are told apart if the chance of such a difference between equals, corrected for all pairs, is below.
LEVEL = 0.05


def _sums(plan: Plan, counts: Counts) -> Ints:
    """What was counted of every contender in each batch: (contenders, batches, WIDTH)."""
    return np.stack([batch.sheet.sums[: plan.contenders] for batch in counts.batches or [counts]], axis=1)


def win_rates(plan: Plan, counts: Counts) -> Estimates:
    """The win rate of every contender, with what each batch of deals moves it by."""
    sums = _sums(plan, counts)
    return ratios(sums[:, :, WINS], sums[:, :, GAMES])


def fair_win_rates(plan: Plan, counts: Counts) -> Estimates:
    """The same with luck taken out, where it was counted (see `engine.luck`)."""
    return win_rates(plan, counts).without_luck(luck_of(_sums(plan, counts), GAMES))


def luck_of(sums: Ints, under: int) -> Floats:
    """The luck of each strategy, and of all others at its tables, in each batch.

    Parameters
    ----------
    sums : int64 array (strategies, batches, WIDTH)
        What was counted in each batch (see `engine.batch.Sheet`).
    under : int
        Which count the luck is divided by, summed over all batches.

    Returns
    -------
    float64 array (strategies, batches, 2)
        In points; for `paired.Estimates.without_luck`.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = sums[:, :, [LUCK, RIVALS_LUCK]] / LUCK_SCALE / sums[:, :, [under]].sum(axis=1, keepdims=True)
    return found


def holm(chances: Floats) -> Floats:
    """Chances of error corrected for looking at all of them: Holm's step-down method.

    Parameters
    ----------
    chances : float64 array (comparisons,)
        Of each comparison by itself; nan where there is none.

    Returns
    -------
    float64 array (comparisons,)
        All below a level hold together with at most that chance of a single error.
    """
    corrected = np.full(len(chances), np.nan)
    known = np.flatnonzero(~np.isnan(chances))
    order = known[np.argsort(chances[known], kind="stable")]
    steps = chances[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else steps
    return corrected


def differences(plan: Plan, counts: Counts) -> pd.DataFrame:
    """The difference in win rate of every pair of contenders, the better one first.

    Returns
    -------
    DataFrame
        `strategy`, `rival`; `difference` of their win rates with luck taken out, `difference_se`, `difference_low`,
        `difference_high` (95 % by itself); `p` (two-sided, Student's t over batches), `p_holm` (corrected for all
        pairs, and looks); `variance_ratio`: its variance by that of the difference of the win rates of two independent
        samples of as many games, each with its own deals; `deals_ratio`: the same without luck taken out, so that only
        the deals count.
    """
    plain, rates = win_rates(plan, counts), fair_win_rates(plan, counts)
    games = counts.sheet.sums[: plan.contenders, GAMES]
    labels = [entrant.label for entrant in plan.entrants[: plan.contenders]]
    played = [place for place in range(len(labels)) if games[place]]
    order = sorted(played, key=lambda place: (-rates.value[place], labels[place]))
    batches = len(counts.batches)
    rows: list[dict[str, Any]] = []
    for one, other in itertools.combinations(order, 2):
        ahead, errors = rates.differences(other)
        difference, error = float(ahead[one]), float(errors[one])
        paired = float(plain.differences(other)[1][one]) ** 2
        alone = sum(float(plain.value[each] * (1 - plain.value[each]) / games[each]) for each in (one, other))
        half = quantile(batches, counts.error) * error
        rows.append(
            {
                "strategy": labels[one],
                "rival": labels[other],
                "difference": difference,
                "difference_se": error,
                "difference_low": difference - half,
                "difference_high": difference + half,
                "p": chance_of_difference(difference, error, batches),
                "variance_ratio": error**2 / alone if alone else np.nan,
                "deals_ratio": paired / alone if alone else np.nan,
            }
        )
    columns = ["strategy", "rival", "difference", "difference_se", "difference_low", "difference_high", "p"]
    table = pd.DataFrame(rows, columns=[*columns, "variance_ratio", "deals_ratio"])
    table.insert(len(columns), "p_holm", np.minimum(1, counts.price * holm(table["p"].to_numpy(float))))
    return table


def ranks(found: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """The ranks that each strategy may have: from the number that are told to be better, and to be worse.

    Parameters
    ----------
    found : DataFrame
        As made by `differences`.
    labels : list of str
        All strategies.

    Returns
    -------
    DataFrame
        `strategy`, `rank_low` (the best it can be, from 1) and `rank_high`; equal for one that is told from all others.
    """
    sure = found[found["p_holm"] < LEVEL]
    better = sure["rival"].value_counts()  # whoever stands first in a pair is ahead
    worse = sure["strategy"].value_counts()
    lows = [1 + int(better.get(label, 0)) for label in labels]
    highs = [len(labels) - int(worse.get(label, 0)) for label in labels]
    table = pd.DataFrame({"strategy": labels, "rank_low": lows, "rank_high": highs})
    return table.astype({"strategy": str, "rank_low": int, "rank_high": int})


def head_to_head(plan: Plan, counts: Counts) -> pd.DataFrame:
    """How often a contender ends above another at the same table; ending level counts half.

    Returns
    -------
    DataFrame
        `strategy`, `rival`, `meetings` (pairs of seats in a game), `above` (a half for each time they end level),
        `share`, `share_se`, `share_low`, `share_high` (95 %, from batches of deals); empty where it was not counted.
    """
    columns = ["strategy", "rival", "meetings", "above", "share", "share_se", "share_low", "share_high"]
    if not counts.sheet.pairs.size:
        return pd.DataFrame(columns=columns)
    labels = [entrant.label for entrant in plan.entrants]
    rows = []
    for one, other in itertools.permutations(range(plan.contenders), 2):
        won = np.array([[batch.sheet.pairs[one, other] for batch in counts.batches]])
        lost = np.array([[batch.sheet.pairs[other, one] for batch in counts.batches]])
        meetings = int(won.sum() + lost.sum())
        if not meetings:
            continue
        share = ratios(won, won + lost)
        value, error = float(share.value[0]), float(share.errors[0])
        size = value * (1 - value) / error**2 if error > 0 else meetings / 2
        low, high = wilson(value, min(size, meetings / 2), quantile(len(counts.batches), counts.error))
        rows.append((labels[one], labels[other], meetings // 2, won.sum() / 2, value, error, low, high))
    return pd.DataFrame(rows, columns=columns)
