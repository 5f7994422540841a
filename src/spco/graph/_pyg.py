"""Convert PyG's ``Data`` to and from ``Graph``; if PyG is missing, the error says how to install it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .._lazy import optional_module
from .._validation import invalid
from .._warning import warn_user
from ..errors import InvalidGraphError, InvalidLabelsError
from ._build import NodeData, check_how
from ._edges import checked_adjacency
from ._graph import Graph

if TYPE_CHECKING:
    import torch
    from torch_geometric.data import Data

_MASK = "_mask"


def from_pyg(data: Data, *, how: str | None = None) -> Graph:
    """See :meth:`spco.Graph.from_pyg`."""
    _import_pyg()
    owner = "Graph.from_pyg"
    check_how(how, "how", owner)
    if not hasattr(data, "num_nodes") or not hasattr(data, "edge_index"):
        raise invalid("data", owner, "be a homogeneous torch_geometric Data", type(data).__name__)
    size = data.num_nodes
    if not size:
        raise invalid("data", owner, "have at least one node", f"num_nodes={size}", error=InvalidGraphError)
    name = getattr(data, "name", None)
    nodes = NodeData(
        _numpy_or_scipy(data.x),
        _pyg_labels(data, owner),
        _pyg_splits(data, int(size)),
        _numpy_or_scipy(getattr(data, "node_ids", None)),
        getattr(data, "label_names", None),
        name if isinstance(name, str) else None,
    )
    return nodes.graph(_pyg_adjacency(data, int(size), owner), how=how)


def _import_pyg() -> Any:
    return optional_module("torch_geometric.data", "Graph.from_pyg and to_pyg", "pyg")


def _numpy_or_scipy(values: Any) -> Any:
    """Return a tensor as a NumPy array, a sparse one as a SciPy matrix, anything else as it is."""
    import torch

    if hasattr(values, "to_torch_sparse_coo_tensor"):  # SparseTensor of torch_sparse
        values = values.to_torch_sparse_coo_tensor()
    if not isinstance(values, torch.Tensor):
        return values
    values = values.detach().cpu()
    if values.layout == torch.strided:
        # NumPy has no bfloat16, and float32 holds every bfloat16.
        return (values.float() if values.dtype == torch.bfloat16 else values).numpy()
    entries = values.to_sparse_coo().coalesce()
    return sp.coo_array((entries.values().numpy(), tuple(entries.indices().numpy())), shape=entries.shape)


def _pyg_adjacency(data: Data, size: int, owner: str) -> Any:
    """Return the (directed) adjacency; a repeated edge counts once without weights, else it is summed."""
    if data.edge_index is None:
        if getattr(data, "adj_t", None) is None:
            raise invalid("data", owner, "have edge_index or adj_t", "neither", error=InvalidGraphError)
        return _numpy_or_scipy(data.adj_t)  # the transpose of an undirected graph is the same graph
    given = _numpy_or_scipy(data.edge_index)
    pairs = given.T if isinstance(given, np.ndarray) else given
    weights, name = _pyg_weights(data, int(np.shape(given)[-1]) if np.ndim(given) else 0)
    return checked_adjacency(pairs, weights, size, owner, called=("edge_index", name))


def _pyg_weights(data: Data, num_pairs: int) -> tuple[Any, str]:
    """Return ``edge_weight``, else an ``edge_attr`` of one column, else None; and its name."""
    weights = _numpy_or_scipy(getattr(data, "edge_weight", None))
    is_weight = weights is not None
    name = "edge_weight" if is_weight else "edge_attr"
    if not is_weight:
        weights = _numpy_or_scipy(getattr(data, "edge_attr", None))
    if weights is None or weights.shape == (num_pairs, 1):
        return (None if weights is None else weights.reshape(-1)), name
    if is_weight or weights.shape == (num_pairs,):
        return weights, name
    warn_user(f"Graph.from_pyg: edge_attr of shape {weights.shape} is not one weight per edge and is ignored")
    return None, name


def _pyg_labels(data: Data, owner: str) -> Any:
    labels = _numpy_or_scipy(getattr(data, "y", None))
    if labels is not None and np.ndim(labels) == 2 and np.shape(labels)[1] == 1:
        return np.asarray(labels).reshape(-1)
    if labels is not None and np.ndim(labels) != 1:
        got = f"shape {np.shape(labels)}"
        raise invalid("data", owner, "have one class number per node in y", got, error=InvalidLabelsError)
    return labels


def _pyg_splits(data: Data, size: int) -> dict[str, np.ndarray]:
    """Return every boolean node mask under its stem; the columns of a two-dimensional one are numbered."""
    import torch

    splits: dict[str, np.ndarray] = {}
    for key, mask in data.to_dict().items():
        if not key.endswith(_MASK) or not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
            continue
        stem, values = key.removesuffix(_MASK), mask.cpu().numpy()
        if values.ndim == 2 and values.shape[0] == size:
            splits |= {f"{stem}_{k}": values[:, k] for k in range(values.shape[1])}
        else:
            splits[stem] = values
    return splits


def to_pyg(graph: Graph, *, sparse_features: bool = False) -> Data:
    """See :meth:`spco.Graph.to_pyg`."""
    pyg = _import_pyg()
    import torch

    weights = graph.adjacency.data
    data: Data = pyg.Data(edge_index=_indices(graph.adjacency), num_nodes=graph.num_nodes)
    if not (weights == 1).all():
        data.edge_weight = torch.from_numpy(_float32_weights(weights))
    if graph.features is not None:
        data.x = _feature_tensor(graph.features, sparse_features)
    if graph.labels is not None:
        data.y = torch.from_numpy(graph.labels.copy())
    for name, nodes in (graph.splits or {}).items():
        mask = torch.zeros(graph.num_nodes, dtype=torch.bool)
        mask[torch.from_numpy(nodes.copy())] = True
        data[name + _MASK] = mask
    if graph.node_ids is not None:
        numbers = graph.node_ids.dtype.kind == "i"
        data.node_ids = torch.from_numpy(graph.node_ids.copy()) if numbers else graph.node_ids.tolist()
    if graph.label_names is not None:
        data.label_names = graph.label_names.tolist()
    if graph.name is not None:
        data.name = graph.name
    return data


def _float32_weights(weights: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        single = weights.astype(np.float32)
    lost = np.flatnonzero(~np.isfinite(single) | (single == 0))
    if lost.size:
        must, got = "have weights that float32 holds", f"{weights[lost[0]]}"
        raise invalid("adjacency", "Graph.to_pyg", must, got, error=InvalidGraphError)
    return single


def _feature_tensor(features: Any, keep_sparse: bool) -> torch.Tensor:
    import torch

    if isinstance(features, np.ndarray):
        return torch.from_numpy(features.copy())
    if not keep_sparse:
        return torch.from_numpy(features.toarray())
    values = torch.from_numpy(features.data.copy())
    size = features.shape
    return torch.sparse_coo_tensor(_indices(features), values, size, check_invariants=True).coalesce()


def _indices(matrix: sp.csr_array) -> torch.Tensor:
    """Return the (2, nnz) row and column numbers of the stored entries."""
    import torch

    return torch.from_numpy(np.stack(matrix.tocoo().coords).astype(np.int64))
