"""Nodes as samples: what scikit-learn splits, while every node keeps the whole graph around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._validation import invalid
from ..errors import InvalidLabelsError
from ._graph import Graph
from .checks import Checked
from .coercion import GraphLike, as_graph


@dataclass(frozen=True, eq=False)
class GraphNodes:
    """Some nodes of a graph, by row; indexing takes some of them and leaves the graph as it is.

    Attributes
    ----------
    graph : Graph
    rows : (n,) int64

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> wine.nodes
    GraphNodes(178 of 178 nodes)
    >>> wine[wine.splits["train5"]][:10].shape
    (10,)
    """

    graph: Graph
    rows: np.ndarray

    @classmethod
    def of(cls, source: GraphLike, owner: str, *, features: Any = None) -> GraphNodes:
        """Return nodes as they are, and of anything else that holds a graph all nodes."""
        graph = as_graph(source, owner, features=features)
        return cls(graph, source.rows) if isinstance(source, GraphNodes) else graph.nodes

    @property
    def shape(self) -> tuple[int]:
        """The number of nodes."""
        return (len(self.rows),)

    @property
    def are_all(self) -> bool:
        """Whether these are all nodes of the graph, in its order."""
        return np.array_equal(self.rows, np.arange(self.graph.num_nodes))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> GraphNodes:
        return GraphNodes(self.graph, np.atleast_1d(self.rows[index]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        del copy  # a new array in any case
        return np.array(self.rows, dtype=dtype)

    def __repr__(self) -> str:
        return f"GraphNodes({len(self)} of {self.graph.num_nodes} nodes)"

    def of_these(self, values: np.ndarray) -> np.ndarray:
        """Return the rows of these nodes from an array with one row per node of the graph."""
        return values if self.are_all else values[self.rows]

    def labels(self, y: Any, owner: str) -> np.ndarray | None:
        """Return a label for every node of the graph, −1 for all but these; ``y`` has one for each of these.

        Without ``y`` the labels are those of the graph, if it has some.
        """
        if self.are_all:
            return self.graph.labels if y is None else y
        if y is None:
            if self.graph.labels is None:
                return None
            y = self.graph.labels[self.rows]
        given = Checked("y", owner, InvalidLabelsError).integers(y)
        if len(given) != len(self):
            must = f"have one class number for each of the {len(self)} nodes"
            raise invalid("y", owner, must, f"{len(given)}", error=InvalidLabelsError)
        labels = np.full(self.graph.num_nodes, -1, dtype=np.int64)
        labels[self.rows] = given
        return labels
