"""Functions of Â by Chebyshev polynomials, in groups of columns."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numba import njit, prange
from scipy.special import ive

from ..linalg import Pattern
from ..linalg.chebyshev import next_row
from .top_k import offer

# One thread works on a group of columns from the first step to the last. 32 columns make a sparse product
# efficient; on large graphs, fewer bound the memory.
_MOST_COLUMNS = 32
_NUMBERS_PER_GROUP = 1 << 21


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


def ppr_coefficients(alpha: float, tolerance: float) -> np.ndarray:
    """Return c_k with α/(1 − (1 − α)x) = Σ c_k·T_k(x) on [−1, 1], cut off where the rest is < tolerance.

        c_0 = α/√(1 − (1 − α)²),   c_k = 2·c_0·ρ^k,   ρ = (1 − α)/(1 + √(1 − (1 − α)²))

    >>> float(ppr_coefficients(0.2, 1e-12).sum().round(9))          # at x = 1, where every T_k is 1
    1.0
    """
    root = np.sqrt(alpha * (2.0 - alpha))
    ratio = (1.0 - alpha) / (1.0 + root)
    constant = alpha / root
    if ratio == 0.0:
        return np.array([constant])
    # The rest after degree K is 2·c_0·ρ^(K+1)/(1 − ρ).
    degree = int(np.ceil(np.log(tolerance * (1.0 - ratio) / (2.0 * constant)) / np.log(ratio)))
    coefficients: np.ndarray = 2.0 * constant * ratio ** np.arange(max(1, degree + 1))
    coefficients[0] /= 2.0
    return coefficients


def function_matrix(adjacency: sp.csr_array, coefficients: np.ndarray) -> np.ndarray:
    """Return Σ c_k·T_k(Â) as an (N, N) array, exactly symmetric.

    >>> function_matrix(sp.csr_array([[0.0, 1.0], [1.0, 0.0]]), np.array([3.0, 2.0])).tolist()
    [[3.0, 2.0], [2.0, 3.0]]
    """
    out = np.empty(adjacency.shape)
    _all_entries(*_arguments(adjacency, coefficients), out)
    symmetric: np.ndarray = (out + out.T) / 2
    return symmetric


def largest_entries(
    adjacency: sp.csr_array, coefficients: np.ndarray, *, top_k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows and values of the ``top_k`` entries of largest modulus per column, and their number."""
    size = adjacency.shape[0]
    keys, values = np.empty((size, top_k), np.uint32), np.empty((size, top_k))
    counts = np.empty(size, np.int64)
    _largest_entries(*_arguments(adjacency, coefficients), keys, values, counts)
    return keys, values, counts


def _arguments(adjacency: sp.csr_array, coefficients: np.ndarray) -> tuple[object, ...]:
    pattern, values = Pattern.of(adjacency), np.array(adjacency.data, dtype=np.float64)
    width = max(1, min(_MOST_COLUMNS, _NUMBERS_PER_GROUP // pattern.size))
    # Copies, because a graph's own read-only arrays would compile a second variant.
    return pattern.indptr.copy(), pattern.indices.copy(), values, coefficients, width


@njit(parallel=True, cache=True, nogil=True)
def _all_entries(indptr, indices, values, coefficients, width, out):  # type: ignore[no-untyped-def]
    """Write every entry of Σ c_k·T_k(Â)."""
    size = len(indptr) - 1
    for group in prange((size + width - 1) // width):
        first = group * width
        columns = _filtered(indptr, indices, values, coefficients, first, min(first + width, size))
        out[:, first : first + columns.shape[1]] = columns


@njit(parallel=True, cache=True, nogil=True)
def _largest_entries(indptr, indices, values, coefficients, width, keys, out, counts):  # type: ignore[no-untyped-def]
    """Write the entries of largest modulus in each column of Σ c_k·T_k(Â), with their signs."""
    size = len(indptr) - 1
    for group in prange((size + width - 1) // width):
        first = group * width
        columns = _filtered(indptr, indices, values, coefficients, first, min(first + width, size))
        for at in range(columns.shape[1]):
            found = 0
            for i in range(size):
                if columns[i, at] != 0.0:
                    found = offer(keys[first + at], out[first + at], found, i, abs(columns[i, at]))
            for place in range(found):
                out[first + at, place] = columns[keys[first + at, place], at]
            counts[first + at] = found


@njit(cache=True, nogil=True)
def _filtered(indptr, indices, values, coefficients, first, last):  # type: ignore[no-untyped-def]
    """Return the columns first..last−1 of Σ c_k·T_k(Â), by T_k+1 = 2Â·T_k − T_k−1."""
    size, width = len(indptr) - 1, last - first
    current, following, total = np.zeros((size, width)), np.zeros((size, width)), np.zeros((size, width))
    sums = np.empty(width)
    for column in range(width):
        current[first + column, column] = 1.0
        total[first + column, column] = coefficients[0]
    # T_1 = Â·T_0: the first step has half the factor and no term before it.
    factor = 1.0
    for coefficient in coefficients[1:]:
        for i in range(size):
            next_row(i, width, indptr, indices, values, factor, current, following, sums, following)
            for column in range(width):
                total[i, column] += coefficient * sums[column]
        current, following, factor = following, current, 2.0
    return total
