"""Keep the largest entries of each row, while it is being computed or of a dense matrix."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numba import njit

_ROWS_PER_CHUNK = 512


@njit(cache=True, nogil=True)
def offer(keys, values, count, key, value):  # type: ignore[no-untyped-def]
    """Offer an entry to the heap of the largest so far (smallest at the root); return how many there are."""
    room = len(values)
    if count < room:
        place = count
        while place > 0:
            parent = (place - 1) >> 1
            if values[parent] <= value:
                break
            keys[place], values[place] = keys[parent], values[parent]
            place = parent
        keys[place], values[place] = key, value
        return count + 1
    if value <= values[0]:
        return count
    place = 0
    while True:
        child = 2 * place + 1
        if child >= room:
            break
        if child + 1 < room and values[child + 1] < values[child]:
            child += 1
        if values[child] >= value:
            break
        keys[place], values[place] = keys[child], values[child]
        place = child
    keys[place], values[place] = key, value
    return count


def rows_to_csr(keys: np.ndarray, values: np.ndarray, counts: np.ndarray, size: int) -> sp.csr_array:
    """Return the CSR matrix whose row r has the first counts[r] of keys[r] and values[r]."""
    filled = np.arange(keys.shape[1]) < counts[:, None]
    indptr = np.concatenate([[0], np.cumsum(counts)])
    matrix = sp.csr_array((values[filled], keys[filled].astype(np.int64), indptr), shape=(len(keys), size))
    matrix.sort_indices()
    return matrix


def dense_to_csr(dense: np.ndarray, *, top_k: int | None, threshold: float) -> sp.csr_array:
    """Return the entries of modulus >= threshold that are among the top_k of their row or of their column.

    >>> dense_to_csr(np.array([[3.0, 2.0], [2.0, 1.0]]), top_k=1, threshold=0.0).toarray().tolist()
    [[3.0, 2.0], [2.0, 0.0]]
    """
    if top_k is not None and top_k < len(dense):
        keep = _top_of_rows(dense, top_k)
        keep |= _top_of_rows(dense.T, top_k).T
        dense = np.where(keep, dense, 0.0)
    return above_threshold(sp.csr_array(dense), threshold)


def above_threshold(matrix: sp.csr_array, threshold: float) -> sp.csr_array:
    """Return the matrix without the entries of modulus < threshold, changed in place."""
    matrix.data[np.abs(matrix.data) < threshold] = 0.0
    matrix.eliminate_zeros()
    return matrix


def _top_of_rows(dense: np.ndarray, top_k: int) -> np.ndarray:
    keep = np.zeros(dense.shape, dtype=np.bool_)
    for start in range(0, len(dense), _ROWS_PER_CHUNK):
        rows = np.abs(dense[start : start + _ROWS_PER_CHUNK])
        best = np.argpartition(rows, -top_k, axis=1)[:, -top_k:]
        np.put_along_axis(keep[start : start + _ROWS_PER_CHUNK], best, True, axis=1)
    return keep


def mean_of_both_directions(matrix: sp.csr_array) -> sp.csr_array:
    """Return the symmetric matrix of the means of both directions, or of the one direction that is there.

    >>> one_way = sp.csr_array([[0.0, 1.0, 3.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> mean_of_both_directions(one_way).toarray().tolist()
    [[0.0, 1.5, 3.0], [1.5, 0.0, 0.0], [3.0, 0.0, 0.0]]
    """
    there = sp.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
    halves = sp.csr_array(there + there.T)
    halves.data = 1.0 / halves.data
    mean: sp.csr_array = sp.csr_array((matrix + matrix.T).multiply(halves))
    mean.sort_indices()
    return mean
