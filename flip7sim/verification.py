"""Monte Carlo against the exact solver: the same round, played by the engine and worked out, must agree."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from flip7sim.alone import DEFAULT_STRATEGIES, AnyDeck, evaluate, round_of
from flip7sim.engine.batch import BUSTS, FLIP7S
from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy
from flip7sim.policy.registry import Entrant, find_all
from flip7sim.rows import Rows
from flip7sim.rules import Rules
from flip7sim.runs.counts import Plan
from flip7sim.runs.simulate import simulate

__all__ = ["LIMIT", "Comparison", "verify"]

#: A comparison fails from so many standard errors on: less than once in 15,000 if all is right.
LIMIT = 4.0
MAX_ROUNDS = 10**12


@dataclass(frozen=True)
class Comparison:
    """One figure, estimated and exact.

    Attributes
    ----------
    strategy, deck, figure : str
        What is compared.
    rounds : int
        How many rounds were played.
    estimate, exact, z : float
        Both values, and their difference in standard errors, which are exact too.
    """

    strategy: str
    deck: str
    figure: str
    rounds: int
    estimate: float
    exact: float
    z: float

    @property
    def ok(self) -> bool:
        """Whether they agree."""
        return abs(self.z) < LIMIT


def verify(
    strategies: Iterable[str | Strategy | Entrant] = DEFAULT_STRATEGIES,
    deck: str | AnyDeck | None = None,
    rounds: int = 10_000_000,
    seed: int = 1,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Rows[Comparison]:
    """Play rounds alone with the engine, and compare them with what is exact.

    Parameters
    ----------
    strategies, deck, rules, jobs
        As in `flip7sim.alone.evaluate`.
    rounds : int
        How many rounds each strategy plays.
    seed : int
        The result is a function of it.
    progress : callable, optional
        Called with the number of rounds done, for each strategy.

    Returns
    -------
    list of Comparison
        Of the mean score and the chances of a bust and of a Flip 7, for each strategy. Its `table` is a DataFrame.

    Raises
    ------
    Flip7Error
        If a strategy cannot be evaluated exactly, or there is no such deck.
    """
    if not 1 <= rounds <= MAX_ROUNDS:
        raise Flip7Error(f"rounds: {rounds} cannot be played; it must be from 1 to {MAX_ROUNDS:,}")
    entrants = find_all(strategies)
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    deck = round_of(deck, rules).deck
    found = Rows[Comparison]()
    for entrant, expected in zip(entrants, evaluate(entrants, deck, rules, jobs), strict=True):
        counts = simulate(Plan(rules.alone, (entrant,), ((0,),), (rounds,), seed, deck.copies), jobs, progress)
        if counts.interrupted:
            raise KeyboardInterrupt
        exact = expected.distribution
        scores = counts.lowest_score + np.arange(counts.histogram.shape[1])
        mean = float(counts.histogram[0] @ scores) / rounds
        sums = counts.sheet.sums[0]
        figures = [
            ("score", mean, exact.expected_score, exact.sd),
            ("bust", int(sums[BUSTS]) / rounds, exact.bust, math.sqrt(exact.bust * (1 - exact.bust))),
            ("flip7", int(sums[FLIP7S]) / rounds, exact.flip7, math.sqrt(exact.flip7 * (1 - exact.flip7))),
        ]
        for figure, estimate, value, sd in figures:
            away = (estimate - value) * math.sqrt(rounds)
            z = away / sd if sd > 1e-12 else 0.0 if abs(away) < 1e-6 else math.inf
            found.append(Comparison(entrant.label, deck.name, figure, rounds, estimate, value, z))
    return found
