"""Compiled half-steps of Sinkhorn's iteration on K = 11ᵀ + E, on plain numbers."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from ..linalg.intrinsics import AHEAD, expm1, prefetch, safe_rows

# Functions on a range of rows are inlined into their callers, so that the compiler sees ``ahead`` as a
# constant: AHEAD, or 0 for the last rows, which have nothing ahead of them to fetch.
#
# ``error_model="numpy"``: a product that cancels to 0 gives an infinite quotient and a ratio of 0, by which
# the caller knows that it needs the log domain. The default would raise ZeroDivisionError instead.

# Scalings within these bounds keep all digits of u·v, and of K·v for the largest kernel of kernel mode.
_SMALLEST_PRODUCT = 1e-290
_LARGEST_SCALING = 1e200


@njit(inline="always")
def _first_rows(first, last, indptr, cost, scale, start, target, excess, out):  # type: ignore[no-untyped-def]
    """Write E = expm1(scale·C) and out = target / (K·u) for u = ``start`` everywhere, with Σu = 1.

    Returns Σ out and the smallest (K·u)_i: how much of Σu survives the cancellation between 11ᵀ and a
    negative E.
    """
    # One long loop over the entries, not one per row, so that the compiler can use vector instructions.
    for k in range(indptr[first], indptr[last]):
        excess[k] = expm1(scale * cost[k])
    partial = 0.0
    smallest = np.inf
    for i in range(first, last):
        row = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            row += excess[k]
        product = 1.0 + start * row
        out[i] = 0.0
        if target[i] > 0.0:
            out[i] = target[i] / product
            partial += out[i]
            smallest = min(smallest, product)
    return partial, smallest


@njit(inline="always")
def _products(first, last, ahead, indptr, indices, excess, vector, total, out):  # type: ignore[no-untyped-def]
    """Write out = K·vector = total + E·vector."""
    for i in range(first, last):
        product = total
        for k in range(indptr[i], indptr[i + 1]):
            if ahead:
                prefetch(vector, indices[k + ahead])
            product += excess[k] * vector[indices[k]]
        out[i] = product


@njit(inline="always")
def _rows(first, last, indptr, indices, excess, vector, total, target, out):  # type: ignore[no-untyped-def]
    """Write out = target / (K·vector) and return Σ out and the smallest (K·vector)_i / total."""
    safe = safe_rows(first, last, indptr, indices)
    _products(first, safe, AHEAD, indptr, indices, excess, vector, total, out)
    _products(safe, last, 0, indptr, indices, excess, vector, total, out)
    # A separate loop for the divisions, so that the compiler can do four at a time.
    partial = 0.0
    smallest = np.inf
    for i in range(first, last):
        if target[i] > 0.0:
            smallest = min(smallest, out[i])
            out[i] = target[i] / out[i]
        else:
            out[i] = 0.0
        partial += out[i]
    return partial, smallest / total


@njit(parallel=True, cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def _first_half_step(blocks, indptr, cost, scale, start, target, excess, out, sums, ratios):  # type: ignore[no-untyped-def]
    for block in prange(len(blocks) - 1):
        sums[block], ratios[block] = _first_rows(
            blocks[block], blocks[block + 1], indptr, cost, scale, start, target, excess, out
        )


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def first_half_step(blocks, indptr, cost, scale, start, target, excess, out, sums, ratios):  # type: ignore[no-untyped-def]
    """Do :func:`_first_rows` on all rows; ``sums`` and ``ratios`` get what it returns, per block."""
    if len(blocks) == 2:  # starting threads for one block costs a third of its pass
        sums[0], ratios[0] = _first_rows(
            blocks[0], blocks[1], indptr, cost, scale, start, target, excess, out
        )
    else:
        _first_half_step(blocks, indptr, cost, scale, start, target, excess, out, sums, ratios)


@njit(parallel=True, cache=True, nogil=True, error_model="numpy")
def _half_step(blocks, indptr, indices, excess, vector, total, target, out, sums, ratios):  # type: ignore[no-untyped-def]
    for block in prange(len(blocks) - 1):
        sums[block], ratios[block] = _rows(
            blocks[block], blocks[block + 1], indptr, indices, excess, vector, total, target, out
        )


@njit(cache=True, nogil=True, error_model="numpy")
def half_step(blocks, indptr, indices, excess, vector, total, target, out, sums, ratios):  # type: ignore[no-untyped-def]
    """Do :func:`_rows` on all rows; ``sums`` and ``ratios`` get what it returns, per block."""
    if len(blocks) == 2:
        sums[0], ratios[0] = _rows(blocks[0], blocks[1], indptr, indices, excess, vector, total, target, out)
    else:
        _half_step(blocks, indptr, indices, excess, vector, total, target, out, sums, ratios)


@njit(cache=True, nogil=True)
def solve(blocks, indptr, indices, cost, scale, a, b, iterations, excess, u, v):  # type: ignore[no-untyped-def]
    """Run Algorithm 1 on plain numbers: write E, u and v; return Σv and the smallest ratio of all half-steps.

    The whole iteration is one call: on a small graph, calls from Python would cost more than the passes.
    """
    sums, ratios = np.empty(len(blocks) - 1), np.empty(len(blocks) - 1)
    first_half_step(blocks, indptr, cost, scale, 1.0 / len(u), b, excess, v, sums, ratios)
    smallest = ratios.min()
    for _ in range(iterations):
        half_step(blocks, indptr, indices, excess, v, sums.sum(), a, u, sums, ratios)
        smallest = min(smallest, ratios.min())
        half_step(blocks, indptr, indices, excess, u, sums.sum(), b, v, sums, ratios)
        smallest = min(smallest, ratios.min())
    return sums.sum(), smallest


@njit(cache=True, nogil=True)
def within_range(a, b, u, v, total):  # type: ignore[no-untyped-def]
    """Whether u and v, and so all products u_i·v_j, are finite and too large to lose digits by underflow."""
    least_u = least_v = np.inf
    largest = 0.0
    for i in range(len(u)):
        if a[i] > 0.0:
            least_u = min(least_u, u[i])
            largest = max(largest, u[i])
        if b[i] > 0.0:
            least_v = min(least_v, v[i])
            largest = max(largest, v[i])
    least = min(least_u, least_v, least_u * least_v)
    return least >= _SMALLEST_PRODUCT and largest <= _LARGEST_SCALING and np.isfinite(total)


@njit(parallel=True, cache=True, nogil=True)
def form_plan(blocks, indptr, indices, cost, excess, u, v, total, target):  # type: ignore[no-untyped-def]
    """Turn E in place into the plan u_i·K_ij·v_j; return ⟨C, plan⟩ and the row marginals' L1 error."""
    overlaps, errors = np.zeros(len(blocks) - 1), np.zeros(len(blocks) - 1)
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            row = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                right = v[indices[k]]
                part = excess[k] * right
                row += part
                excess[k] = u[i] * (right + part)
                overlaps[block] += cost[k] * excess[k]
            errors[block] += abs(u[i] * (total + row) - target[i])
    return overlaps.sum(), errors.sum()


@njit(inline="always")
def _difference_rows(  # type: ignore[no-untyped-def]
    first, last, ahead, indptr, indices, cost, excess, other_excess, u, other_u, columns, totals, target, sums
):
    """Turn E in place into the difference of the plans; ``columns`` alternates v and the other v."""
    overlap = other_overlap = error = other_error = 0.0
    for i in range(first, last):
        row = other_row = weighted = other_weighted = absolute = 0.0
        left, other_left = u[i], other_u[i]
        for k in range(indptr[i], indptr[i + 1]):
            if ahead:
                prefetch(columns, 2 * indices[k + ahead])
            right, other_right = columns[2 * indices[k]], columns[2 * indices[k] + 1]
            part, other_part = excess[k] * right, other_excess[k] * other_right
            row += part
            other_row += other_part
            entry, other_entry = left * (right + part), other_left * (other_right + other_part)
            weighted += cost[k] * entry
            other_weighted += cost[k] * other_entry
            excess[k] = entry - other_entry
            absolute += abs(excess[k])
        sums[i] = absolute
        overlap += weighted
        other_overlap += other_weighted
        error += abs(left * (totals[0] + row) - target[i])
        other_error += abs(other_left * (totals[1] + other_row) - target[i])
    return overlap, error, other_overlap, other_error


@njit(parallel=True, cache=True, nogil=True)
def form_difference(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, cost, excess, other_excess, u, v, other_u, other_v, totals, target, columns, sums
):
    """Turn E in place into the difference of two plans; ``sums`` gets the row sums of its absolute values.

    Returns what :func:`form_plan` returns, for both plans; neither is ever stored. ``columns``, (2·N,), holds
    v and the other v side by side, so that one gather serves both.
    """
    for block in prange(len(blocks) - 1):
        for j in range(blocks[block], blocks[block + 1]):
            columns[2 * j] = v[j]
            columns[2 * j + 1] = other_v[j]
    found = np.empty((4, len(blocks) - 1))
    for block in prange(len(blocks) - 1):
        first, last = blocks[block], blocks[block + 1]
        safe = safe_rows(first, last, indptr, indices)
        one = _difference_rows(
            first, safe, AHEAD, indptr, indices, cost, excess, other_excess, u, other_u, columns, totals,
            target, sums,
        )  # fmt: skip
        two = _difference_rows(
            safe, last, 0, indptr, indices, cost, excess, other_excess, u, other_u, columns, totals,
            target, sums,
        )  # fmt: skip
        for part in range(4):
            found[part, block] = one[part] + two[part]
    both = found.sum(axis=1)
    return (both[0], both[1]), (both[2], both[3])


@njit(parallel=True, cache=True, nogil=True)
def difference_on_scope(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, positions, difference, u, other_u, columns, out, row_sums
):
    """Write the difference of two plans at a scope's places and the row sums of its absolute values.

    ``difference`` and ``columns`` come from :func:`form_difference`, which covers the entries of C. Where C
    has none (K = 1), the plans are u_i·v_j.
    """
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            absolute = 0.0
            left, other_left = u[i], other_u[i]
            for k in range(indptr[i], indptr[i + 1]):
                if positions[k] < len(difference):
                    entry = difference[positions[k]]
                else:
                    entry = left * columns[2 * indices[k]] - other_left * columns[2 * indices[k] + 1]
                out[k] = entry
                absolute += abs(entry)
            row_sums[i] = absolute
