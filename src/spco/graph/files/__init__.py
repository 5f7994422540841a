"""Graphs from and to files: a folder of arrays, one .npz archive."""

from __future__ import annotations

import os
from pathlib import Path

from ..._validation import invalid
from .._graph import Graph
from ._arrays import OWNER, require_there
from .archive import read_archive, write_archive
from .folder import read_folder, write_folder

__all__ = ["read_graph", "write_graph"]


def read_graph(path: str | os.PathLike[str], *, directed: str | None = None) -> Graph:
    """Read a graph from a folder or a .npz file."""
    place = Path(path)
    require_there(place, "path")
    if place.is_dir():
        return read_folder(place, directed=directed)
    if place.suffix == ".npz":
        return read_archive(place, directed=directed)
    raise invalid("path", OWNER, "be a folder or end in .npz", f"{str(place)!r}")


def write_graph(graph: Graph, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a graph to a folder or a .npz file, whole or not at all."""
    place = Path(path)
    if place.suffix == ".npz":
        write_archive(graph, place, overwrite=overwrite)
    elif not place.suffix:
        write_folder(graph, place, overwrite=overwrite)
    else:
        raise invalid("path", "write_graph", "be a folder or end in .npz", f"{str(place)!r}")
