"""Text tables (CSV, TSV, blank-separated), read by Arrow; errors name the file, the line and the value."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from ...errors import InvalidInputError
from ._sniff import SAMPLE_LINES, WHITESPACE, HeaderTest, cells, find_delimiter, has_header, is_number
from .input_file import InputFile

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NO_CONTENT = re.compile(rb"^[ \t]*(?:[#%].*)?$", re.MULTILINE)
_SMALLEST_BLOCK = 1 << 22


class TextTable:
    """The cells of a text file.

    Lines that start with # or % are comments, and blank lines are skipped. With ``named`` the caller refers
    to columns by name, so there must be a header; otherwise ``is_known`` recognises one.
    """

    def __init__(self, file: InputFile, *, named: bool, is_known: HeaderTest) -> None:
        self.file = file
        body = _without_comments(_decoded(file))
        sample = _first_lines(body)
        if not sample:
            raise file.refuse("hold a table", "which has no rows")
        self.delimiter = find_delimiter(sample)
        rows = [cells(line, self.delimiter) for line in sample]
        self.has_header = named or has_header(rows, is_known)
        width = Counter(map(len, rows)).most_common(1)[0][0]  # the first row may be the one that is wrong
        self.names = rows[0] if self.has_header else [str(k) for k in range(width)]
        self._block = max(_SMALLEST_BLOCK, 64 * max(map(len, sample)))
        self._lines = body  # Arrow gets the same lines, so line numbers agree
        body = _single_blanks(body) if self.delimiter == WHITESPACE else body
        self._body = _without_first_row(body) if self.has_header else body

    def _read(self, numbers: Sequence[int] = (), texts: Sequence[int] = ()) -> dict[int, Any]:
        """Return Arrow arrays: float64 for the columns in ``numbers``, trimmed strings for ``texts``."""
        types = {str(k): pa.float64() for k in numbers} | {str(k): pa.string() for k in texts}
        try:
            table = self._arrow(types)
        except pa.ArrowInvalid as reason:
            raise self._explained(numbers, reason) from reason
        columns = {int(key): table.column(key).combine_chunks() for key in types}
        return {k: pc.utf8_trim_whitespace(v) if k in texts else v for k, v in columns.items()}

    def read_ids(self, columns: Sequence[int], numbers: Sequence[int] = ()) -> tuple[list[Any], list[Any]]:
        """Return columns of ids and columns of numbers; an empty cell is an error.

        Ids are int64 if all of them are whole numbers in plain digits ("7", not "007"), else strings.
        """
        arrays = self._read(numbers=numbers, texts=columns)
        for column in columns:
            empty = pc.equal(arrays[column], "")
            if pc.any(empty).as_py():
                row = pc.index(empty, True).as_py()
                must = f"have an id in every cell of column {self.names[column]!r}"
                raise self.file.refuse(must, f"line {self._line(row)}, where it is empty")
        integers = [_as_integers(arrays[k]) for k in columns]
        ids = integers if None not in integers else [arrays[k] for k in columns]
        return ids, [arrays[k] for k in numbers]

    def read_labels(self, column: int) -> Any:
        """Return a column of strings, empty where a class is unknown."""
        return self._read(texts=[column])[column]

    def where(self, row: int) -> str:
        """Return the file and the line of a row, counted from 1."""
        return f"{str(self.file.path)!r}, line {self._line(row)}"

    def _arrow(self, types: Mapping[str, Any]) -> Any:
        if not self._body.strip():
            return pa.table({key: pa.array([], type=kind) for key, kind in types.items()})
        return pa_csv.read_csv(
            pa.BufferReader(self._body),
            read_options=pa_csv.ReadOptions(
                column_names=[str(k) for k in range(len(self.names))], block_size=self._block
            ),
            parse_options=pa_csv.ParseOptions(delimiter=self.delimiter),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict(types),
                include_columns=list(types),
                null_values=[],
                strings_can_be_null=False,
            ),
        )

    def _rows(self) -> Iterator[tuple[int, str]]:
        """Yield the line number and the text of every row except the header."""
        lines = self._lines.decode("utf-8").split("\n")
        filled = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
        if self.has_header:
            next(filled, None)
        yield from filled

    def _line(self, row: int) -> int:
        return next(number for k, (number, _) in enumerate(self._rows()) if k == row)

    def _explained(self, numbers: Sequence[int], reason: Exception) -> InvalidInputError:
        """Return the error for the first row that Arrow could not read; slow, but only after a failure."""
        width = len(self.names)
        for number, line in self._rows():
            row = cells(line, self.delimiter)
            if len(row) != width:
                got = f"line {number}, which has {len(row)}: {line.strip()[:60]!r}"
                return self.file.refuse(f"have {width} cells in every row", got)
            for column in numbers:
                if not is_number(row[column]):
                    must = f"hold a number in every cell of column {self.names[column]!r}"
                    return self.file.refuse(must, f"line {number}, where it is {row[column]!r}")
        return self.file.refuse("be a readable table", f"which is not ({reason})")


def _decoded(file: InputFile) -> bytes:
    """Return the file's UTF-8 bytes with every line ending in a line feed."""
    must = "be a text table in UTF-8"
    raw = file.path.read_bytes()
    if file.path.suffix.lower() == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as reason:
            raise file.refuse(must, f"which gzip cannot unpack ({reason})") from reason
    if not raw.strip():
        raise file.refuse(must, "which is empty")
    if raw.startswith(_UTF16) or b"\0" in raw:
        hint = "save it as UTF-8" if raw.startswith(_UTF16) else None
        raise file.refuse(must, "which is a binary file", hint=hint)
    raw = raw.removeprefix(_BOM)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = raw.count(b"\n", 0, reason.start) + 1
        got = f"line {line}, where the byte 0x{raw[reason.start]:02x} is not UTF-8"
        raise file.refuse(must, got, hint="save it as UTF-8") from reason
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return raw


def _without_comments(raw: bytes) -> bytes:
    """Return the text with comments and blank lines emptied; every other line keeps its number."""
    if raw[:1] in b"#% \t" or any(mark in raw for mark in (b"\n#", b"\n%", b"\n ", b"\n\t")):
        return _NO_CONTENT.sub(b"", raw)
    return raw


def _single_blanks(body: bytes) -> bytes:
    """Return the text with one blank for each run of blanks and tabs, and none at the ends of a line."""
    body = body.replace(b"\t", b" ")
    while b"  " in body:
        body = body.replace(b"  ", b" ")
    return body.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _first_lines(body: bytes) -> list[str]:
    """Return the first lines that are not blank."""
    filled = (line.decode("utf-8").rstrip("\n") for line in io.BytesIO(body) if line.strip())
    return list(islice(filled, SAMPLE_LINES))


def _without_first_row(body: bytes) -> bytes:
    start = len(body) - len(body.lstrip(b"\n"))
    end = body.find(b"\n", start)
    return b"" if end < 0 else body[end:]


def _as_integers(strings: Any) -> Any:
    """Return int64 if every string is the plain form of an integer ("7", not "007"), else None."""
    try:
        integers = strings.cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    return integers if integers.cast(pa.string()).equals(strings) else None
