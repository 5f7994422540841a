"""Read the Planetoid files of the citation graphs, which are Python 2 pickles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..errors import FileFormatError, InvalidInputError
from ..graph import Graph
from .published import integers_of, published
from .splits import paper_splits
from .unpickling import unpickled

_OWNER = "read_planetoid"
_VALIDATION_NODES = 500
_KINDS = ("y", "tx", "ty", "allx", "ally", "graph", "test.index")


def read_pickle(path: Path) -> Any:
    """Return the arrays in a Planetoid pickle, or raise :class:`FileFormatError`.

    Sparse matrices come back as checked CSR arrays, anything else as NumPy arrays and dictionaries.
    """
    try:
        return unpickled(path)
    except (InvalidInputError, OSError):
        raise
    except Exception as error:  # a damaged pickle fails in as many ways as there are opcodes
        raise _unreadable(path, "be pickles of NumPy and SciPy arrays only", str(error)) from error


def read_planetoid(files: Mapping[str, Path], name: str) -> Graph:
    """Parse the Planetoid files ``ind.NAME.*`` into a graph with the classical and the paper's splits.

    The rows of ``allx`` come first; row k of ``tx`` belongs to the node on line k of ``test.index``. Nodes
    in neither (Citeseer has 15) have no features and class 0. An edge that the neighbour lists name twice
    counts once. Self loops are kept.
    """
    part = {kind: files[f"ind.{name}.{kind}"] for kind in _KINDS}
    with published(_OWNER, "hold one node per line", part["test.index"]):
        test = integers_of(part["test.index"].read_text(encoding="ascii").splitlines(), 1)
    with published(_OWNER, "be the files of one graph", part["graph"]):
        return _graph(part, test, name)


def _graph(part: Mapping[str, Path], test: np.ndarray, name: str) -> Graph:
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
        labels=np.asarray(classes.argmax(axis=1)).ravel(),
        splits={**paper_splits(name), **splits},
        name=name,
    )


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
