"""The baseline: one refresh with every matrix as a dense N×N array, as the paper prints it."""

from __future__ import annotations

import numpy as np

from ..graph import Graph
from ..linalg import normalized_laplacian


class DensePair:
    """Algorithm 1 and the view in plain NumPy; needs 6·N² numbers."""

    def __init__(self, graph: Graph, *, epsilon: float, eta: float, iterations: int) -> None:
        self.adjacency = graph.adjacency.toarray()
        self.laplacian = normalized_laplacian(graph.adjacency).matrix().toarray()
        self.scope = (self.adjacency > 0) | np.eye(graph.num_nodes, dtype=bool)
        self.marginal = graph.degrees / graph.degrees.sum()
        self.epsilon, self.eta, self.iterations = epsilon, eta, iterations
        self.plus = np.full_like(self.laplacian, 0.5)
        self.minus = self.plus.copy()

    def refresh(self, theta: float) -> np.ndarray:
        """Return the view A_, having learnt both plans anew."""
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
