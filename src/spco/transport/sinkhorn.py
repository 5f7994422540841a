"""Sinkhorn's iteration (Algorithm 1 of the paper) on a kernel that is one almost everywhere."""

from __future__ import annotations

import numpy as np

from .._validation import check_choice, check_integer, check_real, invalid
from ..errors import InvalidParameterError
from .plain import scale_plain, starts_plain
from .plan import SinkhornResult, StructuredKernel
from .shifted import solve_shifted


def sinkhorn(
    kernel: StructuredKernel,
    a: np.ndarray,
    b: np.ndarray,
    *,
    iterations: int = 3,
    log_domain: bool | str = "auto",
    tolerance: float = 1e-9,
) -> SinkhornResult:
    """Scale K to the marginals a and b.

        u ← 1/N;   repeat ``iterations`` times: v ← b / Kᵀu, u ← a / Kv;   v ← b / Kᵀu

    Entries of a and b that are 0 (nodes without edges) get scaling 0. ``log_domain="auto"`` works on plain
    numbers while that is accurate and on shifted exponents otherwise; the two agree where both are finite.

    Parameters
    ----------
    kernel : StructuredKernel
    a, b : (N,) non-negative, with equal sums
    iterations : int >= 1
    log_domain : "auto", True or False
    tolerance : float
        What ``marginal_error`` may be for the result to count as converged.

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.linalg import normalized_laplacian
    >>> from spco.transport import StructuredKernel, sinkhorn
    >>> path = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> a = path.degrees / path.degrees.sum()
    >>> result = sinkhorn(StructuredKernel(normalized_laplacian(path.adjacency), 0.5), a, a, iterations=50)
    >>> result.converged
    True

    References
    ----------
    Algorithm 1 of the paper; Cuturi, *Sinkhorn distances*, NeurIPS 2013.
    """
    check_integer(iterations, "iterations", "sinkhorn", minimum=1)
    check_choice(log_domain, "log_domain", "sinkhorn", ("auto", True, False))
    check_real(tolerance, "tolerance", "sinkhorn", minimum=0)
    same = b is a
    a = checked_marginal(a, "a", kernel.cost.pattern.size)
    b = a if same else checked_marginal(b, "b", kernel.cost.pattern.size)
    if not a.any():
        return _empty_plan(kernel, tolerance, iterations)
    if starts_plain(kernel, log_domain):
        scaling = scale_plain(kernel, a, b, iterations)
        if scaling.accurate or log_domain is False:
            return scaling.plan(a, tolerance)
    return solve_shifted(kernel, a, b, iterations, tolerance)


def checked_marginal(values: np.ndarray, name: str, size: int) -> np.ndarray:
    """Return a marginal as a writeable float64 array: a read-only one would compile every kernel anew."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise invalid(name, "sinkhorn", f"have one entry per row ({size})", f"shape {array.shape}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise invalid(name, "sinkhorn", "be finite and >= 0", "other values", error=InvalidParameterError)
    return array if array.flags.writeable else array.copy()


def _empty_plan(kernel: StructuredKernel, tolerance: float, iterations: int) -> SinkhornResult:
    """The plan of a graph without edges: no mass anywhere."""
    nothing = np.zeros(kernel.cost.pattern.size)
    return SinkhornResult(
        kernel, nothing, nothing, nothing, nothing, 0.0, 0.0, tolerance, iterations, log_domain=False
    )
