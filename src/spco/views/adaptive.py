"""GCA's views, which drop what matters less more often, and the centralities they go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from .._registry import Registry
from .._validation import invalid
from ..graph import Graph
from ..linalg.normalize import absolute_degrees
from .base import Augmented, EdgeView, View, square_csr
from .parameters import choice, probability
from .selection import draw_seed, drop_pairs_by_centrality, is_spread

if TYPE_CHECKING:
    from typing_extensions import Self

_DAMPING = 0.85
_PAGERANK_STEPS = 200
_PAGERANK_CHANGE = 1e-12
# ARPACK wants fewer eigenvectors than rows; below this size the dense solver is as quick.
_DENSE_SIZE = 64


def pagerank(matrix: sp.csr_array) -> np.ndarray:
    """Return the stationary x = 0.85·Pᵀx + 0.15/N, P = D^-1|A|; from an isolated node a walk jumps anywhere.

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


@dataclass(frozen=True)
class _ByCentrality(View):
    """A view that drops by centrality: ``p`` is the mean probability, ``cutoff`` the largest one.

    ``weights`` holds the centralities (or what they give) of the graph that the view was ``prepared`` for.
    """

    p: float = probability(0.3)
    cutoff: float = probability(0.7)
    centrality: str = choice("degree", CENTRALITIES)
    weights: np.ndarray | None = field(default=None, repr=False, compare=False, kw_only=True)


@dataclass(frozen=True)
class AdaptiveDropEdges(_ByCentrality, EdgeView):
    """Drop each edge with a probability that falls with the centrality φ of its ends.

        s_uv = log((φ_u + φ_v)/2),   p_uv = min((s_max − s_uv)/(s_max − s_mean)·p, cutoff)

    ``p`` is the mean probability before the cut-off p_τ. φ is the "degree", "pagerank" or "eigenvector"
    centrality of the absolute weights. If all edges are alike, p_uv = min(p, cutoff). As in GCA, the
    centralities are those of the graph that the view was ``prepared`` for; an unprepared view takes those of
    the matrix it is applied to.

    Source: GCA (Zhu et al., 2021), Section 3.3.1.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> view = AdaptiveDropEdges(0.3, centrality="pagerank").prepared(graph)
    >>> drawn = view.apply(graph.adjacency, num_features=0, rng=np.random.default_rng(0))
    >>> bool(0.6 < drawn.matrix.nnz / graph.adjacency.nnz < 0.8)
    True
    """

    name = "adaptive"

    def prepared(self, graph: Graph) -> Self:
        """Return the view with the centralities of this graph."""
        return replace(self, weights=CENTRALITIES[self.centrality](graph.adjacency))

    def between(self, nodes: np.ndarray) -> Self:
        """Return the view with the centralities that these nodes have in the whole graph."""
        return self if self.weights is None else replace(self, weights=self.weights[nodes])

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped pairs."""
        centrality = CENTRALITIES[self.centrality](matrix) if self.weights is None else self.weights
        if len(centrality) != matrix.shape[0]:
            must = f"have the {len(centrality)} nodes that the view was prepared for"
            raise invalid("matrix", "AdaptiveDropEdges", must, f"{matrix.shape[0]} nodes")
        return drop_pairs_by_centrality(matrix, centrality, self.p, self.cutoff, draw_seed(rng))


@dataclass(frozen=True)
class AdaptiveMaskFeatures(_ByCentrality):
    """Mask each feature column with a probability that falls with its occurrence at central nodes.

        w_c = Σ_u x_uc·φ_u,   s_c = log w_c,   p_c = min((s_max − s_c)/(s_max − s_mean)·p, cutoff)

    x_uc is [X_uc ≠ 0] for sparse features and |X_uc| for dense ones. A column that occurs at no node is
    masked with probability ``cutoff`` and does not enter the mean. The weights w come from the graph that the
    view was ``prepared`` for; calling the view with a graph prepares it.

    Source: GCA (Zhu et al., 2021), Section 3.3.2.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = AdaptiveMaskFeatures(0.3)(graph, rng=np.random.default_rng(0))
    >>> drawn.kept_columns.shape
    (64,)
    """

    name = "adaptive-features"

    def prepared(self, graph: Graph) -> Self:
        """Return the view with how much each column of this graph occurs at central nodes."""
        centrality = CENTRALITIES[self.centrality](graph.adjacency)
        return replace(self, weights=weighted_occurrence(graph.features, centrality))

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:
        """Draw the view: the matrix itself, and which columns stay."""
        matrix = square_csr(matrix, "AdaptiveMaskFeatures")
        weights = np.empty(0) if self.weights is None else self.weights
        if len(weights) != num_features:
            raise invalid(
                "num_features",
                "AdaptiveMaskFeatures",
                f"be the {len(weights)} columns of the graph that the view was prepared for",
                f"{num_features}",
                hint="view.prepared(graph) weighs the columns of graph.features",
            )
        probabilities = drop_probabilities(weights, p=self.p, cutoff=self.cutoff)
        return Augmented(matrix, kept_columns=rng.random(num_features) >= probabilities)


def weighted_occurrence(features: Any, centrality: np.ndarray) -> np.ndarray:
    """Return Σ_u x_uc·φ_u per column c; x is [X ≠ 0] for sparse features and |X| for dense ones."""
    if features is None:
        return np.empty(0)
    occurs = np.abs(features) if isinstance(features, np.ndarray) else (features != 0).astype(np.float64)
    weights: np.ndarray = np.asarray(occurs.T @ centrality, dtype=np.float64).ravel()
    return weights


def drop_probabilities(weights: np.ndarray, *, p: float, cutoff: float) -> np.ndarray:
    """Return min((s_max − s)/(s_max − s_mean)·p, cutoff) with s = log(weights); cutoff where a weight is 0.

    >>> drop_probabilities(np.array([1.0, np.e, 0.0]), p=0.2, cutoff=0.3).round(6).tolist()
    [0.3, 0.0, 0.3]
    """
    occurs = weights > 0
    scores = np.log(weights[occurs])
    probabilities = np.full(len(weights), cutoff)
    if len(scores) == 0:
        return probabilities
    top = float(scores.max())
    spread = top - float(scores.mean())
    relative = (top - scores) / spread if is_spread(spread, top) else np.ones(len(scores))
    probabilities[occurs] = np.minimum(relative * p, cutoff)
    return probabilities
