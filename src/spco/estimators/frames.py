"""Embeddings as frames that keep the ids of their nodes."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .._lazy import optional_module
from ..graph import GraphLike, GraphNodes

if TYPE_CHECKING:
    import pandas
    import pyarrow


class FramedEmbeddings:
    """Base of :class:`spco.Embedder`: its embeddings as frames.

    Attributes
    ----------
    embedding_ : (N, d) float32
    node_ids_ : (N,) strings or integers, or None if they are the row numbers
    """

    embedding_: np.ndarray
    node_ids_: np.ndarray | None

    @abstractmethod
    def transform(self, graph: GraphLike) -> np.ndarray:
        """Return the embeddings of a graph."""

    @abstractmethod
    def _require_fitted(self) -> None: ...

    def to_frame(self, graph: GraphLike = None, *, features: Any = None) -> pandas.DataFrame:
        """Return the embeddings as a pandas frame with the columns node_id, z0, z1, ...

        Without ``graph`` they are those of the graph it was fitted on; with one, those of :meth:`transform`.
        Join other columns by node_id, not by order. It needs pandas; :meth:`to_arrow` does not.
        """
        optional_module("pandas", "Embedder.to_frame", None)
        return self.to_arrow(graph, features=features).to_pandas()

    def to_arrow(self, graph: GraphLike = None, *, features: Any = None) -> pyarrow.Table:
        """Return the same as :meth:`to_frame` as an Arrow table, for ``polars.from_arrow`` and others."""
        from ..graph.frames import table_of_rows

        self._require_fitted()
        if graph is None:
            return table_of_rows(self.embedding_, self.node_ids_)
        nodes = GraphNodes.of(graph, "Embedder.to_arrow", features=features)
        ids = np.arange(nodes.graph.num_nodes) if nodes.graph.node_ids is None else nodes.graph.node_ids
        return table_of_rows(self.transform(nodes), nodes.of_these(ids))


def tensors_of_ids(ids: np.ndarray | None) -> dict[str, torch.Tensor]:
    """Return ids as a tensor for a file: numbers as they are, strings as rows of code points."""
    if ids is None:
        return {}
    if ids.dtype.kind == "U":
        ids = np.ascontiguousarray(ids).view(np.int32).reshape(len(ids), -1)
    return {"node_ids": torch.from_numpy(ids.astype(np.int64 if ids.ndim == 1 else np.int32))}


def ids_of_tensors(tensors: dict[str, torch.Tensor], size: int) -> np.ndarray | None:
    """Return the ids that :func:`tensors_of_ids` was given.

    >>> ids = np.array(["ann", "Zoë"])
    >>> ids_of_tensors(tensors_of_ids(ids), 2).tolist()
    ['ann', 'Zoë']
    """
    if "node_ids" not in tensors:
        return None
    stored = tensors["node_ids"].numpy()
    if len(stored) != size:
        raise ValueError(f"{len(stored)} ids for {size} nodes")
    return stored if stored.ndim == 1 else np.ascontiguousarray(stored).view(f"U{stored.shape[1]}").ravel()
