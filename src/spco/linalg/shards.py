"""The rows of a pattern shared out among processes, which hear of each other's results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from .pattern import Pattern


class Exchange(Protocol):
    """How the processes of a job hear of each other's rows; torch.distributed in training."""

    rank: int
    size: int

    def fill(self, array: np.ndarray, bounds: np.ndarray) -> None:
        """Put each process's part of the array, rows bounds[p] to bounds[p + 1], into everyone's array."""


class Alone:
    """One process, which has all rows."""

    rank = 0
    size = 1

    def fill(self, array: np.ndarray, bounds: np.ndarray) -> None:
        pass


@dataclass(frozen=True, eq=False)
class EvenRows:
    """Equally many consecutive rows of a tall matrix for each process.

    >>> EvenRows(7, Alone()).own
    slice(0, 7, None)
    """

    count: int
    exchange: Exchange

    @cached_property
    def _bounds(self) -> np.ndarray:
        return np.linspace(0, self.count, self.exchange.size + 1).round().astype(np.int64)

    @property
    def own(self) -> slice:
        """The rows of this process."""
        first, last = self._bounds[self.exchange.rank : self.exchange.rank + 2]
        return slice(int(first), int(last))

    def among(self, rows: np.ndarray) -> np.ndarray:
        """Return for each of these rows whether it is this process's."""
        found: np.ndarray = (rows >= self.own.start) & (rows < self.own.stop)
        return found

    def completed(self, part: np.ndarray) -> np.ndarray:
        """Return the whole matrix, of which each process hands in its rows."""
        if self.exchange.size == 1:
            return part
        whole = np.empty((self.count, *part.shape[1:]), part.dtype)
        whole[self.own] = part
        self.exchange.fill(whole, self._bounds)
        return whole


@dataclass(frozen=True, eq=False)
class Shard:
    """This process's rows of a pattern: consecutive blocks, so that each process has as many entries.

    >>> pattern = Pattern(np.array([0, 2, 4, 6], np.uint32), np.array([1, 2, 0, 2, 0, 1], np.uint32))
    >>> Shard(pattern, Alone()).rows
    (0, 3)
    """

    pattern: Pattern
    exchange: Exchange

    @cached_property
    def _block_bounds(self) -> np.ndarray:
        count = len(self.pattern.blocks) - 1
        return np.linspace(0, count, self.exchange.size + 1).round().astype(np.int64)

    @cached_property
    def _row_bounds(self) -> np.ndarray:
        return np.asarray(self.pattern.blocks[self._block_bounds])

    @property
    def _own(self) -> slice:
        first, last = self._block_bounds[self.exchange.rank : self.exchange.rank + 2]
        return slice(int(first), int(last))

    @cached_property
    def blocks(self) -> np.ndarray:
        """Row boundaries of this process's blocks."""
        own = self._own
        return np.ascontiguousarray(self.pattern.blocks[own.start : own.stop + 1])

    @property
    def rows(self) -> tuple[int, int]:
        """The first of this process's rows, and the one after the last."""
        return int(self.blocks[0]), int(self.blocks[-1])

    @property
    def nnz(self) -> int:
        """Number of entries in this process's rows."""
        first, last = self.rows
        return int(self.pattern.indptr[last]) - int(self.pattern.indptr[first])

    def per_block(self, *shape: int) -> np.ndarray:
        """Return a new array with a row for each block of the whole pattern."""
        return np.zeros((len(self.pattern.blocks) - 1, *shape))

    def own(self, per_block: np.ndarray) -> np.ndarray:
        """Return this process's part of an array with a row for each block."""
        return per_block[self._own]

    def fill_blocks(self, per_block: np.ndarray) -> None:
        """Complete an array with a row for each block."""
        self.exchange.fill(per_block, self._block_bounds)

    def total(self, numbers: ArrayLike) -> np.ndarray:
        """Return the sum over all processes of their arrays of a few numbers."""
        own = np.asarray(numbers, dtype=np.float64)
        every = np.zeros((self.exchange.size, *own.shape))
        every[self.exchange.rank] = own
        self.exchange.fill(every, np.arange(self.exchange.size + 1))
        total: np.ndarray = every.sum(axis=0)
        return total

    def fill_entries(self, per_entry: np.ndarray) -> None:
        """Complete an array with a number for each entry of the pattern."""
        self.exchange.fill(per_entry, self.pattern.indptr[self._row_bounds].astype(np.int64))

    def fill_rows(self, per_row: np.ndarray) -> None:
        """Complete an array with a row for each row of the pattern."""
        self.exchange.fill(per_row, self._row_bounds)
