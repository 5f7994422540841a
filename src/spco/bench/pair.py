"""``spco bench pair``: a refresh against one SciPy matvec, the general path and the dense algorithm."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np

from .._validation import check_choice
from ..graph import Graph
from ..linalg import neighbourhood, normalized_laplacian, polynomial
from ..linalg.pattern import threads_for
from ..linalg.workspace import Workspace
from ..spectral import SpectralPair
from ..spectral.pair import TARGETS
from ..transport import Scope, StructuredKernel, plan_difference
from ..transport.difference import difference_of_plans
from .shapes import ORDERS, generated_graph, graph_of_shape
from .timing import Case, interleaved_seconds

#: Targets and hops of the presets, and a scope that C does not fill.
SCOPES = (("laplacian", 1), ("laplacian2-laplacian", 2), ("laplacian", 2))
# Turns of both sides last about as long, so that other load on the machine affects them alike.
_REFRESHES_PER_DENSE = 50
_MATVECS_PER_REFRESH = 12
_EPSILON, _ETA, _ITERATIONS = 1.0, 0.5, 3


def bench_pair(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    shapes: Sequence[str] = (),
    order: str = "communities",
    rounds: int = 7,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, list[Case]]:
    """Measure the learnt pair, and return the cases of each table.

    sparse
        Refreshes on generated graphs with about ``sizes`` nonzeros, against one SciPy float64 matvec with C.
    scopes
        Δ+ − Δ− on graphs like those in ``shapes`` by the tuned path, against solving and storing each plan.
    dense
        Refreshes on ``graphs``, against Algorithm 1 on dense N×N arrays.

    ``order`` is the numbering of the generated nodes: by ``"communities"`` of 1000, as in most real graphs,
    or ``"random"``, where every neighbour beyond the cache is a wait for memory.
    """
    check_choice(order, "order", "bench_pair", ORDERS)
    tables: dict[str, list[Case]] = {"sparse": [], "scopes": [], "dense": []}
    for size in sizes:
        tell(f"graph with {size:,} nonzeros")
        tables["sparse"].append(_sparse_case(size, order, rounds))
    for name in shapes:
        graph = graph_of_shape(name)
        for target, hops in SCOPES:
            tell(f"{graph.name}, {target}, {hops} hop{'s' * (hops > 1)}")
            tables["scopes"].append(_scope_case(graph, target, hops, rounds))
    for graph in graphs:
        tell(f"dense version on {graph.name}")
        tables["dense"].append(_dense_case(graph, rounds))
    return tables


def _sparse_case(size: int, order: str, rounds: int) -> Case:
    graph = generated_graph(size, order=order)
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
    facts = {"peak_bytes_per_nonzero": peak / cost.nnz}
    return Case("generated", graph.num_nodes, cost.nnz, refresh, matvecs / _MATVECS_PER_REFRESH, facts)


def _scope_case(graph: Graph, target: str, hops: int, rounds: int) -> Case:
    """Time the difference of the plans on one scope by both paths, and a matvec with C."""
    pair = SpectralPair(graph, epsilon=_EPSILON, hops=hops, iterations=_ITERATIONS, target=target)
    pair.refresh(0.0)
    pair.refresh(1.0)
    scales, marginal = (pair.scales[0], -pair.scales[1]), graph.degrees / graph.degrees.sum()
    cost = polynomial(normalized_laplacian(graph.adjacency), TARGETS[target])
    places = neighbourhood(graph.adjacency, hops)
    shared_cost, shared = Scope.shared(places, cost)
    apart = Scope.of(places, cost)
    kernels = (StructuredKernel(cost, scales[0]), StructuredKernel(cost, scales[1]))
    matrix, vector, workspace = cost.matrix(), np.ones(graph.num_nodes), Workspace()
    with threads_for(cost.pattern, places):
        tuned, general, matvecs = interleaved_seconds(
            [
                lambda: plan_difference(shared_cost, scales, marginal, shared, workspace=workspace),
                lambda: difference_of_plans(kernels, marginal, apart, _ITERATIONS, "auto"),
                lambda: [matrix @ vector for _ in range(_MATVECS_PER_REFRESH)],
            ],
            rounds=rounds,
        )
    facts: dict[str, float | str | None] = {
        "target": target,
        "hops": hops,
        "scope": places.nnz,
        "matvecs": tuned * _MATVECS_PER_REFRESH / matvecs,
    }
    return Case(str(graph.name), graph.num_nodes, cost.pattern.nnz, tuned, general, facts)


def _dense_case(graph: Graph, rounds: int) -> Case:
    pair = SpectralPair(graph, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    dense = DensePair(graph, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    for theta in (0.0, 1.0):
        ours, theirs = pair.refresh(theta), dense.refresh(theta)
    facts = {"largest_difference": float(np.abs(ours.toarray() - theirs).max())}
    many_seconds, dense_seconds = interleaved_seconds(
        [lambda: [pair.refresh(1.0) for _ in range(_REFRESHES_PER_DENSE)], lambda: dense.refresh(1.0)],
        rounds=rounds,
    )
    seconds = many_seconds / _REFRESHES_PER_DENSE
    return Case(str(graph.name), graph.num_nodes, graph.adjacency.nnz, seconds, dense_seconds, facts)


class DensePair:
    """Algorithm 1 and the view in plain NumPy, as the paper prints them; needs 6·N² numbers."""

    def __init__(self, graph: Graph, *, epsilon: float, eta: float, iterations: int) -> None:
        self.adjacency = graph.adjacency.toarray()
        self.laplacian = normalized_laplacian(graph.adjacency).matrix().toarray()
        self.scope = (self.adjacency > 0) | np.eye(graph.num_nodes, dtype=bool)
        self.marginal = graph.degrees / graph.degrees.sum()
        self.epsilon, self.eta, self.iterations = epsilon, eta, iterations
        self.plus = np.full_like(self.laplacian, 0.5)
        self.minus = self.plus.copy()

    def refresh(self, theta: float) -> np.ndarray:
        """Learn both plans anew and return the view A_."""
        cost = theta * self.laplacian
        self.plus = self._plan(np.exp(2 * np.vdot(cost, self.plus) / self.epsilon * cost))
        self.minus = self._plan(np.exp(-2 * np.vdot(cost, self.minus) / self.epsilon * cost))
        difference = self.scope * (self.plus - self.minus)
        row_sums = np.abs(difference).sum(axis=1)
        scaling = np.divide(1.0, np.sqrt(row_sums), out=np.zeros_like(row_sums), where=row_sums > 0)
        view: np.ndarray = self.adjacency + self.eta * scaling[:, None] * difference * scaling[None, :]
        return view

    def _plan(self, kernel: np.ndarray) -> np.ndarray:
        a = self.marginal
        u = np.full(len(a), 1.0 / len(a))
        for _ in range(self.iterations):
            u = a / (kernel @ (a / (kernel.T @ u)))
        v = a / (kernel.T @ u)
        plan: np.ndarray = u[:, None] * kernel * v[None, :]
        return plan
