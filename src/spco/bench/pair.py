"""``spco bench pair``: a refresh against one SciPy matvec and against the dense algorithm."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .._validation import check_choice
from ..datasets import sbm
from ..graph import Graph
from ..spectral import SpectralPair
from .dense import DensePair
from .timing import growth_exponent, interleaved_seconds

_AVERAGE_DEGREE = 10
_COMMUNITY = 1000
ORDERS = ("random", "communities")
# A turn lasts about as long on both sides, so that both see the same of what else the machine does.
_REFRESHES_PER_DENSE = 50
_MATVECS_PER_REFRESH = 12
_EPSILON, _ETA, _ITERATIONS = 1.0, 0.5, 3


@dataclass(frozen=True)
class SparseCase:
    """A refresh on a generated graph, in units of one SciPy float64 matvec with C."""

    nodes: int
    nonzeros: int
    refresh_seconds: float
    matvec_seconds: float
    peak_bytes_per_nonzero: float

    @property
    def matvecs(self) -> float:
        """The refresh's time in matvecs."""
        return self.refresh_seconds / self.matvec_seconds


@dataclass(frozen=True)
class DenseCase:
    """A refresh against dense Algorithm 1 on the same graph."""

    graph: str
    nodes: int
    sparse_seconds: float
    dense_seconds: float
    largest_difference: float

    @property
    def speedup(self) -> float:
        """How many times faster the sparse refresh is."""
        return self.dense_seconds / self.sparse_seconds


@dataclass(frozen=True)
class PairBench:
    """All that one run measured; the growths are slopes of log time over log nonzeros."""

    order: str
    sparse: tuple[SparseCase, ...]
    dense: tuple[DenseCase, ...]
    growth: float | None
    matvec_growth: float | None


def bench_pair(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    order: str = "communities",
    rounds: int = 7,
    report: Callable[[str], None] = lambda _: None,
) -> PairBench:
    """Measure refreshes with about ``sizes`` nonzeros, and against the dense version on ``graphs``.

    ``order`` says how the generated nodes are numbered: by ``"communities"`` of 1000, as most graphs that
    people have, or at ``"random"``, where from the size of the cache on every neighbour is a wait for memory.
    """
    check_choice(order, "order", "bench_pair", ORDERS)
    sparse = []
    for size in sizes:
        report(f"graph with {size:,} nonzeros")
        sparse.append(_sparse_case(size, order, rounds))
    dense = []
    for graph in graphs:
        report(f"dense version on {graph.name}")
        dense.append(_dense_case(graph, rounds))
    growth = matvec_growth = None
    if len(sparse) > 1:
        nonzeros = [case.nonzeros for case in sparse]
        growth = growth_exponent(nonzeros, [case.refresh_seconds for case in sparse])
        matvec_growth = growth_exponent(nonzeros, [case.matvec_seconds for case in sparse])
    return PairBench(order, tuple(sparse), tuple(dense), growth, matvec_growth)


def _sparse_case(size: int, order: str, rounds: int) -> SparseCase:
    graph = _generated(max(10, size // _AVERAGE_DEGREE), order)
    tracemalloc.start()
    pair = SpectralPair(graph, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    pair.refresh(0.0)
    pair.refresh(1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    cost = pair.target_matrix
    vector = np.random.default_rng(0).random(graph.num_nodes)
    refresh, matvecs = interleaved_seconds(
        [lambda: pair.refresh(1.0), lambda: [cost @ vector for _ in range(_MATVECS_PER_REFRESH)]],
        rounds=rounds,
    )
    return SparseCase(graph.num_nodes, cost.nnz, refresh, matvecs / _MATVECS_PER_REFRESH, peak / cost.nnz)


def _generated(nodes: int, order: str) -> Graph:
    if order == "random":
        return sbm(nodes, average_degree=_AVERAGE_DEGREE, num_features=0, random_state=0)
    communities = max(1, nodes // _COMMUNITY)
    return sbm(
        nodes,
        communities,
        average_degree=_AVERAGE_DEGREE,
        homophily=0.99 if communities > 1 else 1.0,
        num_features=0,
        shuffled=False,
        random_state=0,
    )


def _dense_case(graph: Graph, rounds: int) -> DenseCase:
    pair = SpectralPair(graph, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    dense = DensePair(graph, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    for theta in (0.0, 1.0):
        ours, theirs = pair.refresh(theta), dense.refresh(theta)
    difference = float(np.abs(ours.toarray() - theirs).max())
    many_seconds, dense_seconds = interleaved_seconds(
        [lambda: [pair.refresh(1.0) for _ in range(_REFRESHES_PER_DENSE)], lambda: dense.refresh(1.0)],
        rounds=rounds,
    )
    return DenseCase(
        str(graph.name), graph.num_nodes, many_seconds / _REFRESHES_PER_DENSE, dense_seconds, difference
    )
