"""Estimates of many candidates over the same batches of deals, and which of them may be the best.

Candidates that play the same deals do well and badly together, so a difference between two of them is known far better
than either. With e_b the influence of batch b on an estimate (what it moves it by; they sum to 0), over B batches,

    se**2 = B / (B - 1) * sum(e_b**2),

and the influences of a difference are the differences of the influences. For a ratio r of the counts y and x they are
(y_b - r x_b) / sum(x) (W. G. Cochran, *Sampling Techniques*, 3rd ed., section 6.4); for anything else they come from
the jackknife (B. Efron and C. Stein, Annals of Statistics 9, 1981).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

__all__ = ["Estimates", "expected_rounds", "jackknifed", "may_be_best", "ratios"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
#: Exact values that differ by less are equal.
TINY = 1e-12
#: With fewer batches luck is not taken out.
FEWEST_BATCHES = 20


@dataclass(frozen=True)
class Estimates:
    """A value for each candidate.

    Attributes
    ----------
    value : float64 array (candidates,)
        nan where there is none.
    influence : float64 array (candidates, batches)
        No batches: the values are exact.
    """

    value: Floats
    influence: Floats

    @property
    def exact(self) -> bool:
        """Whether nothing is estimated."""
        return not self.influence.size

    @property
    def errors(self) -> Floats:
        """The standard error of each value; nan with one batch."""
        return self._errors(self.influence)

    def differences(self, place: int) -> tuple[Floats, Floats]:
        """How much each value is above the one at `place`, and the standard errors of these differences."""
        return self.value - self.value[place], self._errors(self.influence - self.influence[place])

    def without_luck(self, luck: Floats) -> "Estimates":
        """The values with luck taken out: controlled for quantities that are known to be nothing on average.

        With c_b the luck of batch b and C its sum, the value is b C less, where b is the coefficient of the regression
        of e_b on c_b; its error comes from the residuals. That b is estimated, from B batches for k quantities, adds
        the factors (B - 1) / (B - 1 - k) and 1 + B m' S**-1 m to the variance, with m the mean of c_b and S the sums of
        squares about it (S. S. Lavenberg and P. D. Welch, Management Science 27, 1981).

        Parameters
        ----------
        luck : float64 array (candidates, batches, quantities)
            Of each batch, by the denominators of the values.

        Returns
        -------
        Estimates
            The same with fewer than `FEWEST_BATCHES`: their luck would not be known well enough.
        """
        batches = luck.shape[1]
        if batches < FEWEST_BATCHES:
            return self
        value, influence = self.value.copy(), self.influence.copy()
        for place in np.flatnonzero(~np.isnan(value)):
            mean = luck[place].mean(axis=0)
            about = luck[place] - mean
            solution, _, rank, _ = np.linalg.lstsq(about, influence[place], rcond=None)
            unknown = mean @ np.linalg.pinv(about.T @ about) @ mean
            value[place] -= solution @ luck[place].sum(axis=0)
            influence[place] -= about @ solution
            influence[place] *= np.sqrt((batches - 1) / (batches - 1 - rank) * (1 + batches * unknown))
        return Estimates(value, influence)

    def _errors(self, influences: Floats) -> Floats:
        batches = influences.shape[1]
        if batches == 0:
            return np.zeros(len(influences))
        if batches == 1:
            return np.full(len(influences), np.nan)
        errors: Floats = np.sqrt(batches / (batches - 1) * (influences**2).sum(axis=1))
        return errors


def ratios(over: Ints, under: Ints) -> Estimates:
    """Ratios of two counts.

    Parameters
    ----------
    over, under : int64 arrays (candidates, batches)
        The counts.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        total = under.sum(axis=1, keepdims=True)
        values = over.sum(axis=1, keepdims=True) / total
        return Estimates(values[:, 0], (over - values * under) / total)


def jackknifed(values: Floats, without: Floats) -> Estimates:
    """Any estimates.

    Parameters
    ----------
    values : float64 array (candidates,)
        From all batches.
    without : float64 array (candidates, batches)
        From all but one.
    """
    batches = without.shape[1]
    if batches == 1:
        return Estimates(values, np.zeros_like(without))
    return Estimates(values, (without.mean(axis=1, keepdims=True) - without) * (batches - 1) / batches)


def expected_rounds(histograms: Ints | Floats, target: int = 200) -> Floats:
    """How many rounds it takes on average to have `target` points, if rounds are independent.

    With m(s) the mean for s points that are missing, and p(k) the chance of a score k,
    m(s) = 1 + sum over k < s of p(k) m(s - k).

    Parameters
    ----------
    histograms : array (..., scores)
        How often, or how likely, each round score is.
    target : int
        Points.

    Returns
    -------
    float64 array (...)
        nan where nothing was counted, or no points are ever made.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = histograms / histograms.sum(axis=-1, keepdims=True)
        moving = 1 - shares[..., 0]
        moving = np.where(moving > 0, moving, np.nan)
        missing = np.zeros((*shares.shape[:-1], target + 1))
        for points in range(1, target + 1):
            reach = min(points - 1, shares.shape[-1] - 1)
            if reach:
                before = missing[..., points - reach : points]
                missing[..., points] = np.einsum("...k,...k->...", shares[..., reach:0:-1], before)
            missing[..., points] = (1 + missing[..., points]) / moving
    found: Floats = missing[..., target]
    return found


def may_be_best(estimates: Estimates, sign: int) -> tuple[int, Bools]:
    """The best candidate, and all that may be the best: the set holds the true best with a confidence of 95 % or more.

    A candidate is out if another one is better by more than chance allows: by d standard errors of their difference,
    where d leaves 5 % for all its K - 1 comparisons together (subset selection, S. S. Gupta, Technometrics 7, 1965,
    with Bonferroni's bound and paired errors).

    Parameters
    ----------
    estimates : Estimates
        At least one value that is not nan.
    sign : int
        1: more is better; -1: less is.

    Returns
    -------
    best : int
        Its place.
    may_be : bool array (candidates,)
        True for the best, and for those that cannot be told from it.
    """
    values = sign * estimates.value
    best = int(np.nanargmax(values))
    candidates, batches = estimates.influence.shape
    limit = float(stdtrit(batches - 1, 1 - 0.05 / max(1, candidates - 1))) if batches > 1 else 0.0
    may_be = ~np.isnan(values)
    for place in np.flatnonzero(may_be):
        ahead, errors = estimates.differences(int(place))
        # Where no error is known (nan) nothing is told apart.
        may_be[place] = not np.any(sign * ahead > limit * errors + TINY)
    return best, may_be
