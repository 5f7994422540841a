"""SpCo's learnt view A_, the partner of A in an optimal contrastive pair: exact, in O(edges)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from .._registry import Registry
from .._validation import check_choice, check_integer, check_real, invalid, shown
from ..errors import InvalidGraphError
from ..graph import Graph, GraphLike, as_graph
from ..linalg import SparseSymmetric, aligned, neighbourhood, normalized_laplacian, polynomial
from ..linalg.kernels import absolute_row_sums, add_normalized
from ..linalg.normalize import inverse_sqrt
from ..linalg.pattern import threads_for
from ..linalg.shards import Exchange, Shard
from ..linalg.workspace import Workspace
from ..transport import Scope, SinkhornResult, plan_difference
from ..transport.rounding import rounding_error, significant_overlap, significant_rows, significant_sum
from ..transport.sinkhorn import MOST_ITERATIONS
from .state import FIRST_PLAN, PairState, Refresh, Refreshed, RefreshWarnings

TARGETS: Registry[tuple[float, ...]] = Registry(
    "target",
    {
        "laplacian": (0.0, 1.0),
        "identity+laplacian": (1.0, 1.0),
        "identity+laplacian+laplacian2": (1.0, 1.0, 1.0),
        "laplacian2-laplacian": (0.0, -1.0, 1.0),
    },
)

#: Entries of g(L) from which on processes share the passes; on fewer, messages take longer than the passes.
SHARED_FROM = 1 << 22
# Within these bounds neither 1/d nor a sum of degrees leaves the range of float64.
_WEIGHTS = (1e-300, 1e300)
_LARGEST_ETA = 1e100


class SpectralPair(Refreshed[sp.csr_array, SinkhornResult]):
    """Learn a view A_ of a graph that differs from A in high frequencies more than in low ones.

        K± = exp(±s±·C),  C = θ·g(L),  s± = 2⟨C, Δ±'⟩/ε                (eq. 6–9)
        Δ± = diag(u±)·K±·diag(v±)  with marginals d/Σd                  (Algorithm 1)
        A_ = A + η·N(S∗(Δ+ − Δ−)),  N(M) = diag(r)^-½·M·diag(r)^-½,  r = Σ|M|

    Nothing of size N×N is formed: a refresh costs O(iterations·nnz(C) + nnz(S)).

    Parameters
    ----------
    graph : Graph
        Or anything that :meth:`spco.Graph.coerce` takes: a torch_geometric Data, a NetworkX graph, a matrix.
    epsilon : float > 0
        Strength of the entropy; small values sharpen the plan.
    eta : float
        How much of the learnt change enters the view. The change raises the response in proportion to the
        frequency, so the response of A_ falls less steeply than A's 1 − λ with η > 0, as in the paper, and
        more steeply with η < 0. Both signs follow the GAME rule if A_ is used as an operator; only η > 0 does
        if its weights are normalised afterwards.
    hops : int >= 1
        The scope S: pairs of nodes at most this many steps apart.
    iterations : int >= 1
        Sinkhorn iterations per refresh.
    target : str or sequence of floats
        g: "laplacian" (L), "identity+laplacian" (I + L), "identity+laplacian+laplacian2" (I + L + L²),
        "laplacian2-laplacian" (L² − L, which is Â² − Â for Â = I − L: two steps instead of one, meant for two
        hops), or coefficients c0, c1, ... of Σ c_p·Lᵖ.
    log_domain : "auto", True or False
        See :func:`spco.transport.sinkhorn`.
    marginal_loops : float >= 0
        Added to the degrees that the marginals are proportional to; 1 gives those of A + I.
    exchange : Exchange, optional
        The processes that share the passes over a large g(L), each on its own rows; every one makes the same
        calls and gets the whole view.

    Examples
    --------
    >>> import spco
    >>> pair = spco.SpectralPair(spco.load_dataset("digits"), epsilon=1e-2, eta=0.5)
    >>> (pair.refresh(theta=0.0) != pair.graph.adjacency).nnz        # C = 0 changes nothing
    0
    >>> view = pair.refresh(theta=1.0)
    >>> bool(abs(view - pair.graph.adjacency - 0.5 * pair.delta).max() < 1e-12)
    True
    """

    def __init__(
        self,
        graph: GraphLike,
        *,
        epsilon: float = 1e-2,
        eta: float = 0.5,
        hops: int = 1,
        iterations: int = 3,
        target: str | Sequence[float] = "laplacian",
        log_domain: bool | str = "auto",
        marginal_loops: float = 0.0,
        exchange: Exchange | None = None,
    ) -> None:
        self.graph = graph = as_graph(graph, "SpectralPair")
        self.epsilon = check_real(epsilon, "epsilon", "SpectralPair", above=0)
        self.eta = check_real(eta, "eta", "SpectralPair", minimum=-_LARGEST_ETA, maximum=_LARGEST_ETA)
        self.hops = check_integer(hops, "hops", "SpectralPair", minimum=1)
        self.iterations = check_integer(
            iterations, "iterations", "SpectralPair", minimum=1, maximum=MOST_ITERATIONS
        )
        self.target = target
        self.marginal_loops = check_real(marginal_loops, "marginal_loops", "SpectralPair", minimum=0)
        self.log_domain = check_choice(log_domain, "log_domain", "SpectralPair", ("auto", True, False))

        _require_moderate_weights(graph)
        laplacian = normalized_laplacian(graph.adjacency)
        coefficients = target_coefficients(target, owner="SpectralPair")
        cost = polynomial(laplacian, coefficients)
        near = laplacian.pattern if hops == 1 else neighbourhood(graph.adjacency, hops)
        self._target, self._scope = Scope.shared(near, cost)
        self._weights = aligned(self._scope.pattern, graph.adjacency)
        degrees = graph.degrees + self.marginal_loops
        volume = degrees.sum()
        self._marginal = degrees / volume if volume > 0 else np.zeros(graph.num_nodes)
        self._workspace = Workspace()
        is_shared = exchange is not None and exchange.size > 1 and self._target.pattern.nnz >= SHARED_FROM
        self._shard = Shard(self._target.pattern, exchange) if exchange and is_shared else None
        size = float(np.abs(self._target.values).sum())
        cancelled = max(1.0, _sum_of_terms(laplacian, coefficients) / size) if size > 0 else 1.0
        self._rounding = cancelled * rounding_error(self._target.pattern, self.iterations)
        overlap = FIRST_PLAN * significant_sum(float(self._target.values.sum()), size, self._rounding)
        self._state = PairState(overlap, overlap, refreshes=0)
        self._warnings = RefreshWarnings()

    def refresh(self, theta: float) -> sp.csr_array:
        """Learn Δ+ and Δ− anew for C = θ·g(L) and return the view A_, a CSR matrix over the scope.

        All places of the scope are stored, even where A_ is 0.
        """
        theta = check_real(theta, "theta", "SpectralPair.refresh", minimum=0)
        self._last = None  # frees its arrays for this refresh, unless the caller still holds them
        before = self._state
        largest, rounding = self._target.largest, self._rounding
        scales = before.scales(theta, self.epsilon, largest=largest, rounding=rounding, owner="SpectralPair")
        with threads_for(self._target.pattern, self._scope.pattern):
            # θ goes into the scale, so g(L) is never copied.
            change = plan_difference(
                self._target,
                (theta * scales[0], -theta * scales[1]),
                self._marginal,
                self._scope,
                iterations=self.iterations,
                log_domain=self.log_domain,
                workspace=self._workspace,
                shard=self._shard,
            )
            roots = inverse_sqrt(significant_rows(change.row_sums, self._marginal))
            view = self._sum(self._weights, self.eta, change.values, roots)
        self._last = Refresh(view, scales, change.plus, change.minus, roots)
        plus, minus = (significant_overlap(plan, self._rounding) for plan in (change.plus, change.minus))
        self._state = PairState(plus, minus, before.refreshes + 1)
        error = max(change.plus.marginal_error, change.minus.marginal_error)
        signal = scales if roots.any() else (0.0, 0.0)
        self._warnings.check(theta, signal, error, iterations=self.iterations, epsilon=self.epsilon)
        return view

    def _sum(self, base: np.ndarray, factor: float, change: np.ndarray, roots: np.ndarray) -> sp.csr_array:
        """Return base + factor·N(change) over the scope, given the inverse roots of the row sums."""
        scope = self._scope.pattern
        out = self._workspace.result(scope.nnz)
        add_normalized(scope.blocks, scope.indptr, scope.indices, base, factor, change, roots, out)
        return scope.matrix(out)

    @property
    def view(self) -> sp.csr_array:
        """A_ as of the last refresh; A itself before the first."""
        return self.graph.adjacency if self._last is None else self._last.view

    @property
    def delta(self) -> sp.csr_array:
        """N(S∗(Δ+ − Δ−)) as of the last refresh."""
        last = self._required("delta")
        scope, roots = self._scope.pattern, last.roots
        with threads_for(self._target.pattern, scope):
            change = last.plus.on(self._scope) - last.minus.on(self._scope)
            if self.hops > 1:  # row sums of these very entries keep the last bits of embeddings
                sums = np.empty(scope.size)
                absolute_row_sums(scope.blocks, scope.indptr, change, sums)
                roots = inverse_sqrt(significant_rows(sums, self._marginal))
            return self._sum(np.zeros_like(change), 1.0, change, roots)

    @property
    def scope(self) -> sp.csr_array:
        """The scope S as a matrix of ones."""
        return self._scope.pattern.matrix(np.ones(self._scope.pattern.nnz))

    @property
    def target_matrix(self) -> sp.csr_array:
        """The target g(L)."""
        return self._target.matrix()

    def plan(self, sign: str) -> sp.csr_array:
        """Return Δ+ (``sign="+"``) or Δ− (``"-"``) of the last refresh over the scope."""
        check_choice(sign, "sign", "SpectralPair.plan", ("+", "-"))
        result = self.plus if sign == "+" else self.minus
        return self._scope.pattern.matrix(result.on(self._scope))

    def __repr__(self) -> str:
        return (
            f"SpectralPair({self.graph!r}, epsilon={self.epsilon:g}, eta={self.eta:g}, hops={self.hops}, "
            f"iterations={self.iterations}, target={self.target!r})"
        )


def _sum_of_terms(laplacian: SparseSymmetric, coefficients: tuple[float, ...]) -> float:
    """Return the sum of all entries of Σ |c_p|·|L|ᵖ: what g(L) is made of before anything cancels."""
    magnitude = laplacian.pattern.matrix(np.abs(laplacian.values))
    total = np.zeros(laplacian.pattern.size)
    for coefficient in reversed(coefficients):
        total = magnitude @ total + abs(coefficient)
    return float(total.sum())


def _require_moderate_weights(graph: Graph) -> None:
    """Refuse weights so small or large that 1/d or Σd cannot be represented."""
    lowest, highest = _WEIGHTS
    weights = graph.adjacency.data
    with np.errstate(over="ignore"):
        least, total = float(weights.min(initial=np.inf, where=weights > 0)), float(weights.sum())
    if least < lowest or total > highest:
        must = f"have weights of at least {lowest:g} that sum to at most {highest:g}"
        hint = "multiply all weights by one factor: the learnt change does not depend on it"
        got = f"weights from {least:g} on, with sum {total:g}"
        raise invalid("graph", "SpectralPair", must, got, hint=hint, error=InvalidGraphError)


def target_coefficients(target: str | Sequence[float], *, owner: str) -> tuple[float, ...]:
    """Return c0, c1, ... of a target's polynomial Σ c_p·Lᵖ."""
    if isinstance(target, str):
        return TARGETS.resolve(target, owner=owner)
    try:
        coefficients = tuple(check_real(value, "target", owner) for value in target)
    except TypeError:
        coefficients = ()
    if not coefficients:
        raise invalid("target", owner, "be a name or a sequence of polynomial coefficients", shown(target))
    return coefficients
