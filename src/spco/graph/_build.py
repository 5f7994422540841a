"""What all converters to ``Graph`` share: node data, class names → numbers, directed edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._validation import check_choice
from ._graph import Graph
from .checks import DIRECTED, symmetrised


@dataclass(frozen=True, eq=False)
class NodeData:
    """Everything in a graph except its edges, not yet checked: :class:`Graph` does that."""

    features: Any = None
    labels: Any = None
    splits: Mapping[str, Any] | None = None
    node_ids: Any = None
    label_names: Any = None
    name: str | None = None

    def numbered(self) -> NodeData:
        """Return a copy with class numbers if the labels are an array of strings; "" means unknown (-1).

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
        names = names if self.label_names is None else self.label_names
        return replace(self, labels=labels, label_names=names)

    def graph(self, adjacency: Any, *, how: str | None) -> Graph:
        """Return the graph; ``how`` makes directed edges undirected, None requires a symmetric matrix."""
        if how is not None:
            adjacency = symmetrised(adjacency, how, "Graph.from_directed")
        return Graph(adjacency, **vars(self))


def check_how(how: str | None, parameter: str, owner: str) -> None:
    """Refuse anything but None, "union" and "mean"."""
    if how is not None:
        check_choice(how, parameter, owner, DIRECTED)


def row_numbers_to_none(ids: np.ndarray) -> np.ndarray | None:
    """Return None if the ids are 0, 1, ..., N-1 in this order, since they add nothing to the row numbers."""
    if ids.dtype.kind in "iu" and np.array_equal(ids, np.arange(len(ids))):
        return None
    return ids
