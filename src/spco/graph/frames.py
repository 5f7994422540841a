"""Frames of pandas, polars and Arrow → graphs and data of nodes, always joined by id.

A frame is a table in memory: the rules for columns, ids, repeats and gaps are those of files. Neither pandas
nor polars is imported; a frame is recognised by the name of its class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from .._validation import invalid
from ..errors import FileFormatError, InvalidInputError, InvalidParameterError
from ._build import check_how
from ._graph import Graph
from .coercion import FRAMES, NODE_FRAMES, is_node_frame, known_class
from .files.columns import Column, known_id, listed, position
from .files.feature_columns import FeatureRules
from .files.input_file import OWNER, InputFile
from .files.node_tables import NodeTable, arrow_ids, features_table, labels_table, node_data
from .files.table import ParquetTable
from .files.tables import graph_of_tables

Columns = Column | Sequence[Column]
FROM_FRAMES = "Graph.from_frames"


@dataclass(frozen=True)
class FrameSource(InputFile):
    """What stands for the file of a table that is a frame."""

    @property
    def title(self) -> str:
        """What errors call the frame."""
        return "the frame"


class FrameTable(ParquetTable):
    """The columns of a frame, which become Arrow arrays when they are read."""

    def __init__(self, columns: Sequence[tuple[str, Any]], parameter: str) -> None:
        self.file = FrameSource(Path(parameter), parameter)
        self.names = [name for name, _ in columns]
        self.has_header = not all(name.isdecimal() for name in self.names)
        self._columns = [column for _, column in columns]
        self._held, self._rows_before = None, 0

    def _types(self, columns: Sequence[int]) -> dict[int, Any]:
        return {k: array.type for k, array in self._read(columns).items()}

    def _read(self, columns: Sequence[int]) -> dict[int, Any]:
        return {k: self._arrow(k) for k in columns}

    def _arrow(self, position: int) -> Any:
        column = self._columns[position]
        try:
            array = column.to_arrow() if hasattr(column, "to_arrow") else column
            if not isinstance(array, pa.Array | pa.ChunkedArray):
                array = pa.array(array)
        except pa.ArrowException as reason:
            must = f"hold values of one kind in column {self.names[position]!r}"
            raise self.file.refuse(must, f"where they are not ({reason})") from reason
        return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def from_frames(
    edges: Any,
    *,
    features: Any,
    labels: Any,
    columns: tuple[Column | None, Column | None, Column | None],
    node_id: Column | None,
    label: Column | None,
    of_features: tuple[Columns, Columns, str | None],
    how: str | None,
) -> Graph:
    """See :meth:`spco.Graph.from_frames`; ``of_features`` are ``drop``, ``encode`` and ``fill``."""
    check_how(how, "how", FROM_FRAMES)
    if known_class(edges, FRAMES) is None:
        must = "be a frame of pandas, polars or Arrow"
        raise invalid("edges", FROM_FRAMES, must, type(edges).__name__)
    with _in_words_of(FROM_FRAMES, hints=True):
        drop, encode, fill = of_features
        rules = FeatureRules(listed(drop), listed(encode), fill)
        tables = _node_tables(features, labels, node_id, label, rules)
        return graph_of_tables(FrameTable(_columns(edges), "path"), tables, columns, directed=how)


def with_frames(graph: Graph, given: Mapping[str, Any], owner: str, *, label: str | None = None) -> Graph:
    """Return the graph with the features and labels in frames, by the ids of its nodes."""
    with _in_words_of(owner, hints=False):
        tables = _node_tables(given.get("features"), given.get("labels"), None, label, FeatureRules())
        found = vars(node_data(tables, arrow_ids(graph)))
    return replace(graph, **{what: value for what, value in found.items() if value is not None})


def table_of_rows(rows: np.ndarray, ids: np.ndarray | None) -> pa.Table:
    """Return an embedding as an Arrow table with the columns node_id, z0, z1, ...

    >>> table_of_rows(np.array([[0.5, 1.0]]), np.array(["ann"])).to_pydict()
    {'node_id': ['ann'], 'z0': [0.5], 'z1': [1.0]}
    """
    names = np.arange(len(rows)) if ids is None else ids
    return pa.table({"node_id": pa.array(names), **{f"z{k}": column for k, column in enumerate(rows.T)}})


def _node_tables(
    features: Any, labels: Any, node_id: Column | None, label: Column | None, rules: FeatureRules
) -> list[NodeTable]:
    """Return the tables in frames, and arrays by row number, features first; one frame may hold both."""
    tables = []
    label_is = "perhaps here" if labels is None else "here" if labels is features else "elsewhere"
    if features is not None and not is_node_frame(features):
        tables.append(_array_table(features, "features"))
    elif features is not None:
        table, ids = _with_ids(features, "features", node_id)
        tables.append(features_table(table, ids, label, label_is, rules))
    if label_is == "elsewhere" and not is_node_frame(labels):
        tables.append(_array_table(labels, "labels"))
    elif label_is == "elsewhere":
        tables.append(labels_table(*_with_ids(labels, "labels", node_id), label))
    return tables


def _array_table(values: Any, parameter: str) -> NodeTable:
    array = values if hasattr(values, "ndim") else np.asarray(values)
    if array.ndim != (2 if parameter == "features" else 1):
        must = "be a frame with ids, or an array with a row for each of the nodes 0, 1, 2, ..."
        raise invalid(parameter, OWNER, must, f"{type(values).__name__} of shape {array.shape}")
    source = FrameSource(Path(parameter), parameter)
    return NodeTable(source, features=array) if parameter == "features" else NodeTable(source, labels=array)


def _with_ids(frame: Any, parameter: str, node_id: Column | None) -> tuple[FrameTable, int]:
    """Return a frame of nodes as a table, and the position of its ids."""
    columns, index = _columns(frame), _index(frame, parameter)
    names = [name for name, _ in columns]
    if index is not None and _index_has_ids(index.name, names, node_id):
        return FrameTable([*columns, (str(index.name or "index"), index)], parameter), len(columns)
    table = FrameTable(columns, parameter)
    if node_id is not None:
        return table, position(node_id, names, "node_id")
    found = known_id(names)
    if found is None:
        must, got = "have a column of ids", f"the columns {', '.join(map(repr, names))}"
        hint = "node_id=... takes the name of a column, or its position from 0"
        raise invalid(parameter, OWNER, must, got, hint=hint)
    return table, found


def _index_has_ids(name: Any, names: Sequence[str], node_id: Column | None) -> bool:
    """Return whether the index of a pandas frame holds the ids: if it is called so, or no column is."""
    if node_id is not None:
        return node_id == name and node_id not in names
    return known_id(names) is None or (name is not None and known_id([str(name)]) is not None)


def _columns(frame: Any) -> list[tuple[str, Any]]:
    """Return the columns of a frame, with their names; the index of a pandas frame is none of them."""
    kind = known_class(frame, NODE_FRAMES)
    if kind == "pandas.Series":
        return [(str(frame.name or "label"), frame)]
    if kind == "pandas.DataFrame":
        return [(str(name), frame.iloc[:, k]) for k, name in enumerate(frame.columns)]
    names = frame.columns if kind == "polars.DataFrame" else frame.column_names
    return [(name, frame[name]) for name in names]


def _index(frame: Any, parameter: str) -> Any:
    """Return the index of a pandas frame as a column; None for other frames."""
    if not hasattr(frame, "index") or not hasattr(frame, "iloc"):
        return None
    if frame.index.nlevels > 1:
        must, hint = "have an index of one level", "reset_index() makes columns of them"
        raise invalid(parameter, OWNER, must, f"{frame.index.nlevels} levels", hint=hint)
    return frame.index.to_series()


@contextmanager
def _in_words_of(owner: str, *, hints: bool) -> Iterator[None]:
    """Let errors of the rules for files speak of ``owner``; ``hints`` if it has the options of read_graph."""
    try:
        yield
    except InvalidInputError as error:
        said = error.complaint
        if said is None or said.owner != OWNER:
            raise
        parameter = "edges" if said.parameter == "path" else said.parameter
        kind = InvalidParameterError if isinstance(error, FileFormatError) else type(error)
        hint = said.hint if hints else None
        raise invalid(parameter, owner, said.must, said.got, hint=hint, error=kind) from error
