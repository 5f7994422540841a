"""Cut a graph into clusters of about equal size with many edges inside, in a few passes over the edges."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp
from numba import njit

_PASSES = 5
# A cluster may grow to so many times the size that was asked for.
_SLACK = 1.25


def clusters(matrix: sp.csr_array, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return the cluster of each node, (N,) int64, numbered from 0; no cluster has more than 1.25·size nodes.

    Clusters grow breadth first from random nodes until each has ``size``. Then nodes move, pass after pass in
    random order, to the cluster where most of their neighbours are if that has room. Weights do not count.

    Examples
    --------
    >>> two_pairs = sp.csr_array(([1.0] * 4, ([0, 3, 1, 2], [3, 0, 2, 1])))
    >>> found = clusters(two_pairs, 2, np.random.default_rng(0))
    >>> bool(found[0] == found[3] != found[1] == found[2])
    True
    """
    nodes = matrix.shape[0]
    size = min(size, nodes)
    labels = grow(matrix.indptr, matrix.indices, size, rng.permutation(nodes))
    counts = np.bincount(labels)
    limit = max(size + 1, math.floor(_SLACK * size))
    for _ in range(_PASSES if len(counts) > 1 else 0):
        if move(matrix.indptr, matrix.indices, rng.permutation(nodes), limit, labels, counts) == 0:
            break
    numbers: np.ndarray = np.unique(labels, return_inverse=True)[1]  # some may have lost all their nodes
    return numbers


@njit(cache=True, nogil=True)
def grow(indptr, indices, size, starts):  # type: ignore[no-untyped-def]
    """Return clusters of ``size`` nodes each, the last one of the rest, grown from the first free starts."""
    labels = np.full(len(starts), -1, dtype=np.int64)
    queue = np.empty(len(starts), dtype=np.int64)
    head, tail, begin, start, label = 0, 0, 0, 0, 0
    while tail < len(starts):
        if tail - begin == size:
            head, begin, label = tail, tail, label + 1
        if head == tail:
            while labels[starts[start]] >= 0:
                start += 1
            labels[starts[start]] = label
            queue[tail] = starts[start]
            tail += 1
            continue
        node = queue[head]
        head += 1
        for k in range(np.int64(indptr[node]), np.int64(indptr[node + 1])):
            if tail - begin == size:
                break
            other = np.int64(indices[k])
            if labels[other] < 0:
                labels[other] = label
                queue[tail] = other
                tail += 1
    return labels


@njit(cache=True, nogil=True)
def move(indptr, indices, order, limit, labels, counts):  # type: ignore[no-untyped-def]
    """Let each node move once, in place, to where most of its neighbours are; return how many moved."""
    votes = np.zeros(len(counts), dtype=np.int64)
    moved = 0
    for node in order:
        here = best = labels[node]
        begin, end = np.int64(indptr[node]), np.int64(indptr[node + 1])
        for k in range(begin, end):
            if np.int64(indices[k]) != node:
                votes[labels[indices[k]]] += 1
        for k in range(begin, end):
            there = labels[indices[k]]
            if votes[there] > votes[best] and counts[there] < limit:
                best = there
        for k in range(begin, end):
            votes[labels[indices[k]]] = 0
        if best != here:
            labels[node] = best
            counts[here] -= 1
            counts[best] += 1
            moved += 1
    return moved
