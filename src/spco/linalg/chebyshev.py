"""Polynomials of a Laplacian applied to blocks of vectors, by Chebyshev's recurrence.

T_0 = 1,  T_1 = x,  T_{k+1} = 2x·T_k − T_{k−1},     x = L − I, whose eigenvalues lie in [−1, 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit, prange

from .laplacian import SparseSymmetric
from .pattern import Pattern, threads_for

#: Number of vectors that go through the recurrence together. The compiled loop over them has a fixed length,
#: so it becomes vector instructions, and the values of a neighbour share one cache line.
COLUMNS = 4
_TERMS_TOGETHER = 8
# A slab of this many entries of all terms stays in the cache while every band reads it.
_SLAB = 1 << 11


def jackson_factors(count: int) -> np.ndarray:
    """Return Jackson's damping g_0 ... g_{count−1}, which keeps a non-negative function non-negative.

    >>> jackson_factors(3).round(3).tolist()
    [1.0, 0.707, 0.25]
    """
    k = np.arange(count)
    angle = np.pi / (count + 1)
    return np.asarray(((count + 1 - k) * np.cos(angle * k) + np.sin(angle * k) / np.tan(angle)) / (count + 1))


def lanczos_factors(count: int) -> np.ndarray:
    """Return Lanczos' damping σ_k = sin(πk/count)/(πk/count): flanks half as wide as Jackson's.

    A damped indicator rings a little, within about 1% of its height.

    >>> lanczos_factors(2).round(3).tolist()
    [1.0, 0.637]
    """
    return np.sinc(np.arange(count) / count)


def band_coefficients(edges: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """Return the damped Chebyshev series of the indicator of each band of frequencies.

        h_b(λ) = Σ_k c_bk g_k T_k(λ − 1) ≈ 1 for edges[b] <= λ < edges[b+1] and ≈ 0 elsewhere

    Bands that tile [0, 2] have Σ_b h_b = 1.

    Parameters
    ----------
    edges : (B + 1,) ascending within [0, 2]
    damping : (count,)
        g_k, one per term.

    Returns
    -------
    (B, count)
        c_bk·g_k.
    """
    count = len(damping)
    angles = np.arccos(np.clip(edges - 1.0, -1.0, 1.0))
    k = np.arange(1, count)
    sines = np.sin(np.outer(angles, k))
    series = np.empty((len(edges) - 1, count))
    series[:, 0] = (angles[:-1] - angles[1:]) / np.pi
    series[:, 1:] = 2.0 / np.pi * (sines[:-1] - sines[1:]) / k
    return np.asarray(series * damping)


def chebyshev_terms(
    operator: SparseSymmetric, start: np.ndarray, count: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (k, [T_k·z, T_{k+1}·z, ...]), a few terms at a time, ``count`` terms in total.

    The next turn overwrites the yielded array.

    Parameters
    ----------
    operator : SparseSymmetric
        L − I, see :func:`spco.linalg.laplacian.shifted_laplacian`.
    start : (N, COLUMNS)
        The vectors z.
    """
    pattern = operator.pattern
    places = (pattern.blocks, pattern.indptr, pattern.indices, operator.values)
    buffer = np.zeros((min(count, _TERMS_TOGETHER) + 2, *start.shape))
    for first in range(0, count, _TERMS_TOGETHER):
        if first:
            buffer[:2] = buffer[-2:]
        end = min(count, first + _TERMS_TOGETHER)
        for degree in range(first, end):
            slot = degree - first + 2
            if degree == 0:
                buffer[slot] = start
            else:
                factor = 1.0 if degree == 1 else 2.0  # T_1 = x·T_0 − 0
                _next_term(*places, buffer[slot - 1], buffer[slot - 2], factor, buffer[slot])
        yield first, buffer[2 : end - first + 2]


@njit(inline="always")
def add_row_product(i, width, indptr, indices, values, factor, dense, sums):  # type: ignore[no-untyped-def]
    """Add row i of factor·M·dense to the ``width`` sums.

    It is inlined into its callers, so that the compiler sees a constant width as one.
    """
    for k in range(indptr[i], indptr[i + 1]):
        weight = factor * values[k]
        j = indices[k]
        for c in range(width):
            sums[c] += weight * dense[j, c]


@njit(inline="always")
def next_row(i, width, indptr, indices, values, factor, current, previous, sums, out):  # type: ignore[no-untyped-def]
    """Write row i of factor·x·current − previous: Chebyshev's recurrence; ``out`` may be ``previous``."""
    for c in range(width):
        sums[c] = -previous[i, c]
    add_row_product(i, width, indptr, indices, values, factor, current, sums)
    for c in range(width):
        out[i, c] = sums[c]


@njit(parallel=True, cache=True, nogil=True)
def _next_term(blocks, indptr, indices, values, current, previous, factor, out):  # type: ignore[no-untyped-def]
    """Write factor·(L − I)·current − previous."""
    for block in prange(len(blocks) - 1):
        sums = np.empty(COLUMNS)
        for i in range(blocks[block], blocks[block + 1]):
            next_row(i, COLUMNS, indptr, indices, values, factor, current, previous, sums, out)


@njit(parallel=True, cache=True, nogil=True)
def _add_terms(length, weights, terms, total):  # type: ignore[no-untyped-def]
    """Add Σ_k weights[b, k]·terms[k] to every total[b], a slab of entries at a time, two terms at once."""
    size = total.shape[1]
    for slab in prange((size + length - 1) // length):
        first, last = slab * length, min(size, (slab + 1) * length)
        for b in range(len(weights)):
            for k in range(0, len(terms) - 1, 2):
                one, two = weights[b, k], weights[b, k + 1]
                for i in range(first, last):
                    total[b, i] += one * terms[k, i] + two * terms[k + 1, i]
            if len(terms) % 2:
                one = weights[b, len(terms) - 1]
                for i in range(first, last):
                    total[b, i] += one * terms[len(terms) - 1, i]


def filtered(operator: SparseSymmetric, start: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return h_b(L)·z for every band b, (B, N, COLUMNS), from one recurrence."""
    bands, count = coefficients.shape
    total = np.zeros((bands, start.size))
    with threads_for(operator.pattern):
        for degree, terms in chebyshev_terms(operator, start, count):
            weights = np.ascontiguousarray(coefficients[:, degree : degree + len(terms)])
            _add_terms(_SLAB, weights, terms.reshape(len(terms), -1), total)
    return total.reshape(bands, *start.shape)


class BilinearForms:
    """⟨x_c, M·y_c⟩ column by column, for one matrix M and many blocks of columns (N, COLUMNS).

    A CSR matrix takes one compiled pass per block; any other matrix must support ``@``.
    """

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix
        self._pattern = Pattern.of(matrix) if getattr(matrix, "format", None) == "csr" else None

    def __call__(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the COLUMNS numbers."""
        if self._pattern is None:
            return np.asarray(np.einsum("nc,nc->c", left, self._matrix @ right))
        pattern = self._pattern
        sums = np.empty((len(pattern.blocks) - 1, COLUMNS))
        with threads_for(pattern):
            _bilinear(pattern.blocks, pattern.indptr, pattern.indices, self._matrix.data, left, right, sums)
        return np.asarray(sums.sum(axis=0))


@njit(parallel=True, cache=True, nogil=True)
def _bilinear(blocks, indptr, indices, values, left, right, out):  # type: ignore[no-untyped-def]
    """Write ⟨left_c, M·right_c⟩ over each block of rows."""
    for block in prange(len(blocks) - 1):
        sums, totals = np.empty(COLUMNS), np.zeros(COLUMNS)
        for i in range(blocks[block], blocks[block + 1]):
            for c in range(COLUMNS):
                sums[c] = 0.0
            add_row_product(i, COLUMNS, indptr, indices, values, 1.0, right, sums)
            for c in range(COLUMNS):
                totals[c] += left[i, c] * sums[c]
        out[block] = totals


def chebyshev_moments(operator: SparseSymmetric, start: np.ndarray, count: int) -> np.ndarray:
    """Return ⟨z, T_k(L − I)·z⟩ for k < count and every column z, (count, COLUMNS).

    Every term gives two moments, by T_{j+k} + T_{j−k} = 2·T_j·T_k.
    """
    moments = np.empty((count + 1, start.shape[1]))
    last = start
    with threads_for(operator.pattern):
        for degree, terms in chebyshev_terms(operator, start, count // 2 + 1):
            for k, term in enumerate(terms, start=degree):
                square = np.einsum("nc,nc->c", term, term)
                moments[2 * k] = square if k == 0 else 2.0 * square - moments[0]
                if k > 0:
                    product = np.einsum("nc,nc->c", term, last)
                    moments[2 * k - 1] = product if k == 1 else 2.0 * product - moments[1]
                last = term
            last = last.copy()
    return moments[:count]
