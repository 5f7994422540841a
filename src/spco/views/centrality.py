"""How central the nodes are: by degree, PageRank and the leading eigenvector."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from .._registry import Registry
from ..linalg.normalize import absolute_degrees

_DAMPING = 0.85
_PAGERANK_STEPS = 200
_PAGERANK_CHANGE = 1e-12
# ARPACK wants fewer eigenvectors than rows; below this size the dense solver is as quick.
_DENSE_SIZE = 64


def pagerank(matrix: sp.csr_array) -> np.ndarray:
    """Return the stationary x = 0.85·Pᵀx + 0.15/N, P = D^-1|A|; isolated nodes jump anywhere.

    >>> pagerank(sp.csr_array([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [0.5, 0.5]
    """
    size = matrix.shape[0]
    degrees = absolute_degrees(matrix)
    isolated = degrees == 0
    share = 1.0 / np.where(isolated, 1.0, degrees)
    backwards = abs(matrix).T.tocsr()
    rank = np.full(size, 1.0 / size)
    for _ in range(_PAGERANK_STEPS):
        lost = float(rank[isolated].sum())
        new = _DAMPING * (backwards @ (rank * share) + lost / size) + (1.0 - _DAMPING) / size
        change = float(np.abs(new - rank).sum())
        rank = new
        if change < _PAGERANK_CHANGE:
            break
    return rank


def eigenvector(matrix: sp.csr_array) -> np.ndarray:
    """Return the eigenvector of (|A| + |A|ᵀ)/2 at its largest eigenvalue, non-negative, of length 1.

    Nodes outside the component with that eigenvalue have centrality 0.

    >>> eigenvector(sp.csr_array([[0.0, 1.0], [1.0, 0.0]])).round(6).tolist()
    [0.707107, 0.707107]
    """
    size = matrix.shape[0]
    if matrix.nnz == 0:
        return np.full(size, size**-0.5)
    symmetric = sp.csr_array((abs(matrix) + abs(matrix).T) / 2)
    if size <= _DENSE_SIZE:
        leading = np.linalg.eigh(symmetric.toarray())[1][:, -1]
    else:
        # A fixed start makes the result a function of the matrix alone.
        leading = eigsh(symmetric, k=1, which="LA", v0=np.ones(size), maxiter=100 * size)[1][:, 0]
    positive: np.ndarray = np.abs(leading)
    return positive


CENTRALITIES: Registry[Callable[[sp.csr_array], np.ndarray]] = Registry(
    "centrality", {"degree": absolute_degrees, "pagerank": pagerank, "eigenvector": eigenvector}
)
