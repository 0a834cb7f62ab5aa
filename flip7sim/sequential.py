"""Playing until it is sure: looks at growing numbers of games, each paid for.

A tournament is looked at after ever twice as many games. If every look used 95 % intervals, one of them would miss by
chance far more often than in 5 %. So look number k = 1, 2, ... uses intervals of level 1 - 0.05 / (k (k + 1)), whose
chances to miss sum to 0.05 over all looks that there can be (Boole's inequality; the idea of a confidence sequence,
H. Robbins, Annals of Mathematical Statistics 41, 1970). Whenever it stops, 95 % holds.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flip7sim.errors import Flip7Error
from flip7sim.runs.backends import Jobs
from flip7sim.runs.counts import Counts, Ints, Plan
from flip7sim.runs.simulate import simulate
from flip7sim.stats.comparisons import LEVEL, differences, win_rates
from flip7sim.stats.intervals import quantile

__all__ = ["FIRST_BLOCKS", "Goal", "play_until", "unsure"]

#: Blocks of games of each line-up before the first look: fewer tell little of errors.
FIRST_BLOCKS = 32


@dataclass(frozen=True)
class Goal:
    """When a tournament is sure enough.

    Attributes
    ----------
    precision : float
        Half the width of an interval, as a share of the games.
    decide : bool
        False: every win rate must be known so well. True: every two strategies must be told apart, or else the
        difference between them be known so well.

    Raises
    ------
    Flip7Error
        For a precision that cannot be.
    """

    precision: float
    decide: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be reached, or asks for nothing."""
        if not 1e-6 <= self.precision < 1:
            raise Flip7Error(f"precision: {self.precision:g} cannot be used; it must be from 0.000001 to below 1")


def play_until(
    plan: Plan,
    goal: Goal,
    jobs: Jobs = None,
    progress: Callable[[int], object] | None = None,
    counts: Counts | None = None,
    watch: Callable[[Counts], object] | None = None,
    log: Callable[[Ints], object] | None = None,
) -> tuple[Plan, Counts]:
    """Play until a goal is reached, or all games of the plan are played.

    Parameters
    ----------
    plan : Plan
        With the most games that may be played.
    goal : Goal
        When to stop.
    jobs, progress, counts, watch, log
        As in `simulate`. What was counted already is not looked at again: a look is taken at the same numbers of games
        as without a break.

    Returns
    -------
    plan : Plan
        With the games that were to be played in the end.
    counts : Counts
        With `looks`, the number of looks that were taken.
    """
    counts = Counts.empty(plan) if counts is None else counts
    blocks, looks = FIRST_BLOCKS, 0
    while True:
        looks += 1
        part = plan
        if blocks < plan.whole_blocks:
            part = replace(plan, games=(blocks * plan.players,) * len(plan.lineups))
            if blocks < counts.blocks:
                blocks *= 2
                continue
        counts = simulate(part, jobs, progress, counts, watch, log)
        counts.looks = looks
        if counts.interrupted or part is plan or not unsure(part, counts, goal):
            return part, counts
        blocks *= 2


def unsure(plan: Plan, counts: Counts, goal: Goal) -> list[str]:
    """What is not sure enough yet: strategies whose win rate is not, or pairs that are not told apart.

    Parameters
    ----------
    plan, counts
        What was played, and what was counted at look number `counts.looks`.
    goal : Goal
        When it is enough.
    """
    if goal.decide:
        found = differences(plan, counts)
        wide = (found["difference_high"] - found["difference_low"]) / 2 > goal.precision
        rows = found[(found["p_holm"] >= LEVEL) & wide]
        return [f"{one} and {other}" for one, other in zip(rows["strategy"], rows["rival"], strict=True)]
    half = quantile(len(counts.batches), counts.error) * win_rates(plan, counts).errors
    open_ones = np.flatnonzero(~(half <= goal.precision))
    return [plan.entrants[place].label for place in open_ones]
