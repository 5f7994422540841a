"""Sinkhorn's iteration (Algorithm 1 of the paper) on a kernel that is one almost everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._validation import check_choice, check_integer, check_real, invalid
from ..errors import InvalidParameterError, NonFinitePlanError
from ..linalg import Pattern, SparseSymmetric
from ..linalg.fastmath import LARGEST_EXPONENT
from . import kernels

# Kernel mode holds u, v and K apart; each stays within exp(±3·limit), far inside float64.
_LARGEST_PLAIN_EXPONENT = 200.0
# (Kv)_i / Σv below this has lost more than four digits to cancellation.
_SMALLEST_RATIO = 1e-4


@dataclass(frozen=True, eq=False)
class StructuredKernel:
    """K = exp(scale·C) for a sparse symmetric C: ones plus something sparse.

    K equals 1 wherever C is 0, so K = 11ᵀ + E with E = expm1(scale·C) on C's pattern, and
    K·v = Σv + E·v costs one sparse pass.
    """

    cost: SparseSymmetric
    scale: float

    @property
    def largest_exponent(self) -> float:
        """The largest |scale·C|."""
        return abs(self.scale) * self.cost.largest


@dataclass(frozen=True, eq=False)
class SinkhornResult:
    """The plan Δ = diag(u·e^u_shift)·K·diag(v·e^v_shift) and how far its marginals are off.

    Attributes
    ----------
    u, v, u_shift, v_shift : (N,)
        Scalings as mantissa and exponent; the shifts are 0 in kernel mode.
    entries : (nnz,)
        The plan on the kernel's own pattern.
    overlap : float
        ⟨C, Δ⟩.
    marginal_error : float
        L1 distance of the row sums from ``a``; the column sums are ``b`` by construction.
    converged : bool
        Whether ``marginal_error`` is at most ``tolerance``.
    log_domain : bool
        Whether the shifted (log) domain was used.
    """

    kernel: StructuredKernel
    u: np.ndarray
    v: np.ndarray
    u_shift: np.ndarray
    v_shift: np.ndarray
    entries: np.ndarray
    overlap: float
    marginal_error: float
    tolerance: float
    iterations: int
    log_domain: bool

    @property
    def converged(self) -> bool:
        return self.marginal_error <= self.tolerance

    def on(self, scope: Pattern) -> np.ndarray:
        """Return the plan's values at the places of ``scope``; elsewhere it is never formed."""
        own = self.kernel.cost.pattern
        if scope is own:
            return self.entries
        out = np.empty(scope.nnz)
        kernels.plan_on_scope(
            scope.blocks,
            scope.indptr,
            scope.indices,
            own.indptr,
            own.indices,
            self.entries,
            self.u,
            self.u_shift,
            self.v,
            self.v_shift,
            out,
        )
        return out

    def matrix_on(self, scope: Pattern) -> sp.csr_array:
        """Return the plan at the places of ``scope`` as a CSR matrix."""
        return scope.matrix(self.on(scope))


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
    a = _marginal(a, "a", kernel.cost.pattern.size)
    b = a if same else _marginal(b, "b", kernel.cost.pattern.size)
    if not a.any():
        return _empty_plan(kernel, tolerance, iterations)
    if log_domain is True:
        return _solve_shifted(kernel, a, b, iterations, tolerance)
    if log_domain == "auto" and kernel.largest_exponent > _LARGEST_PLAIN_EXPONENT:
        return _solve_shifted(kernel, a, b, iterations, tolerance)
    if kernel.largest_exponent > LARGEST_EXPONENT:
        raise _overflow(kernel)
    result, accurate = _solve_plain(kernel, a, b, iterations, tolerance)
    if log_domain == "auto" and not accurate:
        return _solve_shifted(kernel, a, b, iterations, tolerance)
    if not np.isfinite(result.overlap) or not np.isfinite(result.marginal_error):
        raise _overflow(kernel)
    return result


def _overflow(kernel: StructuredKernel) -> NonFinitePlanError:
    return NonFinitePlanError(
        f"The plan overflowed in kernel mode: its largest exponent is {kernel.largest_exponent:.3g}.\n"
        "hint: log_domain='auto' switches to the log domain when it is needed"
    )


def _marginal(values: np.ndarray, name: str, size: int) -> np.ndarray:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise invalid(name, "sinkhorn", f"have one entry per row ({size})", f"shape {array.shape}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise invalid(name, "sinkhorn", "be finite and >= 0", "other values", error=InvalidParameterError)
    return array if array.flags.writeable else array.copy()


def _empty_plan(kernel: StructuredKernel, tolerance: float, iterations: int) -> SinkhornResult:
    """The plan of a graph without edges: no mass anywhere."""
    nothing = np.zeros(kernel.cost.pattern.size)
    entries = np.zeros(kernel.cost.pattern.nnz)
    return SinkhornResult(
        kernel, nothing, nothing, nothing, nothing, entries, 0.0, 0.0, tolerance, iterations, log_domain=False
    )


def _solve_plain(
    kernel: StructuredKernel, a: np.ndarray, b: np.ndarray, iterations: int, tolerance: float
) -> tuple[SinkhornResult, bool]:
    """Run on u, v and E themselves; also say whether no product lost digits to cancellation."""
    pattern = kernel.cost.pattern
    entries, u, v = np.empty(pattern.nnz), np.empty(pattern.size), np.empty(pattern.size)
    overlap, error, smallest = kernels.solve(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        kernel.cost.values,
        kernel.scale,
        a,
        b,
        iterations,
        entries,
        u,
        v,
    )
    unshifted = np.zeros(pattern.size)
    result = SinkhornResult(
        kernel,
        u,
        v,
        unshifted,
        unshifted,
        entries=entries,
        overlap=overlap,
        marginal_error=error,
        tolerance=tolerance,
        iterations=iterations,
        log_domain=False,
    )
    return result, bool(smallest > _SMALLEST_RATIO)


def _solve_shifted(
    kernel: StructuredKernel, a: np.ndarray, b: np.ndarray, iterations: int, tolerance: float
) -> SinkhornResult:
    """Run on mantissas and exponents, so that no exponential is ever larger than 1."""
    pattern = kernel.cost.pattern
    u, u_shift = np.full(pattern.size, 1.0 / pattern.size), np.zeros(pattern.size)
    v, v_shift = _shifted_half_step(kernel, u, u_shift, b)
    for _ in range(iterations):
        u, u_shift = _shifted_half_step(kernel, v, v_shift, a)
        v, v_shift = _shifted_half_step(kernel, u, u_shift, b)

    entries, overlaps = np.empty(pattern.nnz), np.empty(len(pattern.blocks) - 1)
    kernels.shifted_plan_entries(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        kernel.cost.values,
        kernel.scale,
        u,
        u_shift,
        v,
        v_shift,
        entries,
        overlaps,
    )
    return SinkhornResult(
        kernel,
        u,
        v,
        u_shift,
        v_shift,
        entries=entries,
        overlap=float(overlaps.sum()),
        marginal_error=_shifted_marginal_error(kernel, u, u_shift, v, v_shift, a),
        tolerance=tolerance,
        iterations=iterations,
        log_domain=True,
    )


def _shifted_half_step(
    kernel: StructuredKernel, vector: np.ndarray, shift: np.ndarray, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    pattern, cost = kernel.cost.pattern, kernel.cost.values
    out, out_shift = np.empty(pattern.size), np.empty(pattern.size)
    marked = kernels.shifted_half_step(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        cost,
        kernel.scale,
        vector,
        shift,
        target,
        out,
        out_shift,
    )
    if marked:
        peaks, sums = kernels.exponential_tree(vector, shift)
        rows = np.flatnonzero(np.isnan(out))
        kernels.shifted_rows_exactly(
            rows,
            pattern.indptr,
            pattern.indices,
            cost,
            kernel.scale,
            vector,
            shift,
            target,
            peaks,
            sums,
            out,
            out_shift,
        )
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
