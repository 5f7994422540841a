"""Compiled products with a learnt view whose weights are implicit: never a matrix, only rows of A_·X."""

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(inline="always")
def _weight(weight, factor, change, root, other_root):  # type: ignore[no-untyped-def]
    return weight + factor * (change * (root * other_root))


@njit(parallel=True, cache=True, nogil=True)
def view_times(  # type: ignore[no-untyped-def]
    blocks, base, indptr, indices, change, diagonal, roots, weight, factor, loops, scaling, scaled, dense, out
):
    """Write rows of a view times X, ``blocks[0]`` first.

    With s = ``scaling`` that is diag(s)·(A_ + loops·I)·diag(s), where ``scaled`` is true, and otherwise
    diag(s)·(A + loops·I)·diag(s) + (A_ − A). An empty s scales nothing.
    """
    width = dense.shape[1]
    for block in prange(len(blocks) - 1):
        row = np.empty(width)
        for i in range(blocks[block], blocks[block + 1]):
            edge_scale = scaling[i] if len(scaling) else 1.0
            change_scale = edge_scale if scaled else 1.0
            own = loops * edge_scale * edge_scale
            own += factor * (diagonal[i] * (roots[i] * roots[i])) * change_scale * change_scale
            for c in range(width):
                row[c] = own * dense[i, c]
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                other = scaling[j] if len(scaling) else 1.0
                value = weight * edge_scale * other
                learnt = factor * (change[k - base] * (roots[i] * roots[j]))
                value += learnt * change_scale * (other if scaled else 1.0)
                for c in range(width):
                    row[c] += value * dense[j, c]
            for c in range(width):
                out[i - blocks[0], c] = row[c]


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
