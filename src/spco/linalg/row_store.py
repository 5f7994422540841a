"""Tall matrices, read and written by blocks of rows: in memory while they fit, in temporary files beyond."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from .._atomic import is_full
from ..errors import DiskFullError

#: Rows that are read, computed or written at once.
BLOCK = 1 << 15
_ZEROS = bytes(1 << 20)
_CHUNK_BYTES = 1 << 26  # of a tall matrix of a few float32 columns that is held at once
_FEWEST_COLUMNS = 8


def blocks_of(count: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of each block of consecutive rows.

    >>> list(blocks_of(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for start in range(0, count, size):
        yield start, min(start + size, count)


def chunks_of(count: int, width: int) -> Iterator[slice]:
    """Yield groups of columns of a matrix with so many rows, each small enough to be held as float32.

    >>> list(chunks_of(10**9, 20))
    [slice(0, 8, None), slice(8, 16, None), slice(16, 20, None)]
    """
    step = max(_FEWEST_COLUMNS, _CHUNK_BYTES // (4 * max(count, 1)))
    for start in range(0, width, step):
        yield slice(start, min(start + step, width))


class RowArray:
    """A matrix of which rows are written and read, nothing else; :class:`RowStore` makes them.

    In a file, only the rows at hand are mapped, so that what is on disk does not count as memory in use.
    """

    def __init__(
        self, shape: tuple[int, int], dtype: Any, file: Any = None, array: np.ndarray | None = None
    ) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self._file = file
        self._array: Any = np.zeros(shape, self.dtype) if file is None and array is None else array

    @property
    def in_memory(self) -> bool:
        """Whether it takes memory, not disk."""
        return self._array is not None

    def write(self, start: int, block: np.ndarray, columns: slice = slice(None)) -> None:
        """Put a block of rows, or some columns of it, from row ``start`` on."""
        self._mapped(start, start + len(block))[:, columns] = block

    def read(self, start: int, stop: int) -> np.ndarray:
        """Return consecutive rows as float32; not to be written to."""
        found: np.ndarray = self._mapped(start, stop).astype(np.float32, copy=self._array is None)
        return found

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return rows as float32, (R, C). From a file that is quick for long runs of consecutive rows."""
        if self._array is not None:
            some: np.ndarray = self._array[rows]
            return some.astype(np.float32, copy=False)
        found = np.empty((len(rows), self.shape[1]), np.float32)
        if not len(rows):
            return found
        ends = np.flatnonzero(np.diff(rows) != 1) + 1
        for first, end in zip((0, *ends), (*ends, len(rows)), strict=True):
            found[first:end] = self._mapped(int(rows[first]), int(rows[end - 1]) + 1)
        return found

    def _mapped(self, start: int, stop: int) -> np.ndarray:
        if self._file is None:
            some: np.ndarray = self._array[start:stop]
            return some
        offset = start * self.shape[1] * self.dtype.itemsize
        return np.memmap(self._file, self.dtype, "r+", offset=offset, shape=(stop - start, self.shape[1]))


class RowStore:
    """Makes row arrays, in memory as long as they take no more than ``budget`` bytes together.

    The others are in nameless temporary files, which vanish with the process however it ends. An array that
    nobody holds any more gives its bytes back.

    >>> store = RowStore(budget=100)
    >>> first, second = store.empty(8, 2), store.empty(8, 2)
    >>> first.in_memory, second.in_memory
    (True, False)
    """

    def __init__(self, budget: float) -> None:
        self.budget = budget

    def empty(self, rows: int, columns: int, dtype: Any = np.float32) -> RowArray:
        """Return a matrix of zeros."""
        size = rows * columns * np.dtype(dtype).itemsize
        if size <= self.budget:
            return self._counted(RowArray((rows, columns), dtype), size)
        return RowArray((rows, columns), dtype, _temporary_file(size))

    def keep(self, matrix: np.ndarray) -> RowArray:
        """Return a matrix that is there already: as it is if it fits, and written to a file otherwise."""
        if matrix.nbytes <= self.budget:
            return self._counted(RowArray(matrix.shape, matrix.dtype, array=matrix), matrix.nbytes)
        kept = RowArray(matrix.shape, matrix.dtype, _temporary_file(matrix.nbytes))
        for start, stop in blocks_of(len(matrix)):
            kept.write(start, matrix[start:stop])
        return kept

    def _counted(self, array: RowArray, size: int) -> RowArray:
        self.budget -= size
        weakref.finalize(array, self._give_back, size)
        return array

    def _give_back(self, size: int) -> None:
        self.budget += size


def _temporary_file(size: int) -> IO[bytes]:
    """Return a nameless file of zeros that has its place on the disk: a mapped page must not fail later."""
    file = tempfile.TemporaryFile(prefix="spco-")  # noqa: SIM115
    try:
        reserve(file, size)
    except OSError as error:
        file.close()
        raise disk_full(error, size, tempfile.gettempdir()) from error
    return file


def reserve(file: IO[bytes], size: int) -> None:
    """Give a file its full size on the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for start in range(0, size, len(_ZEROS)):
        file.write(_ZEROS[: size - start])
    file.flush()


def disk_full(error: OSError, size: int, folder: str) -> OSError:
    """Return a named error if a disk is full, and other errors as they are."""
    if not is_full(error):
        return error
    return DiskFullError(
        f"The disk has no room for {size / 1e9:.2g} GB in {folder}.\n"
        "hint: free some space; the environment variable TMPDIR names another folder for temporary files"
    )
