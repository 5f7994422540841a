"""Link prediction: hold out edges, embed what is left, and tell the held-out edges from pairs without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._random import RandomState, as_generator
from .._validation import check_choice, check_integer, check_real, invalid, shown
from ..errors import InvalidGraphError, InvalidParameterError
from ..graph import Graph, GraphLike, as_graph
from ..linalg.normalize import unit_rows
from ._inputs import embedding_matrix

#: The k of hits@k, as far as there are so many pairs without an edge.
USUAL_HITS = (10, 50, 100)
SIMILARITIES = ("cosine", "dot")
_PAIRS_AT_A_TIME = 1 << 15


@dataclass(frozen=True, eq=False)
class LinkSplit:
    """A graph without some of its edges, these edges, and as many pairs of nodes without an edge.

    Attributes
    ----------
    graph : Graph
        The rest: all nodes with their features and labels. Nodes may have lost all their edges.
    edges, non_edges : (M, 2) int64
        Pairs i < j. The non-edges have an edge neither in the rest nor in the whole graph.
    """

    graph: Graph
    edges: np.ndarray
    non_edges: np.ndarray


@dataclass(frozen=True)
class LinkScores:
    """How well the scores of pairs tell edges from non-edges; by chance the first two are 0.5.

    Attributes
    ----------
    roc_auc : float
        The share of pairs (edge, non-edge) in which the edge has the higher score.
    average_precision : float
        The area under the curve of precision over recall, as a sum of steps.
    hits : mapping of k to float
        The share of edges with a higher score than the k-th best non-edge.
    pairs : int
        The number of edges.
    """

    roc_auc: float
    average_precision: float
    hits: Mapping[int, float]
    pairs: int


def split_links(graph: GraphLike, *, share: float = 0.1, rng: RandomState = 0) -> LinkSplit:
    """Hold out a share of the edges, drawn uniformly, and draw as many pairs without an edge.

    An embedding of ``split.graph`` has not seen the held-out edges. Self loops are not held out.

    Parameters
    ----------
    graph : Graph, or what ``Graph.coerce`` takes
    share : float in (0, 1)
        Of the edges between two nodes; at least one is held out.
    rng : int >= 0, Generator or None

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> split = split_links(wine, share=0.1)
    >>> wine.num_edges, split.graph.num_edges, len(split.edges), len(split.non_edges)
    (1231, 1108, 123, 123)
    """
    owner = "split_links"
    graph = as_graph(graph, owner)
    check_real(share, "share", owner, above=0, below=1)
    generator = as_generator(rng, owner, parameter="rng")
    pairs = _pairs_of(graph)
    if len(pairs) < 2:
        must, got = "have at least two edges between different nodes", f"{len(pairs)}"
        raise invalid("graph", owner, must, got, error=InvalidGraphError)
    count = min(max(1, int(share * len(pairs))), len(pairs) - 1)
    held = pairs[np.sort(generator.choice(len(pairs), count, replace=False))]
    return LinkSplit(without_edges(graph, held), held, non_edges(graph, count, rng=generator))


def without_edges(graph: Graph, pairs: np.ndarray) -> Graph:
    """Return the graph without the edges between these pairs of nodes, (M, 2)."""
    source, target = np.concatenate([pairs, pairs[:, ::-1]]).T
    held = sp.csr_array((np.ones(len(source)), (source, target)), shape=graph.adjacency.shape) > 0
    # Differences of equal numbers are exact zeros, which the graph drops.
    return replace(graph, adjacency=graph.adjacency - graph.adjacency.multiply(held))


def non_edges(
    graph: Graph, count: int, *, besides: np.ndarray | None = None, rng: RandomState = 0
) -> np.ndarray:
    """Draw different pairs i < j of nodes without an edge, uniformly; (count, 2) int64.

    All pairs are numbered row by row. If E₀ < E₁ < … are the numbers of the edges, E_k − k non-edges come
    before the k-th edge, so that the r-th non-edge has the number r + #{k : E_k − k <= r}: nothing is drawn
    in vain, however dense the graph is.

    Parameters
    ----------
    graph : Graph
    count : int
    besides : (M, 2) integers, optional
        Pairs that are not drawn either, such as edges that the graph has lost.
    rng : int >= 0, Generator or None

    >>> import spco
    >>> path = spco.Graph.from_edges([[0, 1], [1, 2]])
    >>> non_edges(path, 1).tolist()
    [[0, 2]]
    """
    owner, size = "non_edges", graph.num_nodes
    check_integer(count, "count", owner, minimum=1)
    generator = as_generator(rng, owner, parameter="rng")
    taken = _pairs_of(graph)
    if besides is not None:
        taken = np.concatenate([taken, np.sort(besides, axis=1)])
    # Pair (i, j) has the number first[i] + j − i − 1.
    nodes = np.arange(size, dtype=np.int64)
    first = nodes * size - nodes * (nodes + 1) // 2
    numbers = np.unique(first[taken[:, 0]] + taken[:, 1] - taken[:, 0] - 1)
    free = size * (size - 1) // 2 - len(numbers)
    if count > free:
        must = f"have at least {count:,} pairs of nodes without an edge"
        raise invalid("graph", owner, must, f"{free:,}", error=InvalidGraphError)
    ranks = np.sort(generator.choice(free, count, replace=False))
    drawn = ranks + np.searchsorted(numbers - np.arange(len(numbers)), ranks, side="right")
    row = np.searchsorted(first, drawn, side="right") - 1
    return np.column_stack([row, drawn - first[row] + row + 1])


def pair_scores(Z: Any, pairs: Any, *, similarity: str = "cosine") -> np.ndarray:
    """Return the similarity of the two nodes of each pair, (M,) float64.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    pairs : (M, 2) integers
    similarity : {"cosine", "dot"}
        ⟨z_i, z_j⟩/(‖z_i‖·‖z_j‖), which is 0 for a row of zeros, or ⟨z_i, z_j⟩.

    >>> pair_scores([[1.0, 0.0], [2.0, 2.0]], [[0, 1]], similarity="dot").tolist()
    [2.0]
    """
    owner = "pair_scores"
    check_choice(similarity, "similarity", owner, SIMILARITIES)
    matrix = embedding_matrix(Z, "Z", owner)
    ends = _checked_pairs(pairs, "pairs", matrix.shape[0], owner)
    rows = unit_rows(matrix) if similarity == "cosine" else matrix.astype(np.float64)
    found = [_products(rows[part[:, 0]], rows[part[:, 1]]) for part in _parts(ends)]
    return np.concatenate([np.empty(0), *found])


def link_scores(
    Z: Any,
    edges: Any,
    non_edges: Any,
    *,
    similarity: str = "cosine",
    hits: Sequence[int] | None = None,
) -> LinkScores:
    """Score an embedding by how much more similar the ends of edges are than those of non-edges.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
        Of a graph without ``edges``; otherwise the scores say nothing about unseen edges.
    edges, non_edges : (M, 2) integers
        See :class:`LinkSplit`.
    similarity : {"cosine", "dot"}
    hits : integers, optional
        The k of hits@k. Default: those of :data:`USUAL_HITS` that the non-edges are enough for.

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> split = split_links(wine)
    >>> link_scores(wine.features, split.edges, split.non_edges).roc_auc > 0.7
    True
    """
    from sklearn.metrics import average_precision_score, roc_auc_score

    owner = "link_scores"
    size = embedding_matrix(Z, "Z", owner).shape[0]
    positive, negative = (
        _checked_pairs(pairs, name, size, owner)
        for name, pairs in (("edges", edges), ("non_edges", non_edges))
    )
    for name, pairs in (("edges", positive), ("non_edges", negative)):
        if not len(pairs):
            raise invalid(name, owner, "have at least one pair", "none")
    good, bad = (pair_scores(Z, pairs, similarity=similarity) for pairs in (positive, negative))
    scores = np.concatenate([good, bad])
    is_edge = np.arange(len(scores)) < len(good)
    return LinkScores(
        float(roc_auc_score(is_edge, scores)),
        float(average_precision_score(is_edge, scores)),
        {k: _hits(good, bad, k) for k in _checked_hits(hits, len(bad), owner)},
        len(good),
    )


def _hits(good: np.ndarray, bad: np.ndarray, k: int) -> float:
    return float(np.mean(good > np.partition(bad, len(bad) - k)[len(bad) - k]))


def _checked_hits(hits: Sequence[int] | None, most: int, owner: str) -> tuple[int, ...]:
    if hits is None:
        return tuple(k for k in USUAL_HITS if k <= most)
    chosen = tuple(check_integer(k, "hits", owner, minimum=1) for k in hits)
    if max(chosen, default=1) > most:
        must, got = f"be at most {most}, the number of non-edges", shown(hits)
        raise invalid("hits", owner, must, got)
    return chosen


def _pairs_of(graph: Graph) -> np.ndarray:
    """Return the edges between different nodes, i < j."""
    edges, _ = graph.to_edges()
    between: np.ndarray = edges[edges[:, 0] != edges[:, 1]]
    return between


def _parts(pairs: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(pairs), _PAIRS_AT_A_TIME):
        yield pairs[start : start + _PAIRS_AT_A_TIME]


def _products(first: Any, second: Any) -> np.ndarray:
    """Return the inner product of each row of one with the same row of the other."""
    if not isinstance(first, np.ndarray):
        return np.asarray(first.multiply(second).sum(axis=1), dtype=np.float64).ravel()
    products: np.ndarray = np.einsum("ij,ij->i", first, second)
    return products


def _checked_pairs(pairs: Any, parameter: str, size: int, owner: str) -> np.ndarray:
    array = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        got = f"{array.dtype} of shape {array.shape}"
        raise invalid(parameter, owner, "be an (M, 2) array of integers", got)
    if array.min() < 0 or array.max() >= size:
        strange = array[(array < 0) | (array >= size)][0]
        must = f"name rows of Z, in [0, {size})"
        raise invalid(parameter, owner, must, f"{strange}", error=InvalidParameterError)
    return array.astype(np.int64)
