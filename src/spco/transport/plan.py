"""The kernel that is one almost everywhere, and the plan that it is scaled to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern, SparseSymmetric
from . import shifted_kernels as kernels


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
    overlap: float
    marginal_error: float
    tolerance: float
    iterations: int
    log_domain: bool

    @property
    def converged(self) -> bool:
        return self.marginal_error <= self.tolerance

    @cached_property
    def entries(self) -> np.ndarray:
        """The plan on the kernel's own pattern, (nnz,)."""
        return plan_entries(self.kernel, self.u, self.u_shift, self.v, self.v_shift)

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


def plan_entries(
    kernel: StructuredKernel, u: np.ndarray, u_shift: np.ndarray, v: np.ndarray, v_shift: np.ndarray
) -> np.ndarray:
    """Return the plan of these scalings on the kernel's own pattern, (nnz,)."""
    pattern, out = kernel.cost.pattern, np.empty(kernel.cost.pattern.nnz)
    kernels.plan_entries(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        kernel.cost.values,
        kernel.scale,
        u,
        u_shift,
        v,
        v_shift,
        out,
    )
    return out
