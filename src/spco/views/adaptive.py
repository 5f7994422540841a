"""GCA's views: what matters less is dropped more often."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid
from ..graph import Graph
from .base import Augmented, EdgeView, View, square_csr
from .centrality import CENTRALITIES
from .parameters import choice, probability
from .selection import draw_seed, drop_pairs_by_centrality, is_spread

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class _ByCentrality(View):
    """A mean probability ``p`` that is cut off at p_τ = ``cutoff``, and the centrality φ that decides.

    ``weights`` is what the centralities of the graph give that the view was ``prepared`` for.
    """

    p: float = probability(0.3)
    cutoff: float = probability(0.7)
    centrality: str = choice("degree", lambda: CENTRALITIES)
    weights: np.ndarray | None = field(default=None, repr=False, compare=False, kw_only=True)

    def prepared(self, graph: Graph) -> Self:
        """Return the view with the weights of this graph."""
        return replace(self, weights=self.weights_of(graph, CENTRALITIES[self.centrality](graph.adjacency)))

    @abstractmethod
    def weights_of(self, graph: Graph, centrality: np.ndarray) -> np.ndarray:
        """Return what the view drops by, given the centrality of the nodes."""


@dataclass(frozen=True)
class AdaptiveDropEdges(_ByCentrality, EdgeView):
    """Drop each edge with a probability that falls with the centrality φ of its ends.

        s_uv = log((φ_u + φ_v)/2),   p_uv = min((s_max − s_uv)/(s_max − s_mean)·p, cutoff)

    ``p`` is the mean probability before the cut-off p_τ. φ is the "degree", "pagerank" or "eigenvector"
    centrality of the absolute weights. Where all edges are alike, p_uv = min(p, cutoff). As in GCA, the
    centralities are those of the graph the view was ``prepared`` for, if it was; else of the matrix at hand.

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

    def weights_of(self, graph: Graph, centrality: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Return the centralities themselves."""
        return centrality

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix without the dropped pairs."""
        centrality = CENTRALITIES[self.centrality](matrix) if self.weights is None else self.weights
        if len(centrality) != matrix.shape[0]:
            must = f"have the {len(centrality)} nodes the view was prepared for"
            raise invalid("matrix", "AdaptiveDropEdges", must, f"{matrix.shape[0]} nodes")
        return drop_pairs_by_centrality(matrix, centrality, self.p, self.cutoff, draw_seed(rng))


@dataclass(frozen=True)
class AdaptiveMaskFeatures(_ByCentrality):
    """Mask each feature column with a probability that falls with how much it occurs at central nodes.

        w_c = Σ_u x_uc·φ_u,   s_c = log w_c,   p_c = min((s_max − s_c)/(s_max − s_mean)·p, cutoff)

    x_uc is [X_uc ≠ 0] for sparse features and |X_uc| for dense ones. A column that occurs at no node is
    masked with probability ``cutoff`` and does not count for the mean. The weights w come from the graph
    the view was ``prepared`` for (calling the view with a graph does that).

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

    def weights_of(self, graph: Graph, centrality: np.ndarray) -> np.ndarray:
        """Return how much each column occurs at central nodes."""
        return weighted_occurrence(graph.features, centrality)

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
    """Return Σ_u x_uc·φ_u per column c; x is the occurrence in sparse features, |X| in dense ones."""
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
