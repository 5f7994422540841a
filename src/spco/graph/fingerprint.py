"""Short hashes of contents: by them, a file says which graph or array it was made from."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ._graph import Graph


def fingerprint(*arrays: np.ndarray) -> str:
    """Return a hash of the bytes of arrays, one after the other."""
    hasher = hashlib.sha256()
    for array in arrays:
        hasher.update(np.ascontiguousarray(array).tobytes())
    return hasher.hexdigest()[:16]


def shaped_fingerprint(*parts: Any) -> str:
    """Return a hash of arrays and CSR matrices that also counts their shapes.

    >>> shaped_fingerprint(np.zeros((2, 3))) == shaped_fingerprint(np.zeros((3, 2)))
    False
    """
    return fingerprint(*(array for part in parts for array in (np.array(part.shape), *_arrays_of(part))))


def graph_fingerprint(graph: Graph) -> str:
    """Return a hash of a graph's edges, weights and features."""
    features = () if graph.features is None else _arrays_of(graph.features)
    adjacency = graph.adjacency
    return fingerprint(adjacency.indptr, adjacency.indices, adjacency.data, *features)


def _arrays_of(part: Any) -> tuple[np.ndarray, ...]:
    return (part,) if isinstance(part, np.ndarray) else (part.indptr, part.indices, part.data)
