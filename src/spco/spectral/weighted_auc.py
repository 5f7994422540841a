"""The comparison of high frequencies with low ones: the area under a ROC curve, with weights and a border."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._validation import invalid
from ..errors import InvalidGraphError, InvalidInputError

# Differences closer than this are the same number, rounded differently.
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Sides:
    """How much each frequency (or bin) counts as low and as high.

    A frequency on the border counts half on either side; ``border`` is its weight.
    """

    low: np.ndarray
    high: np.ndarray
    border: np.ndarray

    @classmethod
    def of(cls, below: np.ndarray, above: np.ndarray, weights: np.ndarray) -> Sides:
        border = weights * (~below & ~above)
        return cls(below * weights + border / 2, above * weights + border / 2, border)

    def means(self, difference: np.ndarray) -> tuple[float, float]:
        """Return the mean difference over the low side and over the high side."""
        low, high = (float(side @ difference / side.sum()) for side in (self.low, self.high))
        return low, high


def nothing_to_compare() -> InvalidInputError:
    """Build the error for a graph without low or without high frequencies."""
    return invalid(
        "graph",
        "game_score",
        "have frequencies on both sides of 1, or on one side and at 1",
        "none to compare",
        hint="a graph without an edge between two nodes has no high and no low frequencies",
        error=InvalidGraphError,
    )


def pair_score(difference: np.ndarray, sides: Sides) -> tuple[float, bool]:
    """Return the share of pairs (high, low) whose high end differs more, and whether all pairs do."""
    rank = _ranks(difference)
    # Two frequencies on the border are not compared with each other.
    pairs = sides.high.sum() * sides.low.sum() - (sides.border.sum() / 2) ** 2
    if not pairs > 0:
        raise nothing_to_compare()
    won = _won(rank, sides.high, sides.low) - _won(rank, sides.border / 2, sides.border / 2)
    return float(won / pairs), _is_strict(rank, sides)


def _ranks(difference: np.ndarray) -> np.ndarray:
    """Return ranks 0, 1, 2, ... by size; neighbours at most 1e-12 apart share a rank."""
    order = np.argsort(difference, kind="stable")
    steps = np.diff(difference[order], prepend=difference[order[0]]) > _TIE
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.cumsum(steps)
    return rank


def _won(rank: np.ndarray, high: np.ndarray, low: np.ndarray) -> float:
    """Return Σ high_m·low_n over the pairs with rank_m > rank_n, and half of it over equal ranks."""
    high_at, low_at = np.bincount(rank, high), np.bincount(rank, low)
    return float(high_at @ (np.cumsum(low_at) - low_at / 2))


def _is_strict(rank: np.ndarray, sides: Sides) -> bool:
    low, high, inside = sides.low > 0, sides.high > 0, sides.border == 0

    def all_above(upper: np.ndarray, lower: np.ndarray) -> bool:
        return bool(rank[upper].min(initial=len(rank)) > rank[lower].max(initial=-1))

    return all_above(high & inside, low) and all_above(high, low & inside)
