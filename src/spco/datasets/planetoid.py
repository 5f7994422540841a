"""Read the Planetoid files of the citation graphs without trusting their pickles.

The files are Python 2 pickles. A pickle can call any function, so this module admits only six names.
Sparse matrices arrive as plain state and are rebuilt by SciPy's constructor, which checks them, so the names
of SciPy's own modules do not matter.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..errors import FileFormatError, InvalidInputError
from ..graph import Graph
from .splits import paper_splits

_OWNER = "read_planetoid"
_VALIDATION_NODES = 500


class _CsrState:
    """A stand-in for a pickled ``csr_matrix`` that only holds its attributes."""


_ADMITTED: dict[tuple[str, str], Any] = {
    # NumPy has moved this private function; every array knows its current place.
    ("numpy.core.multiarray", "_reconstruct"): np.empty(0).__reduce__()[0],
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("scipy.sparse.csr", "csr_matrix"): _CsrState,
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
}


class RestrictedUnpickler(pickle.Unpickler):
    """An unpickler that admits only the names that the Planetoid files need."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        try:
            return _ADMITTED[module_name, global_name]
        except KeyError:
            raise pickle.UnpicklingError(f"it asks for {module_name}.{global_name}") from None


def read_pickle(path: Path) -> Any:
    """Return the arrays in a Planetoid pickle, or raise :class:`FileFormatError`.

    Sparse matrices come back as checked CSR arrays, anything else as NumPy arrays and dictionaries.
    """
    try:
        with path.open("rb") as stream:
            content = RestrictedUnpickler(stream, encoding="latin1").load()
        return _rebuilt(content) if isinstance(content, _CsrState) else content
    except OSError:
        raise
    except Exception as error:  # a damaged pickle fails in as many ways as there are opcodes
        raise _unreadable(path, "be pickles of NumPy and SciPy arrays only", str(error)) from error


def read_planetoid(files: Mapping[str, Path], name: str) -> Graph:
    """Parse the Planetoid files ``ind.NAME.*`` into a graph with the classical and the paper's splits.

    The rows of ``allx`` come first; row k of ``tx`` belongs to the node on line k of ``test.index``. Nodes
    in neither (Citeseer has 15) have no features and class 0. An edge that the neighbour lists name twice
    counts once. Self loops are kept.
    """
    part = {
        kind: files[f"ind.{name}.{kind}"] for kind in ("y", "tx", "ty", "allx", "ally", "graph", "test.index")
    }
    test = np.loadtxt(part["test.index"], dtype=np.int64)
    neighbours = read_pickle(part["graph"])
    if not isinstance(neighbours, dict):
        raise _unreadable(part["graph"], "hold a dictionary of neighbour lists", shown(neighbours))
    size = len(neighbours)
    num_train = _matrix(part["y"]).shape[0]
    classes = _placed(_matrix(part["ally"]), _matrix(part["ty"]), test, size)
    splits = {
        "train20": np.arange(num_train),
        "val": np.arange(num_train, num_train + _VALIDATION_NODES),
        "test": np.sort(test),
    }
    ends = [(node, other) for node, listed in neighbours.items() for other in listed]
    return Graph.from_edges(
        ends,
        num_nodes=size,
        features=_placed(_matrix(part["allx"]), _matrix(part["tx"]), test, size),
        labels=classes.toarray().argmax(axis=1),
        splits={**paper_splits(name), **splits},
        name=name,
    )


def _rebuilt(state: _CsrState) -> sp.csr_array:
    fields = vars(state)
    matrix = sp.csr_array(
        (fields["data"], fields["indices"], fields["indptr"]), shape=tuple(fields["_shape"]), copy=True
    )
    # Without the full check a forged index could make SciPy read outside its arrays.
    matrix.check_format(full_check=True)
    return matrix


def _matrix(path: Path) -> sp.csr_array:
    content = read_pickle(path)
    is_dense = isinstance(content, np.ndarray) and content.ndim == 2 and content.dtype.kind in "biuf"
    if not is_dense and not isinstance(content, sp.csr_array):
        raise _unreadable(path, "hold a numeric matrix", type(content).__name__)
    return sp.csr_array(content)


def _placed(known: sp.csr_array, tested: sp.csr_array, test: np.ndarray, size: int) -> sp.csr_array:
    """Put the rows of ``known`` first and row k of ``tested`` at node test[k]."""
    stacked = sp.coo_array(sp.vstack([known, tested]))
    node_of = np.concatenate([np.arange(known.shape[0]), test])
    rows, columns = node_of[stacked.row], stacked.col
    return sp.csr_array((stacked.data, (rows, columns)), shape=(size, known.shape[1]))


def _unreadable(path: Path, must: str, got: str) -> InvalidInputError:
    return invalid("files", _OWNER, must, f"{str(path)!r}: {got}", error=FileFormatError)
