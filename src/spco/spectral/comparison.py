"""Comparing high frequencies with low ones: the area under a ROC curve, with weights and a border."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._validation import invalid
from ..errors import InvalidGraphError, InvalidInputError

# Differences closer than this are the same number, rounded differently.
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Sides:
    """How much each frequency (or band) counts as low, as high, and as neither but the border."""

    low: np.ndarray
    high: np.ndarray
    border: np.ndarray

    @classmethod
    def of(cls, below: np.ndarray, above: np.ndarray, weights: np.ndarray, border: str) -> Sides:
        at_one = ~below & ~above
        low = below | (at_one if border == "low" else False)
        high = above | (at_one if border == "high" else False)
        rest = at_one & (border == "shared")
        return cls(low * weights, high * weights, rest * weights)


def side_means(difference: np.ndarray, sides: Sides) -> tuple[float, float]:
    """Return the mean difference over the low and over the high side, the border being half of each."""
    low, high = sides.low + sides.border / 2, sides.high + sides.border / 2
    return float(low @ difference / low.sum()), float(high @ difference / high.sum())


def nothing_to_compare() -> InvalidInputError:
    """Build the error for a graph that has no two kinds of frequencies."""
    return invalid(
        "graph",
        "game_score",
        "have frequencies on both sides of 1, or on one side and at 1",
        "none to compare",
        hint="a graph without an edge between two nodes has no high and no low frequencies",
        error=InvalidGraphError,
    )


def pair_score(difference: np.ndarray, sides: Sides) -> tuple[float, bool]:
    """Return the share of pairs (high, low) with the larger difference at the high end, and if it is all."""
    rank = _ranks(difference)
    low, high = sides.low + sides.border / 2, sides.high + sides.border / 2
    pairs = high.sum() * low.sum() - (sides.border.sum() / 2) ** 2
    if not pairs > 0:
        raise nothing_to_compare()
    won = _won(rank, high, low) - _won(rank, sides.border / 2, sides.border / 2)
    return float(won / pairs), _is_strict(rank, sides)


def _ranks(difference: np.ndarray) -> np.ndarray:
    """Return 0, 1, 2, ... by size; values in a chain with steps of at most 1e-12 share one."""
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
    low, high, border = (rank[weights > 0] for weights in (sides.low, sides.high, sides.border))
    largest_low, largest_border = (part.max(initial=-1) for part in (low, border))
    top = len(rank)
    smallest_high, smallest_border = (part.min(initial=top) for part in (high, border))
    return bool(min(smallest_high, smallest_border) > largest_low and smallest_high > largest_border)
