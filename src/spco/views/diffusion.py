"""Diffusion views: functions of the normalised adjacency, exact for small graphs, sparse for large ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import lapack

from .base import Augmented, View, square_csr
from .chebyshev import heat_columns
from .largest import above_threshold, dense_to_csr, largest_in_columns, mean_of_both_directions, rows_to_csr
from .normalize import absolute_degrees, normalized_adjacency, with_self_loops
from .parameters import flag, optional_whole, real, whole
from .push import pushed_rows

# Entries kept per row beyond exact_limit nodes, when the caller names no number.
_LARGE_TOP_K = 32
_EXACT_TOLERANCE = 1e-15


@dataclass(frozen=True)
class PPR(View):
    """Personalised PageRank diffusion.

        V = α·(I − (1 − α)·Â)^-1,   Â = D^-½ A D^-½,   φ_V(λ) = α/(1 − (1 − α)(1 − λ))

    Up to ``exact_limit`` nodes by a dense inverse. Above it by pushes (see
    :func:`spco.views.personalized_pagerank`) from every node, brought from P = D^-1 A to the symmetric form
    by D^½·Π·D^-½; an entry is the mean of its two directions where both were kept. Isolated nodes have
    V_ii = α.

    Parameters
    ----------
    alpha : 0 < float <= 1
        Probability of going home.
    top_k : int or None
        Entries kept per row, and with them their mirror images; None keeps all up to ``exact_limit`` nodes,
        and 32 above it.
    threshold : float
        Entries smaller than this are dropped.
    self_loops : bool
        Diffuse on A + I, as MVGRL does. The response above is in the frequencies of A without them.
    tolerance : float
        Of the pushes.

    Source: MVGRL (Hassani and Khasahmadi, 2020); GDC (Gasteiger et al., 2019).

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph, rng = spco.load_dataset("wine"), np.random.default_rng(0)
    >>> exact = PPR(0.2)(graph, rng=rng).matrix
    >>> pushed = PPR(0.2, exact_limit=0, tolerance=1e-7, top_k=178)(graph, rng=rng).matrix
    >>> bool(abs(exact - pushed).max() < 1e-4)
    True
    """

    name = "ppr"
    is_random = False
    normalized = True
    alpha: float = real(0.2, above=0, maximum=1)
    top_k: int | None = optional_whole(None, minimum=1)
    threshold: float = real(0.0, minimum=0)
    self_loops: bool = flag(False)
    tolerance: float = real(1e-4, above=0)
    exact_limit: int = whole(5000, minimum=0)

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:  # noqa: ARG002
        """Return the view of a square CSR matrix of edge weights."""
        matrix = square_csr(matrix, "PPR")
        if self.self_loops:
            matrix = with_self_loops(matrix)
        if matrix.shape[0] <= self.exact_limit:
            dense = _exact_ppr(normalized_adjacency(matrix), self.alpha)
            view = dense_to_csr(dense, top_k=self.top_k, threshold=self.threshold)
        else:
            view = above_threshold(self._pushed(matrix), self.threshold)
        return Augmented(view, normalized=True)

    def _pushed(self, matrix: sp.csr_array) -> sp.csr_array:
        degrees = absolute_degrees(matrix)
        root = np.sqrt(np.where(degrees > 0, degrees, 1.0))
        top_k = self.top_k or _LARGE_TOP_K
        nodes = np.arange(len(root))
        rows = pushed_rows(matrix, self.alpha, self.tolerance, top_k, nodes, 1.0 / root, "PPR")
        rows.data *= np.repeat(root, np.diff(rows.indptr))
        return mean_of_both_directions(rows)


@dataclass(frozen=True)
class Heat(View):
    """Heat diffusion.

        V = exp(−t·L) = e^-t·exp(t·Â),   φ_V(λ) = exp(−t·λ)

    By Chebyshev polynomials of Â in blocks of columns: to rounding, all entries, up to ``exact_limit``
    nodes; above it to ``tolerance``, and the ``top_k`` (None: 32) largest entries of each row and their
    mirror images. Isolated nodes have L_ii = 1, so V_ii = e^-t. ``self_loops`` diffuses on A + I; entries
    smaller than ``threshold`` are dropped.

    Source: heat diffusion of MVGRL (Hassani and Khasahmadi, 2020) and GDC (Gasteiger et al., 2019).

    Examples
    --------
    >>> import numpy as np, spco
    >>> from scipy.linalg import expm
    >>> graph = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> laplacian = np.eye(3) - graph.adjacency.toarray() / np.sqrt(np.outer(graph.degrees, graph.degrees))
    >>> drawn = Heat(5.0)(graph, rng=np.random.default_rng(0))
    >>> bool(np.abs(drawn.matrix.toarray() - expm(-5.0 * laplacian)).max() < 1e-14)
    True
    """

    name = "heat"
    is_random = False
    normalized = True
    t: float = real(5.0, minimum=0)
    top_k: int | None = optional_whole(None, minimum=1)
    threshold: float = real(0.0, minimum=0)
    self_loops: bool = flag(False)
    tolerance: float = real(1e-10, above=0)
    exact_limit: int = whole(5000, minimum=0)

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:  # noqa: ARG002
        """Return the view of a square CSR matrix of edge weights, taken as symmetric."""
        matrix = square_csr(matrix, "Heat")
        if self.self_loops:
            matrix = with_self_loops(matrix)
        adjacency = normalized_adjacency(matrix)
        if matrix.shape[0] <= self.exact_limit:
            view = dense_to_csr(_exact_heat(adjacency, self.t), top_k=self.top_k, threshold=self.threshold)
        else:
            view = above_threshold(self._largest(adjacency), self.threshold)
        return Augmented(view, normalized=True)

    def _largest(self, adjacency: sp.csr_array) -> sp.csr_array:
        size = adjacency.shape[0]
        top_k = min(self.top_k or _LARGE_TOP_K, size)
        keys, values = np.empty((size, top_k), np.uint32), np.empty((size, top_k))
        counts = np.empty(size, np.int64)
        for block, columns in heat_columns(adjacency, self.t, self.tolerance):
            largest_in_columns(columns, keys[block], values[block], counts[block])
        return mean_of_both_directions(rows_to_csr(keys, values, counts, size))


@dataclass(frozen=True)
class Power(View):
    """Walks of a fixed length.

        V = Â^k,   φ_V(λ) = (1 − λ)^k

    Sparse, but two steps from a hub reach much of the graph. ``self_loops`` walks on A + I.

    Source: the paper, Appendix C (k = 2).

    Examples
    --------
    >>> import numpy as np, spco
    >>> path = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> Power(2)(path, rng=np.random.default_rng(0)).matrix.toarray().round(6).tolist()
    [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    """

    name = "power"
    is_random = False
    normalized = True
    k: int = whole(2, minimum=1)
    self_loops: bool = flag(False)

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:  # noqa: ARG002
        """Return the view of a square CSR matrix of edge weights, taken as symmetric."""
        matrix = square_csr(matrix, "Power")
        adjacency = normalized_adjacency(with_self_loops(matrix) if self.self_loops else matrix)
        power = adjacency
        for _ in range(self.k - 1):
            power = power @ adjacency
        # Rounding differs between (i, j) and (j, i).
        power = sp.csr_array((power + power.T) / 2)
        power.sort_indices()
        return Augmented(power, normalized=True)


def _exact_ppr(adjacency: sp.csr_array, alpha: float) -> np.ndarray:
    """Return α·(I − (1 − α)·Â)^-1; it is positive definite, so Cholesky does it in half the work."""
    system = np.eye(adjacency.shape[0], order="F")
    system -= (1.0 - alpha) * adjacency.toarray(order="F")
    if not np.array_equal(system, system.T):
        return alpha * np.linalg.inv(system)
    factor, _ = lapack.dpotrf(system, lower=0, overwrite_a=1)
    inverse, _ = lapack.dpotri(factor, lower=0, overwrite_c=1)
    inverse *= alpha
    for i in range(len(inverse)):  # LAPACK leaves the lower half to us
        inverse[i, :i] = inverse[:i, i]
    mirrored: np.ndarray = inverse
    return mirrored


def _exact_heat(adjacency: sp.csr_array, t: float) -> np.ndarray:
    """Return exp(−t(I − Â)), exactly symmetric."""
    dense = np.empty(adjacency.shape)
    for block, columns in heat_columns(adjacency, t, _EXACT_TOLERANCE):
        dense[:, block] = columns
    return (dense + dense.T) / 2
