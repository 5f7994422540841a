"""Turn the input of ``Graph`` into canonical, read-only arrays, or refuse it."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np
import scipy.sparse as sp

from .._arrays import sound_matrix
from .._validation import check_choice, invalid, shown
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
DIRECTED = ("union", "mean")
_INT64 = np.iinfo(np.int64)
_LARGE = 1_000_000  # nonzeros from which a compiled pass is worth loading
T = TypeVar("T", np.ndarray, sp.csr_array)
_ROWS_AT_A_TIME = 1 << 17
# What graphs hold, by role and id. Read-only and checked once, it is shared by the graphs made from it.
_CHECKED: weakref.WeakValueDictionary[tuple[str, int], Any] = weakref.WeakValueDictionary()


@dataclass(frozen=True)
class Checked:
    """A parameter, its owner, and the error for a bad value."""

    parameter: str
    owner: str
    error: type[InvalidInputError]

    def refuse(self, must: str, got: object, *, hint: str | None = None) -> InvalidInputError:
        """Build the error; the caller raises it."""
        return invalid(self.parameter, self.owner, must, f"{got}", hint=hint, error=self.error)

    def numbers(self, values: Any, *, hint: str | None = None) -> np.ndarray:
        """Return an array of real numbers."""
        try:
            array = np.asarray(values)
        except (ValueError, TypeError, RuntimeError):
            array = np.empty(0, dtype=object)
        if array.dtype.kind not in "biuf":
            raise self.refuse("hold real numbers", f"{type(values).__name__} of {array.dtype}", hint=hint)
        return array

    def integers(self, values: Any, *, hint: str | None = None) -> np.ndarray:
        """Return an int64 vector; whole floats are accepted, since some published files have them."""
        array = self.numbers(values, hint=hint)
        if array.ndim != 1:
            raise self.refuse("be one-dimensional", f"shape {array.shape}")
        if array.dtype.kind == "f":
            whole = np.isfinite(array) & (array == np.trunc(array))
            if not whole.all():
                raise self.refuse("hold whole numbers", shown(float(array[~whole][0])))
        if array.size and (array.max() >= _INT64.max or array.min() < _INT64.min):
            raise self.refuse("fit in 64-bit integers", shown(array[np.argmax(np.abs(array))].item()))
        return array.astype(np.int64)

    def csr(self, matrix: Any, dtype: type[np.floating[Any]]) -> sp.csr_array:
        """Return a fresh canonical CSR copy of a dense or sparse matrix of real numbers."""
        if matrix.dtype.kind not in "biuf":
            raise self.refuse("hold real numbers", matrix.dtype)
        matrix = self._sound(matrix)
        with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite and is refused later
            # The conversion sums duplicates, so small integers are widened first. Booleans are not: an
            # entry that is repeated is still just true.
            wide = matrix if matrix.dtype.kind == "b" else matrix.astype(dtype, copy=False)
            csr: sp.csr_array = sp.csr_array(wide, copy=True).astype(dtype, copy=False)
        csr.sum_duplicates()
        if max(csr.nnz, *csr.shape) <= np.iinfo(np.int32).max:
            csr.indices = csr.indices.astype(np.int32, copy=False)
            csr.indptr = csr.indptr.astype(np.int32, copy=False)
        return csr

    def _sound(self, matrix: Any) -> Any:
        """Return the matrix; refuse a compressed one whose indices point outside, which C++ would follow."""
        if getattr(matrix, "format", None) not in ("csr", "csc", "bsr"):
            return matrix
        try:
            return sound_matrix(matrix)
        except ValueError as reason:
            got = f"{matrix.format} whose {reason}"
            raise self.refuse("be a sound sparse matrix", got) from reason


def frozen(array: T, role: str | None = None) -> T:
    """Make an array, or the three arrays of a CSR matrix, read-only and return it.

    With a ``role`` it counts as checked for that field of a graph, and :func:`is_checked` knows it.
    """
    for part in _parts(array):
        part.flags.writeable = False
    if role is not None:
        _CHECKED[role, id(array)] = array
    return array


def is_checked(array: Any, role: str) -> bool:
    """Return whether this very object was checked for a graph, and nobody could write to it since."""
    known = array is not None and _CHECKED.get((role, id(array))) is array
    return known and not any(part.flags.writeable for part in _parts(array))


def _parts(array: Any) -> tuple[np.ndarray, ...]:
    return (array.data, array.indices, array.indptr) if isinstance(array, sp.csr_array) else (array,)


def _position(matrix: sp.csr_array, at: int) -> tuple[int, int]:
    """Return the row and column of the stored entry number ``at``."""
    return int(np.searchsorted(matrix.indptr, at, side="right")) - 1, int(matrix.indices[at])


#: What makes a graph of those of other packages.
_CONVERTERS = {"networkx": "from_networkx", "igraph": "from_igraph", "torch_geometric": "from_pyg"}


def square_csr(adjacency: Any, owner: str) -> sp.csr_array:
    """Return a fresh CSR float64 copy: square, finite, non-negative, sorted, duplicates summed."""
    checked = Checked("adjacency", owner, InvalidGraphError)
    package = type(adjacency).__module__.partition(".")[0]
    if package in _CONVERTERS:
        hint = f"Graph.{_CONVERTERS[package]}(...), or pass it to Embedder and others as it is"
        raise checked.refuse("be a matrix", f"{package}.{type(adjacency).__name__}", hint=hint)
    if not sp.issparse(adjacency):
        adjacency = checked.numbers(adjacency)
    if adjacency.ndim != 2 or adjacency.shape[0] != adjacency.shape[1]:
        raise checked.refuse("be square", f"shape {tuple(adjacency.shape)}")
    if adjacency.shape[0] == 0:
        raise checked.refuse("have at least one node", "shape (0, 0)")
    matrix = checked.csr(adjacency, np.float64)
    for what, bad in (("finite weights", ~np.isfinite(matrix.data)), ("weights >= 0", matrix.data < 0)):
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            row, column = _position(matrix, at)
            raise checked.refuse(f"have {what}", f"{matrix.data[at]} between nodes {row} and {column}")
    matrix.eliminate_zeros()
    return matrix


def symmetric_csr(adjacency: Any, owner: str) -> sp.csr_array:
    """Return the adjacency of an undirected graph: canonical, exactly symmetric, read-only."""
    if is_checked(adjacency, "adjacency"):
        return cast("sp.csr_array", adjacency)
    return frozen(require_symmetric(square_csr(adjacency, owner), owner), "adjacency")


def count_loops(matrix: sp.csr_array) -> int:
    """Return the number of stored entries on the diagonal, in a few megabytes however large the matrix is."""
    loops = 0
    for first in range(0, matrix.shape[0], _ROWS_AT_A_TIME):
        starts = matrix.indptr[first : first + _ROWS_AT_A_TIME + 1]
        rows = np.repeat(np.arange(first, first + len(starts) - 1), np.diff(starts))
        loops += int(np.count_nonzero(matrix.indices[starts[0] : starts[-1]] == rows))
    return loops


def symmetrised(adjacency: Any, how: str, owner: str) -> sp.csr_array:
    """Return max(A, Aᵀ) for "union", (A + Aᵀ)/2 for "mean"."""
    check_choice(how, "how", owner, DIRECTED)
    matrix = square_csr(adjacency, owner)
    return matrix.maximum(matrix.T) if how == "union" else (matrix + matrix.T) / 2


def require_symmetric(matrix: sp.csr_array, owner: str) -> sp.csr_array:
    """Return the matrix, exactly symmetric; refuse edges i→j and j→i that differ by more than rounding.

    Rounding means a relative difference of at most 1e-10. It is averaged out, so that A == Aᵀ holds exactly.
    """
    if matrix.nnz >= _LARGE:
        from .scan import is_symmetric

        if is_symmetric(matrix.indptr, matrix.indices, matrix.data):  # without the memory of a transpose
            return matrix
    back = matrix.T.tocsr()
    if np.array_equal(matrix.indptr, back.indptr) and np.array_equal(matrix.indices, back.indices):
        if np.array_equal(matrix.data, back.data):
            return matrix
        difference = np.abs(matrix.data - back.data)
        if (difference <= SYMMETRY_TOLERANCE * np.maximum(matrix.data, back.data)).all():
            matrix.data = matrix.data / 2 + back.data / 2
            return matrix
    apart = sp.coo_array(matrix - back)
    worst = int(np.argmax(np.abs(apart.data)))
    i, j = int(apart.coords[0][worst]), int(apart.coords[1][worst])
    raise Checked("adjacency", owner, DirectedGraphError).refuse(
        "be symmetric (an undirected graph)",
        f"{matrix[i, j]:g} from node {i} to {j} but {matrix[j, i]:g} back",
        hint="Graph.from_directed(adjacency, how='union' or 'mean') makes it undirected; "
        "read_graph takes directed=, from_pyg and from_networkx take how=",
    )


def feature_matrix(features: Any, num_nodes: int, owner: str) -> sp.csr_array | np.ndarray | None:
    """Return a float32 copy of the features, sparse if they came sparse, else dense."""
    if features is None:
        return None
    if is_checked(features, "features") and features.shape[0] == num_nodes:
        return cast("sp.csr_array | np.ndarray", features)
    checked = Checked("features", owner, InvalidFeaturesError)
    if not sp.issparse(features):
        features = checked.numbers(features)
    if features.ndim != 2 or features.shape[0] != num_nodes:
        raise checked.refuse(f"have one row per node ({num_nodes} rows)", f"shape {tuple(features.shape)}")
    matrix: Any
    if sp.issparse(features):
        matrix = checked.csr(features, np.float32)
    else:
        with np.errstate(over="ignore"):
            matrix = np.array(features, dtype=np.float32, order="C")
    is_dense = isinstance(matrix, np.ndarray)
    values = matrix.ravel() if is_dense else matrix.data
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        at = int(bad[0])
        row, column = divmod(at, matrix.shape[1]) if is_dense else _position(matrix, at)
        raise checked.refuse("be finite in float32", f"{values[at]} for node {row} in column {column}")
    return cast("sp.csr_array | np.ndarray", frozen(matrix, "features"))


def label_vector(labels: Any, num_nodes: int, owner: str, parameter: str = "labels") -> np.ndarray | None:
    """Return int64 class numbers, one per node; -1 means unknown."""
    if labels is None:
        return None
    if is_checked(labels, "labels") and len(labels) == num_nodes:
        return cast("np.ndarray", labels)
    checked = Checked(parameter, owner, InvalidLabelsError)
    hint = "to number class names: label_names, labels = np.unique(names, return_inverse=True)"
    vector = checked.integers(labels, hint=hint)
    if len(vector) != num_nodes:
        raise checked.refuse(f"have one entry per node ({num_nodes})", f"{len(vector)} entries")
    if vector.min(initial=0) < -1:
        got = f"{vector.min()} for node {vector.argmin()}"
        raise checked.refuse("be class numbers from 0, or -1 for unknown", got)
    return frozen(vector, "labels")


def class_called(number: int, names: Any = None) -> str:
    """Return a class as messages name it: as its user does, or by its number.

    >>> class_called(1), class_called(1, ["honest", "fraud"])
    ('class 1', "class 'fraud'")
    """
    return f"class {number}" if names is None else f"class {str(names[number])!r}"


def split_table(splits: Any, num_nodes: int, owner: str) -> Mapping[str, np.ndarray]:
    """Return named arrays of node indices; boolean masks become indices."""
    if splits is None:
        return MappingProxyType({})
    checked = Checked("splits", owner, InvalidSplitError)
    if not isinstance(splits, Mapping):
        raise checked.refuse("map names to node indices", type(splits).__name__)
    for name in splits:
        if not isinstance(name, str):
            raise checked.refuse("have strings for names", shown(name))
    return MappingProxyType(
        {name: node_indices(nodes, num_nodes, f"splits[{name!r}]", owner) for name, nodes in splits.items()}
    )


def node_indices(nodes: Any, num_nodes: int, parameter: str, owner: str) -> np.ndarray:
    """Return the node indices of one split."""
    checked = Checked(parameter, owner, InvalidSplitError)
    is_empty = isinstance(nodes, (list, tuple)) and not nodes
    array = np.empty(0, np.int64) if is_empty else checked.numbers(nodes)
    if array.dtype == bool:
        if array.shape != (num_nodes,):
            must = f"have one entry per node ({num_nodes}) if it is a boolean mask"
            raise checked.refuse(must, f"shape {array.shape}")
        array = np.flatnonzero(array)
    index = checked.integers(array)
    outside = index[(index < 0) | (index >= num_nodes)]
    if outside.size:
        raise checked.refuse(f"be in [0, {num_nodes})", outside[0])
    counts = np.bincount(index, minlength=1)
    if counts.max() > 1:
        raise checked.refuse("name each node once", f"node {counts.argmax()} {counts.max()} times")
    return frozen(index)


def name_vector(names: Any, length: int, parameter: str, owner: str) -> np.ndarray | None:
    """Return unique strings or int64 integers, one per node or class."""
    if names is None:
        return None
    if is_checked(names, "names") and len(names) == length:
        return cast("np.ndarray", names)
    checked = Checked(parameter, owner, InvalidParameterError)
    array = _names(names, checked)
    if array.shape != (length,):
        raise checked.refuse(f"have {length} entries", f"shape {array.shape}")
    values, counts = np.unique(array, return_counts=True)
    if len(values) != length:
        raise checked.refuse("be unique", f"{shown(values[counts > 1][0].item())} more than once")
    return frozen(array, "names")


def _names(names: Any, checked: Checked) -> np.ndarray:
    """Return a new int64 array of integers; anything else becomes strings."""
    try:
        array = np.array(names)
    except ValueError:  # tuples of different lengths
        array = np.empty(0, dtype=object)
    if array.dtype.kind == "U":
        # NumPy turns a list such as [1, "1"] into strings, so the check for uniqueness comes afterwards.
        return array
    if array.dtype.kind in "iu" and array.ndim <= 1:
        if array.size and array.max() > _INT64.max:
            raise checked.refuse("fit in 64-bit signed integers", shown(array.max().item()))
        return array.astype(np.int64)
    if array.dtype.kind == "S":
        return np.char.decode(array, "utf-8")
    try:
        return np.array([str(name) for name in names], dtype=str)
    except TypeError:
        raise checked.refuse("be a sequence of strings or integers", shown(names)) from None
