"""Directed pairs as 64-bit keys, and what the rows of a list become in an undirected graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..checks import SYMMETRY_TOLERANCE

MOST_NODES = 1 << 31
_ROW, _COLUMN = np.uint64(33), np.uint64(1)
_COLUMN_BITS = np.uint64(MOST_NODES - 1)


def packed(rows: np.ndarray, columns: np.ndarray, *, backwards: bool) -> np.ndarray:
    """Return keys that sort by row, column and direction: an entry as listed, or the other way round."""
    keys = rows.astype(np.uint64) << _ROW
    keys |= columns.astype(np.uint64) << _COLUMN
    keys |= np.uint64(backwards)
    return keys


def unpacked(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and the columns of keys."""
    return keys >> _ROW, (keys >> _COLUMN) & _COLUMN_BITS


def distinct_pairs(keys: np.ndarray) -> tuple[np.ndarray, int]:
    """Return each pair once, without its direction, in order, and how many there are with their direction.

    The keys are sorted in place.
    """
    keys.sort()
    listed = int(np.count_nonzero(_firsts(keys)))
    keys >>= _COLUMN
    keys <<= _COLUMN
    found: np.ndarray = keys[_firsts(keys)]
    return found, listed


def num_loops(keys: np.ndarray) -> int:
    """Return how many keys have their row as their column."""
    rows, columns = unpacked(keys)
    return int(np.count_nonzero(rows == columns))


def _firsts(keys: np.ndarray) -> np.ndarray:
    """Return which of the sorted keys differ from the one before."""
    firsts = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=firsts[1:])
    return firsts


@dataclass(frozen=True, eq=False)
class Summed:
    """Entries of one row range: the weight from row to column as it was listed, and as listed backwards."""

    keys: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    both: np.ndarray
    listed: int
    """How many pairs there are with their direction."""

    @classmethod
    def of(cls, keys: np.ndarray, weights: np.ndarray | None) -> Summed:
        """Sum the weights of repeats, in the order of the list; without weights a repeat counts once."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        starts = np.flatnonzero(_firsts(keys))
        sums = np.ones(len(starts))
        if weights is not None and len(starts):
            sums = np.add.reduceat(weights[order], starts)
        keys = keys[starts]
        pairs, backwards = keys & ~np.uint64(1), (keys & np.uint64(1)).astype(bool)
        firsts = _firsts(pairs)
        entry = np.cumsum(firsts) - 1
        count = int(firsts.sum())
        forward, backward = np.zeros(count), np.zeros(count)
        forward[entry[~backwards]] = sums[~backwards]
        backward[entry[backwards]] = sums[backwards]
        return cls(pairs[firsts], forward, backward, np.bincount(entry, minlength=count) == 2, len(starts))

    @property
    def conflicts(self) -> bool:
        """Whether an edge is listed in both directions with two weights."""
        there, back = self.forward[self.both], self.backward[self.both]
        return bool((np.abs(there - back) > SYMMETRY_TOLERANCE * np.maximum(there, back)).any())

    def larger(self) -> np.ndarray:
        """Return the larger weight of the two directions."""
        return np.asarray(np.maximum(self.forward, self.backward))

    def total(self) -> np.ndarray:
        """Return the sum of both directions; a self loop is listed in one only."""
        return np.asarray(self.forward + self.backward)

    def mean(self) -> np.ndarray:
        """Return the mean of both directions; a self loop has one."""
        rows, columns = unpacked(self.keys)
        return np.asarray(np.where(rows == columns, self.forward, self.total() / 2))
