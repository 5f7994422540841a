"""exp(−tL) by Chebyshev polynomials of Â, in blocks of columns."""
# mypy: allow-untyped-decorators

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from numba import njit, prange
from scipy.special import ive

from ..linalg import Pattern

_MOST_COLUMNS = 64
_NUMBERS_PER_BLOCK = 1 << 22


def heat_coefficients(t: float, tolerance: float) -> np.ndarray:
    """Return c_k with exp(−t(1 − x)) = Σ c_k·T_k(x) on [−1, 1], cut off where the rest is < tolerance.

        c_0 = e^-t·I_0(t),   c_k = 2·e^-t·I_k(t),   I_k: modified Bessel functions

    >>> float(heat_coefficients(5.0, 1e-12).sum().round(9))          # at x = 1, where every T_k is 1
    1.0
    """
    # I_k(t) falls faster than geometrically once k is beyond both t and √t·(digits).
    degree = int(np.ceil(t + 12.0 * np.sqrt(t) + 40.0))
    coefficients = 2.0 * ive(np.arange(degree + 1), t)
    coefficients[0] /= 2.0
    rest = np.cumsum(coefficients[::-1])[::-1]
    enough: np.ndarray = coefficients[: max(1, int(np.count_nonzero(rest >= tolerance)))]
    return enough


def heat_columns(adjacency: sp.csr_array, t: float, tolerance: float) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the columns of exp(−t(I − Â)), some at a time: which they are, and an (N, B) array of them."""
    size = adjacency.shape[0]
    pattern = Pattern.of(adjacency)
    values = np.array(adjacency.data, dtype=np.float64)
    coefficients = heat_coefficients(t, tolerance)
    width = max(1, min(_MOST_COLUMNS, size, _NUMBERS_PER_BLOCK // size))
    for start in range(0, size, width):
        block = slice(start, min(start + width, size))
        yield block, _filtered(pattern, values, coefficients, block)


def _filtered(pattern: Pattern, values: np.ndarray, coefficients: np.ndarray, block: slice) -> np.ndarray:
    """Return Σ c_k·T_k(Â)·E for the columns E of the identity, by T_k+1 = 2Â·T_k − T_k−1."""
    numbers = np.arange(block.start, block.stop)
    current = np.zeros((pattern.size, len(numbers)))
    current[numbers, numbers - block.start] = 1.0
    total: np.ndarray = coefficients[0] * current
    # T_-1 = T_1, so the step from T_0 with half the factor and nothing before it gives T_1.
    following, factor = np.zeros_like(current), 1.0
    for coefficient in coefficients[1:]:
        chebyshev_step(
            pattern.blocks,
            pattern.indptr,
            pattern.indices,
            values,
            factor,
            current,
            following,
            coefficient,
            total,
        )
        current, following, factor = following, current, 2.0
    return total


@njit(parallel=True, cache=True, nogil=True)
def chebyshev_step(blocks, indptr, indices, values, factor, current, following, coefficient, total):  # type: ignore[no-untyped-def]
    """Replace T_k−1 in ``following`` by factor·Â·T_k − T_k−1 and add coefficient times it to ``total``."""
    width = current.shape[1]
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for column in range(width):
                following[i, column] = -following[i, column]
            for k in range(indptr[i], indptr[i + 1]):
                weight = factor * values[k]
                j = indices[k]
                for column in range(width):
                    following[i, column] += weight * current[j, column]
            for column in range(width):
                total[i, column] += coefficient * following[i, column]
