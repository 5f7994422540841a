"""Softmax regression by Newton's method: for few columns of scales that slow L-BFGS down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import log_softmax

#: The most coefficients: each step solves a system of as many unknowns.
MOST_COEFFICIENTS = 256
_MOST_STEPS, _MOST_HALVINGS = 100, 40
_SUFFICIENT = 1e-4  # the share of the predicted decrease that a step must bring
_ROUNDING = 1e-13  # a predicted decrease below this share of the objective is lost in rounding
_JITTER = 1e-12


@dataclass(frozen=True, eq=False)
class SoftmaxProblem:
    """f(θ) = λ/2·‖w‖² + C·Σ_i −log softmax(⟨w_c, z_i⟩ + b_c)[y_i], with θ_c = (w_c, b_c).

    Attributes
    ----------
    rows : (n, d) array
    classes : (n,) int
        Class numbers 0, ..., K-1.
    count : int
        K.
    C : float
    """

    rows: np.ndarray
    classes: np.ndarray
    count: int
    C: float

    @property
    def penalty(self) -> float:
        """λ: with two classes scikit-learn penalises the difference of their coefficients, not both."""
        return 2.0 if self.count == 2 else 1.0

    def solved(self, start: np.ndarray, tolerance: float) -> np.ndarray:
        """Return the minimiser, (K, d + 1), from a start; the gradient of f/(C·n) is below ``tolerance``."""
        found = np.zeros_like(start)
        value, log_shares = self._value(found)
        if self._value(start)[0] < value:  # otherwise it may lie where all probabilities are 0 or 1
            found = start.copy()
            value, log_shares = self._value(found)
        for _ in range(_MOST_STEPS):
            gradient = self._gradient(found, log_shares)
            if np.abs(gradient).max() <= tolerance * self.C * len(self.rows):
                break
            step = self._step(gradient, log_shares)
            decrease = float((gradient * step).sum())
            if decrease <= _ROUNDING * abs(value):
                break
            length = self._length(found, step, value, decrease)
            if length == 0:
                break
            found -= length * step
            value, log_shares = self._value(found)
        return found

    def _value(self, coefficients: np.ndarray) -> tuple[float, np.ndarray]:
        """Return f and the logarithms of the probabilities, (n, K)."""
        scores = self.rows @ coefficients[:, :-1].T + coefficients[:, -1]
        log_shares: np.ndarray = log_softmax(scores, axis=1)
        loss = -log_shares[np.arange(len(self.rows)), self.classes].sum()
        return self.C * loss + self.penalty / 2 * float((coefficients[:, :-1] ** 2).sum()), log_shares

    def _gradient(self, coefficients: np.ndarray, log_shares: np.ndarray) -> np.ndarray:
        errors = np.exp(log_shares)
        errors[np.arange(len(self.rows)), self.classes] -= 1
        gradient = self.C * np.column_stack([errors.T @ self.rows, errors.sum(axis=0)])
        gradient[:, :-1] += self.penalty * coefficients[:, :-1]
        return gradient

    def _step(self, gradient: np.ndarray, log_shares: np.ndarray) -> np.ndarray:
        """Return H⁻¹·gradient; H has nothing against a number added to all b_c, and gets something."""
        hessian = self._hessian(np.exp(log_shares))
        jitter = _JITTER * max(1.0, hessian.trace() / len(hessian))
        while True:
            try:
                factor = cho_factor(hessian + jitter * np.eye(len(hessian)))
                break
            except LinAlgError:
                jitter *= 100
        step: np.ndarray = cho_solve(factor, gradient.ravel()).reshape(gradient.shape)
        return step

    def _hessian(self, shares: np.ndarray) -> np.ndarray:
        """Return the (K·(d+1))² second derivatives: C·Σ_i p_k·(δ_kl − p_l)·(z_i, 1)(z_i, 1)ᵀ, and λ for w."""
        wide = np.column_stack([self.rows, np.ones(len(self.rows))])
        size = wide.shape[1]
        hessian = np.empty((self.count, size, self.count, size))
        for k in range(self.count):
            for other in range(k + 1):
                weights = shares[:, k] * ((k == other) - shares[:, other])
                block = self.C * (wide.T * weights) @ wide
                hessian[k, :, other] = hessian[other, :, k] = block
            hessian[k, range(size - 1), k, range(size - 1)] += self.penalty
        return hessian.reshape(self.count * size, -1)

    def _length(self, start: np.ndarray, step: np.ndarray, value: float, decrease: float) -> float:
        """Return the first of 1, ½, ¼, ... that brings a share of the predicted decrease; 0 if none does."""
        length = 1.0
        for _ in range(_MOST_HALVINGS):
            if self._value(start - length * step)[0] <= value - _SUFFICIENT * length * decrease:
                return length
            length /= 2
        return 0.0
