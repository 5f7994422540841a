"""Embeddings in two dimensions, to be looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..linalg.normalize import unit_rows
from ._inputs import embedding_matrix


def planar(Z: Any) -> np.ndarray:
    """Return the two principal components of an embedding's rows, scaled to length 1 as the probe sees them.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix

    Returns
    -------
    (N, 2) float64
        The largest entry of each column, by size, is positive: the same embedding gives the same picture.

    >>> import spco
    >>> planar(spco.load_dataset("wine").features).shape
    (178, 2)
    """
    from sklearn.decomposition import PCA

    rows: Any = unit_rows(embedding_matrix(Z, "Z", "planar"))
    count, width = rows.shape
    points = np.zeros((count, 2))
    if count > 1:
        wanted = min(2, count, width)
        # The solver for sparse rows needs more than it finds.
        takes_sparse = min(count, width) > wanted
        table = rows if takes_sparse or isinstance(rows, np.ndarray) else rows.toarray()
        solver = "auto" if isinstance(table, np.ndarray) else "arpack"
        points[:, :wanted] = PCA(wanted, svd_solver=solver, random_state=0).fit_transform(table)
    largest = points[np.argmax(np.abs(points), axis=0), [0, 1]]
    return np.where(largest < 0, -points, points)
