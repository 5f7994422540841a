"""The view of inverse distances."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from . import kernels
from .base import EdgeView, square_csr
from .dropping import without_zeros
from .parameters import whole

# Default cut-off beyond exact_limit nodes.
_LARGE_MAX_HOPS = 2


@dataclass(frozen=True)
class Distance(EdgeView):
    """Weight every pair of nodes by the inverse of its distance in steps, regardless of the edge weights.

        V_ij = 1/d(i, j) for i ≠ j, d(i, j) <= max_hops;   0 otherwise

    Pairs without a path have weight 0. ``max_hops=None`` counts all distances in graphs of up to
    ``exact_limit`` nodes, and distances of 1 and 2 in larger ones.

    Source: the distance view of MVGRL (Hassani and Khasahmadi, 2020), inverted so that near is strong.

    Examples
    --------
    >>> import numpy as np, spco
    >>> path = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> Distance()(path, rng=np.random.default_rng(0)).matrix.toarray().tolist()
    [[0.0, 1.0, 0.5], [1.0, 0.0, 1.0], [0.5, 1.0, 0.0]]
    """

    name = "distance"
    is_random = False
    max_hops: int | None = whole(None, minimum=1)
    exact_limit: int = whole(5000, minimum=0)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Return the inverse distances."""
        max_hops = self.max_hops
        if max_hops is None and matrix.shape[0] > self.exact_limit:
            max_hops = _LARGE_MAX_HOPS
        hops = hop_distances(matrix, max_hops=max_hops)
        hops.data = 1.0 / hops.data
        return hops


def hop_distances(matrix: sp.csr_array, *, max_hops: int | None = None) -> sp.csr_array:
    """Return the number of steps from i to j for all i ≠ j at most ``max_hops`` apart, as a CSR matrix.

    >>> hop_distances(sp.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])).toarray().tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    """
    matrix = without_zeros(square_csr(matrix, "hop_distances"))
    pattern, size = Pattern.of(matrix), matrix.shape[0]
    limit = size if max_hops is None else min(max_hops, size)
    workers = numba.get_num_threads()
    indptr = np.zeros(size + 1, dtype=np.int64)
    nothing = (np.empty(0, np.uint32), np.empty(0))
    kernels.breadth_first(pattern.indptr, pattern.indices, limit, workers, False, indptr, *nothing)
    np.cumsum(indptr, out=indptr)
    indices, hops = np.empty(indptr[-1], np.uint32), np.empty(indptr[-1])
    kernels.breadth_first(pattern.indptr, pattern.indices, limit, workers, True, indptr, indices, hops)
    width = np.uint32 if len(indices) <= np.iinfo(np.int32).max else np.uint64
    return Pattern(indptr.astype(width), indices).matrix(hops)
