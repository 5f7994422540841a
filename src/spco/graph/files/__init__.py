"""Graphs from and to files: a folder of arrays, one .npz archive, or an edge list as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..._validation import invalid, shown
from .._build import check_how
from .._graph import Graph
from .archive import read_archive, with_node_tables, write_archive
from .folder import read_folder, write_folder
from .input_file import OWNER, InputFile

__all__ = ["read_graph", "write_graph"]

PathLike = str | os.PathLike[str]
_TABLES = (".csv", ".tsv", ".parquet", ".pq")


def read_graph(
    path: PathLike,
    *,
    features: PathLike | None = None,
    labels: PathLike | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    weight: str | int | None = None,
    node_id: str | int | None = None,
    label: str | int | None = None,
    directed: str | None = None,
) -> Graph:
    r"""Read a graph from a folder, a .npz archive, or an edge list with optional features and labels.

    Parameters
    ----------
    path : folder, .npz file, or table
        A folder as in :mod:`spco.graph.files.folder`, an archive as in :mod:`spco.graph.files.archive` or of
        ``scipy.sparse.save_npz``; ``.parquet`` is Parquet, and any other file is a text table (also
        ``.gz``), whose delimiter (tab, semicolon, comma, bar, blanks) and header are detected. Lines
        starting with # or % are comments.
    features, labels : files, optional
        Tables with a column of ids (text or Parquet), or arrays by row number (.npy, .npz, the latter sparse
        or dense), for which ids must be 0..N-1. Both may be the same table. A column called "label",
        "labels" or "class" in the table of features is taken for the labels, never for a feature.
    source, target, weight : columns of the edge list, by name or by position from 0
        By default they are detected by the usual names (source/target, src/dst, from/to, u/v, ..., weight).
        Without a header the first two columns are the ends of an edge and a third one its weight. If all
        cells are words, give a name to say that there is a header.
    node_id, label : columns of the tables of features and labels
        By default they are detected by the usual names; otherwise the first column has the ids, and the only
        other one the labels.
    directed : {None, "union", "mean"}
        What to make of directed edges, see :meth:`spco.Graph.from_directed`. With None an edge that a list
        names in one direction is undirected, and both directions must have the same weight.

    An edge list may name an edge twice in the same direction: without weights it counts once, with weights
    they are summed. An edge of weight 0 is left out, but its nodes are kept.

    The rows follow the table of features if it has ids, else the table of labels (and then the nodes that
    only the edges name), else the sorted ids. ``graph.node_ids`` has them in that order, or is None if they
    are the row numbers. Nodes that only a table names have no edges. Classes given as strings are numbered
    in sorted order, see ``graph.label_names``; an empty cell or a missing row is the unknown class -1.

    Examples
    --------
    >>> import pathlib, spco, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "edges.csv").write_text("from,to\nann,bob\nbob,cid\n")
    >>> _ = (folder / "people.csv").write_text("id,age,label\nbob,31,x\nann,25,y\ncid,40,\ndan,55,x\n")
    >>> g = spco.read_graph(folder / "edges.csv", features=folder / "people.csv")
    >>> g.node_ids.tolist(), g.degrees.tolist(), g.labels.tolist(), g.label_names.tolist()
    (['bob', 'ann', 'cid', 'dan'], [2.0, 1.0, 1.0, 0.0], [0, 1, -1, 0], ['x', 'y'])
    """
    place = _as_path(path, "path", OWNER)
    check_how(directed, "directed", OWNER)
    InputFile(place, "path").require_there()
    files = {"features": features, "labels": labels}
    columns = {"source": source, "target": target, "weight": weight}
    if place.is_dir():
        _refuse_options("a folder", files | columns | {"node_id": node_id, "label": label})
        return read_folder(place, directed=directed)
    if features is None and labels is None:
        _refuse_options("a graph without files of features or labels", {"node_id": node_id, "label": label})

    from .node_tables import read_node_tables

    tables = read_node_tables(
        None if features is None else _as_path(features, "features", OWNER),
        None if labels is None else _as_path(labels, "labels", OWNER),
        node_id=node_id,
        label=label,
    )
    if place.suffix.lower() == ".npz":
        _refuse_options("an archive", columns)
        return with_node_tables(read_archive(place, directed=directed), tables)

    from .tables import read_edge_table

    return read_edge_table(place, tables, source=source, target=target, weight=weight, directed=directed)


def write_graph(graph: Graph, path: PathLike, *, overwrite: bool = False, edges_only: bool = False) -> None:
    """Write a graph to a folder (no suffix), a .npz archive, or an edge list (.csv, .tsv, .parquet).

    Folder and archive keep everything, and :func:`read_graph` gives back the same graph. An edge list keeps
    the edges, their weights and the nodes' ids: a graph with features, labels or splits is refused unless
    ``edges_only=True``. Read again, its rows are in the order of the sorted ids, and in text files ids that
    are all strings of plain digits come back as integers.

    The file or folder appears when it is complete, or not at all. What is there already is only replaced
    with ``overwrite=True``, and a folder only if it holds nothing but a graph.
    """
    place = _as_path(path, "path", "write_graph")
    if not isinstance(graph, Graph):
        raise invalid("graph", "write_graph", "be a Graph", type(graph).__name__)
    suffix = place.suffix.lower()
    if suffix == ".npz":
        write_archive(graph, place, overwrite=overwrite)
    elif suffix in _TABLES:
        if not edges_only:
            _refuse_loss(graph, place)
        from .tables import write_edge_table

        write_edge_table(graph, place, overwrite=overwrite)
    elif not suffix:
        write_folder(graph, place, overwrite=overwrite)
    else:
        must = "end in .npz, .csv, .tsv or .parquet, or have no suffix (a folder)"
        raise invalid("path", "write_graph", must, f"{str(place)!r}")


def _as_path(path: PathLike, parameter: str, owner: str) -> Path:
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise invalid(parameter, owner, "be a path", shown(path))
    return Path(path)


def _refuse_options(what: str, options: Mapping[str, object]) -> None:
    """Refuse options that would have no effect."""
    for parameter, value in options.items():
        if value is not None:
            raise invalid(parameter, OWNER, f"be None for {what}", shown(value))


def _refuse_loss(graph: Graph, path: Path) -> None:
    """Refuse to write a graph to a file that cannot hold all of it."""
    held = {"features": graph.features, "labels": graph.labels, "splits": graph.splits or None}
    lost = [what for what, value in held.items() if value is not None]
    if lost:
        must = f"be a folder or end in .npz for a graph with {' and '.join(lost)}"
        hint = "edges_only=True writes the edges without them"
        raise invalid("path", "write_graph", must, f"{str(path)!r}", hint=hint)
