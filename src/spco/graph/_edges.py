"""Edge arrays in and out of ``Graph``."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_integer, shown
from ..errors import InvalidGraphError
from ._build import EdgeList, NodeData, check_how
from ._graph import Graph
from .checks import Checked


def from_edges(edges: Any, nodes: NodeData, *, weights: Any, num_nodes: int | None, how: str | None) -> Graph:
    """See :meth:`spco.Graph.from_edges`."""
    owner = "Graph.from_edges"
    check_how(how, "how", owner)
    if num_nodes is None:
        num_nodes = _length_of(nodes.node_ids, nodes.labels, nodes.features)
    listed = edge_list(edges, weights, num_nodes, owner)
    adjacency = listed.undirected("weights", owner) if how is None else listed.directed()
    return nodes.graph(adjacency, how=how)


def edge_list(edges: Any, weights: Any, num_nodes: int | None, owner: str) -> EdgeList:
    """Return checked pairs; without ``num_nodes`` the largest node number decides."""
    pairs = _node_pairs(edges, owner)
    largest = int(pairs.max(initial=-1))
    size = largest + 1 if num_nodes is None else check_integer(num_nodes, "num_nodes", owner, minimum=1)
    if largest >= size:
        raise Checked("edges", owner, InvalidGraphError).refuse(f"be in [0, {size})", largest)
    return EdgeList(pairs[:, 0], pairs[:, 1], _edge_weights(weights, len(pairs), owner), size)


def _length_of(*per_node: Any) -> int | None:
    """Return the length of the first array that there is."""
    return next((np.shape(values)[0] for values in per_node if values is not None and np.ndim(values)), None)


def _node_pairs(edges: Any, owner: str) -> np.ndarray:
    """Return an (E, 2) int64 array of node numbers >= 0."""
    checked = Checked("edges", owner, InvalidGraphError)
    try:
        array = np.asarray(edges)
    except (ValueError, TypeError, RuntimeError):
        array = np.empty(0, dtype=object)
    if array.size == 0 and array.dtype != object:
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind not in "iuf" or (array.dtype.kind == "f" and not (array == np.trunc(array)).all()):
        raise checked.refuse("hold whole numbers", f"{type(edges).__name__} of {array.dtype}")
    if array.ndim == 2 and array.shape[1] != 2 and array.shape[0] == 2:
        array = array.T
    if array.ndim != 2 or array.shape[1] != 2:
        raise checked.refuse("have the shape (E, 2) or (2, E)", f"shape {array.shape}")
    outside = array[(array < 0) | (array > np.iinfo(np.int32).max)]
    if outside.size:
        raise checked.refuse("number the nodes from 0", shown(outside[0].item()))
    return array.astype(np.int64)


def _edge_weights(weights: Any, num_pairs: int, owner: str) -> np.ndarray | None:
    """Return one finite, non-negative float64 weight per pair."""
    if weights is None:
        return None
    checked = Checked("weights", owner, InvalidGraphError)
    array = np.asarray(weights)
    if array.dtype.kind not in "biuf":
        raise checked.refuse("hold real numbers", array.dtype)
    if array.shape != (num_pairs,):
        raise checked.refuse(f"have one entry per edge ({num_pairs})", f"shape {array.shape}")
    array = array.astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        raise checked.refuse("be finite and >= 0", f"{array[bad[0]]} for edge {bad[0]}")
    return array


def to_edges(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """See :meth:`spco.Graph.to_edges`."""
    upper = sp.triu(graph.adjacency, format="coo")
    order = np.lexsort((upper.coords[1], upper.coords[0]))
    edges = np.column_stack([upper.coords[0], upper.coords[1]]).astype(np.int64)
    return edges[order], upper.data[order]
