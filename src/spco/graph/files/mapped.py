"""A graph as a folder of plain .npy arrays, which are mapped into memory and not loaded.

adj_indptr.npy adj_indices.npy   adjacency as CSR: both directions of every edge, columns ascending; int32,
                                 row starts int64 from 2³¹ nonzeros on
adj_data.npy                     weights, float64; there is none if all are 1
feat.npy                         dense features, float32; or
feat_indptr.npy feat_indices.npy feat_data.npy feat_shape.npy    sparse features as CSR
label.npy node_ids.npy label_names.npy            as in the other folders, and so are splits
graph.json                       {"layout": "mapped", "version": 1, "name": ...,
                                  "arrays": {NAME: [dtype, shape]}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._arrays import sound_matrix
from ..._atomic import whole_folder
from ..._documents import OF_OTHER_DOCUMENTS
from .. import checks
from .._build import NodeData
from .._graph import Graph
from ..scan import fault_of
from ._writing import META, PARTS, require_free, require_writable_names
from .input_file import InputFile

LAYOUT, VERSION = "mapped", 1
_WEIGHTS, _DENSE = "adj_data", "feat"
Header = dict[str, Any]


def is_mapped_folder(path: Path) -> bool:
    """Return whether a folder holds a graph as plain arrays."""
    return (path / "adj_indptr.npy").exists()


def read_mapped(path: Path, *, splits: Mapping[str, np.ndarray], load: bool) -> Graph:
    """Return the graph in the folder, its arrays mapped read-only or, with ``load``, in memory.

    Sizes and types are compared with the header. The adjacency is checked in one pass, since an index that
    points outside would crash the compiled code; the values of features are not read.
    """
    header = _header(path)
    arrays = {stem: _array(path, stem, *header["arrays"][stem]) for stem in header["arrays"]}
    adjacency = _adjacency(path, arrays)
    features = _features(path, arrays, adjacency.shape[0])
    vectors = (arrays.get("label"), splits, arrays.get("node_ids"), arrays.get("label_names"))
    nodes = NodeData(features, *vectors, header["name"]).numbered()
    if load:
        return nodes.graph(adjacency, how=None)
    if features is not None:
        checks.frozen(features, "features")
    ids = nodes.node_ids
    if ids is not None and (ids.dtype.kind == "U" or ids.dtype == np.int64):
        checks.frozen(ids, "names")
    return nodes.graph(checks.frozen(adjacency, "adjacency"), how=None)


def _header(path: Path) -> Header:
    file = InputFile(path / META, "path").require_there()
    must = f'hold {{"layout": "{LAYOUT}", "version": {VERSION}, "name": ..., "arrays": ...}}'
    try:
        header: Header = json.loads(file.path.read_text(encoding="utf-8"))
        arrays = {stem: (np.dtype(dtype), tuple(shape)) for stem, (dtype, shape) in header["arrays"].items()}
        header = {"name": header["name"], "arrays": arrays, "kind": (header["layout"], header["version"])}
    except OF_OTHER_DOCUMENTS as reason:
        raise file.refuse(must, f"which does not ({reason})") from reason
    if header["kind"] != (LAYOUT, VERSION):
        hint = "another version of spco wrote it; convert the graph again"
        raise file.refuse(must, f"which is {header['kind']!r}", hint=hint)
    missing = {"adj_indptr", "adj_indices"} - set(header["arrays"])
    if missing or any(Path(stem).name != stem for stem in header["arrays"]):
        raise file.refuse("list the arrays of a graph", f"which lists {', '.join(header['arrays'])}")
    return header


def _array(folder: Path, stem: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
    """Return the mapped array; the header says what it must be."""
    file = InputFile(folder / f"{stem}.npy", "path")
    array = file.mapped()
    if array.dtype != dtype or array.shape != shape:
        must = f"be an array of {dtype} with the shape {shape}, as graph.json says"
        raise file.refuse(must, f"which is {array.dtype} with the shape {array.shape}")
    return array


def _adjacency(path: Path, arrays: Mapping[str, np.ndarray]) -> sp.csr_array:
    """Return the CSR matrix over the arrays themselves; unit weights are one number seen nnz times."""
    indptr, indices, weights = arrays["adj_indptr"], arrays["adj_indices"], arrays.get(_WEIGHTS)
    file = InputFile(path, "path")
    kinds = [(indptr, "i"), (indices, "i"), *([] if weights is None else [(weights, "f")])]
    if any(array.ndim != 1 or array.dtype.kind != kind for array, kind in kinds):
        raise file.refuse("hold row starts and columns as integers, weights as floats", "which does not")
    if weights is not None and (weights.dtype != np.float64 or len(weights) != len(indices)):
        raise file.refuse("hold one float64 weight per entry", f"with {len(weights)} of {weights.dtype}")
    fault = fault_of(indptr, indices, weights)
    if fault is not None:
        hint = "it is damaged or was changed: convert the graph again"
        raise file.refuse("hold a sound, symmetric adjacency", f"which has {fault}", hint=hint)
    data = np.broadcast_to(np.ones(()), indices.shape) if weights is None else weights
    matrix = sp.csr_array((len(indptr) - 1,) * 2)
    # SciPy's constructor would copy indices and row starts of different widths.
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    matrix.has_canonical_format = True
    return matrix


def _features(path: Path, arrays: Mapping[str, np.ndarray], size: int) -> Any:
    file = InputFile(path, "path")
    if _DENSE in arrays:
        if arrays[_DENSE].dtype != np.float32 or arrays[_DENSE].ndim != 2 or len(arrays[_DENSE]) != size:
            raise file.refuse(f"have float32 features with {size} rows", f"with {arrays[_DENSE].shape}")
        return arrays[_DENSE]
    if not {f"feat_{part}" for part in (*PARTS, "shape")} <= set(arrays):
        return None
    indptr, indices, data = (arrays[f"feat_{part}"] for part in PARTS)
    try:
        matrix = sound_matrix(
            sp.csr_array((data, indices, indptr), shape=tuple(arrays["feat_shape"].tolist()))
        )
        if matrix.shape[0] != size or matrix.dtype != np.float32 or not matrix.has_canonical_format:
            raise ValueError(f"{matrix.shape[0]} rows of {matrix.dtype}, which must be sorted")
    except (ValueError, TypeError) as reason:
        raise file.refuse(f"have float32 features with {size} rows", f"which has {reason}") from reason
    return matrix


def write_mapped(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write a whole graph into a folder of plain arrays."""
    require_writable_names(graph.splits or {})
    require_free(path, overwrite=overwrite, is_folder=True)
    adjacency, features = graph.adjacency, graph.features
    arrays: dict[str, Any] = {"adj_indptr": adjacency.indptr, "adj_indices": adjacency.indices}
    arrays[_WEIGHTS] = None if graph.is_unweighted else adjacency.data
    if isinstance(features, np.ndarray):
        arrays[_DENSE] = features
    elif features is not None:
        arrays |= {f"feat_{part}": getattr(features, part) for part in PARTS}
        arrays["feat_shape"] = np.array(features.shape)
    arrays |= {"label": graph.labels, "node_ids": graph.node_ids, "label_names": graph.label_names}
    with whole_folder(path) as folder:
        for stem, array in {**arrays, **(graph.splits or {})}.items():
            if array is not None:
                np.save(folder / f"{stem}.npy", array, allow_pickle=False)
        write_header(folder, graph.name, [stem for stem, array in arrays.items() if array is not None])


def write_header(folder: Path, name: str | None, stems: list[str]) -> None:
    """Write graph.json for the arrays that are in the folder."""
    found = {stem: np.load(folder / f"{stem}.npy", mmap_mode="r") for stem in stems}
    header = {
        "layout": LAYOUT,
        "version": VERSION,
        "name": name,
        "arrays": {stem: [array.dtype.str, list(array.shape)] for stem, array in found.items()},
    }
    (folder / META).write_text(json.dumps(header, ensure_ascii=False) + "\n", encoding="utf-8")
