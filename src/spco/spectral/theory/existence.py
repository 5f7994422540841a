"""Theorem 2: when the objective has a maximum in one entry of Δ+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._validation import check_real, invalid
from ...graph import Graph
from .plan import dense_plan


@dataclass(frozen=True, eq=False)
class ExistenceConditions:
    """Theorem 2, entry by entry.

        f(Δ) = ∂J/∂Δ = s + 2C²Δ − ε·log Δ   on (0, 1),   s = f_i + g_j + m_ij

    Attributes
    ----------
    squares : array
        C².
    offset : array
        s.
    epsilon : float
    """

    squares: np.ndarray
    offset: np.ndarray
    epsilon: float

    @property
    def first(self) -> np.ndarray:
        """Where condition (1) is met."""
        return np.asarray(self.squares < -self.offset / 2)

    def second(self, divisor: float) -> np.ndarray:
        """Return where condition (2) is met; the divisor of its exponent is ε, or 2 as printed."""
        with np.errstate(over="ignore"):  # an infinite limit is no limit
            limit = self.epsilon / 2 * np.exp(-(self.offset + self.epsilon) / divisor)
        return np.asarray((self.squares > self.epsilon / 2) & (self.squares < limit))

    @property
    def printed(self) -> np.ndarray:
        """Where the theorem as printed promises a maximum."""
        return np.asarray(self.first | self.second(2.0))

    @property
    def exists(self) -> np.ndarray:
        """Where there is one: condition (1) or the corrected (2)."""
        return np.asarray(self.first | self.second(self.epsilon))

    @property
    def printed_fails(self) -> np.ndarray:
        """Where the two differ."""
        return np.asarray(self.printed != self.exists)


def stationary_points(squares: Any, offset: Any, epsilon: float) -> ExistenceConditions:
    """Evaluate both conditions for given C² and s = f_i + g_j + m_ij.

    f is strictly convex, falls from +∞ at 0 and has its least value, s + ε + ε·log(2C²/ε), at ε/2C². So it
    turns from positive to negative within (0, 1), which makes a local maximum of J, if and only if

        (1)  C² < −s/2                                    that is f(1) < 0, and then it is the only one, or
        (2)  ε/2 < C² < ε/2·exp(−(s + ε)/ε)               the least value is negative and inside.

    The paper prints exp(−(s + ε)/2) in (2), which is right for ε = 2 only; see docs/theory.md.

    Examples
    --------
    >>> from spco.spectral.theory import stationary_points
    >>> found = stationary_points(1.0, offset=-1.9, epsilon=1.0)     # f(0.5) = −1.9 + 1 + log 2 < 0
    >>> bool(found.exists), bool(found.printed)
    (True, False)
    """
    epsilon = check_real(epsilon, "epsilon", "stationary_points", above=0)
    squares, offset = np.broadcast_arrays(
        np.asarray(squares, dtype=np.float64), np.asarray(offset, dtype=np.float64)
    )
    if (squares < 0).any():
        raise invalid("squares", "stationary_points", "be >= 0", f"{squares.min():g}")
    return ExistenceConditions(squares, offset, epsilon)


def existence_conditions(
    graph: Graph, *, epsilon: float = 1.0, theta: float = 1.0, previous: Any = 0.5, iterations: int = 1000
) -> ExistenceConditions:
    """Evaluate Theorem 2 at the plan Δ+ that Sinkhorn's iteration gives for a graph.

    The conditions are those of :func:`stationary_points` with C = θ·L, f = ε·log u, g = ε·log v and
    m_ij = 2C_ij(⟨C, Δ+⟩ − C_ij·Δ+_ij). The arrays of the result cover all pairs of nodes that have edges.
    ``previous`` is Δ', the plan of the refresh before: a number or an (N, N) array.

    Examples
    --------
    >>> import spco
    >>> from spco.spectral.theory import existence_conditions
    >>> triangle = spco.Graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> bool(existence_conditions(triangle).exists.all())
    True
    """
    solved = dense_plan(graph, epsilon, theta, previous, iterations, owner="existence_conditions")
    plan, cost = solved.plan, solved.cost
    others = 2.0 * cost * (float(np.vdot(cost, plan)) - cost * plan)
    offset = solved.epsilon * (solved.log_plan - solved.log_kernel) + others
    return stationary_points(cost**2, offset, solved.epsilon)
