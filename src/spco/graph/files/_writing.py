"""Checks before a graph is written: whether its path is free, and whether its splits can be files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..._validation import invalid, shown
from ...errors import InvalidSplitError, MissingFileError

META = "graph.json"
PARTS = ("indptr", "indices", "data")
_MATRIX_PARTS = tuple(f"{matrix}_{part}" for matrix in ("adj", "feat") for part in PARTS)
RESERVED = ("adj", "feat", "label", "node_ids", "label_names", "feat_shape", *_MATRIX_PARTS)
_FORBIDDEN = set('/\\:*?"<>|')
_OWNER = "write_graph"


def require_writable_names(names: Iterable[str]) -> None:
    """Refuse split names that cannot be file names or that clash with another file."""
    seen: set[str] = set()
    for name in names:
        folded = name.casefold()
        is_strange = not name.isprintable() or _FORBIDDEN & set(name)
        if not name or name != name.strip() or name[0] == "." or is_strange:
            must = "have names that can be file names"
        elif folded in RESERVED:
            must = f"not be called {', '.join(RESERVED)}, which are other files"
        elif folded in seen:
            must = "have names that differ by more than upper and lower case"
        else:
            seen.add(folded)
            continue
        raise invalid("splits", _OWNER, must, shown(name), error=InvalidSplitError)


def require_free(
    path: Path, *, overwrite: bool, is_folder: bool = False, parameter: str = "path", owner: str = _OWNER
) -> None:
    """Refuse a path without a parent folder, and one where something would be lost."""
    got, hint = f"{str(path)!r}", None
    if not os.path.isdir(path.parent):
        raise invalid(parameter, owner, "be in a folder that exists", got, error=MissingFileError)
    if not os.path.exists(path) or (is_folder and path.is_dir() and not any(path.iterdir())):
        return
    if path.is_dir() != is_folder:
        must = f"not be a {'file' if is_folder else 'folder'} that exists already"
    elif not overwrite:
        must, hint = "not exist yet", "overwrite=True replaces it"
    elif is_folder and not _is_graph_folder(path):
        must, hint = "be new or the folder of a graph, to be overwritten", "it holds other files"
    else:
        return
    raise invalid(parameter, owner, must, got, hint=hint)


def _is_graph_folder(folder: Path) -> bool:
    """Return whether a folder holds a graph and nothing else, so that replacing it loses nothing else."""
    entries = list(folder.iterdir())
    is_graph = any(entry.name in ("adj.npz", "adj.npy", "adj_indptr.npy") for entry in entries)
    return is_graph and all(
        entry.is_file() and (entry.name == META or entry.suffix in (".npy", ".npz")) for entry in entries
    )
