"""Graphs of any size in a second per ten million nonzeros: a union of random matchings, made row by row.

No list of edges is ever held: the partner of a node in a matching is a formula, and the formula applied to
the partner gives the node back. The rows are symmetric by construction and can be written in any order.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numba import njit, prange

from .._validation import check_choice, check_integer
from ..linalg import Pattern
from ..linalg.pattern import opened_array

#: Nodes of a community, and matchings of a node of the highest activity.
COMMUNITY, MATCHINGS = 1024, 40
# One matching in so many leaves the communities, if the nodes are numbered by them.
_FAR_EVERY = 8
_ROWS_PER_BLOCK = 1 << 13


def matched_pattern(
    nonzeros: int, *, order: str = "communities", seed: int = 0, folder: Path | None = None
) -> Pattern:
    """Return an unweighted graph with about that many nonzeros, 10 per node, as a pattern.

    Degrees go from 0 to about 24. With ``order="communities"`` seven of eight matchings join nodes of one
    block of 1024 consecutive nodes; with ``"random"`` all of them join nodes from anywhere. In a ``folder``
    the indices are a memory-mapped file, which is the caller's to delete.

    >>> pattern = matched_pattern(100_000)
    >>> pattern.size, abs(pattern.nnz / pattern.size - 10) < 0.2
    (10240, True)
    """
    check_choice(order, "order", "matched_pattern", ("communities", "random"))
    check_integer(nonzeros, "nonzeros", "matched_pattern", minimum=1)
    size = COMMUNITY * max(1, round(nonzeros / 10 / COMMUNITY))
    far_every = _FAR_EVERY if order == "communities" else 1
    keys = np.random.default_rng(seed).integers(2**63, size=(MATCHINGS, 3), dtype=np.int64).astype(np.uint64)
    indptr = np.zeros(size + 1, dtype=np.uint64)
    _count(size, keys, far_every, indptr)
    np.cumsum(indptr, out=indptr)
    places = None if folder is None else Path(folder) / "indices.u32"
    indices = opened_array(places, int(indptr[-1]), np.uint32)
    _fill(size, keys, far_every, indptr, indices)
    return Pattern(indptr if indptr[-1] >= 2**32 else indptr.astype(np.uint32), indices)


@njit(inline="always")
def _mixed(x):  # type: ignore[no-untyped-def]
    """Return 64 bits that look random (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(inline="always")
def _shuffled(x, bits, key):  # type: ignore[no-untyped-def]
    """Return the place of x in a permutation of 0 .. 2^bits − 1: four rounds, each its own inverse."""
    low = bits // np.uint64(2)
    mask_low, mask_high = (np.uint64(1) << low) - np.uint64(1), (np.uint64(1) << (bits - low)) - np.uint64(1)
    left, right = x >> low, x & mask_low
    for turn in range(2):
        left ^= _mixed(right + key + np.uint64(2 * turn)) & mask_high
        right ^= _mixed(left + key + np.uint64(2 * turn + 1)) & mask_low
    return (left << low) | right


@njit(inline="always")
def _unshuffled(x, bits, key):  # type: ignore[no-untyped-def]
    low = bits // np.uint64(2)
    mask_low, mask_high = (np.uint64(1) << low) - np.uint64(1), (np.uint64(1) << (bits - low)) - np.uint64(1)
    left, right = x >> low, x & mask_low
    for back in range(2):
        turn = 1 - back
        right ^= _mixed(left + key + np.uint64(2 * turn + 1)) & mask_low
        left ^= _mixed(right + key + np.uint64(2 * turn)) & mask_high
    return (left << low) | right


@njit(inline="always")
def _partner(i, size, bits, key):  # type: ignore[no-untyped-def]
    """Return the partner of i among 0 .. size − 1: its neighbour 2k or 2k + 1 in a shuffled order.

    A place beyond the end is shuffled once more until it is within, which keeps the map a permutation.
    """
    x = _shuffled(i, bits, key)
    while x >= size:
        x = _shuffled(x, bits, key)
    x ^= np.uint64(1)
    x = _unshuffled(x, bits, key)
    while x >= size:
        x = _unshuffled(x, bits, key)
    return x


@njit(inline="always")
def _row(i, size, bits, keys, far_every, out):  # type: ignore[no-untyped-def]
    """Write the sorted neighbours of a node to ``out`` and return their number."""
    found = 0
    community = np.uint64(COMMUNITY)
    active = _activity(i, keys[0, 2])
    for k in range(active):
        if k % far_every == far_every - 1:
            j = _partner(i, size, bits, keys[k, 0])
        else:
            start = i - i % community
            j = start + _partner(i - start, community, np.uint64(10), keys[k, 0] + start)
        if k >= _activity(j, keys[0, 2]):
            continue
        at = found
        while at > 0 and out[at - 1] > j:
            at -= 1
        if at > 0 and out[at - 1] == j:
            continue
        for place in range(found, at, -1):
            out[place] = out[place - 1]
        out[at] = j
        found += 1
    return found


@njit(inline="always")
def _activity(i, key):  # type: ignore[no-untyped-def]
    """Return in how many matchings a node takes part: 0 to MATCHINGS, 7 to 12 in half of the cases."""
    share = (_mixed(i + key) >> np.uint64(11)) * 2.0**-53
    return min(MATCHINGS, int(7.0 / (1.0 - 0.82 * share))) if share > 0.01 else 0


@njit(cache=True)
def _bits_of(size):  # type: ignore[no-untyped-def]
    bits = np.uint64(1)
    while (np.uint64(1) << bits) < np.uint64(size):
        bits += np.uint64(1)
    return bits


@njit(parallel=True, cache=True, nogil=True)
def _count(size, keys, far_every, indptr):  # type: ignore[no-untyped-def]
    bits = _bits_of(size)
    for block in prange((size + _ROWS_PER_BLOCK - 1) // _ROWS_PER_BLOCK):
        row = np.empty(MATCHINGS, dtype=np.uint64)
        for i in range(block * _ROWS_PER_BLOCK, min(size, (block + 1) * _ROWS_PER_BLOCK)):
            indptr[i + 1] = _row(np.uint64(i), np.uint64(size), bits, keys, far_every, row)


@njit(parallel=True, cache=True, nogil=True)
def _fill(size, keys, far_every, indptr, indices):  # type: ignore[no-untyped-def]
    bits = _bits_of(size)
    for block in prange((size + _ROWS_PER_BLOCK - 1) // _ROWS_PER_BLOCK):
        row = np.empty(MATCHINGS, dtype=np.uint64)
        for i in range(block * _ROWS_PER_BLOCK, min(size, (block + 1) * _ROWS_PER_BLOCK)):
            found = _row(np.uint64(i), np.uint64(size), bits, keys, far_every, row)
            for k in range(found):
                indices[indptr[i] + np.uint64(k)] = row[k]
