"""Read the text files of the social graphs BlogCatalog and Flickr."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from .._budget import require_in_proportion
from ..graph import Graph
from .published import integers_of, published
from .splits import paper_splits

_OWNER = "read_attributed"


def read_attributed(files: Mapping[str, Path], name: str) -> Graph:
    """Parse ``X.edge``, ``X.node`` and ``X.label`` into a graph with the paper's splits.

    ``.edge`` lists both directions of every edge, ``.node`` the nonzero features of every node: pairs of
    numbers from 0, below two lines ``#What<TAB>count``. ``.label`` has one class per line, from 1.
    """
    by_kind = {path.suffix: path for path in files.values()}
    counts, ends = _pairs(by_kind[".edge"])
    size = _count(counts, "#Nodes", by_kind[".edge"])
    counts, entries = _pairs(by_kind[".node"])
    width = _count(counts, "#Attributes", by_kind[".node"])
    with published(_OWNER, f"name nodes below {size} and attributes below {width}", by_kind[".node"]):
        ones = np.ones(len(entries), dtype=np.float32)
        features = sp.csr_array((ones, tuple(entries.T)), shape=(size, width))
    with published(_OWNER, "hold one class per line", by_kind[".label"]):
        labels = integers_of(by_kind[".label"].read_text(encoding="ascii").splitlines(), 1) - 1
    return Graph.from_edges(
        ends, num_nodes=size, features=features, labels=labels, splits=paper_splits(name), name=name
    )


def _pairs(path: Path) -> tuple[dict[str, int], np.ndarray]:
    """Return the two counts at the top of the file and the (E, 2) numbers below them."""
    with published(_OWNER, "hold two lines '#What count' and then pairs of numbers", path):
        lines = path.read_text(encoding="ascii").splitlines()
        counts = {what: int(count) for what, count in (line.split() for line in lines[:2])}
        return counts, integers_of(lines[2:], 2)


def _count(counts: Mapping[str, int], what: str, path: Path) -> int:
    """Return the number of nodes or attributes, which must be in proportion to the file."""
    with published(_OWNER, f"begin with '{what} count'", path):
        require_in_proportion(8 * counts[what], path.stat().st_size, what)
        return counts[what]
