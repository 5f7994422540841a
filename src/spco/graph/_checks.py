"""Turn what a caller hands to ``Graph`` into its canonical, read-only arrays, or refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..errors import (
    DirectedGraphError,
    InvalidFeaturesError,
    InvalidGraphError,
    InvalidInputError,
    InvalidLabelsError,
    InvalidParameterError,
    InvalidSplitError,
)

SYMMETRY_TOLERANCE = 1e-10


def frozen(array: np.ndarray) -> np.ndarray:
    """Mark an array that we own as read-only and return it."""
    array.flags.writeable = False
    return array


def frozen_csr(matrix: sp.csr_array) -> sp.csr_array:
    """Mark the three arrays of a CSR matrix that we own as read-only and return it."""
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def _numeric_dense(values: Any, parameter: str, owner: str, error: type[InvalidInputError]) -> np.ndarray:
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise invalid(
            parameter, owner, "hold real numbers", f"{type(values).__name__} of {array.dtype}", error=error
        )
    return array


def square_csr(adjacency: Any, owner: str) -> sp.csr_array:
    """Return a fresh CSR float64 copy: square, finite, non-negative, sorted, duplicates summed."""
    if not sp.issparse(adjacency):
        adjacency = _numeric_dense(adjacency, "adjacency", owner, InvalidGraphError)
    elif adjacency.dtype.kind not in "biuf":
        raise invalid(
            "adjacency", owner, "hold real numbers", f"{adjacency.dtype}", error=InvalidGraphError
        )
    if adjacency.ndim != 2 or adjacency.shape[0] != adjacency.shape[1]:
        raise invalid(
            "adjacency", owner, "be square", f"shape {tuple(adjacency.shape)}", error=InvalidGraphError
        )
    if adjacency.shape[0] == 0:
        raise invalid("adjacency", owner, "have at least one node", "shape (0, 0)", error=InvalidGraphError)
    matrix = sp.csr_array(adjacency, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    for what, bad in (
        ("finite weights", ~np.isfinite(matrix.data)),
        ("weights >= 0", matrix.data < 0),
    ):
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            got = f"{matrix.data[at]} between nodes {row} and {matrix.indices[at]}"
            raise invalid("adjacency", owner, f"have {what}", got, error=InvalidGraphError)
    matrix.eliminate_zeros()
    return matrix


def require_symmetric(matrix: sp.csr_array, owner: str) -> None:
    """Refuse a matrix whose edge i→j and j→i differ by more than rounding."""
    difference = sp.coo_array(matrix - matrix.T)
    if difference.nnz == 0:
        return
    worst = int(np.argmax(np.abs(difference.data)))
    if np.abs(difference.data[worst]) <= SYMMETRY_TOLERANCE * matrix.data.max():
        return
    i, j = int(difference.coords[0][worst]), int(difference.coords[1][worst])
    raise invalid(
        "adjacency",
        owner,
        "be symmetric (an undirected graph)",
        f"{matrix[i, j]:g} from node {i} to {j} but {matrix[j, i]:g} back",
        hint="Graph.from_directed(adjacency, how='union') or how='mean' makes an undirected graph of it",
        error=DirectedGraphError,
    )


def feature_matrix(features: Any, num_nodes: int, owner: str) -> sp.csr_array | np.ndarray | None:
    """Return a float32 copy of the features, sparse if they came sparse, else dense."""
    if features is None:
        return None
    if not sp.issparse(features):
        features = _numeric_dense(features, "features", owner, InvalidFeaturesError)
    if features.ndim != 2 or features.shape[0] != num_nodes:
        raise invalid(
            "features",
            owner,
            f"have one row per node ({num_nodes} rows)",
            f"shape {tuple(features.shape)}",
            error=InvalidFeaturesError,
        )
    if sp.issparse(features):
        matrix = sp.csr_array(features, dtype=np.float32, copy=True)
        matrix.sum_duplicates()
        values: np.ndarray = matrix.data
    else:
        values = matrix = np.array(features, dtype=np.float32, order="C")
    if not np.isfinite(values).all():
        wrong = int(np.count_nonzero(~np.isfinite(values)))
        raise invalid(
            "features", owner, "be finite", f"{wrong} NaN or infinite values", error=InvalidFeaturesError
        )
    return frozen_csr(matrix) if sp.issparse(matrix) else frozen(matrix)


def _integers(values: Any, parameter: str, owner: str, error: type[InvalidInputError]) -> np.ndarray:
    """Return int64 values; floats are taken when they are whole (some published files store them so)."""
    array = _numeric_dense(values, parameter, owner, error)
    if array.ndim != 1:
        raise invalid(parameter, owner, "be one-dimensional", f"shape {array.shape}", error=error)
    if array.dtype.kind == "f":
        whole = np.isfinite(array) & (array == np.trunc(array))
        if not whole.all():
            raise invalid(
                parameter, owner, "hold whole numbers", shown(float(array[~whole][0])), error=error
            )
    return array.astype(np.int64)


def label_vector(labels: Any, num_nodes: int, owner: str) -> np.ndarray | None:
    """Return int64 class numbers, one per node; -1 means that the class is unknown."""
    if labels is None:
        return None
    vector = _integers(labels, "labels", owner, InvalidLabelsError)
    if len(vector) != num_nodes:
        raise invalid(
            "labels",
            owner,
            f"have one entry per node ({num_nodes})",
            f"{len(vector)} entries",
            error=InvalidLabelsError,
        )
    if len(vector) and vector.min() < -1:
        raise invalid(
            "labels",
            owner,
            "be class numbers from 0, or -1 for unknown",
            f"{vector.min()}",
            error=InvalidLabelsError,
        )
    return frozen(vector)


def split_table(splits: Any, num_nodes: int, owner: str) -> Mapping[str, np.ndarray]:
    """Return named arrays of node indices; boolean masks are turned into indices."""
    if splits is None:
        return MappingProxyType({})
    if not isinstance(splits, Mapping):
        raise invalid(
            "splits", owner, "map names to node indices", type(splits).__name__, error=InvalidSplitError
        )
    table = {}
    for name, nodes in splits.items():
        parameter = f"splits[{name!r}]"
        array = np.asarray(nodes)
        if array.dtype == bool and array.shape == (num_nodes,):
            array = np.flatnonzero(array)
        index = _integers(array, parameter, owner, InvalidSplitError) if array.size else np.empty(0, np.int64)
        outside = index[(index < 0) | (index >= num_nodes)]
        if outside.size:
            raise invalid(
                parameter, owner, f"be in [0, {num_nodes})", f"{outside[0]}", error=InvalidSplitError
            )
        values, counts = np.unique(index, return_counts=True)
        if (counts > 1).any():
            raise invalid(
                parameter,
                owner,
                "name each node once",
                f"node {values[counts > 1][0]} {counts.max()} times",
                error=InvalidSplitError,
            )
        table[str(name)] = frozen(index)
    return MappingProxyType(table)


def name_vector(names: Any, length: int, parameter: str, owner: str) -> np.ndarray | None:
    """Return unique strings or integers, one per node or class."""
    if names is None:
        return None
    array = np.asarray(names)
    if array.dtype.kind not in "iuU":
        array = np.asarray([str(name) for name in names], dtype=str)
    if array.shape != (length,):
        raise invalid(
            parameter, owner, f"have {length} entries", f"shape {array.shape}", error=InvalidParameterError
        )
    if len(np.unique(array)) != length:
        values, counts = np.unique(array, return_counts=True)
        raise invalid(parameter, owner, "be unique", f"{shown(values[counts > 1][0].item())} more than once")
    return frozen(array.copy())
