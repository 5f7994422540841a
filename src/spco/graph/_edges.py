"""Convert edge arrays to and from ``Graph``."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_integer, shown
from ..errors import DirectedGraphError, InvalidGraphError
from ._build import NodeData, check_how
from ._graph import Graph
from .checks import SYMMETRY_TOLERANCE, Checked


def from_edges(edges: Any, nodes: NodeData, *, weights: Any, num_nodes: int | None, how: str | None) -> Graph:
    """See :meth:`spco.Graph.from_edges`."""
    owner = "Graph.from_edges"
    check_how(how, "how", owner)
    if num_nodes is None:
        per_node = (nodes.node_ids, nodes.labels, nodes.features)
        num_nodes = next(
            (np.shape(given)[0] for given in per_node if given is not None and np.ndim(given)), None
        )
    adjacency = checked_adjacency(edges, weights, num_nodes, owner)
    return nodes.graph(undirected(adjacency, "weights", owner) if how is None else adjacency, how=how)


def checked_adjacency(
    edges: Any,
    weights: Any,
    num_nodes: int | None,
    owner: str,
    *,
    called: tuple[str, str] = ("edges", "weights"),
) -> sp.csr_array:
    """Return the directed adjacency of checked pairs; by default the largest number sets the size.

    ``called`` is what errors call the edges and the weights.
    """
    pairs = _node_pairs(edges, called[0], owner)
    largest = int(pairs.max(initial=-1))
    size = largest + 1 if num_nodes is None else check_integer(num_nodes, "num_nodes", owner, minimum=1)
    if largest >= size:
        raise Checked(called[0], owner, InvalidGraphError).refuse(f"be in [0, {size})", largest)
    values = _edge_weights(weights, len(pairs), called[1], owner)
    return directed_adjacency(pairs[:, 0], pairs[:, 1], values, size)


def _node_pairs(edges: Any, parameter: str, owner: str) -> np.ndarray:
    """Return an (E, 2) int64 array of node numbers >= 0."""
    checked = Checked(parameter, owner, InvalidGraphError)
    array = checked.numbers(edges)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind == "b" or not (array == np.trunc(array)).all():
        raise checked.refuse("hold whole numbers", f"{type(edges).__name__} of {array.dtype}")
    if array.ndim == 2 and array.shape[1] != 2 and array.shape[0] == 2:
        array = array.T
    if array.ndim != 2 or array.shape[1] != 2:
        raise checked.refuse("have the shape (E, 2) or (2, E)", f"shape {array.shape}")
    outside = array[(array < 0) | (array > np.iinfo(np.int32).max)]
    if outside.size:
        raise checked.refuse("number the nodes from 0", shown(outside[0].item()))
    return array.astype(np.int64)


def _edge_weights(weights: Any, num_pairs: int, parameter: str, owner: str) -> np.ndarray | None:
    """Return one finite, non-negative float64 weight per pair."""
    if weights is None:
        return None
    checked = Checked(parameter, owner, InvalidGraphError)
    array = checked.numbers(weights).astype(np.float64)
    if array.shape != (num_pairs,):
        raise checked.refuse(f"have one entry per edge ({num_pairs})", f"shape {array.shape}")
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        raise checked.refuse("be finite and >= 0", f"{array[bad[0]]} for edge {bad[0]}")
    return array


def directed_adjacency(
    source: np.ndarray, target: np.ndarray, weights: np.ndarray | None, num_nodes: int
) -> sp.csr_array:
    """Return directed edges as a matrix; a repeated pair counts once, or its weights are summed."""
    values = np.ones(len(source)) if weights is None else weights
    matrix = sp.coo_array((values, (source, target)), shape=(num_nodes, num_nodes)).tocsr()
    return matrix if weights is not None else _ones(matrix)


def undirected(matrix: sp.csr_array, parameter: str, owner: str) -> sp.csr_array:
    """Return the symmetric adjacency of edges given in one direction or, with one weight, in both."""
    back = matrix.T.tocsr()
    conflict = _conflict(matrix, back)
    if conflict is not None:
        row, column = conflict
        raise Checked(parameter, owner, DirectedGraphError).refuse(
            "give both directions of an edge the same weight",
            f"{matrix[row, column]:g} from node {row} to {column} but {back[row, column]:g} back",
            hint="how='union' takes the larger of the two, how='mean' the mean",
        )
    return matrix.maximum(back)


def with_repeats(matrix: sp.csr_array) -> tuple[sp.csr_array, bool]:
    """Return the symmetric adjacency of the rows of a list, and whether both directions were summed.

    If every edge that is listed in both directions has one weight in both, the list has edges twice.
    Otherwise a row a,b and a row b,a are repeats of one edge, and their weights are summed.
    """
    back = matrix.T.tocsr()
    if _conflict(matrix, back) is None:
        return matrix.maximum(back), False
    return (matrix + back - sp.diags_array(matrix.diagonal())).tocsr(), True


def _conflict(matrix: sp.csr_array, back: sp.csr_array) -> tuple[int, int] | None:
    """Return the first edge with another weight in the other direction, if there is one."""
    # An entry of 0 counts: an edge of weight 0 one way and 3 the other is a conflict.
    rows, columns = (_ones(matrix) * _ones(back) * (matrix - back)).nonzero()
    if not len(rows):
        return None
    there, other = matrix[rows, columns], back[rows, columns]
    apart = np.flatnonzero(np.abs(there - other) > SYMMETRY_TOLERANCE * np.maximum(there, other))
    return (int(rows[apart[0]]), int(columns[apart[0]])) if apart.size else None


def _ones(matrix: sp.csr_array) -> sp.csr_array:
    """Return the same pattern, explicit zeros included, with all values 1."""
    return sp.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
