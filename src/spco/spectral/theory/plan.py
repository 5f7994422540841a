"""One refresh of Δ+ spelt out densely, for Theorems 2 and 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._validation import check_integer, check_real, invalid
from ...errors import InvalidGraphError
from ...graph import Graph
from ...linalg import normalized_laplacian
from ...transport import StructuredKernel, sinkhorn

# Everything here is dense, and Theorem 3 compares all pairs of rows.
_MOST_NODES = 1000
_ROUNDING = 1e-9


def at_most(left: Any, right: Any) -> np.ndarray:
    """Whether left <= right, up to the rounding of sums over all nodes."""
    return np.asarray(left <= right + _ROUNDING * np.maximum(1.0, np.abs(right)))


@dataclass(frozen=True, eq=False)
class DensePlan:
    """Δ = diag(e^f/ε)·exp(2⟨C, Δ'⟩C/ε)·diag(e^g/ε) over the nodes that have edges.

    Attributes
    ----------
    nodes : (n,)
        The nodes with edges, to which all arrays below refer.
    cost : (n, n)
        C = θ·L.
    previous : (n, n)
        Δ'.
    overlap : float
        ⟨C, Δ'⟩ over all nodes; a node without edges has a diagonal entry in C, too.
    log_kernel, log_plan : (n, n)
    marginal : (n,)
        a = b.
    marginal_error : float
        L1 distance of the row sums from a.
    """

    nodes: np.ndarray
    epsilon: float
    cost: np.ndarray
    previous: np.ndarray
    overlap: float
    log_kernel: np.ndarray
    log_plan: np.ndarray
    marginal: np.ndarray
    marginal_error: float

    @property
    def plan(self) -> np.ndarray:
        """Δ."""
        return np.asarray(np.exp(self.log_plan))


def dense_plan(
    graph: Graph, epsilon: float, theta: float, previous: Any, iterations: int, *, owner: str
) -> DensePlan:
    """Solve for Δ+ given Δ' (a number means that number everywhere)."""
    epsilon = check_real(epsilon, "epsilon", owner, above=0)
    theta = check_real(theta, "theta", owner, above=0)
    check_integer(iterations, "iterations", owner, minimum=1)
    nodes = np.flatnonzero(graph.degrees > 0)
    if not 1 <= len(nodes) <= _MOST_NODES:
        must = f"have between 1 and {_MOST_NODES} nodes with edges"
        raise invalid("graph", owner, must, str(len(nodes)), error=InvalidGraphError)
    laplacian = normalized_laplacian(graph.adjacency)
    keep = np.ix_(nodes, nodes)
    cost = theta * laplacian.matrix().toarray()
    previous = _previous(previous, graph.num_nodes, owner)
    overlap = float(np.vdot(cost, previous))
    cost, previous, scale = cost[keep], previous[keep], 2.0 * overlap / epsilon
    marginal = graph.degrees / graph.degrees.sum()
    solved = sinkhorn(StructuredKernel(laplacian, scale * theta), marginal, marginal, iterations=iterations)
    row, column = (
        np.log(x[nodes]) + shift[nodes]
        for x, shift in ((solved.u, solved.u_shift), (solved.v, solved.v_shift))
    )
    log_kernel = scale * cost
    return DensePlan(
        nodes=nodes,
        epsilon=epsilon,
        cost=cost,
        previous=previous,
        overlap=overlap,
        log_kernel=log_kernel,
        log_plan=row[:, None] + log_kernel + column[None, :],
        marginal=marginal[nodes],
        marginal_error=solved.marginal_error,
    )


def _previous(given: Any, size: int, owner: str) -> np.ndarray:
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape not in ((), (size, size)) or not np.isfinite(array).all() or (array < 0).any():
        must = f"be a number >= 0 or a ({size}, {size}) matrix of such"
        raise invalid("previous", owner, must, f"shape {array.shape}")
    return np.broadcast_to(array, (size, size))
