"""SpCo's learnt view on unweighted graphs of up to billions of edges, to the accuracy of float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._validation import check_integer, check_real, invalid
from ..errors import InvalidGraphError
from ..graph import Graph
from ..linalg.normalize import inverse_sqrt
from ..linalg.pattern import Pattern, threads_for
from ..linalg.shards import Alone, Exchange, Shard
from ..linalg.workspace import Workspace
from ..transport.rounding import rounding_error, significant_sum
from ..transport.sinkhorn import MOST_ITERATIONS
from ..transport.unweighted import PlanFacts, UnweightedLaplacian, unweighted_difference
from .implicit import ImplicitView
from .state import FIRST_PLAN, PairState, Refresh, Refreshed, RefreshWarnings

_SINGLE = float(np.finfo(np.float32).eps)


class LargePair(Refreshed[ImplicitView, PlanFacts]):
    """Learn A_ as :class:`spco.SpectralPair` does, in 8 bytes per nonzero beside the graph.

        K± = exp(±s±·θ·L),   Δ± = diag(u±)·K±·diag(v±),   A_ = A + η·N(S∗(Δ+ − Δ−)),  S = A + I

    L = −r_i·r_j on the edges of an unweighted graph is never stored; E = K − 1 is, as float32, one sign at a
    time. The view is an operator. For other targets, more hops, weights, and exponents that need the log
    domain there is ``SpectralPair``; where both apply, they agree to the accuracy of float32.

    Parameters
    ----------
    graph : Graph or Pattern
        Unweighted; either may be memory-mapped. Of a pattern nothing is checked: it must be symmetric, with
        sorted rows.
    epsilon, eta, iterations, marginal_loops
        As in ``SpectralPair``.
    exchange : Exchange, optional
        The processes that share the rows; every one makes the same calls and has the view of its own rows.

    Examples
    --------
    >>> import spco
    >>> graph = spco.load_dataset("wine")
    >>> large, exact = LargePair(graph), spco.SpectralPair(graph)
    >>> views = [(large.refresh(theta).matrix(), exact.refresh(theta)) for theta in (0.0, 1.0)]
    >>> bool(abs(views[1][0] - views[1][1]).max() < 1e-6)
    True
    """

    def __init__(
        self,
        graph: Graph | Pattern,
        *,
        epsilon: float = 1e-2,
        eta: float = 0.5,
        iterations: int = 3,
        marginal_loops: float = 0.0,
        exchange: Exchange | None = None,
    ) -> None:
        pattern = _places(graph)
        self.epsilon = check_real(epsilon, "epsilon", "LargePair", above=0)
        self.eta = check_real(eta, "eta", "LargePair")
        self.iterations = check_integer(
            iterations, "iterations", "LargePair", minimum=1, maximum=MOST_ITERATIONS
        )
        self.marginal_loops = check_real(marginal_loops, "marginal_loops", "LargePair", minimum=0)
        self._laplacian = UnweightedLaplacian(pattern)
        self._shard = Shard(pattern, exchange or Alone())
        self._marginal = _marginal(self._laplacian.degrees, self.marginal_loops)
        self._rounding = rounding_error(pattern, self.iterations)
        with threads_for(pattern):
            total, size = self._laplacian.sums(self._shard)
        overlap = FIRST_PLAN * significant_sum(total, size, self._rounding)
        self._state = PairState(overlap, overlap, refreshes=0)
        self._warnings = RefreshWarnings()
        self._workspace = Workspace()

    def refresh(self, theta: float) -> ImplicitView:
        """Learn Δ+ and Δ− anew for C = θ·L and return the view A_ as an operator."""
        theta = check_real(theta, "theta", "LargePair.refresh", minimum=0)
        self._last = None  # frees its arrays for this refresh, unless the caller still holds them
        before, pattern = self._state, self._shard.pattern
        scales = before.scales(theta, self.epsilon, largest=1.0, rounding=self._rounding, owner="LargePair")
        exponents = (theta * scales[0], -theta * scales[1])
        with threads_for(pattern):
            change = unweighted_difference(
                self._laplacian,
                exponents,
                self._marginal,
                self._shard,
                iterations=self.iterations,
                workspace=self._workspace,
            )
        roots = inverse_sqrt(change.row_sums)
        view = ImplicitView(self._shard, change.values, change.diagonal, roots, self.eta)
        self._last = Refresh(view, scales, change.plus, change.minus, roots)
        plus, minus = (
            self._significant(plan, exponent)
            for plan, exponent in zip((change.plus, change.minus), exponents, strict=True)
        )
        self._state = PairState(plus, minus, before.refreshes + 1)
        error = max(change.plus.marginal_error, change.minus.marginal_error)
        self._warnings.check(theta, scales, error, iterations=self.iterations, epsilon=self.epsilon)
        return view

    def _significant(self, plan: PlanFacts, exponent: float) -> float:
        """Return ⟨L, Δ⟩, or exactly 0 where rounding, of E to float32 above all, may have made it."""
        single = _SINGLE * (2 * self.iterations + 2) * min(1.0, abs(exponent))
        return significant_sum(plan.overlap, plan.absolute_overlap, self._rounding + single)

    @property
    def view(self) -> ImplicitView:
        """A_ as of the last refresh."""
        return self._required("view").view


def _places(graph: Any) -> Pattern:
    if isinstance(graph, Pattern):
        return graph.read_only()
    if not isinstance(graph, Graph):
        must = "be a spco.Graph or a spco.linalg.Pattern"
        raise invalid("graph", "LargePair", must, type(graph).__name__)
    if not graph.is_unweighted:
        must, got, hint = "be unweighted", "a graph with other weights than 1", "SpectralPair takes weights"
        raise invalid("graph", "LargePair", must, got, hint=hint, error=InvalidGraphError)
    return Pattern.of(graph.adjacency).read_only()


def _marginal(degrees: np.ndarray, loops: float) -> np.ndarray:
    degrees += loops
    volume = degrees.sum()
    return np.divide(degrees, volume, out=degrees) if volume > 0 else degrees
