"""A graph as one .npz file.

    adj_data adj_indices adj_indptr adj_shape        adjacency as CSR
    attr_data attr_indices attr_indptr attr_shape    sparse features as CSR, or
    attr_matrix                                      dense features
    labels node_ids label_names name                 as in Graph
    split_NAME                                       node indices of the split NAME

The names adj_*, attr_* and labels are those of PyTorch Geometric's Amazon and Coauthor archives, which can be
read as they are. A file written by ``scipy.sparse.save_npz`` gives the adjacency alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._arrays import is_sparse
from ..._atomic import whole_file
from .._build import NodeData
from .._graph import Graph
from ._writing import require_free, require_writable_names
from .input_file import InputFile

_PARTS = ("data", "indices", "indptr", "shape")
_VECTORS = ("labels", "node_ids", "label_names", "name")
_SPLIT = "split_"


def read_archive(path: Path, *, directed: str | None) -> Graph:
    """Return the graph in a .npz file."""
    file = InputFile(path, "path")
    keys = file.npz_keys()
    if is_sparse(keys):
        return NodeData().graph(file.sparse(), how=directed)
    known = {f"{what}_{part}" for what in ("adj", "attr") for part in _PARTS} | {"attr_matrix", "adj_matrix"}
    wanted = [key for key in keys if key in known or key in _VECTORS or key.startswith(_SPLIT)]
    arrays = file.npz(wanted)
    adjacency = _matrix(file, arrays, "adj")
    if adjacency is None:
        found = f"which has the arrays {', '.join(sorted(keys)) or '(none)'}"
        raise file.refuse("hold a graph: adj_data, adj_indices, adj_indptr and adj_shape", found)
    nodes = NodeData(
        _matrix(file, arrays, "attr"),
        arrays.get("labels"),
        {key.removeprefix(_SPLIT): arrays[key] for key in arrays if key.startswith(_SPLIT)},
        arrays.get("node_ids"),
        arrays.get("label_names"),
        str(arrays["name"]) if "name" in arrays else None,
    )
    return nodes.numbered().graph(adjacency, how=directed)


def _matrix(file: InputFile, arrays: dict[str, np.ndarray], what: str) -> Any:
    """Return the CSR matrix stored in parts under ``what``, else the dense one, else None."""
    parts = [arrays.get(f"{what}_{part}") for part in _PARTS]
    if all(part is None for part in parts):
        return arrays.get(f"{what}_matrix")
    data, indices, indptr, shape = (np.asarray(part) for part in parts)
    try:
        return sp.csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    except (ValueError, TypeError) as reason:
        raise file.refuse(f"hold a CSR matrix under {what}_*", f"which does not ({reason})") from reason


def write_archive(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write the whole graph into one compressed .npz file."""
    require_writable_names(graph.splits or {})
    arrays: dict[str, Any] = _parts(graph.adjacency, "adj")
    if sp.issparse(graph.features):
        arrays |= _parts(graph.features, "attr")
    elif graph.features is not None:
        arrays["attr_matrix"] = graph.features
    arrays |= {key: getattr(graph, key) for key in _VECTORS if getattr(graph, key) is not None}
    arrays |= {_SPLIT + name: nodes for name, nodes in (graph.splits or {}).items()}
    require_free(path, overwrite=overwrite)
    with whole_file(path) as part, part.open("wb") as handle:
        np.savez_compressed(handle, **arrays)  # only plain dtypes: Graph has checked them


def _parts(matrix: sp.csr_array, what: str) -> dict[str, Any]:
    return {f"{what}_{part}": np.asarray(getattr(matrix, part)) for part in _PARTS}
