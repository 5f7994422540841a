"""Tables read piece by piece, for files that are larger than the memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa

from ._sniff import SAMPLE_LINES, HeaderTest
from ._text import TextTable
from .columns import Column
from .compression import Packed
from .input_file import InputFile
from .table import ParquetTable, Table, open_table, opened_parquet

_ROW = re.compile(rb"^[ \t]*[^#%\s].*[\r\n]", re.MULTILINE)  # a whole line that is no comment
_BYTES_PER_ROW = 16  # of a typical text file; a piece of a Parquet file has as many rows as one of text

Choice = Callable[[Table], Sequence[int]]
Piece = tuple[Table, int]
"""A table of some rows, and how many bytes of the file have been read up to them."""


def table_pieces(
    file: InputFile, *, given: Sequence[Column | None], is_known: HeaderTest, size: int, choose: Choice
) -> Iterator[Piece]:
    """Yield a table in pieces of about ``size`` bytes of text, each a table with the same columns.

    ``choose`` gets the first piece and returns the columns that will be read.
    """
    if file.path.suffix.lower() in (".parquet", ".pq") or file.path.is_dir():
        table = open_table(file, given=given, is_known=is_known)
        if isinstance(table, ParquetTable):
            yield from _parquet_pieces(table, choose(table), size // _BYTES_PER_ROW)
        return
    first: TextTable | None = None
    with Packed(file) as packed:
        table_so_far: TextTable | None = None
        for raw in _whole_lines(packed, size):
            if first is None or table_so_far is None:
                first = table_so_far = TextTable(file, given=given, is_known=is_known, raw=raw)
                choose(first)
            else:
                table_so_far = first.part(raw, table_so_far.lines_so_far)
            yield table_so_far, packed.position
    if first is None:
        TextTable(file, given=given, is_known=is_known, raw=b"")  # raises: the file is empty


def _whole_lines(packed: Packed, size: int) -> Iterator[bytes]:
    """Yield the unpacked bytes in pieces that end with a line; the first one shows the layout."""
    rest, is_first = b"", True
    while block := packed.read(size):
        rest += block
        if is_first and sum(1 for _ in islice(_ROW.finditer(rest), SAMPLE_LINES)) < SAMPLE_LINES:
            continue
        end = rest.rfind(b"\n") + 1 or rest.rfind(b"\r", 0, -1) + 1
        if end:
            yield rest[:end]
            rest, is_first = rest[end:], False
    if rest:
        yield rest


def _parquet_pieces(table: ParquetTable, columns: Sequence[int], rows: int) -> Iterator[Piece]:
    size, before = table.file.path.stat().st_size, 0
    with opened_parquet(table.file) as opened:
        total = max(1, opened.metadata.num_rows)
        for batch in opened.iter_batches(max(1, rows), columns=table.names_to_read(columns)):
            held: Any = table.picked(pa.Table.from_batches([batch]), columns)
            yield table.part(held, before), size * (before + len(batch)) // total
            before += len(batch)
