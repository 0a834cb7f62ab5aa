"""What becomes of a population of strategies: who resists invasion, and the mixture that evolution settles on.

At every table the members are drawn from a population; a strategy's fitness is its chance to win there. With x the
shares of the strategies and n seats, the fitness of s is

    f_s(x) = sum over the others m of P(m; x) w(s; m),

where m is a multiset of n - 1 strategies, P its multinomial chance, and w the win rate of s at a table with m. Shares
grow by the replicator equation x_s' = x_s (f_s - mean f) (P. D. Taylor and L. B. Jonker, Mathematical Biosciences 40,
1978). Where they come to rest nobody who is there does better than another: a symmetric equilibrium of Nash, if nobody
who is gone would either.
"""

import itertools
import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from flip7sim.engine.batch import GAMES, WINS
from flip7sim.runs.counts import Counts, Plan
from flip7sim.stats.comparisons import LEVEL, holm
from flip7sim.stats.intervals import chance_of_difference, quantile
from flip7sim.stats.paired import jackknifed, ratios

__all__ = ["Payoffs", "invasions", "mixture"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: The replicator equation is followed for so many steps at most.
STEPS = 200_000
#: Shares below this have died out.
GONE = 1e-6
#: So many groups of batches for the error of a mixture.
GROUPS = 16


class Payoffs:
    """Win rates by the counts of strategies at a table.

    Parameters
    ----------
    plan : Plan
        Of the schedule `population`.
    lineups : int64 array (lineups, players, quantities)
        Counts by line-up and member.
    """

    def __init__(self, plan: Plan, lineups: Ints) -> None:
        strategies, others = plan.contenders, plan.players - 1
        rates: dict[tuple[int, ...], Floats] = {}
        for number, members in enumerate(plan.lineups):
            found = np.full(strategies, np.nan)
            for strategy in set(members):
                places = [place for place, member in enumerate(members) if member == strategy]
                games, wins = lineups[number, places, GAMES].sum(), lineups[number, places, WINS].sum()
                found[strategy] = wins / games if games else np.nan
            rates[tuple(sorted(members))] = found
        company = list(itertools.combinations_with_replacement(range(strategies), others))
        self.counts = np.array([[line.count(each) for each in range(strategies)] for line in company])
        self.ways = np.array([math.factorial(others) / math.prod(map(math.factorial, row)) for row in self.counts])
        self.rates = np.array(
            [[rates[tuple(sorted((*line, each)))][each] for each in range(strategies)] for line in company]
        )

    def fitness(self, shares: Floats) -> Floats:
        """The chance to win of each strategy in a population with these shares."""
        chances = self.ways * np.prod(shares[None, :] ** self.counts, axis=1)
        found: Floats = chances @ self.rates
        return found

    def rest(self) -> Floats:
        """The shares that the replicator equation comes to, from equal ones."""
        shares = np.full(self.rates.shape[1], 1 / self.rates.shape[1])
        for _ in range(STEPS):
            fitness = self.fitness(shares)
            mean = float(shares @ fitness)
            # Discrete steps with growth relative to the mean: the same rest points, and shares stay shares.
            grown = shares * fitness**4 / float(shares @ fitness**4)
            done = np.abs(grown - shares).max() < 1e-12 or bool(np.all((shares < GONE) | (fitness <= mean + 1e-12)))
            shares = grown
            if done:
                break
        shares = np.where(shares < GONE, 0.0, shares)
        found: Floats = shares / shares.sum()
        return found


def mixture(plan: Plan, counts: Counts) -> pd.DataFrame:
    """The population that evolution settles on, beginning with equal shares.

    Returns
    -------
    DataFrame
        `strategy`, `share` with `share_se` (jackknifed over groups of batches of deals), `fitness` (its chance to win
        in that population; below 1/players for one that has died out), the largest share first.
    """
    batches = counts.batches or [counts]
    groups = [batches[place::GROUPS] for place in range(min(GROUPS, len(batches)))]
    whole = Payoffs(plan, counts.sheet.lineups)
    shares = whole.rest()
    parts = (sum((batch.sheet.lineups for batch in group), np.zeros_like(counts.sheet.lineups)) for group in groups)
    without = np.array([Payoffs(plan, counts.sheet.lineups - part).rest() for part in parts]).T
    found = jackknifed(shares, without) if len(groups) > 1 else jackknifed(shares, shares[:, None])
    table = pd.DataFrame(
        {
            "strategy": [entrant.label for entrant in plan.entrants[: plan.contenders]],
            "share": shares,
            "share_se": found.errors,
            "fitness": whole.fitness(shares),
        }
    )
    return table.sort_values(["share", "fitness", "strategy"], ascending=[False, False, True], ignore_index=True)


def invasions(plan: Plan, counts: Counts) -> pd.DataFrame:
    """How one seat of a strategy fares among seats of another: which populations resist which invaders.

    Returns
    -------
    DataFrame
        `resident`, `invader`, `games`, `win_rate` of the one invader, with `win_rate_se`, `win_rate_low` and
        `win_rate_high` (95 %, from batches of deals), `p_holm` (that it differs from an equal share, corrected for all
        pairs) and `outcome`: ``invades``, ``resisted`` or ``unclear``.
    """
    batches = counts.batches or [counts]
    labels = [entrant.label for entrant in plan.entrants]
    even = 1 / plan.players
    rows, chances = [], []
    for number, invader, resident, place in _single_invaders(plan):
        games = np.array([[batch.sheet.lineups[number, place, GAMES] for batch in batches]])
        wins = np.array([[batch.sheet.lineups[number, place, WINS] for batch in batches]])
        if not games.sum():
            continue
        found = ratios(wins, games)
        rate, error = float(found.value[0]), float(found.errors[0])
        half = quantile(len(batches), counts.error) * error
        chances.append(chance_of_difference(rate - even, error, len(batches)))
        rows.append((labels[resident], labels[invader], int(games.sum()), rate, error, rate - half, rate + half))
    columns = ["resident", "invader", "games", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high"]
    table = pd.DataFrame(rows, columns=columns)
    table["p_holm"] = np.minimum(1, counts.price * holm(np.array(chances, float)))
    sure = table["p_holm"] < LEVEL
    table["outcome"] = np.where(sure, np.where(table["win_rate"] > even, "invades", "resisted"), "unclear")
    return table.sort_values(["resident", "invader"], ignore_index=True)


def _single_invaders(plan: Plan) -> Iterable[tuple[int, int, int, int]]:
    """Line-ups of one seat among seats of another: their number, invader, resident, and the invader's place."""
    for number, members in enumerate(plan.lineups):
        for strategy in dict.fromkeys(members):
            rest = [member for member in members if member != strategy]
            if len(rest) == plan.players - 1 and len(set(rest)) == 1:
                yield number, strategy, rest[0], members.index(strategy)
