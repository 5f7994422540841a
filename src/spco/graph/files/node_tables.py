"""Features and labels in files of their own: arrays by row number, or tables with an id for each node."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..._validation import invalid, shown
from ...errors import InvalidFeaturesError, InvalidInputError, InvalidLabelsError, UnknownNameError
from ._arrays import (
    OWNER,
    is_scipy_sparse,
    load_npy,
    load_npz,
    load_sparse,
    npz_keys,
    require_there,
    unreadable,
)
from ._columns import Column, known_id, known_label, names_nodes, position
from ._table import Table, is_array_file, open_table

ERRORS: dict[str, type[InvalidInputError]] = {
    "features": InvalidFeaturesError,
    "labels": InvalidLabelsError,
}
_LARGEST_WHOLE_FLOAT = 2.0**53


@dataclass(frozen=True, eq=False)
class Side:
    """What one file says of the nodes; ``ids`` (Arrow) is None where its rows are the nodes' numbers."""

    parameter: str
    path: Path
    ids: Any = None
    features: Any = None
    labels: np.ndarray | None = None
    table: Table | None = None

    def __len__(self) -> int:
        values: Any = self.labels if self.features is None else self.features
        return int(values.shape[0]) if values.ndim else 0

    def where(self, row: int) -> str:
        """Return how to find a row in the file."""
        return f"{str(self.path)!r}, row {row}" if self.table is None else self.table.where(row)


def read_sides(
    features: Path | None, labels: Path | None, *, node_id: Column | None, label: Column | None
) -> list[Side]:
    """Return what the files say of the nodes, features first; one file may hold both."""
    for path, parameter in ((features, "features"), (labels, "labels")):
        if path is not None:
            require_there(path, parameter)
    if features is not None and labels is not None and features.samefile(labels):
        if is_array_file(features):
            raise invalid("labels", OWNER, "be another file than features", f"{str(labels)!r}")
        return [_features_table(features, node_id, label, label_is="here")]
    sides = []
    if features is not None:
        if is_array_file(features):
            sides.append(Side("features", features, features=_array(features, "features")))
        else:
            label_is = "perhaps here" if labels is None else "elsewhere"
            sides.append(_features_table(features, node_id, label, label_is=label_is))
    if labels is not None:
        if is_array_file(labels):
            sides.append(Side("labels", labels, labels=_array(labels, "labels")))
        else:
            sides.append(_labels_table(labels, node_id, label))
    return sides


def _array(path: Path, parameter: str) -> Any:
    """Return the matrix or vector of a .npy or .npz file."""
    if path.suffix.lower() == ".npy":
        return load_npy(path, parameter)
    keys = npz_keys(path, parameter)
    if is_scipy_sparse(keys):
        return load_sparse(path, parameter)
    if len(keys) != 1:
        found = f"which has the arrays {', '.join(sorted(keys)) or '(none)'}"
        raise unreadable(path, parameter, "hold one array or one SciPy sparse matrix", found)
    return load_npz(path, parameter, keys)[keys[0]]


def _open(path: Path, parameter: str, node_id: Column | None, label: Column | None) -> Table:
    named = isinstance(node_id, str) or isinstance(label, str)
    return open_table(path, parameter, named=named, is_known=names_nodes)


def _id_column(table: Table, node_id: Column | None) -> int:
    """Return the column of ids: as named, or as it is usually called, or the first."""
    if node_id is not None:
        return position(node_id, table.names, "node_id")
    return (known_id(table.names) if table.has_header else None) or 0


def _features_table(path: Path, node_id: Column | None, label: Column | None, *, label_is: str) -> Side:
    """Return ids, features and, unless it ``label_is`` elsewhere, labels: no label is ever a feature."""
    table = _open(path, "features", node_id, label if label_is != "elsewhere" else None)
    ids = _id_column(table, node_id)
    found = known_label(table.names, among_features=True) if table.has_header else None
    if label_is == "elsewhere":
        if found is not None and found != ids:
            must = f"have no column of labels besides the one of {'labels'!r}"
            hint = "name the same file for both, or drop that column: a label must not become a feature"
            raise unreadable(path, "features", must, f"with the column {table.names[found]!r}", hint=hint)
        found = None
    elif label is not None:
        found = position(label, table.names, "label")
    elif label_is == "here":
        found = _label_column(table, ids, None)
    numeric = [k for k in range(len(table.names)) if k not in (ids, found)]
    if not numeric:
        raise unreadable(path, "features", "have a column of ids and columns of numbers", "with ids alone")
    (nodes,), columns = table.read_ids([ids], numeric)
    labels = None if found is None else _classes(table.read_labels(found), table, "features")
    return Side("features", path, nodes, _matrix(columns), labels, table)


def _matrix(columns: list[Any]) -> np.ndarray:
    """Return Arrow columns side by side as float32; what that cannot hold turns infinite."""
    matrix = np.empty((len(columns[0]), len(columns)), dtype=np.float32)
    with np.errstate(over="ignore"):
        for k, column in enumerate(columns):
            matrix[:, k] = column.to_numpy(zero_copy_only=False)
    return matrix


def _labels_table(path: Path, node_id: Column | None, label: Column | None) -> Side:
    """Return ids and labels; a table of one column has labels by row number."""
    table = _open(path, "labels", node_id, label)
    if len(table.names) == 1:
        return Side("labels", path, labels=_classes(table.read_labels(0), table, "labels"), table=table)
    ids = _id_column(table, node_id)
    (nodes,), _ = table.read_ids([ids])
    column = _label_column(table, ids, label)
    return Side(
        "labels", path, nodes, labels=_classes(table.read_labels(column), table, "labels"), table=table
    )


def _label_column(table: Table, ids: int, label: Column | None) -> int:
    """Return the column of labels: as named, or as it is usually called, or the only other one."""
    if label is not None:
        return position(label, table.names, "label")
    others = [k for k in range(len(table.names)) if k != ids]
    if len(others) == 1:
        return others[0]
    found = known_label(table.names) if table.has_header else None
    if found is None or found == ids:
        listed = ", ".join(repr(name) for name in table.names)
        got = f"None, with the columns {listed} in {str(table.path)!r}"
        raise invalid("label", OWNER, "name the column of labels", got, error=UnknownNameError)
    return found


def _classes(array: Any, table: Table, parameter: str) -> np.ndarray:
    """Return class numbers, -1 where a cell is empty, or class names as strings, "" where it is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

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
        raise unreadable(table.path, parameter, must, f"where it is {array.type}")
    if pa.types.is_floating(array.type):
        array = _whole(array, table, parameter)
    values: np.ndarray = array.fill_null(-1).to_numpy(zero_copy_only=False)
    return values


def _as_numbers(strings: Any) -> Any:
    """Return strings as int64, or as float64, or None if they are neither."""
    import pyarrow as pa

    for kind in (pa.int64(), pa.float64()):
        try:
            return strings.cast(kind)
        except pa.ArrowInvalid:
            continue
    return None


def _whole(array: Any, table: Table, parameter: str) -> Any:
    """Return floats that are whole as integers: what pandas makes of integers among empty cells."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pc.if_else(pc.is_nan(array), None, array)
    too_large = pc.greater(pc.abs(array), _LARGEST_WHOLE_FLOAT)
    strange = pc.or_(too_large, pc.not_equal(array, pc.trunc(array))).fill_null(False)
    if pc.any(strange).as_py():
        row = pc.index(strange, True).as_py()
        got = f"{array[row].as_py()!r} in {table.where(row)}"
        raise invalid(parameter, OWNER, "hold classes, not measurements", got, error=InvalidLabelsError)
    return array.cast(pa.int64())


def _require_unique(side: Side) -> None:
    """Refuse a table that has two rows for one node."""
    import pyarrow.compute as pc

    if side.ids is None or len(pc.unique(side.ids)) == len(side.ids):
        return
    counted = pc.value_counts(side.ids)
    node = next(entry["values"] for entry in counted if entry["counts"].as_py() > 1)
    rows = np.flatnonzero(pc.equal(side.ids, node).to_numpy(zero_copy_only=False))
    got = f"{shown(node.as_py())} a second time in {side.where(int(rows[1]))}"
    raise invalid(side.parameter, OWNER, "have one row for each node", got, error=ERRORS[side.parameter])


def aligned(side: Side, nodes: Any) -> tuple[Any, np.ndarray | None]:
    """Return the features and labels of a side in the order of ``nodes`` (Arrow).

    Every node must have features; a node without a label has none (-1, or "" among names).
    """
    if side.ids is None:
        return side.features, side.labels
    _require_unique(side)
    rows = _rows_of(side, nodes)
    features, labels = side.features, None
    if features is not None:
        _require_all(side, rows, nodes)
        features = features[np.argsort(rows)]
    if side.labels is not None:
        unknown = np.array("" if side.labels.dtype.kind == "U" else -1, dtype=side.labels.dtype)
        labels = np.full(len(nodes), unknown)
        labels[rows] = side.labels
    return features, labels


def _rows_of(side: Side, nodes: Any) -> np.ndarray:
    """Return the row in the graph of each row of the table."""
    import pyarrow.compute as pc

    ids, known = same_kind(side.ids, nodes)
    rows = pc.index_in(ids, value_set=known)
    if rows.null_count:
        row = pc.index(rows.is_null(), True).as_py()
        got = f"{shown(ids[row].as_py())} in {side.where(row)}, which is none"
        raise invalid(side.parameter, OWNER, "name nodes of the graph", got, error=ERRORS[side.parameter])
    found: np.ndarray = rows.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def _require_all(side: Side, rows: np.ndarray, nodes: Any) -> None:
    if len(rows) < len(nodes):
        missing = np.setdiff1d(np.arange(len(nodes)), rows)[0]
        got = f"none for {shown(nodes[int(missing)].as_py())} in {str(side.path)!r}"
        raise invalid(side.parameter, OWNER, "have a row for every node", got, error=ERRORS[side.parameter])


def same_kind(*ids: Any) -> tuple[Any, ...]:
    """Return Arrow arrays of ids, all of them integers, or else all of them strings."""
    import pyarrow as pa

    if all(pa.types.is_integer(array.type) for array in ids):
        return ids
    return tuple(array.cast(pa.string()) for array in ids)
