"""``spco bench spectrum``: responses by random probes against an eigendecomposition, and on a large graph."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..datasets import sbm
from ..graph import Graph
from ..linalg.eigen import laplacian_spectrum
from ..linalg.laplacian import shifted_laplacian
from ..spectral import SpectralPair
from ..spectral.operators import ViewLike
from ..spectral.response import spectral_responses
from ..views import DropEdges, DropNodes
from .timing import interleaved_seconds

_AVERAGE_DEGREE = 10
_MOMENTS, _PROBES = 100, 20


@dataclass(frozen=True)
class ExactCase:
    """Three views by ``"stochastic"`` against one eigendecomposition of the same graph."""

    graph: str
    nodes: int
    stochastic_seconds: float
    eigh_seconds: float
    largest_error: float

    @property
    def ratio(self) -> float:
        """The time by probes over that of the eigendecomposition."""
        return self.stochastic_seconds / self.eigh_seconds


@dataclass(frozen=True)
class LargeCase:
    """Three views of a generated graph, in units of one SciPy float64 matvec with its Laplacian."""

    nodes: int
    nonzeros: int
    views: int
    moments: int
    probes: int
    seconds: float
    matvec_seconds: float
    peak_bytes: int

    @property
    def matvecs_per_term(self) -> float:
        """The time per probe and moment, in matvecs: 1 is what the bare recurrence costs in SciPy."""
        return self.seconds / (self.matvec_seconds * self.moments * self.probes)


@dataclass(frozen=True)
class SpectrumBench:
    """All that one run measured."""

    exact: tuple[ExactCase, ...]
    large: tuple[LargeCase, ...]


def bench_spectrum(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    rounds: int = 3,
    report: Callable[[str], None] = lambda _: None,
) -> SpectrumBench:
    """Measure against eigh on ``graphs``, and on generated graphs with about ``sizes`` nonzeros."""
    exact = []
    for graph in graphs:
        report(f"eigendecomposition of {graph.name}")
        exact.append(_exact_case(graph, rounds))
    large = []
    for size in sizes:
        report(f"graph with {size:,} nonzeros")
        large.append(_large_case(size))
    return SpectrumBench(tuple(exact), tuple(large))


def _three_views(graph: Graph) -> dict[str, ViewLike]:
    pair = SpectralPair(graph)
    pair.refresh(0.0)
    return {"learnt": pair.refresh(1.0), "drop edges": DropEdges(0.2), "drop nodes": DropNodes(0.2)}


def _exact_case(graph: Graph, rounds: int) -> ExactCase:
    # The same seed draws the same random views for both methods.
    views, spectrum = _three_views(graph), laplacian_spectrum(graph)
    exact = spectral_responses(graph, views, spectrum=spectrum)
    estimated = spectral_responses(graph, views, method="stochastic", moments=_MOMENTS, probes=_PROBES)
    error = max(
        float(np.nanmax(np.abs(exact[name].band_means(found.edges) - found.values)))
        for name, found in estimated.items()
        if found.edges is not None
    )
    stochastic, eigh = interleaved_seconds(
        [
            lambda: spectral_responses(graph, views, method="stochastic", moments=_MOMENTS, probes=_PROBES),
            lambda: laplacian_spectrum(graph),
        ],
        rounds=rounds,
    )
    return ExactCase(str(graph.name), graph.num_nodes, stochastic, eigh, error)


def _large_case(size: int) -> LargeCase:
    tracemalloc.start()
    graph = sbm(
        num_nodes=max(10, size // _AVERAGE_DEGREE),
        average_degree=_AVERAGE_DEGREE,
        num_features=0,
        random_state=0,
    )
    views = _three_views(graph)
    # The peak counts the graph and the views, but not what generating them took.
    tracemalloc.reset_peak()
    start = time.perf_counter()
    spectral_responses(graph, views, method="stochastic", moments=_MOMENTS, probes=_PROBES)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    matrix = shifted_laplacian(graph.adjacency).matrix()
    vector = np.random.default_rng(0).random(graph.num_nodes)
    (matvec,) = interleaved_seconds([lambda: matrix @ vector], rounds=7)
    return LargeCase(graph.num_nodes, matrix.nnz, len(views), _MOMENTS, _PROBES, seconds, matvec, peak)
