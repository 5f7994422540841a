"""The nodes whose embeddings are most similar to that of a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._validation import check_integer, invalid
from ..graph.checks import node_indices
from ..linalg.normalize import unit_rows
from ._inputs import embedding_matrix

_ENTRIES_AT_A_TIME = 1 << 22


@dataclass(frozen=True, eq=False)
class NearestNodes:
    """The nearest nodes of some nodes, the most similar first; of equals, the lower row first.

    Attributes
    ----------
    nodes : (m,) int64
    neighbors : (m, k) int64
        Rows of the embedding; a node is not among its own.
    similarities : (m, k) float64
        Cosines, falling along a row.
    """

    nodes: np.ndarray
    neighbors: np.ndarray
    similarities: np.ndarray


def nearest_nodes(Z: Any, nodes: Any, *, top: int = 10) -> NearestNodes:
    """Return the nodes with the largest cosine ⟨z_i, z_j⟩/(‖z_i‖·‖z_j‖), block by block.

    A matrix of all pairs is never formed: the best so far are kept while blocks of rows go by.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    nodes : row numbers, or a boolean mask
    top : int >= 1
        At most N − 1 are there to be found.

    Examples
    --------
    >>> found = nearest_nodes([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]], [0], top=1)
    >>> found.neighbors.tolist(), found.similarities.round(3).tolist()
    ([[2]], [[0.894]])
    """
    owner = "nearest_nodes"
    matrix = embedding_matrix(Z, "Z", owner)
    asked = node_indices(nodes, matrix.shape[0], "nodes", owner)
    check_integer(top, "top", owner, minimum=1)
    if matrix.shape[0] < 2:
        raise invalid("Z", owner, "have at least two rows", "1")
    count = min(top, matrix.shape[0] - 1)
    own = unit_rows(matrix[asked])
    rows = np.empty((len(asked), 0), dtype=np.int64)
    values = np.empty((len(asked), 0))
    step = max(1, _ENTRIES_AT_A_TIME // max(1, len(asked), matrix.shape[1]))
    for start in range(0, matrix.shape[0], step):
        block = unit_rows(matrix[start : start + step])
        numbers = np.arange(start, start + block.shape[0])
        found = _cosines(own, block)
        found[asked[:, None] == numbers] = -np.inf
        rows = np.hstack([rows, np.broadcast_to(numbers, found.shape)])
        values = np.hstack([values, found])
        # Earlier rows stand first, and a stable sort leaves equals in their order.
        best = np.argsort(-values, axis=1, kind="stable")[:, :count]
        rows, values = np.take_along_axis(rows, best, axis=1), np.take_along_axis(values, best, axis=1)
    return NearestNodes(asked, rows, values)


def _cosines(own: Any, block: Any) -> np.ndarray:
    """Return the inner products of rows of length 1, which rounding may not push beyond 1."""
    found: Any = own @ block.T
    cosines: np.ndarray = found if isinstance(found, np.ndarray) else found.toarray()
    return cosines.clip(-1.0, 1.0)
