"""Compiled passes of the views. They are pure in their inputs and give the same bits on any thread count."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from ..linalg.hashing import splitmix64

_S32, _S11 = np.uint64(32), np.uint64(11)


@njit(cache=True, nogil=True)
def _arc_bits(seed, i, j):  # type: ignore[no-untyped-def]
    """Return 53 random bits of the ordered pair (i, j)."""
    return splitmix64(seed, (i << _S32) | j) >> _S11


@njit(cache=True, nogil=True)
def _pair_bits(seed, i, j):  # type: ignore[no-untyped-def]
    """Return 53 random bits of the unordered pair {i, j}."""
    low, high = (i, j) if i < j else (j, i)
    return _arc_bits(seed, low, high)


@njit(parallel=True, cache=True, nogil=True)
def mask_pairs(blocks, indptr, indices, ordered, seed, threshold, keep, counts):  # type: ignore[no-untyped-def]
    """Mark entries whose pair's 53 bits are >= ``threshold``; unordered pairs treat both directions alike."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            kept = 0
            for k in range(indptr[i], indptr[i + 1]):
                row, column = np.uint64(i), np.uint64(indices[k])
                bits = _arc_bits(seed, row, column) if ordered else _pair_bits(seed, row, column)
                stays = bits >= threshold
                keep[k] = stays
                kept += stays
            counts[i] = kept


@njit(parallel=True, cache=True, nogil=True)
def mask_pairs_by_probability(blocks, indptr, indices, seed, probabilities, keep, counts):  # type: ignore[no-untyped-def]
    """Do the same with one probability of being dropped per entry."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            kept = 0
            for k in range(indptr[i], indptr[i + 1]):
                stays = _pair_bits(seed, np.uint64(i), np.uint64(indices[k])) * 2.0**-53 >= probabilities[k]
                keep[k] = stays
                kept += stays
            counts[i] = kept


@njit(cache=True, nogil=True)
def are_entries(indptr, indices, rows, columns, out):  # type: ignore[no-untyped-def]
    """Write whether (row, column) or (column, row) is an entry, per pair; rows are sorted."""
    for place in range(len(rows)):
        i, j = rows[place], columns[place]
        out[place] = _is_entry(indptr, indices, i, j) or _is_entry(indptr, indices, j, i)


@njit(cache=True, nogil=True)
def _is_entry(indptr, indices, i, j):  # type: ignore[no-untyped-def]
    """Search a sorted row by halves."""
    low, high = np.int64(indptr[i]), np.int64(indptr[i + 1])
    end = high
    while low < high:
        middle = (low + high) // 2
        if np.int64(indices[middle]) < j:
            low = middle + 1
        else:
            high = middle
    return low < end and np.int64(indices[low]) == j


@njit(parallel=True, cache=True, nogil=True)
def mask_between(blocks, indptr, indices, alive, keep, counts):  # type: ignore[no-untyped-def]
    """Mark the entries whose two ends are both alive."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            kept = 0
            for k in range(indptr[i], indptr[i + 1]):
                stays = alive[i] and alive[indices[k]]
                keep[k] = stays
                kept += stays
            counts[i] = kept


@njit(parallel=True, cache=True, nogil=True)
def compact(blocks, indptr, indices, values, keep, new_indptr, new_indices, new_values):  # type: ignore[no-untyped-def]
    """Write the marked entries to the rows that ``new_indptr`` gives.

    Every entry is written, and the place advances only after a marked one. A random mark cannot be predicted,
    so a branch on it would cost more than the needless writes.
    """
    for block in prange(len(blocks) - 1):
        place, end = np.uint64(new_indptr[blocks[block]]), np.uint64(new_indptr[blocks[block + 1]])
        for k in range(indptr[blocks[block]], indptr[blocks[block + 1]]):
            if place < end:
                new_indices[place] = indices[k]
                new_values[place] = values[k]
                place += np.uint64(keep[k])


@njit(parallel=True, cache=True, nogil=True)
def log_mean_of_ends(blocks, indptr, indices, centrality, scores, sums, counts, tops):  # type: ignore[no-untyped-def]
    """Write log((c_i + c_j)/2) per entry; per block, the sum, number and maximum of the finite ones."""
    for block in prange(len(blocks) - 1):
        total = 0.0
        finite = 0
        top = -np.inf
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                mean = (centrality[i] + centrality[indices[k]]) / 2.0
                score = math.log(mean) if mean > 0.0 else -np.inf
                scores[k] = score
                if mean > 0.0:
                    total += score
                    finite += 1
                    top = max(top, score)
        sums[block] = total
        counts[block] = finite
        tops[block] = top


@njit(cache=True, nogil=True)
def positive_gains(gradient, change, is_edge, dropped, smallest, out):  # type: ignore[no-untyped-def]
    """Write gradient·change of edges that may still be dropped, and 0 where it is below |change|·smallest."""
    for k in range(len(gradient)):
        gain = gradient[k] * change[k]
        counts = is_edge[k] and dropped[k] < 1.0 and gain >= smallest * abs(change[k])
        out[k] = gain if counts else 0.0


@njit(cache=True, nogil=True)
def certain_gains(gains, dropped, step):  # type: ignore[no-untyped-def]
    """Return Σ (1 − dropped) and Σ gain of the entries with dropped + step·gain >= 1, gain > 0."""
    filled, gained = 0.0, 0.0
    for k in range(len(gains)):
        room = 1.0 - dropped[k]
        if gains[k] > 0.0 and step * gains[k] >= room:
            filled += room
            gained += gains[k]
    return filled, gained


@njit(cache=True, nogil=True)
def walk(indptr, indices, starts, wanted, seed, patience, visited):  # type: ignore[no-untyped-def]
    """Mark ``wanted`` nodes visited by a random walk.

    It jumps to the next unvisited node of ``starts`` after ``patience`` steps without a new node, or when
    stuck.
    """
    found, start, stale, at = 0, 0, patience, np.int64(0)
    step = np.uint64(0)
    while found < wanted:
        degree = np.int64(indptr[at + 1]) - np.int64(indptr[at])
        if stale >= patience or degree == 0:
            while visited[starts[start]]:
                start += 1
            at = np.int64(starts[start])
        else:
            drawn = splitmix64(seed, step) % np.uint64(degree)
            step += np.uint64(1)
            at = np.int64(indices[np.int64(indptr[at]) + np.int64(drawn)])
        if visited[at]:
            stale += 1
        else:
            visited[at] = True
            found += 1
            stale = 0


@njit(parallel=True, cache=True, nogil=True)
def breadth_first(indptr, indices, max_hops, workers, fill, out_indptr, out_indices, out_hops):  # type: ignore[no-untyped-def]
    """Search from every node up to ``max_hops`` steps: count the others reached, or write them sorted.

    Without ``fill``, out_indptr[i + 1] gets the count of node i; with it, out_indptr is read.
    """
    size = len(indptr) - 1
    for worker in prange(workers):
        hops = np.full(size, -1, np.int32)
        queue = np.empty(size, np.uint32)
        for root in range(worker, size, workers):
            hops[root] = 0
            queue[0] = root
            head, tail = 0, 1
            while head < tail:
                u = np.uint64(queue[head])
                head += 1
                reach = hops[u] + 1
                if reach > max_hops:
                    break
                for k in range(indptr[u], indptr[u + np.uint64(1)]):
                    v = indices[k]
                    if hops[v] < 0:
                        hops[v] = reach
                        queue[tail] = v
                        tail += 1
            if fill:
                reached = np.sort(queue[:tail])
                place = out_indptr[root]
                for v in reached:
                    if v != root:
                        out_indices[place] = v
                        out_hops[place] = hops[v]
                        place += 1
            else:
                out_indptr[root + 1] = tail - 1
            for at in range(tail):
                hops[queue[at]] = -1
