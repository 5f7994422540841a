"""Responses and scores from dense matrices and loops: slow, and written apart from the library."""

from __future__ import annotations

import numpy as np
import scipy.linalg


def normalised(matrix: np.ndarray) -> np.ndarray:
    sizes = np.abs((matrix + matrix.T) / 2).sum(1) if np.allclose(matrix, matrix.T) else None
    if sizes is None:
        sizes = (np.abs(matrix).sum(1) + np.abs(matrix).sum(0)) / 2
    inverse = np.array([0.0 if r == 0 else r**-0.5 for r in sizes])
    return inverse[:, None] * matrix * inverse[None, :]


def ppr(adjacency: np.ndarray, alpha: float) -> np.ndarray:
    return alpha * np.linalg.inv(np.eye(len(adjacency)) - (1 - alpha) * normalised(adjacency))


def heat(adjacency: np.ndarray, time: float) -> np.ndarray:
    return scipy.linalg.expm(time * (normalised(adjacency) - np.eye(len(adjacency))))


def dropped(adjacency: np.ndarray, rate: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    kept = np.triu(adjacency, 1) * (rng.random(adjacency.shape) >= rate)
    return kept + kept.T + np.diag(np.diag(adjacency))


def series_at(coefficients: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Σ_k coefficients[b, k]·T_k(λ − 1) at the given frequencies, (B, n)."""
    return np.array([np.polynomial.chebyshev.chebval(frequencies - 1.0, series) for series in coefficients])


def pairwise_score(frequencies: np.ndarray, difference: np.ndarray) -> float:
    """P(|Δφ_m| > |Δφ_n|) by comparing all pairs; frequencies at 1 count half on both sides."""
    total = won = 0.0
    for m, d_m in zip(frequencies, difference, strict=True):
        for n, d_n in zip(frequencies, difference, strict=True):
            m_at_one, n_at_one = abs(m - 1) <= 1e-9, abs(n - 1) <= 1e-9
            if (m_at_one and n_at_one) or (m < 1 and not m_at_one) or (n > 1 and not n_at_one):
                continue
            weight = 0.5 if m_at_one or n_at_one else 1.0
            total += weight
            won += weight * (0.5 if abs(d_m - d_n) <= 1e-12 else float(d_m > d_n))
    return won / total
