"""Check the arrays of a CSR adjacency in one streaming pass: no transpose, no copy."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_ENTRIES_PER_BLOCK = 1 << 18
_NO_WEIGHTS = np.empty(0, dtype=np.uint64)
_SOUND, _OUTSIDE, _UNSORTED, _BAD_WEIGHT = range(4)
_FAULTS = {
    _OUTSIDE: "a column outside the matrix",
    _UNSORTED: "columns that do not ascend",
    _BAD_WEIGHT: "a weight that is not finite and > 0",
}


def fault_of(indptr: np.ndarray, indices: np.ndarray, weights: np.ndarray | None) -> str | None:
    """Return what is wrong with a CSR adjacency, or None if it is sound.

    Sound means: the row starts ascend from 0 to the number of entries, the columns of each row ascend and are
    nodes, the weights (None: all are 1) are finite and positive, and the matrix is symmetric to the last bit.
    """
    if len(indptr) < 2 or indptr[0] != 0 or indptr[-1] != len(indices):
        return f"row starts that do not lead from 0 to {len(indices)}"
    if (indptr[1:] < indptr[:-1]).any():
        return f"row starts that descend after row {int(np.argmax(indptr[1:] < indptr[:-1]))}"
    faults, balance = _scan(indptr, indices, weights)
    if faults.any():
        return f"{_FAULTS[int(faults[np.flatnonzero(faults)[0]])]} among its rows"
    return None if balance == 0 else "an edge whose two directions differ"


def is_symmetric(indptr: np.ndarray, indices: np.ndarray, weights: np.ndarray | None) -> bool:
    """Return whether a sound CSR matrix equals its transpose to the last bit."""
    return _scan(indptr, indices, weights)[1] == 0


def _scan(indptr: np.ndarray, indices: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, int]:
    """Return the first fault of each block of rows, and the balance of both triangles."""
    nnz = len(indices)
    starts = np.linspace(0, nnz, nnz // _ENTRIES_PER_BLOCK + 2).astype(np.int64)
    bounds = np.unique(np.concatenate(([0], np.searchsorted(indptr, starts), [len(indptr) - 1])))
    faults = np.zeros(len(bounds) - 1, dtype=np.int64)
    balance = np.zeros(len(bounds) - 1, dtype=np.uint64)
    implicit = weights is None or weights.strides == (0,)
    bits = _NO_WEIGHTS if implicit or weights is None else weights.view(np.uint64)
    _scan_rows(bounds, indptr, indices, bits, faults, balance)
    return faults, int(balance.sum(dtype=np.uint64))


@njit(inline="always")
def _mixed(low, high, bits):  # type: ignore[no-untyped-def]
    """Return 64 well-mixed bits of an edge and its weight (the finaliser of splitmix64)."""
    x = low * np.uint64(0x9E3779B97F4A7C15) + high * np.uint64(0xC2B2AE3D27D4EB4F)
    x = (x ^ (x >> np.uint64(29))) + bits * np.uint64(0xD6E8FEB86659FD93)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(parallel=True, cache=True, nogil=True)
def _scan_rows(bounds, indptr, indices, bits, faults, balance):  # type: ignore[no-untyped-def]
    """Write the first fault of every block, and its sum of mixed bits: upper triangle minus lower.

    An edge and its way back add and subtract the same number. If the triangles differ, the sum over all
    blocks, modulo 2⁶⁴, is 0 with a probability of 5e-20.
    """
    size = len(indptr) - 1
    infinite = np.uint64(0x7FF0000000000000)
    for block in prange(len(bounds) - 1):
        total = np.uint64(0)
        fault = 0
        for i in range(bounds[block], bounds[block + 1]):
            last = np.int64(-1)
            for k in range(indptr[i], indptr[i + 1]):
                j = np.int64(indices[k])
                weight = np.uint64(0)
                if len(bits) > 0:
                    weight = bits[k]
                    if fault == 0 and (weight == np.uint64(0) or weight >= infinite):
                        fault = 3
                if fault == 0 and (j < 0 or j >= size):
                    fault = 1
                if fault == 0 and j <= last:
                    fault = 2
                last = j
                if i < j:
                    total += _mixed(np.uint64(i), np.uint64(j), weight)
                elif j < i:
                    total -= _mixed(np.uint64(j), np.uint64(i), weight)
        faults[block] = fault
        balance[block] = total
