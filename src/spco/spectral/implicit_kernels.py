"""Compiled products with a learnt view whose weights are implicit: never a matrix, only rows of A_·X."""

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(inline="always")
def _weight(weight, factor, change, root, other_root):  # type: ignore[no-untyped-def]
    return weight + factor * (change * (root * other_root))


@njit(parallel=True, cache=True, nogil=True)
def view_times(  # type: ignore[no-untyped-def]
    blocks, base, indptr, indices, change, diagonal, roots, weight, factor, loops, scaling, dense, out
):
    """Write rows of diag(s)·(A_ + loops·I)·diag(s)·X, ``blocks[0]`` first; an empty s does not scale."""
    width = dense.shape[1]
    for block in prange(len(blocks) - 1):
        row = np.empty(width)
        for i in range(blocks[block], blocks[block + 1]):
            own = loops + factor * (diagonal[i] * (roots[i] * roots[i]))
            if len(scaling):
                own *= scaling[i]
            for c in range(width):
                row[c] = own * dense[i, c]
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                value = _weight(weight, factor, change[k - base], roots[i], roots[j])
                if len(scaling):
                    value *= scaling[j]
                for c in range(width):
                    row[c] += value * dense[j, c]
            left = scaling[i] if len(scaling) else 1.0
            for c in range(width):
                out[i - blocks[0], c] = left * row[c]


@njit(parallel=True, cache=True, nogil=True)
def view_degrees(  # type: ignore[no-untyped-def]
    blocks, base, indptr, indices, change, diagonal, roots, weight, factor, loops, out
):
    """Write the row sums of |A_ + loops·I|."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            own = loops + factor * (diagonal[i] * (roots[i] * roots[i]))
            total = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                value = _weight(weight, factor, change[k - base], roots[i], roots[j])
                if j == i:
                    own += value
                else:
                    total += abs(value)
            out[i] = total + abs(own)


@njit(parallel=True, cache=True, nogil=True)
def view_entries(blocks, base, indptr, indices, change, roots, weight, factor, out):  # type: ignore[no-untyped-def]
    """Write the weights on the edges of these rows, the first of them first."""
    start = indptr[blocks[0]]
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                out[k - start] = _weight(weight, factor, change[k - base], roots[i], roots[indices[k]])
