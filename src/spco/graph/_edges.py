"""Edge arrays in and out of ``Graph``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_integer, invalid, shown
from ..errors import InvalidGraphError
from ._build import adjacency_of_pairs, check_how, undirected_graph
from ._graph import Graph


def from_edges(
    edges: Any,
    *,
    weights: Any = None,
    num_nodes: int | None = None,
    features: Any = None,
    labels: Any = None,
    splits: Mapping[str, Any] | None = None,
    node_ids: Any = None,
    label_names: Any = None,
    name: str | None = None,
    how: str | None = None,
) -> Graph:
    """See :meth:`spco.Graph.from_edges`."""
    owner = "Graph.from_edges"
    check_how(how, "how", owner)
    pairs = node_pairs(edges, owner)
    given = edge_weights(weights, len(pairs), owner)
    size = number_of_nodes(pairs, num_nodes, (node_ids, labels, features), owner)
    adjacency = adjacency_of_pairs(
        pairs[:, 0], pairs[:, 1], given, size, how=how, parameter="weights", owner=owner
    )
    return undirected_graph(
        adjacency,
        how=how,
        features=features,
        labels=labels,
        splits=splits,
        node_ids=node_ids,
        label_names=label_names,
        name=name,
    )


def node_pairs(edges: Any, owner: str) -> np.ndarray:
    """Return an (E, 2) int64 array of node numbers >= 0."""
    try:
        array = np.asarray(edges)
    except (ValueError, TypeError, RuntimeError):
        array = np.empty(0, dtype=object)
    if array.size == 0 and array.dtype != object:
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind not in "iuf" or (array.dtype.kind == "f" and not (array == np.trunc(array)).all()):
        got = f"{type(edges).__name__} of {array.dtype}"
        raise invalid("edges", owner, "hold whole numbers", got, error=InvalidGraphError)
    if array.ndim == 2 and array.shape[1] != 2 and array.shape[0] == 2:
        array = array.T
    if array.ndim != 2 or array.shape[1] != 2:
        raise invalid(
            "edges", owner, "have the shape (E, 2) or (2, E)", f"shape {array.shape}", error=InvalidGraphError
        )
    if array.min() < 0 or array.max() > np.iinfo(np.int32).max:
        wrong = array[(array < 0) | (array > np.iinfo(np.int32).max)][0].item()
        raise invalid("edges", owner, "number the nodes from 0", shown(wrong), error=InvalidGraphError)
    return array.astype(np.int64)


def edge_weights(weights: Any, num_pairs: int, owner: str) -> np.ndarray | None:
    """Return one finite, non-negative float64 weight per pair."""
    if weights is None:
        return None
    array = np.asarray(weights)
    if array.dtype.kind not in "biuf":
        raise invalid("weights", owner, "hold real numbers", f"{array.dtype}", error=InvalidGraphError)
    if array.shape != (num_pairs,):
        raise invalid(
            "weights",
            owner,
            f"have one entry per edge ({num_pairs})",
            f"shape {array.shape}",
            error=InvalidGraphError,
        )
    array = array.astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        got = f"{array[bad[0]]} for edge {bad[0]}"
        raise invalid("weights", owner, "be finite and >= 0", got, error=InvalidGraphError)
    return array


def number_of_nodes(pairs: np.ndarray, num_nodes: int | None, per_node: tuple[Any, ...], owner: str) -> int:
    """Return N: as given, else the length of what is given per node, else the largest number + 1."""
    largest = int(pairs.max(initial=-1))
    if num_nodes is not None:
        size = check_integer(num_nodes, "num_nodes", owner, minimum=1)
    else:
        lengths = [np.shape(values)[0] for values in per_node if values is not None and np.ndim(values) > 0]
        size = lengths[0] if lengths else largest + 1
    if largest >= size:
        raise invalid("edges", owner, f"be in [0, {size})", f"{largest}", error=InvalidGraphError)
    return size


def to_edges(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """See :meth:`spco.Graph.to_edges`."""
    upper = sp.triu(graph.adjacency, format="coo")
    order = np.lexsort((upper.coords[1], upper.coords[0]))
    edges = np.column_stack([upper.coords[0], upper.coords[1]]).astype(np.int64)
    return edges[order], upper.data[order]
