"""How far rounding alone can move a plan: what is smaller than that is noise, not signal."""

from __future__ import annotations

import numpy as np

from ..linalg import Pattern
from .plan import SinkhornResult

_UNIT = float(np.finfo(np.float64).eps)
# Square roots, quotients and products that one entry of L and one of the plan are made of.
_STEPS_PER_ENTRY = 16


def rounding_error(pattern: Pattern, iterations: int) -> float:
    """Return a bound on the rounding error of Σ C·Δ, relative to Σ |C|·Δ, for exponents of moderate size.

        (longest row·(2·iterations + 3) + rows of a block + blocks + 16)·2^-52

    Degrees, each half-step and the last sum add up a row; the last sum also adds up the rows of a block and
    the blocks. The sum of all scalings is off by the same factor in every row, which changes no ratio.

    >>> triangle = Pattern(np.array([0, 2, 4, 6], np.uint32), np.array([1, 2, 0, 2, 0, 1], np.uint32))
    >>> rounding_error(triangle, iterations=3) == (2 * 9 + 3 + 1 + 16) * 2**-52
    True
    """
    longest = int(np.diff(pattern.indptr.astype(np.int64)).max(initial=0))
    blocks = len(pattern.blocks) - 1
    rows = int(np.diff(pattern.blocks).max(initial=0))
    return (longest * (2 * iterations + 3) + rows + blocks + _STEPS_PER_ENTRY) * _UNIT


def significant_overlap(plan: SinkhornResult, error: float) -> float:
    """Return ⟨C, Δ⟩, or exactly 0 where rounding alone may have made it.

    ``error`` is that of :func:`rounding_error`; an exponential adds the rounding of its exponent. All of a
    plan's entries sum to one at most, so that max|C| bounds Σ |C|·Δ, and that sum itself is only computed
    where this bound leaves the question open.
    """
    cost = plan.kernel.cost
    relative = error + _UNIT * plan.kernel.largest_exponent
    if abs(plan.overlap) > relative * cost.largest:
        return plan.overlap
    return significant_sum(plan.overlap, float(np.abs(cost.values) @ plan.entries), relative)


def significant_sum(value: float, magnitude: float, error: float) -> float:
    """Return a sum, or exactly 0 if it is at most ``error`` times the sum of its absolute terms.

    >>> significant_sum(1e-17, 1.0, error=1e-15), significant_sum(1e-3, 1.0, error=1e-15)
    (0.0, 0.001)
    """
    return value if abs(value) > error * magnitude else 0.0


def significant_rows(row_sums: np.ndarray, marginal: np.ndarray) -> np.ndarray:
    """Return the row sums of |Δ+ − Δ−|, or exactly 0 where the rows of both plans agree in all digits.

    The larger entries of such a row cancel to 0. What is left are entries too small for the sum of either
    plan, and N would scale these up.

    >>> significant_rows(np.array([1e-300, 1e-9]), np.array([0.5, 0.5])).tolist()
    [0.0, 1e-09]
    """
    return np.where(row_sums > _UNIT * marginal, row_sums, 0.0)
