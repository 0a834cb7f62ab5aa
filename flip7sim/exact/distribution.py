"""What comes of a round: the chance of every score, of every end, and of every kind of decision."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Distribution"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Distribution:
    """What comes of a round.

    Attributes
    ----------
    scores : float64 array
        The chance of each round score; a bust scores 0.
    bust, flip7, frozen, stayed : float
        The chance that it ends like that.
    decisions : float
        How often hit or stay is decided, on average.
    visits : float64 array (numbers held, Second Chance held, x2 held, score, 2)
        How often each decision is taken, on average: 0 for stay, 1 for hit.
    """

    scores: Floats
    bust: float
    flip7: float
    frozen: float
    stayed: float
    decisions: float
    visits: Floats

    @property
    def expected_score(self) -> float:
        """The mean of the round score."""
        return float(self.scores @ np.arange(len(self.scores)))

    @property
    def sd(self) -> float:
        """The standard deviation of the round score."""
        away = np.arange(len(self.scores)) - self.expected_score
        return float(np.sqrt(self.scores @ away**2))

    def rounds_to(self, target: int = 200) -> Floats:
        """The chance that a total of `target` is reached in exactly 1, 2, 3 ... independent rounds.

        Cut where less than 1e-12 is left; empty if the score never grows.
        """
        if self.scores[0] > 1 - 1e-9:
            return np.zeros(0)
        total = np.zeros(target)
        total[0] = 1.0
        found: list[float] = []
        while total.sum() > 1e-12:
            grown = np.convolve(total, self.scores)
            found.append(float(grown[target:].sum()))
            total = grown[:target]
        return np.array(found)

    def expected_rounds(self, target: int = 200) -> float | None:
        """How many independent rounds it takes to a total of `target`, on average; None if the score never grows."""
        rounds = self.rounds_to(target)
        return float(rounds @ np.arange(1, len(rounds) + 1)) if len(rounds) else None
