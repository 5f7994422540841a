"""What the nodes of a converted graph have: their order, names, features, labels and splits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import scipy.sparse as sp

from ..._validation import invalid, shown
from ...errors import InvalidInputError
from .. import checks
from .._build import NodeData, row_numbers_to_none
from ..files._writing import PARTS, require_writable_names
from ..files.columns import Column
from ..files.feature_columns import FeatureRules
from ..files.node_tables import FILL_HINT, NodeTable, node_data, read_node_tables, rows_among
from ..files.split_table import read_splits
from ..files.tables import node_order
from .array_file import ArrayFile, save_array
from .dictionary import Dictionary
from .edges import OWNER
from .work_folder import Facts

_ROWS_AT_A_TIME = 1 << 16


@dataclass(frozen=True)
class NodeFiles:
    """The files that describe the nodes, and how to read them; see :func:`spco.read_graph`."""

    features: Path | None = None
    labels: Path | None = None
    splits: Path | None = None
    node_id: Column | None = None
    label: Column | None = None
    split: Column | None = None
    rules: FeatureRules = field(default_factory=FeatureRules)

    @property
    def paths(self) -> list[Path]:
        return [path for path in (self.features, self.labels, self.splits) if path is not None]

    def tables(self) -> list[NodeTable]:
        """Return the features and labels; an array in a .npy file is mapped, everything else is loaded."""
        return read_node_tables(
            self.features, self.labels, node_id=self.node_id, label=self.label, rules=self.rules
        )


def rows_of_ids(named: Dictionary, tables: list[NodeTable]) -> tuple[Any, np.ndarray]:
    """Return the ids of the nodes in row order (Arrow), and the row of each id of the dictionary."""
    ids = named.in_memory()
    nodes = node_order([ids], tables)

    def without_row(node: object, _: int) -> InvalidInputError:
        given, hint = tables[0], FILL_HINT
        if given.ids is None:
            rows = f"the rows of {given.file.path.name} are the nodes 0 to {len(given) - 1}"
            hint = f"{rows}; other ids need a table with ids"
        got = f"none for {shown(node)}, which is in an edge"
        return given.refuse("have a row for every node of the edges", got, hint=hint)

    return nodes, rows_among(nodes, ids, without_row).astype(np.int32)


def write_nodes(folder: Path, files: NodeFiles, named: Dictionary, rows: Path) -> Facts:
    """Write names, features, labels and splits of the nodes as arrays, and the row of each id to ``rows``."""
    for left in folder.iterdir():
        left.unlink()
    tables = files.tables()
    nodes = None
    data = NodeData()
    if tables:
        nodes, of_ids = rows_of_ids(named, tables)
        save_array(rows, of_ids)
        ids = row_numbers_to_none(nodes.to_numpy(zero_copy_only=False))
        data = replace(node_data(tables, nodes), node_ids=ids)
        if ids is not None:
            save_array(folder / "node_ids.npy", ids if ids.dtype.kind == "i" else ids.astype(str))
    else:
        _write_names(folder / "node_ids.npy", named)
    size = len(named.opened()) if nodes is None else len(nodes)
    _write_features(folder, data.features, size)
    for stem, vector in {
        "label": checks.label_vector(data.labels, size, OWNER),
        "label_names": data.label_names,
    }.items():
        if vector is not None:
            save_array(folder / f"{stem}.npy", np.asarray(vector))
    arrays = sorted(path.stem for path in folder.glob("*.npy"))
    if files.splits is not None:
        nodes = named.in_memory() if nodes is None else nodes
        found = read_splits(files.splits, nodes, node_id=files.node_id, split=files.split)
        require_writable_names(found)
        for name, chosen in checks.split_table(found, size, OWNER).items():
            save_array(folder / f"{name}.npy", chosen)
    said = [f"{table.file.path.name}: {table.said}" for table in tables]
    return {"arrays": arrays, "nodes": size, "has_tables": bool(tables), "said": said}


def _write_names(path: Path, named: Dictionary) -> None:
    """Write the sorted ids, unless they are 0, 1, ..., N-1; strings as wide as the longest."""
    ids = named.opened()
    if named.is_integer:
        if len(ids) and (ids[0] != 0 or ids[-1] != len(ids) - 1):
            save_array(path, np.asarray(ids))
        return
    width = max(1, pc.max(pc.utf8_length(ids)).as_py() or 1)
    with ArrayFile(path, f"<U{width}") as file:
        for chunk in ids.chunks:
            for start in range(0, len(chunk), _ROWS_AT_A_TIME):
                file.append(np.array(chunk.slice(start, _ROWS_AT_A_TIME).to_pylist(), dtype=file.dtype))


def _write_features(folder: Path, features: Any, size: int) -> None:
    if features is None:
        return
    if sp.issparse(features):
        matrix: Any = checks.feature_matrix(features, size, OWNER)
        for part in PARTS:
            save_array(folder / f"feat_{part}.npy", getattr(matrix, part))
        save_array(folder / "feat_shape.npy", np.array(matrix.shape))
        return
    if features.ndim != 2 or len(features) != size:
        got = f"shape {tuple(features.shape)}"
        raise invalid("features", OWNER, f"have one row per node ({size} rows)", got)
    with ArrayFile(folder / "feat.npy", np.float32, features.shape[1:]) as file:
        for start in range(0, size, _ROWS_AT_A_TIME):
            block = features[start : start + _ROWS_AT_A_TIME]
            file.append(np.asarray(checks.feature_matrix(block, len(block), OWNER)))
