"""SpCo as the paper prints it, on dense N×N arrays: slow, and written apart from the library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def dense_laplacian(adjacency: np.ndarray) -> np.ndarray:
    degrees = adjacency.sum(1)
    inverse = np.array([0.0 if d == 0 else d**-0.5 for d in degrees])
    return np.eye(len(adjacency)) - inverse[:, None] * adjacency * inverse[None, :]


def dense_target(adjacency: np.ndarray, coefficients: tuple[float, ...]) -> np.ndarray:
    laplacian = dense_laplacian(adjacency)
    return sum(c * np.linalg.matrix_power(laplacian, p) for p, c in enumerate(coefficients))


def algorithm_1(kernel: np.ndarray, a: np.ndarray, b: np.ndarray, iterations: int) -> np.ndarray:
    size = len(a)
    u = np.full(size, 1.0 / size)
    for _ in range(iterations):
        u = a / (kernel @ (b / (kernel.T @ u)))  # 1 / (diag(1/a)·K·...), which has no limit trouble at a = 0
    v = b / (kernel.T @ u)
    return u[:, None] * kernel * v[None, :]


def log_sum_exp(values: np.ndarray, axis: int) -> np.ndarray:
    peak = values.max(axis=axis, keepdims=True)
    peak = np.where(np.isfinite(peak), peak, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(values - peak).sum(axis=axis)) + np.squeeze(peak, axis)


def algorithm_1_log(exponents: np.ndarray, a: np.ndarray, b: np.ndarray, iterations: int) -> np.ndarray:
    with np.errstate(divide="ignore"):
        log_a, log_b = np.log(a), np.log(b)
    f = np.full(len(a), -np.log(len(a)))
    for _ in range(iterations):
        g = log_b - log_sum_exp(exponents.T + f[None, :], 1)
        f = log_a - log_sum_exp(exponents + g[None, :], 1)
    g = log_b - log_sum_exp(exponents.T + f[None, :], 1)
    return np.exp(f[:, None] + exponents + g[None, :])


def hops_scope(adjacency: np.ndarray, hops: int) -> np.ndarray:
    return np.linalg.matrix_power((adjacency > 0) + np.eye(len(adjacency)), hops) > 0


@dataclass
class DensePair:
    """Algorithm 2's view learner with every matrix spelt out."""

    adjacency: np.ndarray
    epsilon: float
    eta: float
    hops: int
    iterations: int
    coefficients: tuple[float, ...]
    in_log_domain: bool = False

    def __post_init__(self) -> None:
        size = len(self.adjacency)
        self.marginal = self.adjacency.sum(1) / self.adjacency.sum()
        self.g = dense_target(self.adjacency, self.coefficients)
        self.plus = np.full((size, size), 0.5)
        self.minus = np.full((size, size), 0.5)
        self.scope = hops_scope(self.adjacency, self.hops)

    def plan(self, exponents: np.ndarray) -> np.ndarray:
        a = self.marginal
        if self.in_log_domain:
            return algorithm_1_log(exponents, a, a, self.iterations)
        return algorithm_1(np.exp(exponents), a, a, self.iterations)

    def refresh(self, theta: float) -> np.ndarray:
        c = theta * self.g
        self.scales = (
            2 * (c * self.plus).sum() / self.epsilon,
            2 * (c * self.minus).sum() / self.epsilon,
        )
        self.plus = self.plan(self.scales[0] * c)
        self.minus = self.plan(-self.scales[1] * c)
        difference = self.scope * (self.plus - self.minus)
        r = np.abs(difference).sum(1)
        with np.errstate(divide="ignore"):
            inverse = np.where(r > 0, r**-0.5, 0.0)
        self.delta = inverse[:, None] * difference * inverse[None, :]
        return self.adjacency + self.eta * self.delta
