"""Compiled half-steps in the shifted domain, and the plan's entries from mantissas and exponents."""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

_SAFE_COMPLEMENT = 1e-4
_NEGLIGIBLE = 1e-13


@njit(parallel=True, cache=True, nogil=True)
def shifted_half_step(blocks, indptr, indices, cost, scale, vector, shift, target, out, out_shift):  # type: ignore[no-untyped-def]
    """Write out·exp(out_shift) = target / (K·(vector·exp(shift))) without forming a large exponential.

    Each row's product is taken relative to its own largest exponent m, and out_shift = −m. The part off the
    pattern is the total minus the part on it. Rows where that difference cancels are marked NaN for
    :func:`shifted_rows_exactly`; the number of marked rows is returned.
    """
    peak = -np.inf
    for j in range(len(vector)):
        if vector[j] > 0.0 and shift[j] > peak:
            peak = shift[j]
    weights = np.zeros(len(vector))
    total = 0.0
    for j in range(len(vector)):
        if vector[j] > 0.0:
            weights[j] = vector[j] * math.exp(shift[j] - peak)
            total += weights[j]
    marked = 0
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            if target[i] <= 0.0:
                out[i] = 0.0
                out_shift[i] = -np.inf
                continue
            rest = total
            largest = -np.inf
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if vector[j] > 0.0:
                    rest -= weights[j]
                    largest = max(largest, scale * cost[k] + shift[j])
            safe = rest > _SAFE_COMPLEMENT * total
            if safe:
                largest = max(largest, peak)
            near = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if vector[j] > 0.0:
                    near += vector[j] * math.exp(scale * cost[k] + shift[j] - largest)
            if safe:
                out[i] = target[i] / (near + rest * math.exp(peak - largest))
                out_shift[i] = -largest
            elif total * math.exp(min(peak - largest, 700.0)) <= _NEGLIGIBLE * near:
                out[i] = target[i] / near
                out_shift[i] = -largest
            else:
                out[i] = np.nan
                marked += 1
    return marked


@njit(cache=True, nogil=True)
def exponential_tree(vector, shift):  # type: ignore[no-untyped-def]
    """Return a binary tree: a node holds its leaves' Σ vector·exp(shift) as (largest shift, scaled sum)."""
    size = len(vector)
    peaks = np.full(2 * size, -np.inf)
    sums = np.zeros(2 * size)
    for j in range(size):
        if vector[j] > 0.0:
            peaks[size + j] = shift[j]
            sums[size + j] = vector[j]
    for node in range(size - 1, 0, -1):
        left, right = 2 * node, 2 * node + 1
        peak = max(peaks[left], peaks[right])
        peaks[node] = peak
        if peak > -np.inf:
            sums[node] = sums[left] * math.exp(peaks[left] - peak) + sums[right] * math.exp(
                peaks[right] - peak
            )
    return peaks, sums


@njit(cache=True, nogil=True)
def _add_range(peaks, sums, low, high, peak, total):  # type: ignore[no-untyped-def]
    """Add the leaves low..high−1 to a running (largest shift, scaled sum)."""
    size = len(peaks) // 2
    low += size
    high += size
    while low < high:
        for _ in range(2):
            node = 0
            if low & 1:
                node = low
                low += 1
            elif high & 1:
                high -= 1
                node = high
            if node and peaks[node] > -np.inf:
                if peaks[node] > peak:
                    total = total * math.exp(peak - peaks[node]) + sums[node]
                    peak = peaks[node]
                else:
                    total += sums[node] * math.exp(peaks[node] - peak)
        low >>= 1
        high >>= 1
    return peak, total


@njit(parallel=True, cache=True, nogil=True)
def shifted_rows_exactly(  # type: ignore[no-untyped-def]
    rows, indptr, indices, cost, scale, vector, shift, target, peaks, sums, out, out_shift
):
    """Redo single rows of :func:`shifted_half_step`, adding up the gaps between neighbours in the tree."""
    for at in prange(len(rows)):
        i = rows[at]
        peak = -np.inf
        total = 0.0
        low = np.int64(0)
        for k in range(indptr[i], indptr[i + 1]):
            j = np.int64(indices[k])
            peak, total = _add_range(peaks, sums, low, j, peak, total)
            low = j + 1
            if vector[j] > 0.0:
                exponent = scale * cost[k] + shift[j]
                if exponent > peak:
                    total = total * math.exp(peak - exponent) + vector[j]
                    peak = exponent
                else:
                    total += vector[j] * math.exp(exponent - peak)
        peak, total = _add_range(peaks, sums, low, len(vector), peak, total)
        out[i] = target[i] / total
        out_shift[i] = -peak


@njit(parallel=True, cache=True, nogil=True)
def plan_entries(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, cost, scale, u, u_shift, v, v_shift, out
):
    """Write the plan's entries on the pattern.

    The exponent is summed in the same order as in the last half-step, so that its largest terms cancel
    exactly and the column marginals stay exact.
    """
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                out[k] = 0.0
                if u[i] > 0.0 and v[j] > 0.0:
                    out[k] = u[i] * v[j] * math.exp((scale * cost[k] + u_shift[i]) + v_shift[j])


@njit(parallel=True, cache=True, nogil=True)
def plan_on_scope(  # type: ignore[no-untyped-def]
    blocks, indptr, indices, positions, plan, u, u_shift, v, v_shift, out
):
    """Write the plan at a scope's places: its own entries, and u_i·v_j (K = 1) elsewhere."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if positions[k] < len(plan):
                    out[k] = plan[positions[k]]
                elif u[i] > 0.0 and v[j] > 0.0:
                    out[k] = u[i] * v[j] * math.exp(u_shift[i] + v_shift[j])
                else:
                    out[k] = 0.0
