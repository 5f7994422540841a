"""SPAN's views: edges flipped so that the norm of the eigenvalues of Â grows, or shrinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from ..spectral.eigenvalue_norm import EigenvalueNorm, eigenvalue_norm
from . import kernels
from .absent_pairs import Ranking
from .flips import FlippingView, Flips, ListedPairs, SumRule, off_diagonal
from .parameters import choice, probability, whole

DIRECTIONS = ("max", "min")
# Gains below this share of the largest possible one are rounding errors; on regular graphs all of them are.
_ROUNDING = 1e-12
# The step that makes every gain a certain flip.
_LONGEST_STEP = 1e300
_SEARCH_STEPS = 100


@dataclass(frozen=True)
class SPAN(FlippingView):
    """Flip pairs of nodes by how much that moves ‖eig(Â)‖₂ in a ``direction``, "max" or "min".

        maximise ±‖Â(A + C∗Δ)‖_F  over  0 <= Δ_pq <= 1,  Σ_{p<q} Δ_pq <= p·(number of edges)
        V = A + C∗F,   F_pq = F_qp ~ Bernoulli(Δ_pq),   C_pq = −A_pq on edges, the mean weight elsewhere

    Δ comes from projected gradient steps from Δ = 0, Δ ← min(1, Δ + t·max(0, ±C∗∂‖Â‖_F/∂A)), whose lengths t
    spend equal parts of the budget. "max" takes ``steps`` of them; it only drops edges, because joining two
    nodes always shrinks the norm, and leaves of hubs lose theirs first. "min" takes one, because after it
    every absent pair has a probability of its own; it mostly joins nodes with few neighbours to random
    others. If the flips that move the norm the right way are fewer than the budget, all of them are made.
    Self loops stay, and weights count by absolute value. docs/theory.md has the formulas and measurements.

    The derivative needs no eigenvalue (:func:`spco.spectral.eigenvalue_norm`), and absent pairs are drawn by
    a number per node, so that everything takes O(edges). SPAN itself decomposes N×N matrices, starts at a
    random Δ, takes steps of a given length and projects them on the budget; its C is 1 − 2A, which is ours
    for a graph without weights.

    Source: SPAN (Lin, Chen and Wang, 2023), Section 4, and its published code.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("digits")
    >>> rng = np.random.default_rng(0)
    >>> norms = [spco.spectral.eigenvalue_norm(SPAN(0.2, direction=direction)(graph, rng=rng).matrix).norm
    ...          for direction in ("max", "min")]
    >>> bool(norms[1] < spco.spectral.eigenvalue_norm(graph.adjacency).norm < norms[0])
    True
    """

    name = "span"
    p: float = probability(0.2)
    direction: str = choice("max", DIRECTIONS)
    steps: int = whole(10, minimum=1)

    def flips_of(self, matrix: sp.csr_array) -> Flips:
        """Return the probabilities Δ."""
        weights, (rows, is_edge) = np.abs(matrix.data), off_diagonal(matrix)
        edges = int(is_edge.sum()) / 2
        if edges == 0:
            return Flips(matrix, np.zeros(matrix.nnz))
        absolute = sp.csr_array((weights, matrix.indices, matrix.indptr), shape=matrix.shape)
        if self.direction == "max":
            return Flips(matrix, _dropped(absolute, is_edge, self.p * edges, self.steps))
        norm, weight = eigenvalue_norm(absolute), float(weights[is_edge].mean())
        rho, dropping = norm.concentration, _DropGains.of(norm, weights, is_edge, np.zeros(matrix.nnz))
        joining = _JoinGains(Ranking.of(rho), (rho[rows] + rho[matrix.indices])[is_edge], weight / norm.norm)
        step = _step_length(self.p * edges, dropping, joining)
        return Flips(
            matrix, dropping.after(step), weight, *_joined(joining.ranking, step * joining.factor, matrix)
        )


def _dropped(absolute: sp.csr_array, is_edge: np.ndarray, budget: float, steps: int) -> np.ndarray:
    """Return the probabilities of dropping each entry after so many steps that enlarge the norm."""
    dropped = np.zeros(absolute.nnz)
    for _ in range(steps):
        weights = absolute.data * (1.0 - dropped)
        thinned = sp.csr_array((weights, absolute.indices, absolute.indptr), shape=absolute.shape)
        dropping = _DropGains.of(eigenvalue_norm(thinned), -absolute.data, is_edge, dropped)
        dropped = dropping.after(_step_length(budget / steps, dropping))
    return dropped


@dataclass(frozen=True, eq=False)
class _DropGains:
    """The gains of dropping edges, and the probabilities so far; (nnz,), both directions of each edge."""

    gains: np.ndarray
    dropped: np.ndarray

    @classmethod
    def of(
        cls, norm: EigenvalueNorm, change: np.ndarray, is_edge: np.ndarray, dropped: np.ndarray
    ) -> _DropGains:
        """Return the gains max(0, change·gradient) of the edges whose probability is below 1."""
        gains, smallest = np.empty(len(change)), _ROUNDING * float(norm.concentration.max())
        kernels.positive_gains(norm.gradient, change, is_edge, dropped, smallest, gains)
        return cls(gains, dropped)

    def after(self, step: float) -> np.ndarray:
        """Return the probabilities after a step."""
        return np.minimum(self.dropped + step * self.gains, 1.0)

    @property
    def total(self) -> float:
        """The sum of the gains over edges."""
        return float(self.gains.sum()) / 2

    def certain(self, step: float) -> tuple[float, float]:
        """Return how much the edges that a step makes certain take of the budget, and their gains."""
        filled, gained = kernels.certain_gains(self.gains, self.dropped, step)
        return filled / 2, gained / 2


@dataclass(frozen=True, eq=False)
class _JoinGains:
    """The gains of joining absent pairs: factor·(sum of the two values).

    ``taken`` holds the sums of the pairs that are edges, both directions of each.
    """

    ranking: Ranking
    taken: np.ndarray
    factor: float

    @property
    def total(self) -> float:
        """Their sum over absent pairs."""
        return self._total(np.arange(1, self.ranking.size + 1), self.taken)

    def certain(self, step: float) -> tuple[float, float]:
        """Return the number of absent pairs with step·gain >= 1, and the sum of their gains."""
        limit = 1.0 / (step * self.factor)
        begins, taken = self.ranking.begins_of_sums(limit), self.taken[self.taken >= limit]
        return float((self.ranking.size - begins).sum()) - len(taken) / 2, self._total(begins, taken)

    def _total(self, begins: np.ndarray, taken: np.ndarray) -> float:
        return max(0.0, self.factor * (self.ranking.total_of_sums(begins) - float(taken.sum()) / 2))


def _step_length(budget: float, *kinds: _DropGains | _JoinGains) -> float:
    """Return the t with ΣΔ = budget for the Δ that a step adds, or one that makes all flips certain.

    The sum is concave in t, so Newton's steps from below never go too far. A step that makes no more flips
    certain is the last one.
    """
    total = sum(kind.total for kind in kinds)
    count, gained, step = 0.0, 0.0, 0.0
    for _ in range(_SEARCH_STEPS):
        if total - gained <= _ROUNDING * total:
            return _LONGEST_STEP if budget > count else step
        step = max(step, (budget - count) / (total - gained))
        if step == 0.0:
            break
        found = [kind.certain(step) for kind in kinds]
        before, count, gained = count, sum(pair[0] for pair in found), sum(pair[1] for pair in found)
        if count <= before:
            break
    return step


def _joined(
    ranking: Ranking, factor: float, matrix: sp.csr_array
) -> tuple[ListedPairs | None, SumRule | None]:
    """Return absent pairs with probability min(1, factor·(sum of their values)).

    At most twice the expected number of them, and edges, are likelier than ½; those are listed.
    """
    if factor == 0.0:
        return None, None
    begins = ranking.begins_of_sums(0.5 / factor)
    likely = ranking.listed(begins, np.full(ranking.size, ranking.size)).absent_from(Pattern.of(matrix))
    values = np.empty(ranking.size)
    values[ranking.order] = ranking.values
    probabilities = np.minimum(factor * (values[likely.low] + values[likely.high]), 1.0)
    return ListedPairs(likely, probabilities), SumRule(ranking, begins, factor)
