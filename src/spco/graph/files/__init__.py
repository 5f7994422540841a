"""Read and write graphs: a folder of arrays, one .npz archive, or an edge list in a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._validation import invalid, shown
from .._build import check_how
from .._graph import Graph
from .archive import read_archive, write_archive
from .columns import Column, listed
from .folder import read_folder, write_folder
from .gathering import Gathering
from .input_file import OWNER, InputFile
from .mapped import write_mapped

if TYPE_CHECKING:
    from .node_tables import NodeTable

__all__ = ["read_graph", "write_graph"]

PathLike = str | os.PathLike[str]
_MOST_NAMED = 12
_CONVERT = "spco convert makes a folder that can be mapped"
_TABLES = (".csv", ".tsv", ".parquet", ".pq")


def read_graph(
    path: PathLike,
    *,
    features: PathLike | None = None,
    labels: PathLike | None = None,
    splits: PathLike | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    weight: str | int | None = None,
    node_id: str | int | None = None,
    label: str | int | None = None,
    split: str | int | None = None,
    drop: Column | Sequence[Column] = (),
    encode: Column | Sequence[Column] = (),
    fill: str | None = None,
    directed: str | None = None,
    mmap: bool | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Graph:
    r"""Read a graph from a folder, a .npz archive, or an edge list with optional features and labels.

    Parameters
    ----------
    path : folder, .npz file, or table
        A folder as in :mod:`spco.graph.files.folder` or :mod:`spco.graph.files.mapped`, which ``spco
        convert`` makes; an archive as in :mod:`spco.graph.files.archive` or
        written by ``scipy.sparse.save_npz``; a Parquet file (``.parquet``, ``.pq``). Any other file is a text
        table, also in ``.gz``: the delimiter (tab, semicolon, comma, bar, blanks) and the header are
        detected, as are decimal commas, and lines starting with # or % are comments.
    features, labels : files, optional
        Tables with a column of ids (text or Parquet), or arrays by row number (.npy, or .npz, sparse or
        dense), which need the ids 0..N-1. Both may be the same table. A column called "label", "labels" or
        "class" in the table of features holds the labels and never becomes a feature.
    splits : file, optional
        A table with a column of ids and one that names the node's split, such as train, val and test. A node
        of several splits has several rows. Or a .npz file with an array of row numbers for each split.
    source, target, weight : columns of the edge list, by name or by position from 0
        By default they are detected by the usual names (source/target, src/dst, from/to, u/v, ..., weight).
        Without a header the first two columns are the ends of an edge, and a third one is its weight. If all
        cells are words, a header is recognised only if you name a column.
    node_id, label, split : columns of the tables of features, labels and splits
        By default they are detected by the usual names. Failing that, the first column holds the ids, and
        the only other one the labels or splits.
    drop, encode : columns of the table of features
        Columns to leave out, and columns of words: each of their values becomes a column of zeros and ones.
        Other columns of words are refused.
    fill : {None, "mean", "zero"}
        What an empty cell gets, and a node without a row: the mean of the column, or 0. None refuses both.
    directed : {None, "union", "mean"}
        How directed edges become undirected, see :meth:`spco.Graph.from_directed`. With None, the two ends of
        a row are in no order.
    mmap : bool, optional
        Whether the arrays of a folder stay on disk and are mapped into memory. By default they do if the
        folder is one of plain arrays; any other refuses True. The adjacency is checked in one pass over the
        file, and unit weights take no memory.
    tell : function of a string
        Is told in a few sentences what was understood: columns, repeats, self loops, labels.

    An edge listed several times counts once; if there are weights, they are summed. It does not matter which
    end is named first, with one exception: if all edges that are listed as a,b and as b,a have one weight in
    both, they were written twice, and the weight counts once. An edge of weight 0 is dropped, but its nodes
    are kept.

    The rows follow the table of features if it has ids, else the table of labels (followed by the nodes that
    only the edges name), else the sorted ids. ``graph.node_ids`` holds the ids in that order, or is None if
    they equal the row numbers. Nodes that only a table names have no edges. Classes given as strings are
    numbered in sorted order, see ``graph.label_names``; an empty cell or a missing row means unknown, -1.

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
    files = {"features": features, "labels": labels, "splits": splits}
    given = {what: None if file is None else _as_path(file, what, OWNER) for what, file in files.items()}
    columns = {"source": source, "target": target, "weight": weight}
    of_features: dict[str, Any] = {"drop": listed(drop), "encode": listed(encode), "fill": fill}
    of_nodes: dict[str, Any] = {"node_id": node_id, "label": label, "split": split}
    if place.is_dir():
        _refuse_options("a folder", {**files, **columns, **of_nodes, **of_features})
        return read_folder(place, directed=directed, mmap=mmap)
    if mmap:
        raise invalid("mmap", OWNER, "be None or False for a file", "True", hint=_CONVERT)
    _refuse_options_without_files(given, of_nodes, of_features)
    tables = _read_node_tables(place, given, columns, of_nodes, of_features)
    if place.suffix.lower() == ".npz":
        _refuse_options("an archive", columns)
        graph = _with_node_tables(read_archive(place, directed=directed), tables)
    else:
        from .tables import read_edge_table

        graph = read_edge_table(place, tables, **columns, directed=directed, tell=tell)
    if given["splits"] is not None:
        from .node_tables import arrow_ids
        from .split_table import read_splits

        found = read_splits(given["splits"], arrow_ids(graph), node_id=node_id, split=split)
        graph = replace(graph, splits=found)
    for said in (*(f"{table.file.path.name}: {table.said}" for table in tables), what_nodes(graph)):
        tell(said)
    return graph


def _refuse_options_without_files(
    given: Mapping[str, Path | None], of_nodes: Mapping[str, Any], of_features: Mapping[str, Any]
) -> None:
    """Refuse options of tables that are not given."""
    if given["features"] is None:
        _refuse_options("a graph without a file of features", of_features)
        if given["labels"] is None:
            _refuse_options("a graph without files of features or labels", {"label": of_nodes["label"]})
    if not any(given.values()):
        _refuse_options("a graph without files of features, labels or splits", of_nodes)


def _read_node_tables(
    place: Path,
    given: Mapping[str, Path | None],
    columns: Mapping[str, Any],
    of_nodes: Mapping[str, Any],
    of_features: Mapping[str, Any],
) -> list[NodeTable]:
    """Return the tables of features and labels; an error also names what is wrong with the edges."""
    if given["features"] is None and given["labels"] is None:
        return []
    from .feature_columns import FeatureRules
    from .node_tables import read_node_tables

    tables: list[NodeTable] = []
    rules, wrong = FeatureRules(**of_features), Gathering()
    node_id, label = of_nodes["node_id"], of_nodes["label"]
    with wrong.of_one():
        tables = read_node_tables(
            given["features"], given["labels"], node_id=node_id, label=label, rules=rules
        )
    if wrong and place.suffix.lower() != ".npz":
        from .tables import check_edge_columns

        with wrong.of_one():
            check_edge_columns(place, **columns)
    wrong.raise_all()
    return tables


def _with_node_tables(graph: Graph, tables: list[NodeTable]) -> Graph:
    if not tables:
        return graph
    from .node_tables import with_node_tables

    return with_node_tables(graph, tables)


def write_graph(
    graph: Graph,
    path: PathLike,
    *,
    overwrite: bool = False,
    edges_only: bool = False,
    mmap: bool = False,
) -> None:
    """Write a graph to a folder (no suffix), a .npz archive, or an edge list (.csv, .tsv, .parquet).

    A folder or archive keeps everything: :func:`read_graph` returns the same graph. With ``mmap=True`` a
    folder holds plain arrays, which :func:`read_graph` maps into memory and does not load. An edge list keeps
    the edges, their weights and the node ids; a graph with features, labels or splits is refused unless
    ``edges_only=True``. When it is read again, its rows follow the sorted ids, and ids in text files that
    all consist of plain digits become integers.

    The file or folder appears once it is complete, or not at all. Existing files are replaced only with
    ``overwrite=True``, and an existing folder only if it holds nothing but a graph.
    """
    place = _as_path(path, "path", "write_graph")
    if not isinstance(graph, Graph):
        raise invalid("graph", "write_graph", "be a Graph", type(graph).__name__)
    suffix = place.suffix.lower()
    if mmap and suffix:
        raise invalid("mmap", "write_graph", "be False unless path is a folder", "True")
    if suffix == ".npz":
        write_archive(graph, place, overwrite=overwrite)
    elif suffix in _TABLES:
        if not edges_only:
            _refuse_loss(graph, place)
        from .tables import write_edge_table

        write_edge_table(graph, place, overwrite=overwrite)
    elif not suffix:
        write = write_mapped if mmap else write_folder
        write(graph, place, overwrite=overwrite)
    else:
        must = "end in .npz, .csv, .tsv or .parquet, or have no suffix (a folder)"
        raise invalid("path", "write_graph", must, f"{str(place)!r}")


def what_nodes(graph: Graph) -> str:
    """Return how many nodes there are, how many lack edges, and how many have labels and splits."""
    parts = [f"{graph.num_nodes:,} nodes"]
    alone = int((graph.degrees == 0).sum())
    parts.append(f"{alone:,} without edges" if alone else "all with edges")
    if graph.labels is not None:
        known = graph.labels[graph.labels >= 0]
        numbers, counts = np.unique(known, return_counts=True)
        names = numbers if graph.label_names is None else graph.label_names[numbers]
        sizes = ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))
        classes = sizes if len(names) <= _MOST_NAMED else f"{len(names)} classes"
        parts.append(f"{len(known):,} with labels ({classes})")
    if graph.splits:
        parts.append("splits " + ", ".join(f"{name} {len(nodes):,}" for name, nodes in graph.splits.items()))
    return ", ".join(parts)


def _as_path(path: PathLike, parameter: str, owner: str) -> Path:
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise invalid(parameter, owner, "be a path", shown(path))
    return Path(path)


def _refuse_options(what: str, options: Mapping[str, object]) -> None:
    """Refuse options that would have no effect."""
    for parameter, value in options.items():
        if value not in (None, ()):
            raise invalid(parameter, OWNER, f"be None for {what}", shown(value))


def _refuse_loss(graph: Graph, path: Path) -> None:
    """Refuse to write a graph to a file that cannot hold all of it."""
    held = {"features": graph.features, "labels": graph.labels, "splits": graph.splits or None}
    lost = [what for what, value in held.items() if value is not None]
    if lost:
        must = f"be a folder or end in .npz for a graph with {' and '.join(lost)}"
        hint = "edges_only=True writes the edges without them"
        raise invalid("path", "write_graph", must, f"{str(path)!r}", hint=hint)
