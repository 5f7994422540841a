"""The frozen, validated graph that every other part of spco works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from . import checks

if TYPE_CHECKING:
    import igraph
    import networkx
    from torch_geometric.data import Data

    from .nodes import GraphNodes


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An undirected, non-negatively weighted graph with optional features, labels and splits.

    Parameters
    ----------
    adjacency : (N, N) anything SciPy or NumPy can read
        Symmetric edge weights, stored as CSR float64, sorted, with duplicates summed. Self loops are kept,
        zeros are dropped. A and Aᵀ may differ by rounding (1e-10), which is averaged out.
    features : (N, F) sparse or dense, optional
        Stored as float32: CSR if given sparse, else dense.
    labels : (N,) integers, optional
        Class numbers from 0; -1 where the class is unknown.
    splits : mapping of names to node indices or boolean masks, optional
        The order of indices is kept; a mask gives ascending indices.
    node_ids : (N,) strings or integers, optional
        Your own names for the nodes, in row order; None if they are the row numbers.
    label_names : strings, optional
        Your own names for the classes, by class number.
    name : str, optional

    The arrays are read-only copies: a ``Graph`` never changes, and neither does its input. Graphs made from
    the arrays of another one share them. A folder that :func:`spco.read_graph` maps stays on disk.

    Examples
    --------
    >>> import spco
    >>> g = spco.Graph([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    >>> g.num_nodes, g.num_edges, g.degrees.tolist()
    (3, 2, [1.0, 3.0, 2.0])
    """

    adjacency: sp.csr_array
    features: sp.csr_array | np.ndarray | None = None
    labels: np.ndarray | None = None
    splits: Mapping[str, np.ndarray] | None = None
    node_ids: np.ndarray | None = None
    label_names: np.ndarray | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        adjacency = checks.symmetric_csr(self.adjacency, "Graph")
        size = adjacency.shape[0]
        labels = checks.label_vector(self.labels, size, "Graph")
        classes = 0 if labels is None else int(labels.max(initial=-1)) + 1
        if self.label_names is not None and np.ndim(self.label_names) == 1:
            classes = max(classes, np.size(self.label_names))  # classes without nodes may have names
        if self.name is not None and not isinstance(self.name, str):
            raise invalid("name", "Graph", "be a string", shown(self.name))
        canonical = {
            "adjacency": adjacency,
            "features": checks.feature_matrix(self.features, size, "Graph"),
            "labels": labels,
            "splits": checks.split_table(self.splits, size, "Graph"),
            "node_ids": checks.name_vector(self.node_ids, size, "node_ids", "Graph"),
            "label_names": checks.name_vector(self.label_names, classes, "label_names", "Graph"),
        }
        for field, value in canonical.items():
            object.__setattr__(self, field, value)

    def __reduce__(self) -> tuple[type[Graph], tuple[Any, ...]]:
        # A read-only mapping can be neither copied nor pickled.
        fields = (self.adjacency, self.features, self.labels, dict(self.splits or {}))
        return Graph, (*fields, self.node_ids, self.label_names, self.name)

    @property
    def nodes(self) -> GraphNodes:
        """All nodes as samples that scikit-learn can split; ``graph[rows]`` are some of them."""
        from .nodes import GraphNodes

        return GraphNodes(self, np.arange(self.num_nodes))

    # scikit-learn splits what has a shape and an index. Without a length NumPy takes a graph for one object.
    def __getitem__(self, rows: Any) -> GraphNodes:
        return self.nodes[rows]

    @property
    def shape(self) -> tuple[int]:
        """The number of nodes, for scikit-learn."""
        return (self.num_nodes,)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, N."""
        return int(self.adjacency.shape[0])

    @cached_property
    def is_unweighted(self) -> bool:
        """Whether every weight is 1; ``adjacency.data`` of a mapped graph is then one number, of stride 0."""
        weights = self.adjacency.data
        return bool((weights[:1] == 1).all() if weights.strides == (0,) else (weights == 1).all())

    @cached_property
    def num_edges(self) -> int:
        """Number of undirected edges; a self loop counts once."""
        return int(self.adjacency.nnz + checks.count_loops(self.adjacency)) // 2

    @property
    def num_features(self) -> int:
        """Number of feature columns, 0 without features."""
        return 0 if self.features is None else int(self.features.shape[1])

    @property
    def num_classes(self) -> int:
        """Number of classes, 0 without labels."""
        if self.label_names is not None:
            return len(self.label_names)
        return 0 if self.labels is None else int(self.labels.max(initial=-1)) + 1

    @cached_property
    def degrees(self) -> np.ndarray:
        """Weighted degrees d = A·1, float64."""
        if self.is_unweighted:
            return checks.frozen(np.diff(self.adjacency.indptr).astype(np.float64))
        return checks.frozen(np.asarray(self.adjacency.sum(axis=1), dtype=np.float64).ravel())

    def __repr__(self) -> str:
        parts = [f"{self.num_nodes} nodes", f"{self.num_edges} edges"]
        if self.features is not None:
            kind = "sparse" if sp.issparse(self.features) else "dense"
            parts.append(f"{self.num_features} {kind} features")
        if self.labels is not None:
            parts.append(f"{self.num_classes} classes")
        if self.splits:
            parts.append("splits " + "/".join(self.splits))
        title = f"{self.name}: " if self.name else ""
        return f"Graph({title}{', '.join(parts)})"

    @classmethod
    def coerce(
        cls, source: Any, *, features: Any = None, labels: Any = None, how: str | None = None
    ) -> Graph:
        """Make a graph of whatever holds one; estimators and spectral tools do this to what they are given.

        Parameters
        ----------
        source : Graph, torch_geometric Data, NetworkX or igraph graph, adjacency matrix, or frame of edges
            A graph comes back as it is. Of NetworkX and igraph the edge attribute "weight" is read. A frame
            is one of pandas, polars or Arrow, see :meth:`from_frames`.
        features, labels : optional
            Arrays that come before what ``source`` has; frames, which are joined by the ids of the nodes; or
            names of node attributes of a NetworkX or igraph graph, which are "x" and "y" if there are such.
            ``labels`` may name a column of a frame of features.
        how : {None, "union", "mean"}
            How directed edges become undirected, see :meth:`from_directed`; None refuses them.

        Examples
        --------
        >>> import networkx, spco
        >>> spco.Graph.coerce(networkx.path_graph(3), features=[[1], [2], [3]])
        Graph(3 nodes, 2 edges, 1 dense features)
        """
        from .coercion import as_graph

        return as_graph(source, "Graph.coerce", features=features, labels=labels, how=how)

    @classmethod
    def from_directed(
        cls,
        adjacency: Any,
        *,
        how: str = "union",
        features: Any = None,
        labels: Any = None,
        splits: Mapping[str, Any] | None = None,
        node_ids: Any = None,
        label_names: Any = None,
        name: str | None = None,
    ) -> Graph:
        """Make an undirected graph from directed edges.

        ``how="union"`` takes max(A, Aᵀ), so an edge in either direction counts; ``"mean"`` takes (A + Aᵀ)/2.

        >>> import spco
        >>> spco.Graph.from_directed([[0, 2], [0, 0]], how="mean").adjacency.toarray().tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        undirected = checks.symmetrised(adjacency, how, "Graph.from_directed")
        return cls(undirected, features, labels, splits, node_ids, label_names, name)

    @classmethod
    def from_edges(
        cls,
        edges: Any,
        *,
        weights: Any = None,
        num_nodes: int | None = None,
        how: str | None = None,
        features: Any = None,
        node_ids: Any = None,
        labels: Any = None,
        label_names: Any = None,
        splits: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Graph:
        """Make a graph from an (E, 2) or (2, E) integer array of node pairs.

        An edge may be listed in one direction or in both. Two different weights for the two directions are an
        error, unless ``how`` makes directed edges undirected (see :meth:`from_directed`). A pair repeated in
        the same direction counts once; with ``weights`` they are summed. A (2, 2) array holds a pair per row.

        >>> import spco
        >>> spco.Graph.from_edges([[0, 1], [1, 2], [2, 1]], num_nodes=4).degrees.tolist()
        [1.0, 2.0, 1.0, 0.0]
        """
        from ._build import NodeData
        from ._edges import from_edges

        nodes = NodeData(features, labels, splits, node_ids, label_names, name)
        return from_edges(edges, nodes, weights=weights, num_nodes=num_nodes, how=how)

    @classmethod
    def from_frames(
        cls,
        edges: Any,
        *,
        features: Any = None,
        labels: Any = None,
        source: str | int | None = None,
        target: str | int | None = None,
        weight: str | int | None = None,
        node_id: str | int | None = None,
        label: str | int | None = None,
        drop: str | int | Sequence[str | int] = (),
        encode: str | int | Sequence[str | int] = (),
        fill: str | None = None,
        how: str | None = None,
    ) -> Graph:
        """Make a graph from frames of pandas, polars or Arrow, by the rules of :func:`spco.read_graph`.

        ``edges`` has two columns of ids and perhaps one of weights. ``features`` and ``labels`` have a column
        of ids and are joined by it, never by order; of a pandas frame without one, the index holds the ids.
        Arrays in their place need the ids 0..N-1. All else, from ``source`` to ``fill``, is as in
        :func:`spco.read_graph`; ``how`` is its ``directed``.

        >>> import pyarrow as pa, spco
        >>> edges = pa.table({"source": ["ann", "bob"], "target": ["bob", "cid"]})
        >>> people = pa.table({"id": ["cid", "ann", "bob"], "age": [40, 25, 31], "label": ["x", None, "y"]})
        >>> g = spco.Graph.from_frames(edges, features=people)
        >>> g.node_ids.tolist(), g.features.ravel().tolist(), g.labels.tolist()
        (['cid', 'ann', 'bob'], [40.0, 25.0, 31.0], [0, -1, 1])
        """
        from .frames import from_frames

        return from_frames(
            edges,
            features=features,
            labels=labels,
            columns=(source, target, weight),
            node_id=node_id,
            label=label,
            of_features=(drop, encode, fill),
            how=how,
        )

    def to_edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the undirected edges: an (E, 2) int64 array with i <= j, and their weights."""
        upper = sp.triu(self.adjacency, format="coo")  # row by row, as the CSR matrix is
        return np.column_stack(upper.coords).astype(np.int64), upper.data

    @classmethod
    def from_pyg(cls, data: Data, *, how: str | None = None) -> Graph:
        """Make a graph from a torch-geometric ``Data``; directed edges need ``how`` of :meth:`from_directed`.

        The graph takes ``edge_index`` (or ``adj_t``), ``edge_weight`` (or an ``edge_attr`` of one column),
        ``x`` (dense or sparse), ``y`` and every boolean mask: ``train_mask`` becomes the split "train", and
        the columns of a two-dimensional mask become "train_0", "train_1", ... It also takes ``node_ids``,
        ``label_names`` and ``name``, as :meth:`to_pyg` stores them.
        """
        from ._pyg import from_pyg

        return from_pyg(data, how=how)

    def to_pyg(self, *, sparse_features: bool = False) -> Data:
        """Return a torch-geometric ``Data`` with both directions of every edge.

        ``x`` is a dense float32 tensor, as PyG's layers expect, or a sparse COO one with ``sparse_features``.
        ``edge_weight`` (float32) is omitted if every weight is 1. Each split becomes a boolean ``NAME_mask``,
        which loses the order inside the split.
        """
        from ._pyg import to_pyg

        return to_pyg(self, sparse_features=sparse_features)

    @classmethod
    def from_networkx(
        cls,
        graph: networkx.Graph,
        *,
        features: str | None = None,
        labels: str | None = None,
        weight: str | None = "weight",
        how: str | None = None,
    ) -> Graph:
        """Make a graph from a NetworkX graph; ``features``, ``labels`` and ``weight`` name attributes.

        Rows follow ``graph.nodes``, whose names become ``node_ids``: integers or strings, and the ``str`` of
        anything else. An edge without the ``weight`` attribute has weight 1. Parallel edges are summed if any
        edge has a weight, else they count once. A node without the ``labels`` attribute has the unknown class
        -1; class names are numbered in sorted order.
        """
        from ._networkx import from_networkx

        return from_networkx(graph, features, labels, weight, how)

    def to_networkx(self) -> networkx.Graph:
        """Return a NetworkX graph with the nodes' own names and the attributes ``weight``, ``x`` and ``y``.

        ``x`` is a dense row, ``y`` a class number (missing if unknown). ``graph.graph`` holds the splits (by
        node name) and class names as "splits" and "label_names".
        """
        from ._networkx import to_networkx

        return to_networkx(self)

    @classmethod
    def from_igraph(
        cls,
        graph: igraph.Graph,
        *,
        features: str | None = None,
        labels: str | None = None,
        weight: str | None = "weight",
        how: str | None = None,
    ) -> Graph:
        """Make a graph from an igraph graph; ``features``, ``labels`` and ``weight`` name attributes.

        The vertex attribute "name" becomes ``node_ids``. All else is as in :meth:`from_networkx`.
        """
        from ._igraph import from_igraph

        return from_igraph(graph, features, labels, weight, how)
