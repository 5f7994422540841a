"""Ranks of entries over graphs: the Friedman test, and Nemenyi's critical difference (Demšar, 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from .._validation import check_integer, check_real, invalid

_ALPHA = 0.05
# Means of equal scores may differ by rounding, which must not break ties.
_DECIMALS = 12


@dataclass(frozen=True)
class RankTest:
    """Whether entries differ at all, and by how much mean ranks must differ to tell two of them apart.

    Attributes
    ----------
    num_entries, num_graphs : int
        k and N.
    statistic, p : float
        Friedman's χ² with k − 1 degrees of freedom, corrected for ties.
    critical_difference : float
        Nemenyi's, at the level 0.05.
    """

    num_entries: int
    num_graphs: int
    statistic: float
    p: float
    critical_difference: float


def score_ranks(scores: ArrayLike) -> np.ndarray:
    """Return ranks within each row, 1 for the highest score; equal scores share the mean of their ranks.

    Parameters
    ----------
    scores : (graphs, entries)

    >>> score_ranks([[0.8, 0.9, 0.8]]).tolist()
    [[2.5, 1.0, 2.5]]
    """
    table = _table(scores, "score_ranks")
    return np.asarray(stats.rankdata(-np.round(table, _DECIMALS), axis=1))


def critical_difference(num_entries: int, num_graphs: int, *, alpha: float = _ALPHA) -> float:
    """Return Nemenyi's critical difference of mean ranks.

        CD = q_α·√(k(k + 1)/(6N))

    where q_α is the quantile of the Studentized range of k means, divided by √2.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    k = check_integer(num_entries, "num_entries", "critical_difference", minimum=2)
    n = check_integer(num_graphs, "num_graphs", "critical_difference", minimum=1)
    check_real(alpha, "alpha", "critical_difference", above=0, below=1)
    q = float(stats.studentized_range.ppf(1 - alpha, k, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))


def rank_test(scores: ArrayLike) -> RankTest | None:
    """Test whether entries differ over graphs; None with fewer than 3 entries or 2 graphs.

    Parameters
    ----------
    scores : (graphs, entries)

    >>> rank_test([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.5]]).statistic
    6.0
    """
    table = np.round(_table(scores, "rank_test"), _DECIMALS)
    graphs, entries = table.shape
    if entries < 3 or graphs < 2 or (table == table[:, :1]).all():
        return None  # nothing to tell apart
    found = stats.friedmanchisquare(*table.T)
    difference = critical_difference(entries, graphs)
    return RankTest(entries, graphs, float(found.statistic), float(found.pvalue), difference)


def not_told_apart(mean_ranks: Sequence[float], difference: float) -> list[tuple[int, ...]]:
    """Return the largest groups of entries whose mean ranks differ by less than the critical difference.

    >>> not_told_apart([1.0, 2.0, 4.0], 2.5)
    [(0, 1), (1, 2)]
    """
    order = sorted(range(len(mean_ranks)), key=lambda place: mean_ranks[place])
    groups: list[tuple[int, ...]] = []
    for start, first in enumerate(order):
        near = [place for place in order[start:] if mean_ranks[place] - mean_ranks[first] < difference]
        if len(near) > 1 and not any(set(near) <= set(group) for group in groups):
            groups.append(tuple(near))
    return groups


def _table(scores: ArrayLike, owner: str) -> np.ndarray:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        must = "be finite numbers, a row for each graph and a column for each entry"
        raise invalid("scores", owner, must, f"shape {table.shape}")
    return table
