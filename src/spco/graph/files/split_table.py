"""Splits in a file of their own: a table with an id and the name of a split in each row, or row numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._validation import invalid, shown
from ...errors import InvalidInputError, InvalidSplitError
from .columns import Column, known_split, names_splits
from .input_file import OWNER, InputFile
from .node_tables import id_column, rows_among, value_column
from .table import open_table


def read_splits(
    path: Path,
    nodes: Any,
    *,
    node_id: Column | None,
    split: Column | None,
    known: str = "nodes of the graph",
) -> dict[str, np.ndarray]:
    """Return the rows of each split among the ``nodes`` (Arrow); a row without a split is left out.

    Errors call the nodes ``known``.
    """
    file = InputFile(path, "splits").require_there()
    if path.suffix.lower() == ".npz":
        return file.npz(file.npz_keys())
    table = open_table(file, given=(node_id, split), is_known=names_splits)
    ids = id_column(table, node_id)
    column = value_column(table, ids, split, "split", known_split)
    (given,), _ = table.read_ids([ids])
    of_rows = np.array(table.read_labels(column).cast(pa.string()).fill_null("").to_pylist(), dtype=str)

    def unknown(node: object, row: int) -> InvalidInputError:
        got = f"{shown(node)} in {table.where(row)}, which is none"
        return invalid("splits", OWNER, f"name {known}", got, error=InvalidSplitError)

    rows = rows_among(nodes, given, unknown)
    return {str(name): rows[of_rows == name] for name in dict.fromkeys(of_rows.tolist()) if name}
