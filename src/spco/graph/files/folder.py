"""A graph as a folder: one plain NumPy or SciPy file for each part.

adj.npz          adjacency (SciPy sparse, any format and dtype), or adj.npy if dense
feat.npz         sparse features, or feat.npy for dense ones; optional
label.npy        class numbers, -1 where unknown, or class names as strings; optional
node_ids.npy     the nodes' own names, strings or integers; optional
label_names.npy  the classes' own names; optional
graph.json       {"name": ...}; without it the graph goes by the folder's name
*.npy            every other one is a split, named by its stem
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._validation import invalid
from ...errors import MissingFileError
from .._build import number_classes, undirected_graph
from .._graph import Graph
from ._arrays import OWNER, load_npy, load_sparse, unreadable
from ._names import RESERVED, require_writable_names
from ._place import write_folder as _write_atomically

_META = "graph.json"


def read_folder(path: Path, *, directed: str | None) -> Graph:
    """Return the graph in a folder."""
    adjacency = _matrix(path, "adj")
    if adjacency is None:
        raise invalid(
            "path",
            OWNER,
            "be a folder with the file adj.npz",
            f"{str(path)!r}",
            hint="the layout is adj.npz, feat.npz, label.npy and one .npy for each split",
            error=MissingFileError,
        )
    labels, label_names = number_classes(_vector(path, "label"))
    names = _vector(path, "label_names")
    return undirected_graph(
        adjacency,
        how=directed,
        features=_matrix(path, "feat"),
        labels=labels,
        splits=_splits(path),
        node_ids=_vector(path, "node_ids"),
        label_names=label_names if names is None else names,
        name=_name(path),
    )


def _matrix(folder: Path, stem: str) -> Any:
    """Return the sparse or dense matrix under ``stem``, None if there is neither."""
    sparse, dense = folder / f"{stem}.npz", folder / f"{stem}.npy"
    if sparse.exists() and dense.exists():
        got = f"{str(folder)!r}"
        raise invalid("path", OWNER, f"hold one of {sparse.name} and {dense.name}, not both", got)
    if sparse.exists():
        return load_sparse(sparse, "path")
    return load_npy(dense, "path") if dense.exists() else None


def _vector(folder: Path, stem: str) -> np.ndarray | None:
    file = folder / f"{stem}.npy"
    return load_npy(file, "path") if file.exists() else None


def _splits(folder: Path) -> dict[str, np.ndarray]:
    files = sorted(file for file in folder.glob("*.npy") if not file.name.startswith("."))
    return {file.stem: load_npy(file, "path") for file in files if file.stem not in RESERVED}


def _name(folder: Path) -> str | None:
    file = folder / _META
    if not file.exists():
        return folder.resolve().name or None
    try:
        name = json.loads(file.read_text(encoding="utf-8"))["name"]
    except (ValueError, KeyError, TypeError) as reason:
        raise unreadable(
            file, "path", 'hold {"name": ...} in graph.json', f"which does not ({reason})"
        ) from reason
    if name is not None and not isinstance(name, str):
        raise unreadable(file, "path", "hold a string as the name in graph.json", f"where it is {name!r}")
    return name


def write_folder(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write all of the graph into a folder of its own."""
    require_writable_names(graph.splits or {})

    def write(folder: Path) -> None:
        sp.save_npz(folder / "adj.npz", graph.adjacency)
        if sp.issparse(graph.features):
            sp.save_npz(folder / "feat.npz", graph.features)
        arrays = {
            "feat": None if sp.issparse(graph.features) else graph.features,
            "label": graph.labels,
            "node_ids": graph.node_ids,
            "label_names": graph.label_names,
            **(graph.splits or {}),
        }
        for stem, array in arrays.items():
            if array is not None:
                np.save(folder / f"{stem}.npy", array, allow_pickle=False)
        document = json.dumps({"name": graph.name}, ensure_ascii=False) + "\n"
        (folder / _META).write_text(document, encoding="utf-8")

    _write_atomically(path, write, overwrite=overwrite, is_ours=_is_graph_folder)


def _is_graph_folder(folder: Path) -> bool:
    """Return whether a folder holds a graph and nothing besides, so that replacing it loses nothing else."""
    names = {entry.name for entry in folder.iterdir()}
    plain = all(entry.is_file() for entry in folder.iterdir())
    known = all(name == _META or name.endswith((".npy", ".npz")) for name in names)
    return plain and known and bool(names & {"adj.npz", "adj.npy"})
