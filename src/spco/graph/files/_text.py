"""Text tables (CSV, TSV, blank-separated), read by Arrow; errors name the file, the line and the value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from ..._validation import shown
from ...errors import InvalidInputError
from ._sniff import (
    MISSING,
    MOST_COLUMNS,
    SAMPLE_LINES,
    SAMPLE_SIZE,
    WHITESPACE,
    HeaderTest,
    cells,
    find_delimiter,
    has_header,
    is_number,
    widest,
)
from .columns import Column, need_header
from .compression import Packed
from .input_file import InputFile

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NO_CONTENT = re.compile(rb"^[ \t]*[#%].*$|^[ \t]+$", re.MULTILINE)
_FILLED = re.compile(rb"\S")
_SMALLEST_BLOCK, _LARGEST_BLOCK = 1 << 22, 1 << 30


class TextTable:
    """The cells of a text file.

    Lines that start with # or % are comments, and blank lines are skipped. If the caller has ``given``
    columns by name, there must be a header; otherwise ``is_known`` recognises one. ``raw`` is the
    beginning of the file if the rest of it comes in further :meth:`part` s.
    """

    def __init__(
        self,
        file: InputFile,
        *,
        given: Sequence[Column | None] = (),
        is_known: HeaderTest,
        raw: bytes | None = None,
    ) -> None:
        self.file = file
        self._lines_before = 0
        raw = _content(file) if raw is None else raw
        if not raw.strip():
            raise file.refuse("be a text table in UTF-8", "which is empty")
        body = _without_comments(_decoded(file, raw.removeprefix(_BOM), 0))
        sample = _first_lines(body)
        if not sample:
            raise file.refuse("hold a table", "which has no rows")
        if widest(sample) > MOST_COLUMNS:
            raise file.refuse(f"have at most {MOST_COLUMNS:,} columns", "which has more")
        self.delimiter = find_delimiter(sample)
        rows = [cells(line, self.delimiter) for line in sample]
        self.has_header = need_header(given, rows[0]) or has_header(rows, is_known)
        width = Counter(map(len, rows)).most_common(1)[0][0]  # the first row may be the one that is wrong
        self.names = rows[0] if self.has_header else [str(k) for k in range(width)]
        self.decimal = "."
        self._sample = [row for row in rows[self.has_header :] if len(row) == len(self.names)]
        self.first_row = rows[0]
        self._block = min(_LARGEST_BLOCK, max(_SMALLEST_BLOCK, 64 * max(map(len, sample))))
        self._hold(body, starts_with_header=self.has_header)

    def part(self, raw: bytes, lines_before: int) -> TextTable:
        """Return the rows of a later piece of the file, which has the same layout and no header."""
        table = copy(self)
        table._lines_before = lines_before
        table._hold(_without_comments(_decoded(self.file, raw, lines_before)), starts_with_header=False)
        return table

    def _hold(self, body: bytes, *, starts_with_header: bool) -> None:
        self._starts_with_header = starts_with_header
        self._lines = body  # Arrow gets the same lines, so line numbers agree
        body = _single_blanks(body) if self.delimiter == WHITESPACE else body
        self._body = _without_first_row(body) if starts_with_header else body

    @property
    def lines_so_far(self) -> int:
        """The number of lines up to the end of this piece of the file."""
        return self._lines_before + self._lines.count(b"\n")

    def _read(
        self,
        numbers: Sequence[int] = (),
        texts: Sequence[int] = (),
        *,
        gaps: bool = False,
        hint: str | None = None,
    ) -> dict[int, Any]:
        """Return Arrow arrays: float64 for the columns in ``numbers``, trimmed strings for ``texts``."""
        types = {str(k): pa.float64() for k in numbers} | {str(k): pa.string() for k in texts}
        try:
            table = self._arrow(types, gaps=gaps)
        except pa.ArrowInvalid as reason:
            try:
                table = self._arrow(types, gaps=gaps, decimal=",")
            except pa.ArrowInvalid:
                raise self._explained(numbers, reason, gaps=gaps, hint=hint) from reason
            self.decimal = ","
        columns = {int(key): table.column(key).combine_chunks() for key in types}
        return {k: pc.utf8_trim_whitespace(v) if k in texts else v for k, v in columns.items()}

    def read_ids(
        self,
        columns: Sequence[int],
        numbers: Sequence[int] = (),
        *,
        gaps: bool = False,
        hint: str | None = None,
    ) -> tuple[list[Any], list[Any]]:
        """Return columns of ids and columns of numbers; an empty cell is an error.

        Ids are int64 if all of them are whole numbers in plain digits ("7", not "007"), else strings. With
        ``gaps`` a cell of numbers may be missing, which gives null. ``hint`` goes with the error otherwise.
        """
        arrays = self._read(numbers=numbers, texts=columns, gaps=gaps, hint=hint)
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

    def words(self, columns: Sequence[int]) -> dict[int, str]:
        """Return the columns that hold words for the most part, each with one of them, by the first rows."""
        found = {}
        for column in columns:
            filled = [row[column] for row in self._sample if row[column] not in MISSING]
            words = [cell for cell in filled if not is_number(cell)]
            if 2 * len(words) > len(filled):
                found[column] = words[0]
        return found

    def flaws(self, columns: Sequence[int], *, gaps: bool) -> dict[int, str]:
        """Return the columns with a cell that is no number, each with the first; slow, after a failure."""
        found: dict[int, str] = {}
        for number, line in self._rows():
            row = cells(line, self.delimiter)
            for column in (k for k in columns if k < len(row) and k not in found):
                if not is_number(row[column]) and not (gaps and row[column] in MISSING):
                    found[column] = f"{shown(row[column]) if row[column] else 'nothing'} in line {number}"
            if len(found) == len(columns):
                break
        return dict(sorted(found.items()))

    def where(self, row: int) -> str:
        """Return the file and the line of a row, counted from 1."""
        return f"{str(self.file.path)!r}, line {self._line(row)}"

    def _arrow(self, types: Mapping[str, Any], *, gaps: bool, decimal: str = ".") -> Any:
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
                null_values=MISSING if gaps else [],
                strings_can_be_null=False,
                decimal_point=decimal,
            ),
        )

    def _rows(self) -> Iterator[tuple[int, str]]:
        """Yield the line number and the text of every row except the header."""
        filled = _filled_lines(self._lines, 1 + self._lines_before)
        if self._starts_with_header:
            next(filled, None)
        yield from filled

    def _line(self, row: int) -> int:
        return next(number for k, (number, _) in enumerate(self._rows()) if k == row)

    def _explained(
        self, numbers: Sequence[int], reason: Exception, *, gaps: bool, hint: str | None
    ) -> InvalidInputError:
        """Return the error for the first row that Arrow could not read; slow, but only after a failure."""
        width = len(self.names)
        for number, line in self._rows():
            row = cells(line, self.delimiter)
            if len(row) != width:
                got = f"line {number}, which has {len(row)}: {line.strip()[:60]!r}"
                return self.file.refuse(f"have {width} cells in every row", got)
            for column in numbers:
                if not is_number(row[column]) and not (gaps and row[column] in MISSING):
                    must = f"hold a number in every cell of column {self.names[column]!r}"
                    return self.file.refuse(must, f"line {number}, where it is {row[column]!r}", hint=hint)
        mixed = "numbers need one kind of decimal sign, a point or a comma, and no sign for thousands"
        return self.file.refuse("be a readable table", f"which is not ({reason})", hint=mixed)


def _content(file: InputFile) -> bytes:
    with Packed(file) as packed:
        return packed.read_all()


def _decoded(file: InputFile, raw: bytes, lines_before: int) -> bytes:
    """Return UTF-8 bytes of the file with every line ending in a line feed."""
    must = "be a text table in UTF-8"
    if raw.startswith(_UTF16) or b"\0" in raw:
        hint = "save it as UTF-8" if raw.startswith(_UTF16) else None
        raise file.refuse(must, "which is a binary file", hint=hint)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = lines_before + raw.count(b"\n", 0, reason.start) + 1
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
    """Return the first lines that are not blank: fewer where they are long."""
    found, left = [], SAMPLE_SIZE
    for _, line in islice(_filled_lines(body, 1), SAMPLE_LINES):
        found.append(line)
        left -= len(line)
        if left < 0:
            break
    return found


def _filled_lines(body: bytes, number: int) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not blank; millions of blank ones cost little."""
    done = 0
    while found := _FILLED.search(body, done):
        start = max(done, body.rfind(b"\n", done, found.start()) + 1)
        end = body.find(b"\n", start)
        end = len(body) if end < 0 else end
        number += body.count(b"\n", done, start)
        yield number, body[start:end].decode("utf-8")
        number, done = number + 1, end + 1


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
