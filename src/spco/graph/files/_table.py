"""Open a table of either kind, and tell files of arrays from tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from ._arrays import require_there, unreadable
from ._sniff import HeaderTest

ARRAYS = (".npy", ".npz")
PARQUET = (".parquet", ".pq")


class Table(Protocol):
    """What the two kinds of table have in common."""

    path: Path
    names: list[str]
    has_header: bool

    def read_ids(self, columns: Sequence[int], numbers: Sequence[int] = ()) -> tuple[list[Any], list[Any]]:
        """Return columns of ids, all int64 or all strings, and columns of float64 numbers."""

    def read_labels(self, column: int) -> Any:
        """Return a column of classes: strings or numbers."""

    def where(self, row: int) -> str:
        """Return how to find a row in the file."""


def open_table(path: Path, parameter: str, *, named: bool, is_known: HeaderTest) -> Table:
    """Return the table in a Parquet file or, whatever else the file is called, in a text file."""
    require_there(path, parameter)
    if path.is_dir():
        raise unreadable(path, parameter, "be a table", "which is a folder")
    if path.suffix.lower() in PARQUET:
        from ._parquet import ParquetTable

        return ParquetTable(path, parameter)
    from ._text import TextTable

    return TextTable(path, parameter, named=named, is_known=is_known)


def is_array_file(path: Path) -> bool:
    """Return whether a file holds plain arrays, by row number, and not a table with ids."""
    return path.suffix.lower() in ARRAYS
