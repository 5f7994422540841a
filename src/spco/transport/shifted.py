"""Sinkhorn's iteration on mantissas and exponents (log domain)."""

from __future__ import annotations

import numpy as np

from . import shifted_kernels as kernels
from .plan import SinkhornResult, StructuredKernel, plan_entries


def solve_shifted(
    kernel: StructuredKernel, a: np.ndarray, b: np.ndarray, iterations: int, tolerance: float
) -> SinkhornResult:
    """Run on mantissas and exponents, so that no exponential is ever larger than 1."""
    pattern = kernel.cost.pattern
    u, u_shift = np.full(pattern.size, 1.0 / pattern.size), np.zeros(pattern.size)
    v, v_shift = _shifted_half_step(kernel, u, u_shift, b)
    for _ in range(iterations):
        u, u_shift = _shifted_half_step(kernel, v, v_shift, a)
        v, v_shift = _shifted_half_step(kernel, u, u_shift, b)

    error = _shifted_marginal_error(kernel, u, u_shift, v, v_shift, a)
    entries = plan_entries(kernel, u, u_shift, v, v_shift)
    overlap = float((kernel.cost.values * entries).sum())
    return SinkhornResult(
        kernel, u, v, u_shift, v_shift, overlap, error, tolerance, iterations, log_domain=True
    )


def _shifted_half_step(
    kernel: StructuredKernel, vector: np.ndarray, shift: np.ndarray, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    pattern = kernel.cost.pattern
    out, out_shift = np.empty(pattern.size), np.empty(pattern.size)
    step = (pattern.indptr, pattern.indices, kernel.cost.values, kernel.scale, vector, shift, target)
    if kernels.shifted_half_step(pattern.blocks, *step, out, out_shift):
        rows = np.flatnonzero(np.isnan(out))
        kernels.shifted_rows_exactly(rows, *step, *kernels.exponential_tree(vector, shift), out, out_shift)
    return out, out_shift


def _shifted_marginal_error(
    kernel: StructuredKernel,
    u: np.ndarray,
    u_shift: np.ndarray,
    v: np.ndarray,
    v_shift: np.ndarray,
    a: np.ndarray,
) -> float:
    used = a > 0
    inverse, inverse_shift = _shifted_half_step(kernel, v, v_shift, used.astype(np.float64))
    rows = u[used] / inverse[used] * np.exp(u_shift[used] - inverse_shift[used])
    return float(np.abs(rows - a[used]).sum())
