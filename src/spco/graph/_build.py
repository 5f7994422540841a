"""The steps that every way into ``Graph`` shares: pairs → adjacency, class names → numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_choice, invalid
from ..errors import DirectedGraphError
from ._checks import SYMMETRY_TOLERANCE
from ._graph import Graph

HOW = ("union", "mean")


def undirected_graph(
    adjacency: Any,
    *,
    how: str | None,
    features: Any = None,
    labels: Any = None,
    splits: Mapping[str, Any] | None = None,
    node_ids: Any = None,
    label_names: Any = None,
    name: str | None = None,
) -> Graph:
    """Return the graph; ``how`` makes directed edges undirected, None demands a symmetric matrix."""
    if how is None:
        return Graph(adjacency, features, labels, splits, node_ids, label_names, name)
    return Graph.from_directed(
        adjacency,
        how=how,
        features=features,
        labels=labels,
        splits=splits,
        node_ids=node_ids,
        label_names=label_names,
        name=name,
    )


def check_how(how: str | None, parameter: str, owner: str) -> None:
    """Refuse anything but None, "union" and "mean"."""
    if how is not None:
        check_choice(how, parameter, owner, HOW)


def number_classes(values: np.ndarray | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return class numbers and, if the classes came as strings, their sorted names; "" is unknown (-1).

    >>> number_classes(np.array(["b", "a", "", "b"]))
    (array([ 1,  0, -1,  1]), array(['a', 'b'], dtype='<U1'))
    """
    if values is None or values.dtype.kind != "U" or values.ndim != 1:
        return values, None
    known = values != ""
    names, numbers = np.unique(values[known], return_inverse=True)
    labels = np.full(len(values), -1, dtype=np.int64)
    labels[known] = numbers
    return labels, names


def row_numbers_to_none(ids: np.ndarray) -> np.ndarray | None:
    """Return None for the ids 0, 1, ..., N-1 in this order: they say no more than the rows do."""
    if ids.dtype.kind in "iu" and np.array_equal(ids, np.arange(len(ids))):
        return None
    return ids


def adjacency_of_pairs(
    source: np.ndarray,
    target: np.ndarray,
    weights: np.ndarray | None,
    num_nodes: int,
    *,
    how: str | None,
    parameter: str,
    owner: str,
    name_of: Callable[[int], object] = int,
) -> sp.csr_array:
    """Return the adjacency of an edge list in which each edge stands once, or in both directions.

    A repeated pair counts once without weights, and with weights is summed. ``how=None``: an edge that
    stands in one direction is undirected, and one that stands in both must have one weight. Otherwise the
    pairs are directed edges and the matrix is returned as it is, for ``Graph.from_directed``.
    """
    if how is not None:
        directed = sp.coo_array(
            (np.ones(len(source)) if weights is None else weights, (source, target)), shape=(num_nodes,) * 2
        ).tocsr()
        if weights is None:
            directed.data[:] = 1
        return directed
    low, high = np.minimum(source, target), np.maximum(source, target)
    # One number for the pair, its last bit for the direction: sorting brings the two directions together.
    key = 2 * (low.astype(np.int64) * num_nodes + high) + (source > target)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    key = key[first]
    value = np.ones(len(key))
    if weights is not None and len(key):
        value = np.add.reduceat(weights[order], first)
    pair = key // 2
    again = np.flatnonzero(pair[1:] == pair[:-1])  # both directions are there: value[again], value[again + 1]
    _require_same(pair, value, again, num_nodes, parameter, owner, name_of)
    once = np.delete(np.arange(len(pair)), again + 1)
    low, high = np.divmod(pair[once], num_nodes)
    value, off_diagonal = value[once], low != high
    rows = np.concatenate([low, high[off_diagonal]])
    columns = np.concatenate([high, low[off_diagonal]])
    both = np.concatenate([value, value[off_diagonal]])
    return sp.coo_array((both, (rows, columns)), shape=(num_nodes, num_nodes)).tocsr()


def _require_same(
    pair: np.ndarray,
    value: np.ndarray,
    again: np.ndarray,
    num_nodes: int,
    parameter: str,
    owner: str,
    name_of: Callable[[int], object],
) -> None:
    """Refuse edges whose two directions have different weights."""
    there, back = value[again], value[again + 1]
    apart = np.flatnonzero(np.abs(there - back) > SYMMETRY_TOLERANCE * np.maximum(there, back))
    if apart.size:
        at = again[apart[0]]
        low, high = divmod(int(pair[at]), num_nodes)
        option = "directed" if owner == "read_graph" else "how"
        raise invalid(
            parameter,
            owner,
            "give both directions of an edge the same weight",
            f"{value[at]:g} from node {name_of(low)!r} to {name_of(high)!r} but {value[at + 1]:g} back",
            hint=f"{option}='union' takes the larger of the two, {option}='mean' the mean",
            error=DirectedGraphError,
        )
