"""Views that take nodes or edges away at random, and put random edges in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from . import kernels
from .base import EdgeView
from .parameters import probability
from .selection import between, draw_seed, drop_pairs, kept_entries, pair_mask

# How long a walk may go without meeting a new node before it starts again elsewhere.
_PATIENCE = 16


@dataclass(frozen=True)
class DropEdges(EdgeView):
    """Drop each undirected edge with probability ``p``.

        V_ij = V_ji = A_ij·[h(seed, {i, j}) >= p],   h uniform in [0, 1)

    A self loop is an edge like any other. The coin of an edge is a hash of its two ends, so both directions
    agree without a table of edges and the result does not depend on the number of threads. The weights of
    what stays are not rescaled.

    Source: DropEdge (Rong et al., 2020); GRACE (Zhu et al., 2020) and CCA-SSG (Zhang et al., 2021).

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = DropEdges(0.25)(graph, rng=np.random.default_rng(0))
    >>> bool(0.7 < drawn.matrix.nnz / graph.adjacency.nnz < 0.8), abs(drawn.matrix - drawn.matrix.T).nnz
    (True, 0)
    """

    name = "drop-edges"
    p: float = probability(0.2)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped pairs."""
        return drop_pairs(matrix, self.p, draw_seed(rng))


@dataclass(frozen=True)
class DropArcs(EdgeView):
    """Drop each direction of each edge with probability ``p``, whatever becomes of the other direction.

        V_ij = A_ij·[h(seed, i, j) >= p],   h uniform in [0, 1)

    Of an undirected graph it makes a directed one: row i holds whom node i still hears. The weights of what
    stays are not rescaled.

    Source: what the published codes of GRACE (Zhu et al., 2020) and CCA-SSG (Zhang et al., 2021) do, whose
    edge lists hold every edge twice.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = DropArcs(0.25)(graph, rng=np.random.default_rng(0))
    >>> bool(0.7 < drawn.matrix.nnz / graph.adjacency.nnz < 0.8), abs(drawn.matrix - drawn.matrix.T).nnz > 0
    (True, True)
    """

    name = "drop-arcs"
    keeps_symmetry = False
    p: float = probability(0.2)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped directions."""
        return drop_pairs(matrix, self.p, draw_seed(rng), ordered=True)


@dataclass(frozen=True)
class DropNodes(EdgeView):
    """Drop each node with probability ``p``: its edges go, the node itself stays as an isolated one.

        V_ij = A_ij·m_i·m_j,   m_i ~ Bernoulli(1 − p)

    The number of nodes and their features stay, so that the draws of two views can be compared node by node.

    Source: node dropping of GraphCL (You et al., 2020), for one graph.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = DropNodes(1.0)(graph, rng=np.random.default_rng(0))
    >>> drawn.matrix.nnz, drawn.matrix.shape == graph.adjacency.shape
    (0, True)
    """

    name = "drop-nodes"
    p: float = probability(0.2)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the edges between the nodes that stay."""
        return between(matrix, rng.random(matrix.shape[0]) >= self.p)


@dataclass(frozen=True)
class Subgraph(EdgeView):
    """Keep the part of the graph that a random walk finds: a ``fraction`` of the nodes and their edges.

        V_ij = A_ij·[i ∈ W]·[j ∈ W],   |W| = round(fraction·N)

    The walk goes to a neighbour picked at random, whatever the weights, from a start picked at random. It
    starts again at a node not yet seen after 16 steps without a new one. The nodes outside W stay as isolated
    ones.

    Source: subgraph sampling of GraphCL (You et al., 2020), for one graph.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = Subgraph(0.5)(graph, rng=np.random.default_rng(0))
    >>> bool(0.2 < drawn.matrix.nnz / graph.adjacency.nnz < 0.7)
    True
    """

    name = "subgraph"
    fraction: float = probability(0.8)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the edges between the nodes that the walk finds."""
        pattern = Pattern.of(without_zeros(matrix))
        visited = np.zeros(pattern.size, dtype=np.bool_)
        wanted = round(self.fraction * pattern.size)
        starts = rng.permutation(pattern.size)
        kernels.walk(pattern.indptr, pattern.indices, starts, wanted, draw_seed(rng), _PATIENCE, visited)
        return between(matrix, visited)


@dataclass(frozen=True)
class PerturbEdges(EdgeView):
    """Drop each edge with probability ``p`` and put as many new ones between random other nodes.

        V = DropEdges_p(A) + R,   R: the weights of the dropped edges at random pairs i ≠ j with A_ij = 0

    The pairs are all different, so the number of edges stays (in a graph with too few free pairs, all of
    them are taken). The new edges never are the dropped ones. A new edge has one weight in both directions,
    that of its dropped edge above the diagonal.

    Source: edge perturbation of GraphCL (You et al., 2020).

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = PerturbEdges(0.3)(graph, rng=np.random.default_rng(0))
    >>> drawn.matrix.nnz == graph.adjacency.nnz, bool((drawn.matrix != graph.adjacency).nnz > 0)
    (True, True)
    """

    name = "perturb-edges"
    p: float = probability(0.2)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the edges that stay and the new ones."""
        matrix = without_zeros(matrix)
        pattern = Pattern.of(matrix)
        keep, counts = pair_mask(pattern, self.p, draw_seed(rng))
        kept = kept_entries(matrix, pattern, keep, counts)
        weights = _dropped_weights(matrix, ~keep)
        low, high = _free_pairs(pattern, len(weights), rng)
        weights = rng.permutation(weights)[: len(low)]
        added = sp.coo_array((weights, (low, high)), shape=matrix.shape).tocsr()
        return sp.csr_array(kept + added + added.T)


def without_zeros(matrix: sp.csr_array) -> sp.csr_array:
    """Return the matrix without stored zeros, which are no edges; itself if there are none."""
    if matrix.data.all():
        return matrix
    matrix = matrix.copy()
    matrix.eliminate_zeros()
    return matrix


def _dropped_weights(matrix: sp.csr_array, dropped: np.ndarray) -> np.ndarray:
    """Return one weight per dropped pair {i, j}: that of its entry on or above the diagonal."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))[dropped]
    weights: np.ndarray = matrix.data[dropped][rows <= matrix.indices[dropped]]
    return weights


def _free_pairs(pattern: Pattern, wanted: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return different pairs i < j that are no edges, ``wanted`` of them or as many as there are."""
    size = pattern.size
    # In a dense graph, all pairs are not many more than its edges.
    if size * (size - 1) // 2 <= 2 * pattern.nnz:
        low, high = np.triu_indices(size, 1)
        free = np.flatnonzero(~_are_edges(pattern, low, high))
        picked = rng.permutation(free)[:wanted]
        return low[picked], high[picked]
    found = np.empty(0, dtype=np.int64)
    while len(found) < wanted:
        # At most half of the pairs are edges and at most a quarter already found, so this ends soon.
        ends = rng.integers(0, size, (2, 2 * (wanted - len(found)) + 16))
        low, high = ends.min(axis=0), ends.max(axis=0)
        free = (low < high) & ~_are_edges(pattern, low, high)
        drawn = np.concatenate([found, low[free] * size + high[free]])
        _, first = np.unique(drawn, return_index=True)
        found = drawn[np.sort(first)]
    low, high = np.divmod(found[:wanted], size)
    return low, high


def _are_edges(pattern: Pattern, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    out = np.empty(len(low), dtype=np.bool_)
    kernels.is_entry(pattern.indptr, pattern.indices, low, high, out)
    return out
