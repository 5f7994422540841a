"""The leading directions of a tall matrix, sparse or dense, found from some of its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

_MOST_ROWS = 20_000


def sampled_rows(count: int) -> np.ndarray:
    """Return the numbers of the rows that directions are found from, ascending: all, or a random 20,000.

    >>> sampled_rows(3).tolist(), len(sampled_rows(10**6))
    ([0, 1, 2], 20000)
    """
    if count <= _MOST_ROWS:
        return np.arange(count)
    # The directions of a graph are part of its embedding: always the same.
    return np.sort(np.random.default_rng(0).choice(count, _MOST_ROWS, replace=False))


def leading_directions(matrix: Any, count: int) -> np.ndarray:
    """Return the leading right singular vectors, (columns, count) float32, from a sample of the rows.

    >>> leading_directions(np.array([[3.0, 0.0], [0.0, 1.0]]), 1).round(3).tolist()
    [[1.0], [0.0]]
    """
    from sklearn.utils.extmath import randomized_svd

    if matrix.shape[0] > _MOST_ROWS:
        matrix = matrix[sampled_rows(matrix.shape[0])]
    _, _, directions = randomized_svd(matrix, min(count, *matrix.shape), n_iter=4, random_state=0)
    return np.ascontiguousarray(directions.T, dtype=np.float32)
