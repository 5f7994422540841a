"""Read the text files of the social graphs BlogCatalog and Flickr."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from .._validation import invalid
from ..errors import FileFormatError
from ..graph import Graph
from .splits import paper_splits

_OWNER = "read_attributed"


def read_attributed(files: Mapping[str, Path], name: str) -> Graph:
    """Parse ``X.edge``, ``X.node`` and ``X.label`` into a graph with the paper's splits.

    ``.edge`` lists both directions of every edge, ``.node`` the nonzero features of every node: pairs of
    numbers from 0, below two lines ``#What<TAB>count``. ``.label`` has one class per line, from 1.
    """
    by_kind = {path.suffix: path for path in files.values()}
    counts, ends = _pairs(by_kind[".edge"])
    size = counts["#Nodes"]
    counts, entries = _pairs(by_kind[".node"])
    ones = np.ones(len(entries), dtype=np.float32)
    return Graph.from_edges(
        ends,
        num_nodes=size,
        features=sp.csr_array((ones, tuple(entries.T)), shape=(size, counts["#Attributes"])),
        labels=np.loadtxt(by_kind[".label"], dtype=np.int64) - 1,
        splits=paper_splits(name),
        name=name,
    )


def _pairs(path: Path) -> tuple[dict[str, int], np.ndarray]:
    """Return the two counts at the top of the file and the (E, 2) numbers below them."""
    with path.open(encoding="ascii") as stream:
        try:
            counts = {what: int(count) for what, count in (stream.readline().split() for _ in range(2))}
            return counts, np.loadtxt(stream, dtype=np.int64, ndmin=2)
        except ValueError as error:
            must = "hold two lines '#What count' and then pairs of numbers"
            got = f"{str(path)!r}: {error}"
            raise invalid("files", _OWNER, must, got, error=FileFormatError) from error
