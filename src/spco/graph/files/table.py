"""Open a table, text or Parquet; a Parquet table has the same methods as a text table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..._budget import require_in_proportion, require_room
from ...errors import InvalidInputError
from ._sniff import HeaderTest
from ._text import TextTable
from .columns import Column
from .input_file import InputFile

PARQUET = (".parquet", ".pq")
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError, RuntimeError)
_BYTES_PER_CELL = 8


def open_table(file: InputFile, *, given: Sequence[Column | None] = (), is_known: HeaderTest) -> Table:
    """Return the table in a Parquet file or, whatever its suffix, in a text file.

    ``given`` are the columns that the caller gave: names need a header.
    """
    if file.path.is_dir():
        raise file.refuse("be a table", "which is a folder")
    is_parquet = file.path.suffix.lower() in PARQUET
    return ParquetTable(file) if is_parquet else TextTable(file, given=given, is_known=is_known)


class ParquetTable:
    """The columns of a Parquet file."""

    has_header = True
    decimal = "."
    first_row: Sequence[str] = ()

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self._held: dict[int, Any] | None = None
        self._rows_before = 0
        with readable_parquet(file):
            if file.path.stat().st_size == 0:
                raise file.refuse("be a readable Parquet file", "which is empty")
            self._schema = pq.read_schema(file.path)
        self.names = list(self._schema.names)

    def part(self, columns: dict[int, Any], rows_before: int) -> ParquetTable:
        """Return some rows of these columns as a table of their own."""
        table = copy(self)
        table._held, table._rows_before = columns, rows_before
        return table

    def read_ids(
        self,
        columns: Sequence[int],
        numbers: Sequence[int] = (),
        *,
        gaps: bool = False,
        hint: str | None = None,
    ) -> tuple[list[Any], list[Any]]:
        """Return columns of ids (int64 or string, as they are stored) and columns of float64 numbers.

        With ``gaps`` a number may be null. ``hint`` goes with the error otherwise.
        """
        arrays = self._read([*columns, *numbers])
        ids = [self._ids(k, arrays[k]) for k in columns]
        if len({array.type for array in ids}) > 1:
            ids = [array.cast(pa.string()) for array in ids]
        return ids, [self._numbers(k, arrays[k], gaps=gaps, hint=hint) for k in numbers]

    def read_labels(self, column: int) -> Any:
        """Return a column of integers, floats or strings, null where a class is unknown."""
        return _plain_strings(self._read([column])[column])

    def words(self, columns: Sequence[int]) -> dict[int, str]:
        """Return the columns that do not hold numbers, each with its type."""
        kinds = self._types(columns)
        return {column: str(kind) for column, kind in kinds.items() if not _is_numeric(kind)}

    def flaws(self, columns: Sequence[int], *, gaps: bool) -> dict[int, str]:
        """Return the columns of numbers with an empty cell, each with its first one."""
        found: dict[int, str] = {}
        for column, array in ({} if gaps else self._read(columns)).items():
            if array.null_count:
                found[column] = f"nothing in row {pc.index(array.is_null(), True).as_py() + 1}"
        return found

    def where(self, row: int) -> str:
        """Return the file and the number of a row, counted from 1."""
        return f"{self.file.title}, row {self._rows_before + row + 1}"

    def _types(self, columns: Sequence[int]) -> dict[int, Any]:
        return {column: self._schema.field(column).type for column in columns}

    def _read(self, columns: Sequence[int]) -> dict[int, Any]:
        """Return whole columns."""
        if self._held is not None:
            return {k: self._held[k] for k in columns}
        names = self.names_to_read(columns)
        with opened_parquet(self.file) as opened:
            _require_within_budget(self.file, opened.metadata.num_rows * len(names))
            table = opened.read(columns=names)
            table.validate(full=True)
        return self.picked(table, columns)

    def names_to_read(self, columns: Sequence[int]) -> list[str]:
        """Return the names of the columns; if two columns of the file share a name, all names."""
        return [self.names[k] for k in columns] if len(set(self.names)) == len(self.names) else self.names

    def picked(self, table: Any, columns: Sequence[int]) -> dict[int, Any]:
        """Return the columns, by position, of an Arrow table with :meth:`names_to_read`."""
        at = columns if len(set(self.names)) < len(self.names) else range(len(columns))
        return {k: table.column(i).combine_chunks() for k, i in zip(columns, at, strict=True)}

    def _ids(self, column: int, array: Any) -> Any:
        array = _plain_strings(array)
        self._require_no_null(column, array, "an id")
        if pa.types.is_string(array.type):
            return array
        must = f"have whole numbers or strings in column {self.names[column]!r}"
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
            raise self.file.refuse(must, f"where it is {array.type}")
        try:
            return array.cast(pa.int64())  # pandas stores integers with gaps as whole floats
        except pa.ArrowInvalid as reason:
            raise self.file.refuse(must, str(reason)) from None

    def _numbers(self, column: int, array: Any, *, gaps: bool, hint: str | None) -> Any:
        kind = array.type
        if not _is_numeric(kind):
            value = next((cell.as_py() for cell in array if cell.is_valid), None)
            got = f"row 1, where it is {value!r} ({kind})"
            raise self.file.refuse(f"hold numbers in column {self.names[column]!r}", got, hint=hint)
        if not gaps:
            self._require_no_null(column, array, "a number", hint)
            return array.cast(pa.float64(), safe=False)
        numbers = array.cast(pa.float64(), safe=False)
        return pc.if_else(pc.is_nan(numbers), None, numbers)  # pandas stores a gap as NaN

    def _require_no_null(self, column: int, array: Any, what: str, hint: str | None = None) -> None:
        if array.null_count:
            row = pc.index(array.is_null(), True).as_py() + self._rows_before + 1
            must = f"have {what} in every row of column {self.names[column]!r}"
            raise self.file.refuse(must, f"row {row}, where it is empty", hint=hint)


Table = TextTable | ParquetTable


@contextmanager
def readable_parquet(file: InputFile) -> Iterator[None]:
    """Name the file if Arrow cannot read it within the block."""
    try:
        yield
    except InvalidInputError:
        raise
    except _UNREADABLE as reason:
        raise file.refuse_damaged("Parquet", reason) from reason


@contextmanager
def opened_parquet(file: InputFile) -> Iterator[pq.ParquetFile]:
    """Open a file whose parts have as many rows as the whole; Arrow works through all that a part claims."""
    with readable_parquet(file), pq.ParquetFile(file.path) as opened:
        whole = opened.metadata
        rows = sum(whole.row_group(part).num_rows for part in range(whole.num_row_groups))
        if rows != whole.num_rows:
            reason = f"which is damaged: its parts have {rows:,} rows and the whole {whole.num_rows:,}"
            raise file.refuse("be a readable Parquet file", reason)
        yield opened


def _require_within_budget(file: InputFile, cells: int) -> None:
    """Refuse more cells than the file can hold, or than there is memory for."""
    needed = _BYTES_PER_CELL * cells
    require_in_proportion(needed, file.path.stat().st_size, f"{cells:,} cells")
    require_room(needed, file.path, "spco convert reads tables piece by piece")


def _is_numeric(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _plain_strings(array: Any) -> Any:
    """Return the array with dictionaries decoded and every kind of string cast to ``string``."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    is_other_string = pa.types.is_large_string(array.type) or array.type == pa.string_view()
    return array.cast(pa.string()) if is_other_string else array
