"""The sparsity pattern that the compiled passes run on, and their number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numba
import numpy as np
import scipy.sparse as sp

from .._threads import require_threads
from .kernels import entry_positions

_ENTRIES_PER_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Pattern:
    """The places of the entries of a square, row-sorted CSR matrix.

    Indices are unsigned: a compiled gather with signed ones checks every entry for a negative value, which
    doubles the time.
    """

    indptr: np.ndarray
    indices: np.ndarray

    @classmethod
    def of(cls, matrix: sp.csr_array) -> Pattern:
        """Return the pattern of a matrix with sorted rows; the index arrays are shared if they are 32-bit."""
        wide = np.uint64 if matrix.nnz > np.iinfo(np.int32).max else np.uint32
        return cls(_unsigned(matrix.indptr, wide), _unsigned(matrix.indices, np.uint32))

    def read_only(self) -> Pattern:
        """Return the pattern over views of its arrays that nobody can write to.

        Compiled code for arrays that may be written to is other code: with one kind it is compiled once.
        """
        views = self.indptr.view(), self.indices.view()
        for view in views:
            view.flags.writeable = False
        return Pattern(*views)

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.indptr) - 1

    @property
    def nnz(self) -> int:
        """Number of entries."""
        return len(self.indices)

    @cached_property
    def blocks(self) -> np.ndarray:
        """Row boundaries of blocks with about equal work: the unit of parallelism and of summation.

        Sums are taken per block and then over blocks, so they do not depend on the number of threads.
        """
        return row_blocks(self.indptr, _ENTRIES_PER_BLOCK)

    def same_places(self, other: Pattern) -> bool:
        """Whether both have entries at the same places."""
        if self is other:
            return True
        return np.array_equal(self.indptr, other.indptr) and np.array_equal(self.indices, other.indices)

    def positions_in(self, other: Pattern) -> np.ndarray:
        """Return the entry of ``other`` at the place of each of ours, (nnz,); other.nnz where it has none."""
        out = np.empty(self.nnz, dtype=other.indptr.dtype)
        entry_positions(self.blocks, self.indptr, self.indices, other.indptr, other.indices, out)
        return out

    def matrix(self, values: np.ndarray) -> sp.csr_array:
        """Return the CSR matrix with these values on this pattern."""
        signed = np.int64 if self.indptr.dtype == np.uint64 else np.int32
        indices = self.indices.view(np.int32)
        built = sp.csr_array(
            (values, indices if signed is np.int32 else indices.astype(np.int64), self.indptr.view(signed)),
            shape=(self.size, self.size),
        )
        built.has_canonical_format = True
        return built


def opened_array(path: Path | None, size: int, dtype: type[np.generic]) -> np.ndarray:
    """Return a new array in memory, or in a file that is mapped into it where there is a path."""
    if path is None or size == 0:
        return np.empty(size, dtype)
    return np.asarray(np.memmap(path, dtype, mode="w+", shape=(size,)))


def row_blocks(indptr: np.ndarray, entries_per_block: int) -> np.ndarray:
    """Return row boundaries of consecutive blocks with about this many entries and rows each."""
    work = indptr.astype(np.int64) + np.arange(len(indptr))
    count = max(1, int(work[-1]) // entries_per_block)
    bounds = np.searchsorted(work, np.linspace(0, work[-1], count + 1)[1:-1])
    return np.unique(np.concatenate(([0], bounds, [len(indptr) - 1])))


@contextmanager
def threads_for(*patterns: Pattern) -> Iterator[None]:
    """Use at most one thread per block of work, and let a free thread take the next block.

    A short pass is over before a second thread wakes up. A long pass, if split evenly beforehand, would wait
    for whichever thread the machine held up.
    """
    require_threads("A compiled pass")
    before = numba.get_num_threads()
    blocks = max(len(pattern.blocks) - 1 for pattern in patterns)
    numba.set_num_threads(min(before, blocks))
    try:
        with numba.parallel_chunksize(1) if blocks > 1 else nullcontext():
            yield
    finally:
        numba.set_num_threads(before)


def _unsigned(array: np.ndarray, wanted: type[np.unsignedinteger]) -> np.ndarray:
    if array.dtype.itemsize == np.dtype(wanted).itemsize:
        return array.view(wanted)
    return array.astype(wanted)
