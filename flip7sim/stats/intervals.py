"""Standard errors and intervals from blocks of games.

Games that share a deal, or a table, are not independent: whatever is estimated is a ratio of two counts, summed over
blocks that are (a block is a set of game numbers, played by all line-ups). With y and x the two counts of a block, and
r the ratio of their sums, the standard error over B blocks is

    se(r)**2 = B / (B - 1) * sum((y - r x)**2) / sum(x)**2

(the linearized variance of a ratio; W. G. Cochran, *Sampling Techniques*, 3rd ed., section 6.4).
"""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtr, stdtrit

__all__ = ["Z95", "chance_of_difference", "effective_size", "quantile", "ratio_error", "wilson"]

#: The 97.5 % point of the standard normal distribution.
Z95 = 1.959963984540054

Ints = npt.NDArray[np.int64]


def ratio_error(sums: Ints, moments: Ints, over: int, under: int, blocks: int) -> tuple[float, float]:
    """A ratio of two counts, and its standard error.

    Parameters
    ----------
    sums : int64 array (quantities,)
        Counts.
    moments : int64 array (quantities, quantities)
        Sums over blocks of products of two counts; the lower triangle is read.
    over, under : int
        Which count is divided by which.
    blocks : int
        Number of blocks.

    Returns
    -------
    ratio, error : float
        nan where there is nothing to divide by; the error is nan with fewer than two blocks.
    """
    y, x = int(sums[over]), int(sums[under])
    if x == 0:
        return math.nan, math.nan
    ratio = y / x
    if blocks < 2:
        return ratio, math.nan
    cross = int(moments[max(over, under), min(over, under)])
    # In whole numbers, so that nothing cancels: x**2 * sum((y_b - r x_b)**2).
    spread = x * x * int(moments[over, over]) - 2 * x * y * cross + y * y * int(moments[under, under])
    return ratio, math.sqrt(max(spread, 0) * blocks / (blocks - 1)) / (x * x)


def effective_size(rate: float, error: float, size: int, deals: int) -> float:
    """How many independent trials a rate with that standard error is worth.

    Never more than the `size` trials that were made; where the error is not known, the number of different `deals`.
    """
    if math.isnan(error):
        return float(min(size, deals))
    if error == 0 or not 0 < rate < 1:
        return float(size)
    return min(float(size), rate * (1 - rate) / error**2)


def quantile(blocks: int, error: float = 0.05) -> float:
    """Half the width of an interval in standard errors that come from so many blocks (Student's t).

    Parameters
    ----------
    blocks : int
        How many; with fewer than two no error is known, and it is that of the normal distribution.
    error : float
        The chance that the interval misses.
    """
    return float(stdtrit(blocks - 1, 1 - error / 2)) if blocks > 1 else float(ndtri(1 - error / 2))


def wilson(rate: float, size: float, z: float = Z95) -> tuple[float, float]:
    """The score interval for a rate out of `size` trials (E. B. Wilson, JASA 22, 1927).

    Parameters
    ----------
    rate : float
        Successes by trials.
    size : float
        Number of independent trials, or what they are worth.
    z : float
        Normal quantile; the default gives 95 %.

    Returns
    -------
    low, high : float
        nan without any trial.
    """
    if size <= 0:
        return math.nan, math.nan
    scale = 1 + z * z / size
    middle = (rate + z * z / (2 * size)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size))
    return max(0.0, middle - half), min(1.0, middle + half)


def chance_of_difference(difference: float, error: float, blocks: int) -> float:
    """How likely so large a difference is by chance, either way: Student's t with an error from so many blocks.

    nan if no error is known.
    """
    if math.isnan(error):
        return math.nan
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return 2 * float(stdtr(blocks - 1, -abs(difference) / error))
