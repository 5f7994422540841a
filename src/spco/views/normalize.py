"""Symmetric normalisation of any square matrix, signs and all."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.kernels import inverse_sqrt


def with_self_loops(matrix: sp.csr_array) -> sp.csr_array:
    """Return A + I."""
    return sp.csr_array(matrix + sp.eye_array(matrix.shape[0], format="csr", dtype=np.float64))


def absolute_degrees(matrix: sp.csr_array) -> np.ndarray:
    """Return Σ_j |A_ij|, float64."""
    degrees: np.ndarray = np.asarray(abs(matrix).sum(axis=1), dtype=np.float64).ravel()
    return degrees


def normalized_adjacency(matrix: sp.csr_array) -> sp.csr_array:
    """Return Â = D^-½ A D^-½ with D = Σ|A|, so that a symmetric Â has all eigenvalues in [−1, 1].

    >>> normalized_adjacency(sp.csr_array([[0.0, 4.0], [4.0, 0.0]])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    root = inverse_sqrt(absolute_degrees(matrix))
    # The product of the two roots comes first: it is the same for (i, j) and (j, i) to the last bit.
    factors = np.repeat(root, np.diff(matrix.indptr)) * root[matrix.indices]
    return sp.csr_array((matrix.data * factors, matrix.indices, matrix.indptr), shape=matrix.shape)
