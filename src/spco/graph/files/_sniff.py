"""Detect how a text table is laid out: what separates its cells, and whether its first row is a header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence

SAMPLE_LINES = 200
WHITESPACE = " "
_DELIMITERS = ("\t", ";", ",", "|", WHITESPACE)
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf)\s*", re.IGNORECASE)


def is_number(cell: str) -> bool:
    """Return whether a cell reads as a number."""
    return _NUMBER.fullmatch(cell) is not None


def cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line, without the blanks around them."""
    if delimiter == WHITESPACE:
        line = " ".join(line.split())
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
    except (csv.Error, StopIteration):
        return [line.strip()]


def find_delimiter(lines: Sequence[str]) -> str:
    """Return the character that splits most of the lines into one same number of cells, two at least.

    On equal terms tab goes before semicolon (which goes with decimal commas), comma, bar and blanks:
    a rarer character is less likely to be part of a name. One column only counts as comma-separated.
    """
    best, best_share = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = Counter(len(cells(line, delimiter)) for line in lines)
        width, count = widths.most_common(1)[0]
        if width >= 2 and count / len(lines) > best_share:
            best, best_share = delimiter, count / len(lines)
    return best


HeaderTest = Callable[[Sequence[str], Sequence[Sequence[str]]], bool]
"""Whether a first row, before others, has the names of columns."""


def has_header(rows: Sequence[Sequence[str]], is_known: HeaderTest) -> bool:
    """Return whether the first row names the columns.

    It does if its names are known ones, or if it has words where all other rows have numbers. A first
    row with numbers of its own is only a header if its first cell is such a word ("id,0,1,2").
    """
    first, rest = rows[0], rows[1:]
    if is_known(first, rest):
        return True
    words = [not is_number(cell) for cell in first]
    above_numbers = [words[k] and _numeric(rest, k) for k in range(len(first))]
    return any(above_numbers) and (all(words) or above_numbers[0])


def _numeric(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether a column has numbers and nothing else, but for empty cells."""
    filled = [row[column] for row in rows if len(row) > column and row[column]]
    return bool(filled) and all(is_number(cell) for cell in filled)
