"""``spco bench flips``: views that weigh every edge and pair, against dropping edges at random."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np

from ..graph import Graph
from ..views import EPAGCL, SPAN, DropEdges, View
from .shapes import graphs_to_time
from .timing import Case, interleaved_seconds

_SHARE = 0.2
_VIEWS: dict[str, View] = {
    "span, max": SPAN(_SHARE),
    "span, min": SPAN(_SHARE, direction="min"),
    "epagcl": EPAGCL(_SHARE),
}


def bench_flips(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    rounds: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Case, ...]:
    """Time SPAN and EPAGCL on ``graphs`` and on generated ones with about ``sizes`` nonzeros.

    ``seconds`` are those of a first view, its probabilities included; ``later_seconds`` those of a draw once
    they are known. The baseline draws DropEdges with the same share. ``peak_gib`` is what a first view
    allocates at most, the graph not counted.
    """
    found = graphs_to_time(graphs, sizes, "flips on", tell)
    return tuple(case for graph in found for case in _cases(graph, rounds))


def _cases(graph: Graph, rounds: int) -> list[Case]:
    def drawn(view: View) -> Callable[[], object]:
        rng = np.random.default_rng(0)
        return lambda: view.apply(graph.adjacency, num_features=0, rng=rng)

    cases = []
    for name, view in _VIEWS.items():
        functions = [drawn(view), drawn(view.prepared(graph)), drawn(DropEdges(_SHARE))]
        first, later, baseline = interleaved_seconds(functions, rounds=rounds)
        peak = _peak(functions[0]) / 2**30
        facts: dict[str, float | str] = {"view": name, "later_seconds": later, "peak_gib": peak}
        cases.append(Case(str(graph.name), graph.num_nodes, graph.adjacency.nnz, first, baseline, facts))
    return cases


def _peak(function: Callable[[], object]) -> int:
    """Return the most bytes that a call holds at once."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
