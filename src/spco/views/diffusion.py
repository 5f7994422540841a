"""Diffusion views: functions of the normalised adjacency, exact on small graphs, sparse on large ones."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..linalg.normalize import normalized_adjacency, with_self_loops
from .base import EdgeView
from .chebyshev import function_matrix, heat_coefficients, largest_entries, ppr_coefficients
from .parameters import choice, real, whole
from .push import pushed_rows
from .top_k import above_threshold, dense_to_csr, mean_of_both_directions, rows_to_csr

# Default number of entries kept per row beyond exact_limit nodes.
_LARGE_TOP_K = 32
_EXACT_TOLERANCE = 1e-15


class _Diffusion(EdgeView):
    """A function of Â: all entries up to ``exact_limit`` nodes, above it the largest of each row."""

    is_random = False
    normalized = True
    top_k: int | None
    threshold: float
    self_loops: bool
    exact_limit: int

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Return the operator of a matrix, which is assumed symmetric."""
        if self.self_loops:
            matrix = with_self_loops(matrix)
        if matrix.shape[0] <= self.exact_limit:
            dense = function_matrix(normalized_adjacency(matrix), self._coefficients())
            return dense_to_csr(dense, top_k=self.top_k, threshold=self.threshold)
        rows = self._sparse(matrix, self.top_k or _LARGE_TOP_K)
        return above_threshold(mean_of_both_directions(rows), self.threshold)

    @abstractmethod
    def _coefficients(self) -> np.ndarray:
        """Return the Chebyshev series of the function, exact up to rounding."""

    @abstractmethod
    def _sparse(self, matrix: sp.csr_array, top_k: int) -> sp.csr_array:
        """Return the largest entries of each row."""


@dataclass(frozen=True)
class PPR(_Diffusion):
    """Personalised PageRank diffusion.

        V = α·(I − (1 − α)·Â)^-1,   Â = D^-½ A D^-½,   φ_V(λ) = α/(1 − (1 − α)(1 − λ))

    Up to ``exact_limit`` nodes, Chebyshev polynomials of Â give all entries, exact up to rounding. Above it,
    pushes from every node (see :func:`spco.views.personalized_pagerank`) give the largest; D^½·Π·D^-½ brings
    them from P = D^-1 A to the symmetric form, and an entry is the mean of its two directions where both were
    kept. Isolated nodes have V_ii = α.

    Parameters
    ----------
    alpha : 0 < float <= 1
        Probability of returning to the root.
    top_k : int or None
        Entries kept per row, together with their mirror images; None keeps all up to ``exact_limit`` nodes
        and 32 above it.
    threshold : float
        Entries smaller than this are dropped.
    self_loops : bool
        Diffuse on A + I, as MVGRL does. The response above refers to A without self loops.
    tolerance : float
        Tolerance of the pushes.

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
    alpha: float = real(0.2, above=0, maximum=1)
    top_k: int | None = whole(None, minimum=1)
    threshold: float = real(0.0, minimum=0)
    self_loops: bool = choice(False, (True, False))
    tolerance: float = real(1e-4, above=0)
    exact_limit: int = whole(5000, minimum=0)

    def _coefficients(self) -> np.ndarray:
        return ppr_coefficients(self.alpha, _EXACT_TOLERANCE)

    def _sparse(self, matrix: sp.csr_array, top_k: int) -> sp.csr_array:
        roots = np.arange(matrix.shape[0])
        return pushed_rows(matrix, self.alpha, self.tolerance, top_k, roots, symmetric=True, owner="PPR")


@dataclass(frozen=True)
class Heat(_Diffusion):
    """Heat diffusion.

        V = exp(−t·L) = e^-t·exp(t·Â),   φ_V(λ) = exp(−t·λ)

    Computed by Chebyshev polynomials of Â in blocks of columns. Up to ``exact_limit`` nodes, all entries are
    kept, exact up to rounding; above it, the ``top_k`` (None: 32) largest of each row and their mirrors, to
    ``tolerance``. Isolated nodes have L_ii = 1, so V_ii = e^-t. ``self_loops`` diffuses on A + I; entries
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
    t: float = real(5.0, minimum=0)
    top_k: int | None = whole(None, minimum=1)
    threshold: float = real(0.0, minimum=0)
    self_loops: bool = choice(False, (True, False))
    tolerance: float = real(1e-10, above=0)
    exact_limit: int = whole(5000, minimum=0)

    def _coefficients(self) -> np.ndarray:
        return heat_coefficients(self.t, _EXACT_TOLERANCE)

    def _sparse(self, matrix: sp.csr_array, top_k: int) -> sp.csr_array:
        coefficients = heat_coefficients(self.t, self.tolerance)
        adjacency, size = normalized_adjacency(matrix), matrix.shape[0]
        return rows_to_csr(*largest_entries(adjacency, coefficients, top_k=min(top_k, size)), size)


@dataclass(frozen=True)
class Power(EdgeView):
    """Walks of a fixed length.

        V = Â^k,   φ_V(λ) = (1 − λ)^k

    The result is sparse, but two steps from a hub reach much of the graph. ``self_loops`` walks on A + I.

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
    self_loops: bool = choice(False, (True, False))

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Return Â^k of a matrix, which is assumed symmetric."""
        adjacency = normalized_adjacency(with_self_loops(matrix) if self.self_loops else matrix)
        power = adjacency
        for _ in range(self.k - 1):
            power = power @ adjacency
        # Rounding differs between (i, j) and (j, i).
        power = sp.csr_array((power + power.T) / 2)
        power.sort_indices()
        return power
