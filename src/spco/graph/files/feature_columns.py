"""Which columns of a table become features: numbers as they are, words on request, gaps filled on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..._validation import check_choice, shown
from ...errors import InvalidInputError
from ._columns import Column, position
from ._wording import counted, in_quotes
from .input_file import OWNER, InputFile
from .table import Table

FILLS = ("mean", "zero")
_MOST_VALUES = 100


@dataclass(frozen=True)
class FeatureRules:
    """What the caller wants of the columns of a feature table.

    Attributes
    ----------
    drop : columns to leave out
    encode : columns of words; each of their values becomes a column of zeros and ones
    fill : {None, "mean", "zero"}
        What an empty cell gets, and a node without a row: the mean of the column, or 0. None refuses both.
    """

    drop: tuple[Column, ...] = ()
    encode: tuple[Column, ...] = ()
    fill: str | None = None

    def __post_init__(self) -> None:
        if self.fill is not None:
            check_choice(self.fill, "fill", OWNER, FILLS)


@dataclass(frozen=True, eq=False)
class FeatureColumns:
    """The features of a table.

    Attributes
    ----------
    ids : Arrow array
    matrix : (rows, columns) float32
    filler : (columns,) float32 or None
        What a node without a row gets; None refuses such nodes.
    said : str
        Which columns were used, and what was done to them.
    """

    ids: Any
    matrix: np.ndarray
    filler: np.ndarray | None
    said: str


def read_feature_columns(table: Table, ids: int, label: int | None, rules: FeatureRules) -> FeatureColumns:
    """Read all columns except those of ids and labels, as the rules say."""
    dropped = {position(column, table.names, "drop") for column in rules.drop}
    encoded = [position(column, table.names, "encode") for column in rules.encode]
    used = [k for k in range(len(table.names)) if k not in {ids, label, *dropped}]
    numeric = [k for k in used if k not in encoded]
    if not used:
        raise table.file.refuse("have a column of ids and columns of numbers", "with ids alone")
    if words := table.words(numeric):
        raise _refused_words(table, words)
    hint = "fill='mean' fills empty cells, drop=... leaves columns out"
    (nodes,), columns = table.read_ids([ids], numeric, gaps=rules.fill is not None, hint=hint)
    names = [table.names[k] for k in numeric]
    filled, gaps = _filled(columns, len(nodes), rules.fill, table.file, names)
    values = {k: _one_hot(table, k) for k in encoded if k in used}
    matrix = np.hstack([filled, *values.values()])
    filler = None
    if rules.fill is not None:
        filler = matrix.mean(axis=0) if rules.fill == "mean" else np.zeros(matrix.shape[1], matrix.dtype)
    parts = [counted(len(numeric), "numeric column")]
    parts += [f"{table.names[k]!r} as {counted(found.shape[1], 'column')}" for k, found in values.items()]
    parts += [f"{counted(gaps, 'empty cell')} filled ({rules.fill})"] if gaps else []
    parts += ["decimal commas"] if table.decimal == "," else []
    parts += [f"left out: {in_quotes(table.names[k] for k in sorted(dropped))}"] if dropped else []
    return FeatureColumns(nodes, matrix, filler, ", ".join(parts))


def _refused_words(table: Table, words: dict[int, str]) -> InvalidInputError:
    """Return one error for all columns of words, which says what can be done about them."""
    found = ", ".join(f"{table.names[k]!r} ({shown(word)})" for k, word in words.items())
    first = table.names[next(iter(words))]
    hint = (
        f"drop={first!r} leaves a column out, encode={first!r} makes a column of each of its values, "
        f"label={first!r} takes it for the labels"
    )
    return table.file.refuse("hold numbers in the columns of features", f"with words in {found}", hint=hint)


def _filled(
    columns: Sequence[Any], rows: int, fill: str | None, file: InputFile, names: Sequence[str]
) -> tuple[np.ndarray, int]:
    """Return Arrow columns side by side as float32 with gaps filled, and the number of gaps.

    Numbers that are too large become infinite.
    """
    matrix = np.empty((rows, len(columns)), dtype=np.float32)
    gaps = 0
    with np.errstate(over="ignore"):
        for k, column in enumerate(columns):
            values = column.to_numpy(zero_copy_only=False).astype(np.float64)
            if column.null_count:
                missing = column.is_null().to_numpy(zero_copy_only=False)
                if missing.all():
                    must = f"have a number in column {names[k]!r}"
                    raise file.refuse(must, "where all cells are empty", hint=f"drop={names[k]!r}")
                values[missing] = values[~missing].mean() if fill == "mean" else 0.0
                gaps += column.null_count
            matrix[:, k] = values
    return matrix, gaps


def _one_hot(table: Table, column: int) -> np.ndarray:
    """Return a column of zeros and ones for each value; a row without a value has zeros."""
    cells = table.read_labels(column).cast(pa.string()).fill_null("")
    values, rows = np.unique(np.array(cells.to_pylist(), dtype=str), return_inverse=True)
    kept = np.flatnonzero(values != "")
    if len(kept) > _MOST_VALUES:
        must = f"have at most {_MOST_VALUES} values in the encoded column {table.names[column]!r}"
        raise table.file.refuse(must, f"where it has {len(kept):,}", hint=f"drop={table.names[column]!r}")
    found: np.ndarray = (rows[:, None] == kept).astype(np.float32)
    return found
