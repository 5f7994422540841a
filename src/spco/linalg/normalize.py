"""The one D^-½ M D^-½, with Â of an adjacency matrix and GCN's Â with self loops; unit rows; a norm bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

from . import kernels


def inverse_sqrt(values: np.ndarray) -> np.ndarray:
    """Return x^-½, and 0 where x is 0."""
    result: np.ndarray = np.sqrt(values, dtype=np.float64)
    np.divide(1.0, result, out=result, where=values > 0)
    return result


def absolute_degrees(matrix: sp.csr_array) -> np.ndarray:
    """Return Σ_j |A_ij|, float64."""
    degrees: np.ndarray = np.asarray(abs(matrix).sum(axis=1), dtype=np.float64).ravel()
    return degrees


def normalized_by(matrix: Any, degrees: np.ndarray) -> Any:
    """Return D^-½ M D^-½ for given degrees D, as a CSR matrix, array or operator, like M.

    Rows and columns of degree 0 become 0.

    >>> normalized_by(np.array([[0.0, 4.0], [4.0, 0.0]]), np.array([4.0, 1.0])).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    root = inverse_sqrt(degrees)
    sparse: bool = sp.issparse(matrix)
    if sparse:
        values = np.array(matrix.data, dtype=np.float64)
        kernels.normalize(matrix.indptr, matrix.indices, values, root)
        return sp.csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)
    if isinstance(matrix, LinearOperator):
        return LinearOperator(
            matrix.shape,
            matvec=lambda x: root * (matrix @ (root * np.ravel(x))),
            matmat=lambda x: root[:, None] * (matrix @ (root[:, None] * x)),
            dtype=np.float64,
        )
    return matrix * (root[:, None] * root[None, :])


def normalized_adjacency(matrix: sp.csr_array) -> sp.csr_array:
    """Return Â = D^-½ A D^-½ with D = Σ|A|, so that a symmetric Â has all eigenvalues in [−1, 1].

    >>> normalized_adjacency(sp.csr_array([[0.0, 4.0], [4.0, 0.0]])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    found: sp.csr_array = normalized_by(matrix, absolute_degrees(matrix))
    return found


def with_self_loops(matrix: sp.csr_array) -> sp.csr_array:
    """Return A + I."""
    return sp.csr_array(matrix + sp.eye_array(matrix.shape[0], format="csr", dtype=np.float64))


def renormalized(
    matrix: sp.csr_array, *, self_loops: float = 1.0, beyond: np.ndarray | float = 0.0
) -> sp.csr_array:
    """Return D^-½(M + w·I)D^-½ with D = Σ|M + w·I| by rows, the operator that a GCN layer propagates with.

    For an adjacency matrix and w = ``self_loops`` = 1 this is the usual Â; the absolute values only matter
    for views with negative entries. ``beyond`` is what edges that are not in M add to D.

    >>> edge = sp.csr_array([[0.0, 1.0], [1.0, 0.0]])
    >>> renormalized(edge).toarray().round(6).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    >>> renormalized(edge, self_loops=3.0).toarray().round(6).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    indptr, indices, values, row_sums = kernels.with_diagonal(
        matrix.indptr, matrix.indices, np.asarray(matrix.data, dtype=np.float64), float(self_loops)
    )
    kernels.normalize(indptr, indices, values, inverse_sqrt(row_sums + beyond))
    return sp.csr_array((values, indices, indptr), shape=matrix.shape)


def unit_rows(matrix: Any) -> Any:
    """Return the rows in float64, each scaled to length 1; rows of zeros stay zeros."""
    # Dividing by the largest entry first keeps squares of huge and tiny entries within float64.
    if not sp.issparse(matrix):
        rows = matrix.astype(np.float64)
        rows /= _divisor(np.abs(rows).max(axis=1))[:, None]
        rows /= _divisor(np.sqrt((rows**2).sum(axis=1)))[:, None]
        return rows
    sparse: Any = matrix
    count = sparse.shape[0]
    row_of, values = np.repeat(np.arange(count), np.diff(sparse.indptr)), sparse.data.astype(np.float64)
    largest = np.zeros(count)
    np.maximum.at(largest, row_of, np.abs(values))
    values /= _divisor(largest)[row_of]
    values /= _divisor(np.sqrt(np.bincount(row_of, values**2, minlength=count)))[row_of]
    return sp.csr_array((values, sparse.indices, sparse.indptr), shape=sparse.shape)


def _divisor(lengths: np.ndarray) -> np.ndarray:
    return np.where(lengths > 0, lengths, 1.0)


def norm_bound(matrix: sp.csr_array, start: np.ndarray, *, iterations: int = 20) -> float:
    """Return an upper bound of the spectral norm of a symmetric matrix, by Collatz and Wielandt.

        ‖M‖₂ <= ρ(|M|) <= max_i (|M|·x)_i / x_i        for every x > 0

    Power iterations x ← x + |M|·x lower the bound towards ρ(|M|) and never raise it.

    Parameters
    ----------
    matrix : (N, N) CSR
    start : (N,) > 0
        √degrees make the bound of D^-½·A·D^-½ exactly 1.

    Examples
    --------
    >>> round(norm_bound(sp.csr_array([[0.0, 2.0], [2.0, 1.0]]), np.ones(2)), 3)          # (1 + √17)/2
    2.562
    """
    absolute = abs(matrix)
    vector, bound = np.asarray(start, dtype=np.float64), np.inf
    for _ in range(iterations):
        product = absolute @ vector
        bound = min(bound, float((product / vector).max(initial=0.0)))
        vector = vector + product
        vector /= vector.max(initial=1.0)
    return bound
