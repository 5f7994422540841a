"""Theorem 3: how far a refresh moves the plan Δ+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...graph import Graph
from .plan import DensePlan, at_most, dense_plan


@dataclass(frozen=True, eq=False)
class SinkhornBound:
    """Theorem 3 at every place where C is not 0.

    Attributes
    ----------
    rows, columns : (k,)
        The places, as node numbers.
    left : (k,)
        |α_ij·Δ_ij − Δ'_ij| with α_ij = ε/(2C_ij²).
    printed : (k,)
        The right side as printed.
    corrected : (k,)
        The corrected right side.
    log_left, log_corrected : (k,)
        |α_ij·log Δ_ij − Δ'_ij| and its bound: the corrected statement before the logarithm is replaced.
    contraction : float
        κ(K) = tanh(diameter/4).
    diameter : float
        The projective diameter of K, sup d(Ky, Ky').
    marginal_distance : float
        d(r⁰, a) + d(c⁰, b).
    mass : float
        log ΣK.
    marginal_error : float
        How far Sinkhorn's iteration still was from its limit, to which the statement refers.
    """

    rows: np.ndarray
    columns: np.ndarray
    left: np.ndarray
    printed: np.ndarray
    corrected: np.ndarray
    log_left: np.ndarray
    log_corrected: np.ndarray
    contraction: float
    diameter: float
    marginal_distance: float
    mass: float
    marginal_error: float

    @property
    def holds(self) -> np.ndarray:
        """Where the inequality holds as printed."""
        return at_most(self.left, self.printed)

    @property
    def corrected_holds(self) -> np.ndarray:
        """Where both corrected inequalities hold, which is everywhere."""
        return np.asarray(at_most(self.left, self.corrected) & at_most(self.log_left, self.log_corrected))


def hilbert_distance(x: np.ndarray, y: np.ndarray) -> float:
    """Return Hilbert's projective metric d(x, y) = log max_ik (x_i·y_k)/(y_i·x_k) of positive vectors.

    >>> import numpy as np
    >>> print(f"{hilbert_distance(np.array([1.0, 2.0]), np.array([1.0, 6.0])):.4f}")          # log 3
    1.0986
    """
    ratio = np.log(x) - np.log(y)
    return float(ratio.max() - ratio.min())


def contraction_ratio(log_kernel: np.ndarray) -> tuple[float, float]:
    """Return (κ(K), projective diameter) of a positive matrix, given its logarithm.

        κ(K) = sup d(Ky, Ky')/d(y, y') = tanh(diameter/4) = (√η − 1)/(√η + 1),   η = e^diameter
        diameter = sup d(Ky, Ky') = log max_ijkl (K_ik·K_jl)/(K_jk·K_il)

    (Birkhoff). The paper uses the diameter itself for η instead of its exponential; for a diameter below 1
    the printed ratio would be negative.

    >>> import numpy as np
    >>> contraction_ratio(np.log(np.array([[2.0, 1.0], [1.0, 2.0]])))[0]          # η = 4
    0.3333333333333333
    """
    diameter = 0.0
    for row in log_kernel:
        difference = row - log_kernel
        diameter = max(diameter, float((difference.max(axis=1) - difference.min(axis=1)).max()))
    return float(np.tanh(diameter / 4)), diameter


def sinkhorn_bound(
    graph: Graph, *, epsilon: float = 1.0, theta: float = 1.0, previous: Any = 0.5, iterations: int = 1000
) -> SinkhornBound:
    """Evaluate both sides of the bound between Δ+ and the plan Δ' before it.

        |α·Δ_ij − Δ'_ij| <= α/(ε²(1 − γ))·{d(r⁰, a) + d(c⁰, b)} + α(1 + |m_ij|/ε)      (Theorem 3, as printed)

    with α = ε/(2C_ij²), γ = κ(K) and m_ij = 2C_ij(⟨C, Δ'⟩ − C_ij·Δ'_ij).

    The corrected statements, with R = {d(r⁰, a) + d(c⁰, b)}/(1 − γ), are

        |α·log Δ_ij − Δ'_ij| <= α(R + |log ΣK| + |m_ij|/ε)
        |α·Δ_ij − Δ'_ij| <= α(R + |log ΣK| + |m_ij|/ε + Δ_ij − log Δ_ij)

    Both hold in the limit of Sinkhorn's iteration; ``marginal_error`` says how close it came.
    docs/theory.md shows which steps of the printed proof fail.

    Parameters
    ----------
    previous : float or (N, N)
        Δ', the plan of the refresh before.

    Examples
    --------
    >>> import spco
    >>> from spco.spectral.theory import sinkhorn_bound
    >>> edge = spco.Graph([[0, 1], [1, 0]])
    >>> found = sinkhorn_bound(edge, epsilon=0.1, previous=[[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
    >>> found.holds.tolist(), found.corrected_holds.tolist()
    ([False, True, True, False], [True, True, True, True])
    """
    solved = dense_plan(graph, epsilon, theta, previous, iterations, owner="sinkhorn_bound")
    contraction, diameter = contraction_ratio(solved.log_kernel)
    distance, mass = _start(solved)
    # 1 − tanh(x) = 2/(1 + e^2x), without the cancellation
    with np.errstate(over="ignore"):
        spread = distance * (1.0 + np.exp(diameter / 2)) / 2 if distance > 0 else 0.0
    rows, columns = np.nonzero(solved.cost)
    cost, before = solved.cost[rows, columns], solved.previous[rows, columns]
    log_plan = solved.log_plan[rows, columns]
    plan = np.exp(log_plan)
    alpha = solved.epsilon / (2.0 * cost**2)
    others = np.abs(2.0 * cost * (solved.overlap - cost * before))
    common = spread + abs(mass) + others / solved.epsilon
    return SinkhornBound(
        rows=solved.nodes[rows],
        columns=solved.nodes[columns],
        left=np.abs(alpha * plan - before),
        printed=alpha * (spread / solved.epsilon**2 + 1.0 + others / solved.epsilon),
        corrected=alpha * (common + plan - log_plan),
        log_left=np.abs(alpha * log_plan - before),
        log_corrected=alpha * common,
        contraction=contraction,
        diameter=diameter,
        marginal_distance=distance,
        mass=mass,
        marginal_error=solved.marginal_error,
    )


def _start(solved: DensePlan) -> tuple[float, float]:
    """Return d(r⁰, a) + d(c⁰, b) and log ΣK, all in logarithms."""
    peak = solved.log_kernel.max()
    kernel = np.exp(solved.log_kernel - peak)
    distance = sum(hilbert_distance(kernel.sum(axis=axis), solved.marginal) for axis in (1, 0))
    return float(distance), float(np.log(kernel.sum()) + peak)
