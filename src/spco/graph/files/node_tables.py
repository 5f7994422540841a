"""Features and labels in separate files: arrays by row number, or tables with an id for each node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..._arrays import is_sparse
from ..._validation import invalid, shown, some_of
from ...errors import InvalidFeaturesError, InvalidInputError, InvalidLabelsError, UnknownNameError
from .._build import NodeData
from .._graph import Graph
from ._wording import counted, in_quotes
from .columns import Column, known_id, known_label, names_nodes, position
from .feature_columns import FeatureRules, read_feature_columns
from .gathering import Gathering
from .input_file import OWNER, InputFile
from .table import Table, open_table

_LARGEST_WHOLE_FLOAT = 2.0**53
FILL_HINT = "fill='mean' gives nodes without a row the mean of the others"


@dataclass(frozen=True, eq=False)
class NodeTable:
    """The features or labels in one file; ``ids`` (Arrow) is None if its rows are numbered like the nodes.

    ``filler`` holds the features of nodes without a row, if they may lack one, and ``said`` what was read.
    ``places_given`` tells that the caller said which column has the ids.
    """

    file: InputFile
    ids: Any = None
    features: Any = None
    labels: np.ndarray | None = None
    table: Table | None = None
    filler: np.ndarray | None = None
    said: str = ""
    places_given: bool = False

    def __len__(self) -> int:
        values: Any = self.labels if self.features is None else self.features
        return int(values.shape[0]) if values.ndim else 0

    def where(self, row: int) -> str:
        """Return the file and the place of a row in it."""
        return f"{self.file.title}, row {row}" if self.table is None else self.table.where(row)

    def refuse(self, must: str, got: str, *, hint: str | None = None) -> InvalidInputError:
        """Build the error for rows that do not fit the graph; the caller raises it."""
        error = InvalidFeaturesError if self.file.parameter == "features" else InvalidLabelsError
        return invalid(self.file.parameter, OWNER, must, got, hint=hint, error=error)

    def _hint_at_header(self, node: object, row: int) -> str | None:
        """Return what to do if an unknown node is the first line, which may be a header."""
        if row > 0 or self.table is None or self.table.has_header:
            return None
        named = f"node_id={str(node)!r}"
        if self.labels is not None and self.labels.dtype.kind == "U":
            named += f" and label={str(self.labels[0])!r}"
        return f"if that line is a header, name its columns: {named}"

    def require_no_header(self, edge_ids: Any) -> None:
        """Refuse labels whose first line is no node of the edges and no other's class: it may be a header."""
        if self.labels is None or self.places_given or len(self) < 2 or self.labels.dtype.kind != "U":
            return
        if (hint := self._hint_at_header(self.ids[0].as_py(), 0)) is None:
            return
        if (self.labels == self.labels[0]).sum() > 1 or pc.is_in(self.ids[:1], value_set=edge_ids)[0].as_py():
            return
        got = f"{shown(self.ids[0].as_py())} with the class {shown(str(self.labels[0]))} in {self.where(0)}"
        hint += "; if it is a node: node_id=0"
        raise self.refuse("begin with a node that has edges, or with a header of usual names", got, hint=hint)

    def aligned(self, nodes: Any, *, known: str = "nodes of the graph") -> NodeData:
        """Return the features and labels in the order of ``nodes`` (Arrow), which errors call ``known``.

        Every node must have features. A node may lack a label, which gives -1, or "" among names.
        """
        if self.ids is None:
            return NodeData(self.features, self.labels)
        must = f"name {known}"

        def unknown_node(node: object, row: int) -> InvalidInputError:
            got = f"{shown(node)} in {self.where(row)}, which is none"
            return self.refuse(must, got, hint=self._hint_at_header(node, row))

        rows = rows_among(nodes, self.ids, unknown_node)
        first = np.unique(rows, return_index=True)[1]
        if len(first) < len(rows):
            again = int(np.setdiff1d(np.arange(len(rows)), first)[0])
            got = f"{shown(self.ids[again].as_py())} a second time in {self.where(again)}"
            raise self.refuse("have one row for each node", got)
        features, labels = self.features, None
        if features is not None:
            if len(rows) < len(nodes) and self.filler is None:
                missing = nodes[int(np.setdiff1d(np.arange(len(nodes)), rows)[0])].as_py()
                got = f"none for {shown(missing)} in {self.file.title}"
                raise self.refuse("have a row for every node", got, hint=FILL_HINT)
            given, features = features, np.empty((len(nodes), features.shape[1]), features.dtype)
            features[:] = 0 if self.filler is None else self.filler
            features[rows] = given
        if self.labels is not None:
            unknown = np.array("" if self.labels.dtype.kind == "U" else -1, dtype=self.labels.dtype)
            labels = np.full(len(nodes), unknown)
            labels[rows] = self.labels
        return NodeData(features, labels)


def node_data(tables: list[NodeTable], nodes: Any, *, known: str = "nodes of the graph") -> NodeData:
    """Return the features and labels of the tables in the order of ``nodes`` (Arrow), classes as numbers."""
    found = [table.aligned(nodes, known=known) for table in tables]
    features = next((each.features for each in found if each.features is not None), None)
    labels = next((each.labels for each in found if each.labels is not None), None)
    return NodeData(features, labels).numbered()


def with_node_tables(graph: Graph, tables: list[NodeTable]) -> Graph:
    """Return the graph with features and labels from other files; it must not have any of its own."""
    for table in tables:
        for what in ("features", "labels"):
            if getattr(table, what) is not None and getattr(graph, what) is not None:
                got = f"{str(table.file.path)!r}"
                raise invalid(what, OWNER, "be None for an archive that has them", got)
    found = vars(node_data(tables, arrow_ids(graph)))
    return replace(graph, **{what: value for what, value in found.items() if value is not None})


def arrow_ids(graph: Graph) -> Any:
    """Return the nodes' own names, or their row numbers, as an Arrow array."""
    return pa.array(np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids)


def rows_among(nodes: Any, ids: Any, refuse: Callable[[object, int], InvalidInputError]) -> np.ndarray:
    """Return the row of each id among the nodes; ``refuse`` builds the error for an id that is missing."""
    ids, known = same_kind(ids, nodes)
    rows = pc.index_in(ids, value_set=known)
    if rows.null_count:
        at = pc.index(rows.is_null(), True).as_py()
        raise refuse(ids[at].as_py(), at)
    found: np.ndarray = rows.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def same_kind(*ids: Any) -> tuple[Any, ...]:
    """Return Arrow arrays of ids as they are if all hold integers, else as strings."""
    if all(pa.types.is_integer(array.type) for array in ids):
        return ids
    return tuple(array.cast(pa.string()) for array in ids)


def read_node_tables(
    features: Path | None,
    labels: Path | None,
    *,
    node_id: Column | None,
    label: Column | None,
    rules: FeatureRules | None = None,
) -> list[NodeTable]:
    """Return the tables in the files, features first; one file may hold both. An error is about both."""
    x = None if features is None else InputFile(features, "features")
    y = None if labels is None else InputFile(labels, "labels")
    wrong = Gathering()
    for file in (x, y):
        with wrong.of_one():
            if file is not None:
                file.require_there()
    wrong.raise_all()
    label_is = "perhaps here" if y is None else "elsewhere"
    if x is not None and y is not None and x.path.samefile(y.path):
        if x.is_array:
            raise invalid("labels", OWNER, "be another file than features", f"{str(labels)!r}")
        label_is, y = "here", None
    tables = []
    with wrong.of_one():
        if x is not None:
            tables.append(_features_of(x, node_id, label, label_is, rules))
    with wrong.of_one():
        if y is not None:
            tables.append(_labels_of(y, node_id, label))
    wrong.raise_all()
    return tables


def _features_of(
    file: InputFile, node_id: Column | None, label: Column | None, label_is: str, rules: FeatureRules | None
) -> NodeTable:
    """Return the features in a file, with labels unless those are in another."""
    if file.is_array:
        _require_table(file, rules)
        return _array_table(file, "features")
    rules = rules or FeatureRules()
    given = (node_id, None if label_is == "elsewhere" else label, *rules.drop, *rules.encode)
    table = open_table(file, given=given, is_known=names_nodes)
    return features_table(table, node_id, label, label_is, rules)


def _labels_of(file: InputFile, node_id: Column | None, label: Column | None) -> NodeTable:
    """Return the labels in a file of their own."""
    if file.is_array:
        return _array_table(file, "labels")
    return labels_table(open_table(file, given=(node_id, label), is_known=names_nodes), node_id, label)


def _array_table(file: InputFile, what: str) -> NodeTable:
    array = _array(file)
    shape = " × ".join(f"{size:,}" for size in array.shape)
    return NodeTable(file, **{what: array}, said=f"{what}, {shape}, by row number")


def _require_table(file: InputFile, rules: FeatureRules | None) -> None:
    """Refuse rules about columns for an array, which has no named ones."""
    for parameter, value in vars(rules or FeatureRules()).items():
        if value:
            raise invalid(parameter, OWNER, f"be left out for the array {file.path.name}", shown(value))


def _array(file: InputFile) -> Any:
    """Return the matrix or vector of a .npy or .npz file."""
    if file.path.suffix.lower() == ".npy":
        return file.mapped()  # whoever keeps it makes a copy in the type wanted
    keys = file.npz_keys()
    if is_sparse(keys):
        return file.sparse()
    if len(keys) != 1:
        found = f"which has the arrays {', '.join(sorted(keys)) or '(none)'}"
        raise file.refuse("hold one array or one SciPy sparse matrix", found)
    return file.npz(keys)[keys[0]]


def features_table(
    table: Table, node_id: Column | None, label: Column | None, label_is: str, rules: FeatureRules
) -> NodeTable:
    """Return ids, features and, unless ``label_is`` "elsewhere", labels; a label never becomes a feature."""
    ids = id_column(table, node_id)
    found = known_label(table.names, among_features=True) if table.has_header else None
    if label_is == "elsewhere":
        if found is not None and found != ids:
            must = "have no column of labels besides the one of 'labels'"
            hint = "name the same file for both, or drop that column: a label must not become a feature"
            raise table.file.refuse(must, f"with the column {table.names[found]!r}", hint=hint)
        found = None
    elif label is not None:
        found = position(label, table.names, "label")
    elif label_is == "here":
        found = value_column(table, ids, None, "label", known_label)
    columns = read_feature_columns(table, ids, found, rules)
    labels = None if found is None else _classes(table, found)
    roles = f"ids {table.names[ids]!r}" + ("" if found is None else f", labels {table.names[found]!r}")
    said = f"{counted(len(columns.matrix), 'row')}, {roles}, {columns.said}"
    return NodeTable(table.file, columns.ids, columns.matrix, labels, table, columns.filler, said)


def labels_table(table: Table, node_id: Column | None, label: Column | None) -> NodeTable:
    """Return ids and labels; a table of one column holds labels by row number."""
    if len(table.names) == 1:
        return NodeTable(table.file, labels=_classes(table, 0), table=table)
    ids = id_column(table, node_id)
    (nodes,), _ = table.read_ids([ids])
    column = value_column(table, ids, label, "label", known_label)
    said = f"{counted(len(nodes), 'row')}, ids {table.names[ids]!r}, labels {table.names[column]!r}"
    others = [name for k, name in enumerate(table.names) if k not in (ids, column)]
    said += f", ignored: {in_quotes(others)}" if others else ""
    labels = _classes(table, column)
    given = node_id is not None
    return NodeTable(table.file, nodes, labels=labels, table=table, said=said, places_given=given)


def id_column(table: Table, node_id: Column | None) -> int:
    """Return the column of ids: the given one, else one with a usual name, else the first."""
    if node_id is not None:
        return position(node_id, table.names, "node_id")
    return (known_id(table.names) if table.has_header else None) or 0


def value_column(
    table: Table,
    ids: int,
    column: Column | None,
    role: str,
    usual: Callable[[Sequence[str]], int | None],
) -> int:
    """Return the column of labels or splits: the given one, else the only other one, else the usual one."""
    if column is not None:
        return position(column, table.names, role)
    others = [k for k in range(len(table.names)) if k != ids]
    if len(others) == 1:
        return others[0]
    found = usual(table.names) if table.has_header else None
    if found is None or found == ids:
        names = table.names if table.has_header else table.first_row
        got = f"None, with the columns {some_of(names)} in {table.file.title}"
        hint = f"{role}=... takes the name of a column, or its position from 0"
        raise invalid(role, OWNER, f"name the column of {role}s", got, hint=hint, error=UnknownNameError)
    return found


def _classes(table: Table, column: int) -> np.ndarray:
    """Return class numbers, -1 where a cell is empty, or class names as strings, "" where it is empty."""
    array = table.read_labels(column)
    if pa.types.is_string(array.type):
        array = array.fill_null("")
        numbers = _as_numbers(pc.if_else(pc.equal(array, ""), None, array))
        if numbers is None:
            return np.array(array.to_pylist(), dtype=str)
        array = numbers
    elif pa.types.is_boolean(array.type):
        array = array.cast(pa.int64())
    elif not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
        must = "have numbers or strings in the column of labels"
        raise table.file.refuse(must, f"where it is {array.type}")
    if pa.types.is_floating(array.type):
        array = _whole(array, table)
    values: np.ndarray = array.fill_null(-1).to_numpy(zero_copy_only=False)
    return values


def _as_numbers(strings: Any) -> Any:
    """Return strings as int64, or as float64, or None if they are neither."""
    for kind in (pa.int64(), pa.float64()):
        try:
            return strings.cast(kind)
        except pa.ArrowInvalid:
            continue
    return None


def _whole(array: Any, table: Table) -> Any:
    """Return whole floats as integers; pandas stores integers with empty cells that way."""
    array = pc.if_else(pc.is_nan(array), None, array)
    too_large = pc.greater(pc.abs(array), _LARGEST_WHOLE_FLOAT)
    strange = pc.or_(too_large, pc.not_equal(array, pc.trunc(array))).fill_null(False)
    if pc.any(strange).as_py():
        row = pc.index(strange, True).as_py()
        got = f"{array[row].as_py()!r} in {table.where(row)}"
        must = "hold classes, not measurements"
        raise invalid(table.file.parameter, OWNER, must, got, error=InvalidLabelsError)
    return array.cast(pa.int64())
