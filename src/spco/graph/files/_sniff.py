"""Detect the layout of a text table: the delimiter, and whether the first row is a header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence

SAMPLE_LINES, SAMPLE_SIZE = 200, 1 << 20
#: A line of a few packed bytes can hold millions of cells, each of which is looked at as a name.
MOST_COLUMNS = 100_000
WHITESPACE = " "
_DELIMITERS = ("\t", ";", ",", "|", WHITESPACE)
# No two parts can take the same digits: a long cell that is no number would be tried in every split of them.
_NUMBER = re.compile(
    r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf(inity)?)\s*", re.IGNORECASE
)
_YEAR = re.compile(r"(19|20)\d\d")
#: Cells without a value, as spreadsheets, R and pandas write them.
MISSING = ("", "NA", "N/A", "na", "n/a", "NaN", "nan", "NULL", "null", "None")


def is_number(cell: str) -> bool:
    """Return whether a cell reads as a number, with a decimal point or a decimal comma."""
    return _NUMBER.fullmatch(cell) is not None


def cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line, stripped of blanks."""
    if delimiter == WHITESPACE:
        line = " ".join(line.split())
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
    except (csv.Error, StopIteration):
        return [line.strip()]


def widest(lines: Sequence[str]) -> int:
    """Return how many cells a line may have at most, whatever the delimiter; they are not taken apart."""
    return max(max(len(line.split()), *(line.count(mark) + 1 for mark in _DELIMITERS[:-1])) for line in lines)


def find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that splits most lines into the same number of cells, at least two.

    Ties are broken in the order tab, semicolon (which goes with decimal commas), comma, bar, blanks: a rarer
    character is less likely to be part of a name. A single column counts as comma-separated.
    """
    best, best_share = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = Counter(len(cells(line, delimiter)) for line in lines)
        width, count = widths.most_common(1)[0]
        if width >= 2 and count / len(lines) > best_share:
            best, best_share = delimiter, count / len(lines)
    return best


HeaderTest = Callable[[Sequence[str], Sequence[Sequence[str]]], bool]
"""Takes the first row and the other rows; returns whether the first one is a header with known names."""


def has_header(rows: Sequence[Sequence[str]], is_known: HeaderTest) -> bool:
    """Return whether the first row names the columns.

    It does if its names are known, or if it has words above columns of numbers. A first row that has
    numbers as well is a header only if its first cell is such a word ("id,0,1,2"), or if the numbers
    are years that do not occur below themselves, as in "customer,age,2019,2020".
    """
    first, rest = rows[0], rows[1:]
    if is_known(first, rest):
        return True
    words = [not is_number(cell) for cell in first]
    above_numbers = [words[k] and _numeric(rest, k) for k in range(len(first))]
    if not any(above_numbers):
        return False
    return all(words) or above_numbers[0] or _are_years(first, rest)


def _are_years(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Return whether the numbers in a first row are years, and no values of their columns."""
    if any(cell in MISSING or not any(map(str.isalnum, cell)) for cell in first):
        return False
    numbers = [k for k, cell in enumerate(first) if is_number(cell)]
    below = {(k, row[k]) for row in rest for k in numbers if len(row) > k}
    return all(_YEAR.fullmatch(first[k]) and (k, first[k]) not in below for k in numbers)


def _numeric(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether a column holds numbers only, apart from empty cells."""
    filled = [row[column] for row in rows if len(row) > column and row[column]]
    return bool(filled) and all(is_number(cell) for cell in filled)
