"""Normalised Laplacians, polynomials of them, and hop scopes: all sparse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from . import kernels
from .pattern import Pattern


@dataclass(frozen=True, eq=False)
class SparseSymmetric:
    """A symmetric matrix: a pattern and the values on it."""

    pattern: Pattern
    values: np.ndarray

    @cached_property
    def largest(self) -> float:
        """The largest absolute value."""
        return float(max(self.values.max(initial=0.0), -self.values.min(initial=0.0)))

    def matrix(self) -> sp.csr_array:
        """Return it as a SciPy CSR matrix."""
        return self.pattern.matrix(self.values)


def aligned(pattern: Pattern, matrix: sp.csr_array) -> np.ndarray:
    """Return the matrix's values at the pattern's places, 0 where it has none."""
    other = Pattern.of(matrix)
    out = np.empty(pattern.nnz)
    kernels.align(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        other.indptr,
        other.indices,
        np.array(matrix.data),  # the graph's own array is read-only, which would compile a second variant
        out,
    )
    return out


def neighbourhood(adjacency: sp.csr_array, hops: int) -> Pattern:
    """Return the pattern of (A + I)^hops: every pair of nodes at most ``hops`` steps apart."""
    step = sp.csr_array(
        (np.ones(adjacency.nnz, dtype=np.float32), adjacency.indices, adjacency.indptr), shape=adjacency.shape
    )
    step = sp.csr_array(step + sp.eye_array(adjacency.shape[0], dtype=np.float32, format="csr"))
    reached = step
    for _ in range(hops - 1):
        reached = reached @ step
        reached.data.fill(1.0)
    reached.sort_indices()
    return Pattern.of(reached)


def normalized_laplacian(adjacency: sp.csr_array) -> SparseSymmetric:
    """Return L = I − D^-½ A D^-½ over the pattern of A + I.

    Rows of zero degree have no normalised part, so L is 1 on their diagonal.
    """
    pattern = neighbourhood(adjacency, 1)
    values = aligned(pattern, adjacency)
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    kernels.normalized_laplacian(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        values,
        kernels.inverse_sqrt(degrees),
        values,
    )
    return SparseSymmetric(pattern, values)


def renormalized(matrix: sp.csr_array, *, self_loops: float = 1.0) -> sp.csr_array:
    """Return D^-½(M + w·I)D^-½ with D = Σ|M + w·I| by rows: what a GCN layer propagates with.

    For an adjacency matrix and w = ``self_loops`` = 1 that is the usual Â; absolute values matter for views
    with negative entries only.

    >>> import scipy.sparse as sp
    >>> edge = sp.csr_array([[0.0, 1.0], [1.0, 0.0]])
    >>> renormalized(edge).toarray().round(6).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    >>> renormalized(edge, self_loops=3.0).toarray().round(6).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    indptr, indices, values, row_sums = kernels.with_diagonal(
        matrix.indptr, matrix.indices, np.asarray(matrix.data, dtype=np.float64), float(self_loops)
    )
    kernels.scale_rows_and_columns(indptr, indices, values, kernels.inverse_sqrt(row_sums))
    return sp.csr_array((values, indices, indptr), shape=matrix.shape)


def polynomial(base: SparseSymmetric, coefficients: Sequence[float]) -> SparseSymmetric:
    """Return Σ_p c_p·Bᵖ by Horner's rule; up to degree 1 the pattern stays the base's."""
    if len(coefficients) <= 2:
        constant, slope = (*coefficients, 0.0)[:2]
        if constant == 0.0 and slope == 1.0:
            return base
        matrix = base.pattern.matrix(slope * base.values)
        matrix.setdiag(matrix.diagonal() + constant)
        return SparseSymmetric(base.pattern, matrix.data)
    matrix = base.matrix()
    identity = sp.eye_array(base.pattern.size, format="csr")
    result = coefficients[-1] * identity
    for coefficient in reversed(coefficients[:-1]):
        result = sp.csr_array(result @ matrix + coefficient * identity)
    # Rounding differs between (i, j) and (j, i); the passes rely on exact symmetry.
    result = sp.csr_array(0.5 * (result + result.T))
    result.sort_indices()
    return SparseSymmetric(Pattern.of(result), result.data)
