"""Compiled half-steps on K = 11ᵀ + E for the Laplacian of an unweighted graph, whose values are implicit.

    L_ij = −r_i·r_j on an edge and L_ii = 1 (1 − r_i² with a self loop),  r = d^-½

Only E = expm1(scale·L) on the edges is stored, as float32, for the rows of one process. Without self loops
the diagonal of E is one number; the entry of a self loop holds what its node has beyond that.
Gathered scalings are float32, too: both roundings act on E·v alone, never on the ones, so their effect on
Δ+ − Δ− is relative to Δ+ − Δ− itself. All sums are float64.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from ..linalg.intrinsics import AHEAD, expm1, prefetch, safe_rows

_AHEAD = np.uint64(AHEAD)  # added to an unsigned index, a signed number would make it a float


@njit(nogil=True, fastmath={"contract"})
def _exponentials(scale, costs, out):  # type: ignore[no-untyped-def]
    """Write expm1(scale·costs): one long loop in a function of its own becomes vector instructions."""
    for k in range(len(costs)):
        out[k] = expm1(scale * costs[k])


@njit(inline="always")
def _excess(first, last, indptr, indices, roots, scale, costs, out):  # type: ignore[no-untyped-def]
    """Write r_i·r_j and E of these rows to ``costs`` and ``out``, from their first entries on."""
    start, end = indptr[first], np.uint64(len(indices) - 1)
    for i in range(first, last):
        for k in range(indptr[i], indptr[i + 1]):
            prefetch(roots, indices[min(k + _AHEAD, end)])
            costs[k - start] = roots[i] * roots[indices[k]]
    _exponentials(-scale, costs, out)
    common = expm1(scale)
    for i in range(first, last):
        for k in range(indptr[i], indptr[i + 1]):
            if indices[k] == i:
                out[k - start] = expm1(scale * (1.0 - roots[i] * roots[i])) - common


@njit(parallel=True, cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def first_half_step(blocks, indptr, indices, roots, scale, target, excess, out, single, sums, ratios):  # type: ignore[no-untyped-def]
    """Write E and out = target / (K·u) for u = 1/N; ``sums`` and ``ratios`` as in :func:`half_step`."""
    base = indptr[blocks[0]]
    diagonal = expm1(scale)
    share = 1.0 / (len(indptr) - 1)
    for block in prange(len(blocks) - 1):
        first, last = blocks[block], blocks[block + 1]
        start, end = indptr[first], indptr[last]
        costs = np.empty(end - start)
        _excess(first, last, indptr, indices, roots, scale, costs, excess[start - base : end - base])
        partial = 0.0
        smallest = np.inf
        for i in range(first, last):
            row = diagonal
            for k in range(indptr[i], indptr[i + 1]):
                row += excess[k - base]
            product = 1.0 + share * row
            out[i] = 0.0
            if target[i] > 0.0:
                out[i] = target[i] / product
                smallest = min(smallest, product)
            single[i] = out[i]
            partial += out[i]
        sums[block], ratios[block] = partial, smallest


@njit(inline="always")
def _products(first, last, ahead, base, indptr, indices, excess, diagonal, vector, total, out):  # type: ignore[no-untyped-def]
    """Write out = K·vector = total + E·vector."""
    for i in range(first, last):
        product = total + diagonal * vector[i]
        for k in range(indptr[i], indptr[i + 1]):
            if ahead:
                prefetch(vector, indices[k + ahead])
            product += np.float64(excess[k - base]) * np.float64(vector[indices[k]])
        out[i] = product


@njit(parallel=True, cache=True, nogil=True, error_model="numpy")
def half_step(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, excess, diagonal, vector, total, target, out, single, sums, ratios
):
    """Write out = target / (K·vector), and as float32 to ``single``, for the rows of these blocks.

    ``sums`` gets Σ out of each block and ``ratios`` its smallest (K·vector)_i / total.
    """
    base = indptr[blocks[0]]
    for block in prange(len(blocks) - 1):
        first, last = blocks[block], blocks[block + 1]
        safe = safe_rows(first, last, indptr, indices)
        _products(first, safe, AHEAD, base, indptr, indices, excess, diagonal, vector, total, out)
        _products(safe, last, 0, base, indptr, indices, excess, diagonal, vector, total, out)
        partial = 0.0
        smallest = np.inf
        for i in range(first, last):
            if target[i] > 0.0:
                smallest = min(smallest, out[i])
                out[i] = target[i] / out[i]
            else:
                out[i] = 0.0
            single[i] = out[i]
            partial += out[i]
        sums[block], ratios[block] = partial, smallest / total


@njit(inline="always")
def _difference_rows(  # type: ignore[no-untyped-def]
    first, last, indptr, indices, roots, costs, scales, excess, other_excess, u, other_u, columns, totals,
    target, diagonal, sums,
):  # fmt: skip
    """Turn E of the second sign into Δ+ − Δ−; ``columns`` alternates v+ and v−, ``u`` and ``other_u`` are u±.

    Returns, for each sign, ⟨L, Δ⟩ on the diagonal, its negative off it, and the error of the row sums.
    """
    common, other_common = expm1(scales[0]), expm1(scales[1])
    start, end = indptr[first], np.uint64(len(indices) - 1)
    on = off = error = other_on = other_off = other_error = 0.0
    for i in range(first, last):
        left, other_left = u[i], other_u[i]
        row = other_row = weighted = other_weighted = absolute = 0.0
        value, own_excess, other_own_excess = 1.0, common, other_common
        for k in range(indptr[i], indptr[i + 1]):
            j, at = indices[k], k - start
            prefetch(columns, 2 * indices[min(k + _AHEAD, end)])
            if j == i:
                value -= roots[i] * roots[i]
                own_excess += excess[at]
                other_own_excess += other_excess[at]
                other_excess[at] = 0.0
                continue
            right, other_right = columns[2 * j], columns[2 * j + 1]
            part, other_part = excess[at] * right, other_excess[at] * other_right
            row += part
            other_row += other_part
            entry, other_entry = left * (right + part), other_left * (other_right + other_part)
            weighted += costs[at] * entry
            other_weighted += costs[at] * other_entry
            change = entry - other_entry
            other_excess[at] = change
            absolute += abs(change)
        right, other_right = columns[2 * i], columns[2 * i + 1]
        part, other_part = own_excess * right, other_own_excess * other_right
        entry, other_entry = left * (right + part), other_left * (other_right + other_part)
        diagonal[i] = entry - other_entry
        sums[i] = absolute + abs(entry - other_entry)
        on += value * entry
        other_on += value * other_entry
        off += weighted
        other_off += other_weighted
        error += abs(left * (totals[0] + row + part) - target[i])
        other_error += abs(other_left * (totals[1] + other_row + other_part) - target[i])
    return on, off, error, other_on, other_off, other_error


@njit(parallel=True, cache=True, nogil=True, fastmath={"contract"})
def form_difference(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, roots, scales, excess, u, other_u, columns, totals, target, diagonal, sums, found
):
    """Do :func:`_difference_rows` on these blocks; a row of ``found``, (blocks, 6), gets what it returns.

    E of the first sign is computed anew. The entries of self loops become 0, ``diagonal`` gets Δ_ii and
    ``sums`` the row sums of absolute values.
    """
    base = indptr[blocks[0]]
    for block in prange(len(blocks) - 1):
        first, last = blocks[block], blocks[block + 1]
        start, end = indptr[first], indptr[last]
        costs, anew = np.empty(end - start), np.empty(end - start, dtype=np.float32)
        _excess(first, last, indptr, indices, roots, scales[0], costs, anew)
        sums_of_rows = _difference_rows(
            first, last, indptr, indices, roots, costs, scales, anew, excess[start - base : end - base], u,
            other_u, columns, totals, target, diagonal, sums,
        )  # fmt: skip
        for part in range(6):
            found[block, part] = sums_of_rows[part]


@njit(parallel=True, cache=True, nogil=True)
def sums_of_laplacian(blocks, indptr, indices, roots, found):  # type: ignore[no-untyped-def]
    """Write the sum of L's diagonal and minus that of its other entries, per block, to (blocks, 2)."""
    for block in prange(len(blocks) - 1):
        on = off = 0.0
        for i in range(blocks[block], blocks[block + 1]):
            on += 1.0
            row = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                if indices[k] == i:
                    on -= roots[i] * roots[i]
                else:
                    row += roots[indices[k]]
            off += roots[i] * row
        found[block, 0], found[block, 1] = on, off
