"""A graph as a folder: one plain NumPy or SciPy file for each part.

adj.npz          adjacency (SciPy sparse, any format and dtype), or adj.npy if dense
feat.npz         sparse features, or feat.npy for dense ones; optional
label.npy        class numbers, -1 where unknown, or class names as strings; optional
node_ids.npy     the nodes' own names, strings or integers; optional
label_names.npy  the classes' own names; optional
graph.json       {"name": ...}; without it the graph has the folder's name
*.npy            every other .npy file is a split, named by its stem
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._atomic import whole_folder
from ..._documents import OF_OTHER_DOCUMENTS
from ..._validation import invalid
from ...errors import MissingFileError
from .._build import NodeData
from .._graph import Graph
from ._writing import META, RESERVED, require_free, require_writable_names
from .input_file import OWNER, InputFile
from .mapped import is_mapped_folder, read_mapped


def read_folder(path: Path, *, directed: str | None, mmap: bool | None) -> Graph:
    """Return the graph in a folder; one of plain arrays is mapped unless ``mmap`` is False."""
    if is_mapped_folder(path):
        if directed is not None:
            must = "be None for a folder of plain arrays, whose graph is undirected"
            raise invalid("directed", OWNER, must, f"{directed!r}")
        return read_mapped(path, splits=_splits(path), load=mmap is False)
    if mmap:
        must, got = "be a folder of plain arrays to be mapped", f"{str(path)!r}"
        hint = "spco convert or write_graph(graph, path, mmap=True) makes one"
        raise invalid("path", OWNER, must, got, hint=hint)
    adjacency = _matrix(path, "adj")
    if adjacency is None:
        must, got = "be a folder with the file adj.npz", f"{str(path)!r}"
        hint = "the layout is adj.npz, feat.npz, label.npy and one .npy for each split"
        raise invalid("path", OWNER, must, got, hint=hint, error=MissingFileError)
    vectors = (_vector(path, "label"), _splits(path), _vector(path, "node_ids"), _vector(path, "label_names"))
    nodes = NodeData(_matrix(path, "feat"), *vectors, _name(path))
    return nodes.numbered().graph(adjacency, how=directed)


def _matrix(folder: Path, stem: str) -> Any:
    """Return the sparse or dense matrix called ``stem``, or None."""
    sparse, dense = folder / f"{stem}.npz", folder / f"{stem}.npy"
    if sparse.exists() and dense.exists():
        got = f"{str(folder)!r}"
        raise invalid("path", OWNER, f"hold one of {sparse.name} and {dense.name}, not both", got)
    if sparse.exists():
        return InputFile(sparse, "path").sparse()
    return _vector(folder, stem)


def _vector(folder: Path, stem: str) -> np.ndarray | None:
    file = folder / f"{stem}.npy"
    return InputFile(file, "path").npy() if file.exists() else None


def _splits(folder: Path) -> dict[str, np.ndarray]:
    files = sorted(file for file in folder.glob("*.npy") if not file.name.startswith("."))
    return {file.stem: InputFile(file, "path").npy() for file in files if file.stem not in RESERVED}


def _name(folder: Path) -> str | None:
    file = InputFile(folder / META, "path")
    if not file.path.exists():
        return folder.resolve().name or None
    try:
        name = json.loads(file.path.read_text(encoding="utf-8"))["name"]
    except OF_OTHER_DOCUMENTS as reason:
        raise file.refuse('hold {"name": ...} in graph.json', f"which does not ({reason})") from reason
    if name is not None and not isinstance(name, str):
        raise file.refuse("hold a string as the name in graph.json", f"where it is {name!r}")
    return name


def write_folder(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write the whole graph into a folder of its own."""
    require_writable_names(graph.splits or {})
    require_free(path, overwrite=overwrite, is_folder=True)
    arrays: dict[str, Any] = {
        "adj": graph.adjacency,
        "feat": graph.features,
        "label": graph.labels,
        "node_ids": graph.node_ids,
        "label_names": graph.label_names,
        **(graph.splits or {}),
    }
    with whole_folder(path) as folder:
        for stem, array in arrays.items():
            if isinstance(array, sp.csr_array):
                sp.save_npz(folder / f"{stem}.npz", array)
            elif array is not None:
                np.save(folder / f"{stem}.npy", array, allow_pickle=False)
        document = json.dumps({"name": graph.name}, ensure_ascii=False) + "\n"
        (folder / META).write_text(document, encoding="utf-8")
