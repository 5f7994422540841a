"""Some nodes of a graph and the matrices between them, at a cost that follows the size of the part."""
# mypy: allow-untyped-decorators

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numba import njit

NONE = np.int32(-1)
# Fibonacci hashing: 2^64 divided by the golden ratio.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Part:
    """Some nodes of a graph, ordered by the number of hops from the seeds.

    Attributes
    ----------
    nodes : (R,) int64
        Seeds first, then those found a hop away, and so on.
    ends : tuple of int
        ``nodes[:ends[h]]`` are those within h hops. A single number means that all are seeds.
    stand_in : bool
        Whether the neighbours of a node that are in the part stand for those that are not.

    Examples
    --------
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 0.0]])
    >>> Part.of(np.array([2, 1])).cut(path).toarray().tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """

    nodes: np.ndarray
    ends: tuple[int, ...]
    stand_in: bool = False

    @classmethod
    def of(cls, nodes: np.ndarray, *, stand_in: bool = False) -> Part:
        """Return the part between some nodes, all of them seeds."""
        return cls(np.asarray(nodes, dtype=np.int64), (len(nodes),), stand_in)

    @property
    def seeds(self) -> np.ndarray:
        """The rows of the seeds, which are the first ones."""
        return np.arange(self.ends[0])

    def cut(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the (R, R) part of a matrix of the graph; rows are sorted if the nodes of each hop are.

        A row keeps the columns at most one hop further out. If there are several hops, rows of the last one
        stay empty: what a layer computes there, no seed hears of.
        """
        size = len(self.nodes)
        ends = np.array(self.ends, dtype=np.int64)
        indptr, indices, values = cut_rows(
            matrix.indptr, matrix.indices, matrix.data, self.nodes, ends, self._table
        )
        return sp.csr_array((values, indices, indptr), shape=(size, size))

    @cached_property
    def _table(self) -> np.ndarray:
        """Where each node is, by hashing: an array over all nodes would cost more than a small part."""
        table = empty_table(len(self.nodes))
        enter(table, self.nodes)
        return table


def empty_table(count: int) -> np.ndarray:
    """Return an empty hash table of places for so many nodes: a power of two, at most half of it in use."""
    return np.full(1 << max(3, (2 * count - 1).bit_length()), NONE)


@njit(cache=True, nogil=True)
def slot_of(table, nodes, node):  # type: ignore[no-untyped-def]
    """Return the slot that holds the place of a node in ``nodes``, or the free one where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = ((np.uint64(node) * _MULTIPLIER) >> np.uint64(32)) & mask
    while table[slot] != NONE and nodes[table[slot]] != node:
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True, nogil=True)
def enter(table, nodes):  # type: ignore[no-untyped-def]
    """Enter the place of each node into a table."""
    for place in range(len(nodes)):
        table[slot_of(table, nodes, nodes[place])] = place


@njit(cache=True, nogil=True)
def cut_rows(indptr, indices, values, nodes, ends, table):  # type: ignore[no-untyped-def]
    """Return the CSR arrays of a part; see :meth:`Part.cut`."""
    hops = len(ends)
    rows = ends[max(0, hops - 2)]
    room, longest = np.int64(0), np.int64(0)
    for i in range(rows):
        length = np.int64(indptr[nodes[i] + 1]) - np.int64(indptr[nodes[i]])
        room += length
        if length > longest:
            longest = length
    out_indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    out_indices, out_values = np.empty(room, dtype=np.int32), np.empty(room, dtype=values.dtype)
    places, entries = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int64)
    at, hop = 0, 0
    for i in range(rows):
        while i >= ends[hop]:
            hop += 1
        furthest = min(hop + 1, hops - 1)
        found = 0
        for k in range(np.int64(indptr[nodes[i]]), np.int64(indptr[nodes[i] + 1])):
            place = table[slot_of(table, nodes, np.int64(indices[k]))]
            if place != NONE and place < ends[furthest]:
                places[found], entries[found] = place, k
                found += 1
        # Columns rise within a hop, so taking one hop after the other sorts them.
        begin = 0
        for group in range(furthest + 1):
            for one in range(found):
                if begin <= places[one] < ends[group]:
                    out_indices[at], out_values[at] = places[one], values[entries[one]]
                    at += 1
            begin = ends[group]
        out_indptr[i + 1] = at
    out_indptr[rows + 1 :] = at
    return out_indptr, out_indices[:at].copy(), out_values[:at].copy()
