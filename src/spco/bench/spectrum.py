"""``spco bench spectrum``: responses by random probes against an eigendecomposition, and on a large graph."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np

from ..graph import Graph
from ..linalg.eigen import laplacian_spectrum
from ..linalg.laplacian import shifted_laplacian
from ..spectral import ResponseSettings, SpectralPair
from ..spectral.operators import ViewLike
from ..spectral.response import spectral_responses
from ..views import DropEdges, DropNodes
from .shapes import generated_graph
from .timing import Case, interleaved_seconds

_SETTINGS = ResponseSettings(moments=100, probes=20)


def bench_spectrum(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    rounds: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, list[Case]]:
    """Time the responses of three views by random probes, and return the cases of each table.

    exact
        On ``graphs``, against one eigendecomposition.
    large
        On generated graphs with about ``sizes`` nonzeros, against one SciPy matvec with the Laplacian.
    """
    tables: dict[str, list[Case]] = {"exact": [], "large": []}
    for graph in graphs:
        tell(f"eigendecomposition of {graph.name}")
        tables["exact"].append(_exact_case(graph, rounds))
    for size in sizes:
        tell(f"graph with {size:,} nonzeros")
        tables["large"].append(_large_case(size))
    return tables


def _three_views(graph: Graph) -> dict[str, ViewLike]:
    pair = SpectralPair(graph)
    pair.refresh(0.0)
    return {"learnt": pair.refresh(1.0), "drop edges": DropEdges(0.2), "drop nodes": DropNodes(0.2)}


def _exact_case(graph: Graph, rounds: int) -> Case:
    # The same seed draws the same random views for both methods.
    views, spectrum = _three_views(graph), laplacian_spectrum(graph)
    exact = spectral_responses(graph, views, spectrum=spectrum)
    estimated = spectral_responses(graph, views, method="stochastic", settings=_SETTINGS)
    error = max(
        float(np.nanmax(np.abs(exact[name].band_means(found.edges) - found.values)))
        for name, found in estimated.items()
        if found.edges is not None
    )
    stochastic, eigh = interleaved_seconds(
        [
            lambda: spectral_responses(graph, views, method="stochastic", settings=_SETTINGS),
            lambda: laplacian_spectrum(graph),
        ],
        rounds=rounds,
    )
    facts = {"largest_error": error}
    return Case(str(graph.name), graph.num_nodes, graph.adjacency.nnz, stochastic, eigh, facts)


def _large_case(size: int) -> Case:
    tracemalloc.start()
    graph = generated_graph(size)
    views = _three_views(graph)
    # The peak includes the graph and the views, but not the memory that generating them took.
    tracemalloc.reset_peak()
    start = time.perf_counter()
    spectral_responses(graph, views, method="stochastic", settings=_SETTINGS)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    matrix = shifted_laplacian(graph.adjacency).matrix()
    vector = np.random.default_rng(0).random(graph.num_nodes)
    (matvec,) = interleaved_seconds([lambda: matrix @ vector], rounds=7)
    # The bare recurrence in SciPy costs 1.
    per_term = seconds / (matvec * _SETTINGS.moments * _SETTINGS.probes)
    facts = {"views": len(views), "peak_gib": peak / 2**30, "matvecs_per_term": per_term}
    return Case("generated", graph.num_nodes, matrix.nnz, seconds, matvec, facts)
