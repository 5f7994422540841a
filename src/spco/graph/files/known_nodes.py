"""Labels and splits in files, for nodes that are known without any edges: those of an embedding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from .._build import row_numbers_to_none
from .._graph import Graph
from .columns import Column
from .node_tables import arrow_ids, node_data, read_node_tables
from .split_table import read_splits

_KNOWN = "nodes with an embedding"


def read_known_nodes(
    ids: np.ndarray,
    *,
    labels: Path | None = None,
    splits: Path | None = None,
    node_id: Column | None = None,
    label: Column | None = None,
    split: Column | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Graph:
    """Return a graph without edges of the nodes with these ids, with the labels and splits in files.

    The files are those of :func:`spco.read_graph`, and so are errors; each id in them must be among ``ids``.
    """
    size = len(ids)
    graph = Graph(sp.csr_array((size, size)), node_ids=row_numbers_to_none(ids))
    if labels is not None:
        tables = read_node_tables(None, labels, node_id=node_id, label=label)
        found = node_data(tables, arrow_ids(graph), known=_KNOWN)
        graph = replace(graph, labels=found.labels, label_names=found.label_names)
        for table in tables:
            tell(f"{table.file.path.name}: {table.said}")
    if splits is not None:
        rows = read_splits(splits, arrow_ids(graph), node_id=node_id, split=split, known=_KNOWN)
        graph = replace(graph, splits=rows)
    return graph
