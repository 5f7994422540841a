"""EPAGCL's view: edges that pass much are dropped, and pairs that would pass little are joined."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from ..linalg.normalize import absolute_degrees
from .absent_pairs import Pairs, largest_products
from .flips import FlippingView, Flips, ListedPairs, off_diagonal
from .parameters import probability
from .selection import is_spread

# In the published code a candidate is joined with probability ½ on average and 0.9 at most.
_MEAN, _LARGEST = 0.5, 0.9


@dataclass(frozen=True)
class EPAGCL(FlippingView):
    """Drop edges by the message 1/√(d_i·d_j) that a GCN layer passes along them, and join hubs.

        drop   w_ij = 1/√(d_i·d_j),               P = min(1, drop·(w_ij − w_min)/(w_mean − w_min))
        join   w_ij = 1/√((d_i + 1)·(d_j + 1)),   P = min(0.9, ½·(w_max − w_ij)/mean(w_max − w))

    ``drop`` is the mean probability of an edge before it is cut off at 1. Candidates to join are the
    2·``add``·(number of edges) absent pairs with the smallest w_ij, the mean is over them, and w_max is that
    of all absent pairs; so ``add`` is the expected number of new edges per edge, before the cut-off. Edges of
    nodes with few neighbours are dropped first, and nodes with many neighbours are joined to each other. If
    all are alike, P is ``drop`` and ½.

    The published code draws the two directions of a pair independently, and counts a node and itself as a
    candidate; here a pair is one edge, and self loops stay as they are. Among candidates that tie, a fixed
    random choice is made. A new edge has the mean weight.

    Source: EPAGCL (Xu et al., 2025), and its published code.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> drawn = EPAGCL(0.2, add=0.1)(graph, rng=np.random.default_rng(0))
    >>> joined = (drawn.matrix > graph.adjacency).nnz / graph.adjacency.nnz
    >>> bool(0.08 < joined < 0.12), bool(0.85 < drawn.matrix.nnz / graph.adjacency.nnz < 0.95)
    (True, True)
    """

    name = "epagcl"
    drop: float = probability(0.2)
    add: float = probability(0.05)

    def flips_of(self, matrix: sp.csr_array) -> Flips:
        """Return the probabilities that the rule gives."""
        # Of a directed matrix the mean of both directions, for no end of an edge may have degree 0.
        degrees = (absolute_degrees(matrix) + abs(matrix).sum(axis=0)) / 2.0
        rows, is_edge = off_diagonal(matrix)
        edges = int(is_edge.sum()) / 2
        dropped = np.zeros(matrix.nnz)
        if edges == 0:
            return Flips(matrix, dropped)
        messages = (degrees[rows[is_edge]] * degrees[matrix.indices[is_edge]]) ** -0.5
        dropped[is_edge] = np.minimum(self.drop * _relative(messages - messages.min()), 1.0)
        weight = float(np.abs(matrix.data[is_edge]).mean())
        joined = _candidates(degrees, Pattern.of(matrix), math.ceil(self.add / _MEAN * edges))
        return Flips(matrix, dropped, weight, joined)


def _relative(gaps: np.ndarray) -> np.ndarray:
    """Return the gaps to an extreme relative to their mean, or 1 if all values are the same."""
    mean = float(gaps.mean())
    return gaps / mean if is_spread(mean, 1.0) else np.ones(len(gaps))


def _candidates(degrees: np.ndarray, pattern: Pattern, wanted: int) -> ListedPairs | None:
    """Return the absent pairs to join, and their probabilities."""
    if wanted == 0:
        return None
    # Which of several equal pairs are candidates must not change from draw to draw.
    rng = np.random.default_rng(0)
    pairs = largest_products(degrees + 1.0, pattern, wanted, rng)
    if len(pairs) == 0:
        return None
    loudest = largest_products(1.0 / (degrees + 1.0), pattern, 1, rng)

    def messages(chosen: Pairs) -> np.ndarray:
        passed: np.ndarray = ((degrees[chosen.low] + 1.0) * (degrees[chosen.high] + 1.0)) ** -0.5
        return passed

    gaps = messages(loudest) - messages(pairs)
    return ListedPairs(pairs, np.minimum(_MEAN * _relative(gaps), _LARGEST))
