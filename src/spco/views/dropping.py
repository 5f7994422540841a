"""Views that drop nodes or edges at random, or add random edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from . import kernels
from .absent_pairs import Pairs
from .base import EdgeView
from .parameters import probability
from .selection import between, draw_seed, drop_pairs, kept_entries, pair_mask

# The number of steps without a new node after which a walk starts again elsewhere.
_PATIENCE = 16


@dataclass(frozen=True)
class DropEdges(EdgeView):
    """Drop each undirected edge with probability ``p``.

        V_ij = V_ji = A_ij·[h(seed, {i, j}) >= p],   h uniform in [0, 1)

    A self loop is an edge like any other. The coin of an edge is a hash of its two ends, so both directions
    agree without a table of edges, and the result does not depend on the number of threads. The remaining
    weights are not rescaled.

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

    @property
    def only_masks(self) -> bool:
        """Whether no edge is ever dropped."""
        return self.p == 0

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped pairs."""
        return drop_pairs(matrix, self.p, draw_seed(rng))


@dataclass(frozen=True)
class DropArcs(EdgeView):
    """Drop each direction of each edge with probability ``p``, independently of the other direction.

        V_ij = A_ij·[h(seed, i, j) >= p],   h uniform in [0, 1)

    An undirected graph becomes a directed one: row i holds the nodes that node i still hears. The remaining
    weights are not rescaled.

    Source: the published code of GRACE (Zhu et al., 2020) and CCA-SSG (Zhang et al., 2021), whose edge lists
    hold every edge twice.

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

    @property
    def only_masks(self) -> bool:
        """Whether no edge is ever dropped."""
        return self.p == 0

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped directions."""
        return drop_pairs(matrix, self.p, draw_seed(rng), ordered=True)


@dataclass(frozen=True)
class DropNodes(EdgeView):
    """Drop each node with probability ``p``: its edges go, and the node stays as an isolated one.

        V_ij = A_ij·m_i·m_j,   m_i ~ Bernoulli(1 − p)

    The number of nodes and their features stay, so that two views can be compared node by node.

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
    """Keep the part of the graph that a random walk visits: a ``fraction`` of the nodes and their edges.

        V_ij = A_ij·[i ∈ W]·[j ∈ W],   |W| = round(fraction·N)

    The walk starts at a random node and moves to uniformly random neighbours, regardless of the weights.
    After 16 steps without a new node it starts again at an unvisited one. The nodes outside W stay, isolated.

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
        """Return the edges between the visited nodes."""
        pattern = Pattern.of(without_zeros(matrix))
        visited = np.zeros(pattern.size, dtype=np.bool_)
        wanted = round(self.fraction * pattern.size)
        starts = rng.permutation(pattern.size)
        kernels.walk(pattern.indptr, pattern.indices, starts, wanted, draw_seed(rng), _PATIENCE, visited)
        return between(matrix, visited)


@dataclass(frozen=True)
class PerturbEdges(EdgeView):
    """Drop each edge with probability ``p`` and add as many new ones between random nodes.

        V = DropEdges_p(A) + R,   R: the weights of the dropped edges at random pairs i ≠ j with A_ij = 0

    The pairs are all different, so the number of edges stays (a graph with too few free pairs gets all of
    them). A dropped edge is never added back. A new edge has one weight in both directions, that of its
    dropped edge above the diagonal.

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
        rows = np.repeat(np.arange(pattern.size), np.diff(matrix.indptr))
        # One weight per dropped pair {i, j}: that of its entry on or above the diagonal.
        weights = matrix.data[~keep & (rows <= matrix.indices)]
        free = _free_pairs(pattern, len(weights), rng)
        weights = rng.permutation(weights)[: len(free)]
        added = sp.coo_array((weights, (free.low, free.high)), shape=matrix.shape).tocsr()
        return sp.csr_array(kept + added + added.T)


def without_zeros(matrix: sp.csr_array) -> sp.csr_array:
    """Return the matrix without stored zeros, which are no edges; the same object if it has none."""
    if matrix.data.all():
        return matrix
    matrix = matrix.copy()
    matrix.eliminate_zeros()
    return matrix


def _free_pairs(pattern: Pattern, wanted: int, rng: np.random.Generator) -> Pairs:
    """Return different pairs that are no edges, ``wanted`` of them or as many as there are."""
    size = pattern.size
    # A dense graph has not many more pairs than edges, so all of them can be listed.
    if size * (size - 1) // 2 <= 2 * pattern.nnz:
        free = Pairs(*np.triu_indices(size, 1)).absent_from(pattern)
        return free[rng.permutation(len(free))[:wanted]]
    found = np.empty(0, dtype=np.int64)
    while len(found) < wanted:
        # At most half of the pairs are edges and at most a quarter already found, so this ends soon.
        ends = rng.integers(0, size, (2, 2 * (wanted - len(found)) + 16))
        drawn = Pairs.of(*ends)
        drawn = drawn[drawn.low < drawn.high].absent_from(pattern)
        keys = np.concatenate([found, drawn.low * size + drawn.high])
        _, first = np.unique(keys, return_index=True)
        found = keys[np.sort(first)]
    return Pairs(*np.divmod(found[:wanted], size))
