"""Parquet tables, under the same methods as text tables; columns have types here, and rows numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .input_file import InputFile


class ParquetTable:
    """The columns of a Parquet file."""

    has_header = True

    def __init__(self, file: InputFile) -> None:
        self.file = file
        if file.path.stat().st_size == 0:
            raise file.refuse("be a readable Parquet file", "which is empty")
        try:
            self.names = list(pq.read_schema(file.path).names)
        except (pa.ArrowException, OSError) as reason:
            raise file.refuse_damaged("Parquet", reason) from reason

    def read_ids(self, columns: Sequence[int], numbers: Sequence[int] = ()) -> tuple[list[Any], list[Any]]:
        """Return columns of ids (int64 or string, as they are stored) and columns of float64 numbers."""
        arrays = self._read([*columns, *numbers])
        ids = [self._ids(k, arrays[k]) for k in columns]
        if len({array.type for array in ids}) > 1:
            ids = [array.cast(pa.string()) for array in ids]
        return ids, [self._numbers(k, arrays[k]) for k in numbers]

    def read_labels(self, column: int) -> Any:
        """Return a column of integers, floats or strings, null where a class is unknown."""
        return _plain_strings(self._read([column])[column])

    def where(self, row: int) -> str:
        """Return how to find a row: the file and the row, counted from 1."""
        return f"{str(self.file.path)!r}, row {row + 1}"

    def _read(self, columns: Sequence[int]) -> dict[int, Any]:
        """Return whole columns; all of them are read only where two have the same name."""
        wanted = [self.names[k] for k in columns] if len(set(self.names)) == len(self.names) else self.names
        try:
            with pq.ParquetFile(self.file.path) as opened:
                table = opened.read(columns=wanted)
        except (pa.ArrowException, OSError) as reason:
            raise self.file.refuse_damaged("Parquet", reason) from reason
        at = columns if wanted is self.names else range(len(columns))
        return {k: table.column(i).combine_chunks() for k, i in zip(columns, at, strict=True)}

    def _ids(self, column: int, array: Any) -> Any:
        array = _plain_strings(array)
        self._require_no_null(column, array, "an id")
        if pa.types.is_string(array.type):
            return array
        try:
            if pa.types.is_integer(array.type) or pa.types.is_floating(array.type):
                return array.cast(pa.int64())  # whole floats: what pandas makes of integers with gaps
        except pa.ArrowInvalid as reason:
            must = f"have whole numbers or strings in column {self.names[column]!r}"
            raise self.file.refuse(must, str(reason)) from None
        must = f"have integers or strings in column {self.names[column]!r}"
        raise self.file.refuse(must, f"where it is {array.type}")

    def _numbers(self, column: int, array: Any) -> Any:
        kind = array.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
            value = next((cell.as_py() for cell in array if cell.is_valid), None)
            got = f"row 1, where it is {value!r} ({kind})"
            raise self.file.refuse(f"hold numbers in column {self.names[column]!r}", got)
        self._require_no_null(column, array, "a number")
        return array.cast(pa.float64(), safe=False)

    def _require_no_null(self, column: int, array: Any, what: str) -> None:
        if array.null_count:
            row = pc.index(array.is_null(), True).as_py() + 1
            must = f"have {what} in every row of column {self.names[column]!r}"
            raise self.file.refuse(must, f"row {row}, where it is empty")


def _plain_strings(array: Any) -> Any:
    """Return the array with dictionaries unfolded, and all kinds of strings as one."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    return array.cast(pa.string()) if pa.types.is_large_string(kind) or kind == pa.string_view() else array
