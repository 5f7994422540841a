"""Node features before training: scaling, and stand-ins made from the structure."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .graph import Graph

_DEGREE_BUCKETS = 32


def scaled(features: sp.csr_array | np.ndarray, scaling: str) -> sp.csr_array | np.ndarray:
    """Return the features as they are ("none"), with rows of sum one ("rows") or standardised ("columns").

    >>> scaled(np.array([[1.0, 3.0], [0.0, 0.0]], dtype=np.float32), "rows").tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    if scaling == "rows":
        magnitudes: Any = abs(features)
        sums = np.asarray(magnitudes.sum(axis=1), dtype=np.float32).ravel()
        inverse = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
        if sp.issparse(features):
            return sp.csr_array(sp.diags_array(inverse) @ features, dtype=np.float32)
        return np.asarray(features * inverse[:, None], dtype=np.float32)
    if scaling == "columns" and not sp.issparse(features):
        deviation = features.std(axis=0)
        deviation[deviation == 0] = 1.0
        return np.asarray((features - features.mean(axis=0)) / deviation, dtype=np.float32)
    return features


def stand_in(graph: Graph, kind: str) -> sp.csr_array:
    """Return features made from the structure.

    "degree": one-hot buckets of ⌊2·log₂(1 + d)⌋, which carry over to other graphs; "one-hot": the identity.
    """
    size = graph.num_nodes
    if kind == "one-hot":
        return sp.csr_array(sp.eye_array(size, dtype=np.float32, format="csr"))
    bucket = np.minimum(2.0 * np.log2(1.0 + graph.degrees), _DEGREE_BUCKETS - 1).astype(np.int64)
    ones = np.ones(size, dtype=np.float32)
    return sp.csr_array((ones, (np.arange(size), bucket)), shape=(size, _DEGREE_BUCKETS))
