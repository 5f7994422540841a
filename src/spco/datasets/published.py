"""What the parsers of published files share: numbers in text, and one error for files that are not theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .._documents import OF_OTHER_DOCUMENTS
from .._validation import invalid
from ..errors import FileFormatError, SpcoError


@contextmanager
def published(owner: str, must: str, path: Path) -> Iterator[None]:
    """Turn what goes wrong within the block, where files are parsed, into a named error."""
    try:
        yield
    except SpcoError:
        raise
    except OF_OTHER_DOCUMENTS as error:
        got = f"{str(path)!r}: {str(error).strip() or type(error).__name__}"
        raise invalid("files", owner, must, got, error=FileFormatError) from error


def integers_of(lines: Iterable[str], columns: int) -> np.ndarray:
    """Return the integers of a text, (rows,) or with more columns (rows, columns); none is an error.

    >>> integers_of(["3 4", "5 6"], 2).tolist()
    [[3, 4], [5, 6]]
    """
    filled = [line for line in lines if line.strip()]
    if not filled:
        raise ValueError("no numbers")
    numbers = np.loadtxt(filled, dtype=np.int64, ndmin=2)
    if numbers.shape[1] != columns:
        raise ValueError(f"{numbers.shape[1]} numbers in a row, not {columns}")
    return numbers[:, 0] if columns == 1 else numbers
