"""Which columns of a table become features: numbers as they are, words on request, gaps filled on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..._validation import check_choice, invalid, shown
from ...errors import FileFormatError, InvalidFeaturesError, InvalidInputError
from ._wording import counted, in_quotes
from .columns import Column, position
from .input_file import OWNER
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
    nodes, columns = _numbers(table, ids, numeric, gaps=rules.fill is not None)
    found = {k: _values(table, k) for k in encoded if k in used}
    _require_values(table, dict(zip(numeric, columns, strict=True)), found)
    filled, gaps = _filled(columns, len(nodes), rules.fill)
    _require_finite(table, numeric, filled)
    values = {k: (rows[:, None] == kept).astype(np.float32) for k, (rows, kept) in found.items()}
    matrix = np.hstack([filled, *values.values()])
    filler = None
    if rules.fill is not None:
        filler = matrix.mean(axis=0) if rules.fill == "mean" else np.zeros(matrix.shape[1], matrix.dtype)
    parts = [counted(len(numeric), "numeric column")]
    parts += [f"{table.names[k]!r} as {counted(ones.shape[1], 'column')}" for k, ones in values.items()]
    parts += [f"{counted(gaps, 'empty cell')} filled ({rules.fill})"] if gaps else []
    parts += ["decimal commas"] if table.decimal == "," else []
    parts += [f"left out: {in_quotes(table.names[k] for k in sorted(dropped))}"] if dropped else []
    return FeatureColumns(nodes, matrix, filler, ", ".join(parts))


def _numbers(table: Table, ids: int, numeric: Sequence[int], *, gaps: bool) -> tuple[Any, list[Any]]:
    """Return the ids and the columns of numbers; one error names all columns that hold anything else."""
    words = table.words(numeric)
    if not words:
        hint = ", ".join([*_header(table, ids), "fill='mean' fills empty cells, drop=... leaves columns out"])
        try:
            (nodes,), columns = table.read_ids([ids], numeric, gaps=gaps, hint=hint)
            return nodes, columns
        except FileFormatError:
            flaws = table.flaws(numeric, gaps=gaps)
            if len(flaws) < 2:
                raise
            raise _refused(table, ids, words, flaws) from None
    others = [k for k in numeric if k not in words]
    raise _refused(table, ids, words, table.flaws(others, gaps=gaps))


def _refused(table: Table, ids: int, words: dict[int, str], flaws: dict[int, str]) -> InvalidInputError:
    """Return one error for all columns that are no features, which says what can be done about them."""
    found = []
    if words:
        found.append("words in " + _each(table, words, {k: shown(word) for k, word in words.items()}))
    if flaws:
        found.append("cells without a number in " + _each(table, flaws, flaws))
    hints = [f"{_keyword('drop', table, [*words, *flaws])} leaves {_them(len(words) + len(flaws))} out"]
    if words:
        first = _keyword("encode", table, list(words)[:1])
        hints.append(f"{first} makes a column of each of its values")
        hints.append(f"{_keyword('label', table, list(words)[:1])} takes it for the labels")
    if flaws:
        hints.append("fill='mean' fills empty cells")
    must = "hold numbers in the columns of features"
    hint = ", ".join([*_header(table, ids), *hints])
    return table.file.refuse(must, "with " + " and ".join(found), hint=hint)


def _header(table: Table, ids: int) -> list[str]:
    """Return what to do if the first row is a header that was not found."""
    if table.has_header or len(table.first_row) <= ids:
        return []
    return [f"if the first line is a header: node_id={table.first_row[ids]!r}"]


def _each(table: Table, columns: Iterable[int], about: Mapping[int, str]) -> str:
    return ", ".join(f"{table.names[k]!r} ({about[k]})" for k in columns)


def _keyword(parameter: str, table: Table, columns: Sequence[int]) -> str:
    """Return how a caller gives these columns: by their names, or by their positions without a header."""
    given = [table.names[k] if table.has_header else k for k in columns]
    return f"{parameter}={given[0] if len(given) == 1 else given!r}"


def _them(count: int) -> str:
    return "a column" if count == 1 else "them"


def _require_values(
    table: Table, numbers: Mapping[int, Any], encoded: Mapping[int, tuple[np.ndarray, np.ndarray]]
) -> None:
    """Refuse all columns without any number, and all encoded ones with too many values."""
    empty = [k for k, column in numbers.items() if len(column) and column.null_count == len(column)]
    many = {k: f"{len(kept):,} values" for k, (_, kept) in encoded.items() if len(kept) > _MOST_VALUES}
    if not empty and not many:
        return
    found = []
    if empty:
        found.append("no number at all in " + ", ".join(repr(table.names[k]) for k in empty))
    if many:
        found.append("too many words in " + _each(table, many, many))
    must = f"have a number, or at most {_MOST_VALUES} encoded values, in each column of features"
    hint = f"{_keyword('drop', table, [*empty, *many])} leaves {_them(len(empty) + len(many))} out"
    raise table.file.refuse(must, "with " + " and ".join(found), hint=hint)


def _require_finite(table: Table, columns: Sequence[int], matrix: np.ndarray) -> None:
    """Refuse numbers that are infinite or no numbers, and name the place of the first."""
    for k, values in zip(columns, matrix.T, strict=True):
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            got = f"{values[bad[0]]} in column {table.names[k]!r} of {table.where(int(bad[0]))}"
            hint = f"{_keyword('drop', table, [k])} leaves a column out"
            must = "be finite in float32"
            raise invalid(table.file.parameter, OWNER, must, got, hint=hint, error=InvalidFeaturesError)


def _filled(columns: Sequence[Any], rows: int, fill: str | None) -> tuple[np.ndarray, int]:
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
                values[missing] = values[~missing].mean() if fill == "mean" else 0.0
                gaps += column.null_count
            matrix[:, k] = values
    return matrix, gaps


def _values(table: Table, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of the value in each row of a column, and the numbers of those that are not empty."""
    cells = table.read_labels(column).cast(pa.string()).fill_null("")
    values, rows = np.unique(np.array(cells.to_pylist(), dtype=str), return_inverse=True)
    return rows, np.flatnonzero(values != "")
