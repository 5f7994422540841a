"""Statistics of repeated runs: mean and spread, and the difference of two methods on the same seeds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from .._validation import invalid, shown

_CONFIDENCE = 0.95
_SIGNIFICANT = 0.05
_FEWEST_FOR_5_PERCENT = 6
# Up to here all signs of the differences are tried, 8192 of them, with ties or without.
_MOST_ENUMERATED = 13
# Scores are shares of a few thousand nodes: smaller differences are rounding errors that would break ties.
_DECIMALS = 12


@dataclass(frozen=True)
class PairedDifference:
    """The difference between two methods on the same seeds.

    Attributes
    ----------
    mean : float
        Mean of second − first.
    low, high : float or None
        The 95% t-interval of that mean; None with a single pair.
    p : float or None
        Two-sided p-value of Wilcoxon's signed-rank test; None if the test is undefined.
    n : int
        Number of pairs.
    note : str or None
        Why a value is None, or why p cannot be small.
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    note: str | None

    @property
    def standard_error(self) -> float | None:
        """The standard error s/√n of the mean; None with a single pair."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2 / _half_width(self.n)

    @property
    def is_significant(self) -> bool:
        """Whether Wilcoxon's p is below 0.05."""
        return self.p is not None and self.p < _SIGNIFICANT

    @property
    def is_at_or_above(self) -> bool:
        """Whether the second is at or above the first, up to rounding."""
        return self.mean >= -(10.0**-_DECIMALS)


@dataclass(frozen=True)
class Tally:
    """The number of differences at or above zero, significantly above, and significantly below."""

    at_or_above: int
    above: int
    below: int


def tally(differences: Iterable[PairedDifference]) -> Tally:
    """Count the differences by sign and significance."""
    held = list(differences)
    significant = [one.is_at_or_above for one in held if one.is_significant]
    above = sum(significant)
    return Tally(sum(one.is_at_or_above for one in held), above, len(significant) - above)


def mean_and_std(values: ArrayLike) -> tuple[float, float | None]:
    """Return the mean and the sample standard deviation (n − 1), None for a single value.

    >>> mean_and_std([1.0, 3.0])
    (2.0, 1.4142135623730951)
    """
    array = _vector(values, "values", "mean_and_std")
    return float(array.mean()), float(array.std(ddof=1)) if len(array) > 1 else None


def mean_interval(values: ArrayLike) -> tuple[float | None, float | None]:
    """Return the 95% t-interval of the mean, d̄ ± t_{0.975, n−1}·s/√n; None for a single value.

    >>> low, high = mean_interval([1.0, 2.0, 3.0])
    >>> round(low, 3), round(high, 3)
    (-0.484, 4.484)
    """
    mean, std = mean_and_std(values)
    if std is None:
        return None, None
    count = len(np.asarray(values))
    half = _half_width(count) * std / float(np.sqrt(count))
    return mean - half, mean + half


def _half_width(count: int) -> float:
    """Return t_{0.975, n−1}: half of the interval in standard errors."""
    return float(stats.t.ppf((1 + _CONFIDENCE) / 2, count - 1))


def paired_difference(first: ArrayLike, second: ArrayLike) -> PairedDifference:
    """Compare two methods run on the same seeds, by d_i = second_i − first_i.

        d̄ ± t_{0.975, n−1} · s/√n,      s² = Σ(d_i − d̄)²/(n − 1)

    and the two-sided Wilcoxon signed-rank test. The test leaves out zero differences (Wilcoxon's own rule); p
    is exact up to 13 pairs, and up to 50 pairs without ties, a normal approximation beyond. Fewer than 6
    differing pairs cannot give p <= 0.05, which ``note`` says; without any, p is None. The interval assumes
    about normal differences. Seeds vary only the randomness of the methods: neither number says anything
    about another graph or another split.

    >>> d = paired_difference([0.80, 0.81, 0.79, 0.80, 0.80, 0.82], [0.82, 0.82, 0.82, 0.84, 0.85, 0.88])
    >>> round(d.mean, 3), round(d.low, 4), round(d.high, 4), d.p
    (0.035, 0.0154, 0.0546, 0.03125)
    """
    before = _vector(first, "first", "paired_difference")
    after = _vector(second, "second", "paired_difference")
    if len(before) != len(after):
        must = f"have as many values as first ({len(before)})"
        raise invalid("second", "paired_difference", must, f"{len(after)}")
    differences = np.round(after - before, _DECIMALS)
    low, high = mean_interval(differences)
    p, note = _wilcoxon(differences)
    return PairedDifference(float(differences.mean()), low, high, p, len(differences), note)


def _wilcoxon(differences: np.ndarray) -> tuple[float | None, str | None]:
    """Return the p-value, or None, and a note about it."""
    if len(differences) == 1:
        return None, "one pair: no interval and no test"
    differing = differences[differences != 0]
    count = len(differing)
    if count == 0:
        return None, "every difference is 0: nothing to test"
    if count <= _MOST_ENUMERATED:
        p = _exact_p(differing)
    else:
        p = float(stats.wilcoxon(differing, zero_method="wilcox", method="auto").pvalue)
    if count < _FEWEST_FOR_5_PERCENT:
        return p, f"{count} differing pairs: p cannot be below {2.0 ** (1 - count):g}"
    return p, None


def _exact_p(differing: np.ndarray) -> float:
    """Return the two-sided p-value over all signs that the differences could have had.

    SciPy does the same where there are ties, one sign vector after the other, which takes a hundred times as
    long. Ranks are multiples of ½, so that sums of them are exact.
    """
    ranks = stats.rankdata(np.abs(differing))
    signs = np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks)) & 1
    sums, observed = signs @ ranks, ranks[differing > 0].sum()
    return float(min(1.0, 2 * min((sums >= observed).mean(), (sums <= observed).mean())))


def _vector(values: ArrayLike, parameter: str, owner: str) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise invalid(parameter, owner, "be a list of finite numbers, at least one", shown(values))
    return array
