"""The fewest rounds to a total, played alone: what to do when not the score counts, but how soon one is there."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from flip7sim.exact.round import Round

__all__ = ["fewest_rounds"]

Floats = npt.NDArray[np.float64]
#: A better policy must gain so many rounds: less is rounding.
LEAST_GAIN = 1e-12


def fewest_rounds(alone: Round, target: int, progress: Callable[[int, int], object] | None = None) -> Floats:
    """The expected number of rounds to a total, each begun with a fresh deck, for who plays for the fewest.

    With s points still needed, W(s) = 1 + min E[W(s - X)] over all ways to play a round with score X, where W is 0 for
    s <= 0. A score of 0 leaves W(s) itself on the right. The best way to play for a guess of W(s) gives the next guess:
    what W(s) is if one always plays so (policy iteration), until there is nothing to gain.

    Parameters
    ----------
    alone : Round
        The round.
    target : int
        The total.
    progress : callable, optional
        Called with how many totals are done, and how many there are.

    Returns
    -------
    float64 array (target + 1,)
        W: the expected number of rounds by points still needed.
    """
    fewest = np.zeros(target + 1)
    is_zero = np.zeros(alone.scores)
    is_zero[0] = 1.0
    for needed in range(1, target + 1):
        later = fewest[np.maximum(needed - np.arange(alone.scores), 0)]

        def better(guess: float, later: Floats = later) -> float:
            """The rounds that the best way to play for a guess needs, if one always plays so."""
            later[0] = guess
            best = alone.solve(rewards=-later)
            zero = alone.value(best.hits.__getitem__, rewards=is_zero)
            return (1.0 - best.value - zero * guess) / (1.0 - zero)

        found = better(fewest[needed - 1] + 1.0)
        while (following := better(found)) < found - LEAST_GAIN:
            found = following
        fewest[needed] = found
        if progress:
            progress(needed, target)
    return fewest
