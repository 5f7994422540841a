"""The steps that every way into ``Graph`` shares: node data, class names → numbers, pairs → adjacency."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_choice
from ..errors import DirectedGraphError
from ._graph import Graph
from .checks import DIRECTED, SYMMETRY_TOLERANCE, Checked, symmetrised


@dataclass(frozen=True, eq=False)
class NodeData:
    """All of a graph but its edges, as it was found: :class:`Graph` checks it."""

    features: Any = None
    labels: Any = None
    splits: Mapping[str, Any] | None = None
    node_ids: Any = None
    label_names: Any = None
    name: str | None = None

    def numbered(self) -> NodeData:
        """Return the same with class numbers, if the classes came as an array of strings; "" is unknown (-1).

        >>> nodes = NodeData(labels=np.array(["b", "a", "", "b"])).numbered()
        >>> nodes.labels.tolist(), nodes.label_names.tolist()
        ([1, 0, -1, 1], ['a', 'b'])
        """
        values = self.labels
        if not isinstance(values, np.ndarray) or values.dtype.kind != "U" or values.ndim != 1:
            return self
        known = values != ""
        names, numbers = np.unique(values[known], return_inverse=True)
        labels = np.full(len(values), -1, dtype=np.int64)
        labels[known] = numbers
        return replace(
            self, labels=labels, label_names=names if self.label_names is None else self.label_names
        )

    def graph(self, adjacency: Any, *, how: str | None) -> Graph:
        """Return the graph; ``how`` makes directed edges undirected, None demands a symmetric matrix."""
        if how is not None:
            adjacency = symmetrised(adjacency, how, "Graph.from_directed")
        return Graph(adjacency, **vars(self))


def check_how(how: str | None, parameter: str, owner: str) -> None:
    """Refuse anything but None, "union" and "mean"."""
    if how is not None:
        check_choice(how, parameter, owner, DIRECTED)


def row_numbers_to_none(ids: np.ndarray) -> np.ndarray | None:
    """Return None for the ids 0, 1, ..., N-1 in this order: they say no more than the rows do."""
    if ids.dtype.kind in "iu" and np.array_equal(ids, np.arange(len(ids))):
        return None
    return ids


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Edges as pairs of node numbers, each edge once or in both directions, with or without weights."""

    source: np.ndarray
    target: np.ndarray
    weights: np.ndarray | None
    num_nodes: int

    def directed(self) -> sp.csr_array:
        """Return the pairs as directed edges; a repeated pair counts once, or with weights is summed."""
        values = np.ones(len(self.source)) if self.weights is None else self.weights
        shape = (self.num_nodes, self.num_nodes)
        matrix = sp.coo_array((values, (self.source, self.target)), shape=shape).tocsr()
        if self.weights is None:
            matrix.data[:] = 1
        return matrix

    def undirected(
        self, parameter: str, owner: str, *, option: str = "how", name_of: Callable[[int], object] = int
    ) -> sp.csr_array:
        """Return the symmetric adjacency; an edge that stands in both directions must have one weight.

        A repeated pair counts once, or with weights is summed. Errors name nodes by ``name_of``, and
        ``option`` as the way out.
        """
        low, high = np.minimum(self.source, self.target), np.maximum(self.source, self.target)
        # One number for the pair, its last bit for the direction: sorting brings the two directions together.
        key = 2 * (low.astype(np.int64) * self.num_nodes + high) + (self.source > self.target)
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        key = key[first]
        value = np.ones(len(key))
        if self.weights is not None and len(key):
            value = np.add.reduceat(self.weights[order], first)
        pair = key // 2
        again = np.flatnonzero(pair[1:] == pair[:-1])  # both directions: value[again], value[again + 1]
        there, back = value[again], value[again + 1]
        apart = np.flatnonzero(np.abs(there - back) > SYMMETRY_TOLERANCE * np.maximum(there, back))
        if apart.size:
            at = apart[0]
            ends = [name_of(node) for node in divmod(int(pair[again[at]]), self.num_nodes)]
            raise Checked(parameter, owner, DirectedGraphError).refuse(
                "give both directions of an edge the same weight",
                f"{there[at]:g} from node {ends[0]!r} to {ends[1]!r} but {back[at]:g} back",
                hint=f"{option}='union' takes the larger of the two, {option}='mean' the mean",
            )
        once = np.delete(np.arange(len(pair)), again + 1)
        low, high = np.divmod(pair[once], self.num_nodes)
        value, off_diagonal = value[once], low != high
        rows = np.concatenate([low, high[off_diagonal]])
        columns = np.concatenate([high, low[off_diagonal]])
        both = np.concatenate([value, value[off_diagonal]])
        return sp.coo_array((both, (rows, columns)), shape=(self.num_nodes, self.num_nodes)).tocsr()
