"""Compiled passes over a sparse pattern. All are pure in their inputs and write to ``out`` arrays."""

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(inline="always")
def normalized_entry(value, root, other_root):  # type: ignore[no-untyped-def]
    """Return an entry of D^-½ M D^-½, given d_i^-½ and d_j^-½.

    The product of the two roots comes first: it is the same for (i, j) and (j, i) to the last bit.
    """
    return value * (root * other_root)


@njit(cache=True, nogil=True)
def normalize(indptr, indices, values, roots):  # type: ignore[no-untyped-def]
    """Turn the values of M in place into those of D^-½ M D^-½, given the d_i^-½."""
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            values[k] = normalized_entry(values[k], roots[i], roots[indices[k]])


@njit(cache=True, nogil=True)
def scale_off_diagonal(indptr, indices, values, factors):  # type: ignore[no-untyped-def]
    """Multiply the entries of each row in place by its factor, except the one on the diagonal."""
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            if indices[k] != i:
                values[k] *= factors[i]


@njit(parallel=True, cache=True, nogil=True)
def add_normalized(blocks, indptr, indices, base, factor, values, roots, out):  # type: ignore[no-untyped-def]
    """Write base + factor·D^-½ M D^-½, given the values of M and the d_i^-½."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                out[k] = base[k] + factor * normalized_entry(values[k], roots[i], roots[indices[k]])


@njit(parallel=True, cache=True, nogil=True)
def entry_positions(blocks, indptr, indices, other_indptr, other_indices, out):  # type: ignore[no-untyped-def]
    """Write the other pattern's entry at each of our places, or their number if none. Rows are sorted."""
    nowhere = len(other_indices)
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            k = other_indptr[i]
            end = other_indptr[i + 1]
            for place in range(indptr[i], indptr[i + 1]):
                while k < end and other_indices[k] < indices[place]:
                    k += 1
                out[place] = k if k < end and other_indices[k] == indices[place] else nowhere


@njit(parallel=True, cache=True, nogil=True)
def absolute_row_sums(blocks, indptr, values, row_sums):  # type: ignore[no-untyped-def]
    """Write the row sums of |values|."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            total = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                total += abs(values[k])
            row_sums[i] = total


@njit(parallel=True, cache=True, nogil=True, fastmath={"contract"})
def sparse_times_dense(blocks, indptr, indices, values, dense, out):  # type: ignore[no-untyped-def]
    """Add the product of a CSR matrix with a dense row-major one to ``out``.

    Four entries are added at once, so that a row of ``out`` is read and written a quarter as often.
    """
    width = dense.shape[1]
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            k, end = indptr[i], indptr[i + 1]
            while k + 4 <= end:
                j0, j1, j2, j3 = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
                v0, v1, v2, v3 = values[k], values[k + 1], values[k + 2], values[k + 3]
                for c in range(width):
                    out[i, c] += (v0 * dense[j0, c] + v1 * dense[j1, c]) + (
                        v2 * dense[j2, c] + v3 * dense[j3, c]
                    )
                k += 4
            while k < end:
                j, value = indices[k], values[k]
                for c in range(width):
                    out[i, c] += value * dense[j, c]
                k += 1


@njit(parallel=True, cache=True, nogil=True, fastmath={"contract"})
def ones_times_dense(blocks, indptr, indices, roots, loops, dense, out):  # type: ignore[no-untyped-def]
    """Write D^-½(A + loops·I)D^-½ times a dense row-major matrix, A being 1 on the pattern, given d_i^-½."""
    width = dense.shape[1]
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            own = np.float32(normalized_entry(loops, roots[i], roots[i]))
            for c in range(width):
                out[i, c] = own * dense[i, c]
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                value = np.float32(normalized_entry(1.0, roots[i], roots[j]))
                for c in range(width):
                    out[i, c] += value * dense[j, c]


@njit(cache=True, nogil=True)
def with_diagonal(indptr, indices, values, weight):  # type: ignore[no-untyped-def]
    """Return the CSR arrays of M + weight·I, rows sorted, and the row sums of |M + weight·I|."""
    size = len(indptr) - 1
    out_indptr = np.empty(size + 1, dtype=indptr.dtype)
    out_indices = np.empty(len(indices) + size, dtype=np.int32)
    out_values = np.empty(len(indices) + size)
    row_sums = np.empty(size)
    at = 0
    for i in range(size):
        out_indptr[i] = at
        total = 0.0
        placed = False
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            if not placed and j >= i:
                placed = True
                out_indices[at] = i
                out_values[at] = weight
                if j == i:
                    out_values[at] += values[k]
                total += abs(out_values[at])
                at += 1
                if j == i:
                    continue
            out_indices[at] = j
            out_values[at] = values[k]
            total += abs(values[k])
            at += 1
        if not placed:
            out_indices[at] = i
            out_values[at] = weight
            total += weight
            at += 1
        row_sums[i] = total
    out_indptr[size] = at
    return out_indptr, out_indices[:at], out_values[:at], row_sums
