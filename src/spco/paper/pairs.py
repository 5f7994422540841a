"""The table of Appendix C: A with A, A with A², A² with A²."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import scipy.sparse as sp

from ..graph import Graph
from .case_study import SEEDS, Case, CaseResult, DrawPair, GoOn, Report, open_runs, run_cases
from .model import CaseSettings

#: the graphs of the table
GRAPHS = ("cora", "citeseer", "blogcatalog", "flickr")
SAME, DIFFERENT, SQUARES = "A & A", "A & A²", "A² & A²"


@dataclass(frozen=True)
class PairTable:
    """The accuracies of the three pairs on one graph."""

    graph: str | None
    rows: tuple[CaseResult, ...]

    def __getitem__(self, name: str) -> CaseResult:
        return next(row for row in self.rows if row.name == name)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))


def table_pairs(
    graph: Graph,
    *,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings | None = None,
    path: Path | None = None,
    report: Report = lambda _: None,
    go_on: GoOn = lambda: True,
) -> PairTable:
    """Contrast A with A, A with A² and A² with A², and test the embedding of the first of each.

    A² is the plain product A·A, the number of walks of two steps, and enters as it is. The parameters are
    those of :func:`spco.paper.table1`.
    """
    settings = settings or CaseSettings()
    adjacency = graph.adjacency
    square = sp.csr_array(adjacency @ adjacency)
    square.sort_indices()
    cases = [
        Case(SAME, "A and A, as they are", _always(adjacency, adjacency)),
        Case(DIFFERENT, "A and A·A, as they are", _always(adjacency, square)),
        Case(SQUARES, "A·A and A·A, as they are", _always(square, square)),
    ]
    runs = open_runs("pairs", graph, cases, settings=settings, path=path)
    return PairTable(
        graph.name, run_cases(runs, graph, cases, seeds=seeds, settings=settings, report=report, go_on=go_on)
    )


def _always(first: sp.csr_array, second: sp.csr_array) -> DrawPair:
    return lambda _: (first, second)
