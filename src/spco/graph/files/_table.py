"""Open a table of either kind, text or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ._sniff import HeaderTest
from .input_file import InputFile

PARQUET = (".parquet", ".pq")


class Table(Protocol):
    """What the two kinds of table have in common."""

    file: InputFile
    names: list[str]
    has_header: bool

    def read_ids(self, columns: Sequence[int], numbers: Sequence[int] = ()) -> tuple[list[Any], list[Any]]:
        """Return columns of ids, all int64 or all strings, and columns of float64 numbers."""

    def read_labels(self, column: int) -> Any:
        """Return a column of classes: strings or numbers."""

    def where(self, row: int) -> str:
        """Return how to find a row in the file."""


def open_table(file: InputFile, *, named: bool, is_known: HeaderTest) -> Table:
    """Return the table in a Parquet file or, whatever else the file is called, in a text file."""
    file.require_there()
    if file.path.is_dir():
        raise file.refuse("be a table", "which is a folder")
    if file.path.suffix.lower() in PARQUET:
        from .parquet import ParquetTable

        return ParquetTable(file)
    from ._text import TextTable

    return TextTable(file, named=named, is_known=is_known)
