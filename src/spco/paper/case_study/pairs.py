"""The table of Appendix C: A with A, A with A², A² with A²."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import scipy.sparse as sp

from ...graph import Graph
from .cases import SEEDS, Case, CaseTable, DrawPair, GoOn, Report, open_runs, run_cases
from .model import CaseSettings

#: The graphs of the table.
PAIR_GRAPHS = ("cora", "citeseer", "blogcatalog", "flickr")


def table_pairs(
    graph: Graph,
    *,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings | None = None,
    path: Path | None = None,
    report: Report = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with A, A with A² and A² with A², and test the embedding of the first of each.

    A² is the plain product A·A, the number of walks of two steps, and is used as it is. The parameters are
    those of :func:`spco.paper.table1`.
    """
    settings = settings or CaseSettings()
    adjacency = graph.adjacency
    square = sp.csr_array(adjacency @ adjacency)
    square.sort_indices()
    cases = [
        Case("A & A", "A and A, as they are", _always(adjacency, adjacency)),
        Case("A & A²", "A and A·A, as they are", _always(adjacency, square)),
        Case("A² & A²", "A·A and A·A, as they are", _always(square, square)),
    ]
    runs = open_runs("pairs", graph, cases, settings=settings, path=path)
    rows = run_cases(runs, graph, cases, seeds=seeds, settings=settings, report=report, go_on=go_on)
    return CaseTable("pairs", graph.name, rows, settings=runs.description["settings"])


def _always(first: sp.csr_array, second: sp.csr_array) -> DrawPair:
    return lambda _: (first, second)
