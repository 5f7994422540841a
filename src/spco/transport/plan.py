"""A kernel that is one almost everywhere, and the plan that it is scaled to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern, SparseSymmetric
from . import shifted_kernels as kernels

# Up to this share of a scope, C is padded with zeros at the places it lacks: half-steps over them cost less
# than a look-up for every place of the scope.
_MOST_PADDING = 0.1
_CONVERGED = 1e-9


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
class Scope:
    """Where plans are read.

    Attributes
    ----------
    pattern : Pattern
    positions : (nnz,) or None
        The entry of C at each place of the scope, or C's number of entries where it has none. None if the
        scope is C's own pattern.
    """

    pattern: Pattern
    positions: np.ndarray | None

    @classmethod
    def of(cls, pattern: Pattern, cost: SparseSymmetric) -> Scope:
        """Return the scope of these places; only here are the patterns compared by content."""
        if pattern.same_places(cost.pattern):
            return cls(cost.pattern, None)
        return cls(pattern, pattern.positions_in(cost.pattern))

    @classmethod
    def shared(cls, pattern: Pattern, cost: SparseSymmetric) -> tuple[SparseSymmetric, Scope]:
        """Return C and the scope; they share one pattern if C lies within the scope and (nearly) fills it.

        C may lack entries that cancel and the diagonal at isolated nodes; zeros stored there change nothing.
        """
        scope = cls.of(pattern, cost)
        if scope.positions is None:
            return cost, scope
        missing = int(np.count_nonzero(scope.positions == cost.pattern.nnz))
        if pattern.nnz - missing < cost.pattern.nnz or missing > _MOST_PADDING * pattern.nnz:
            return cost, scope
        return SparseSymmetric(pattern, np.append(cost.values, 0.0)[scope.positions]), cls(pattern, None)


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
        Whether ``marginal_error`` is at most 1e-9.
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
    log_domain: bool

    @property
    def converged(self) -> bool:
        return self.marginal_error <= _CONVERGED

    @cached_property
    def entries(self) -> np.ndarray:
        """The plan on the kernel's own pattern, (nnz,)."""
        return plan_entries(self.kernel, self.u, self.u_shift, self.v, self.v_shift)

    def on(self, scope: Scope) -> np.ndarray:
        """Return the plan's values at the places of a scope; elsewhere it is never formed."""
        if scope.positions is None:
            return self.entries
        pattern, out = scope.pattern, np.empty(scope.pattern.nnz)
        places = (pattern.blocks, pattern.indptr, pattern.indices, scope.positions)
        kernels.plan_on_scope(*places, self.entries, self.u, self.u_shift, self.v, self.v_shift, out)
        return out

    def matrix_on(self, pattern: Pattern) -> sp.csr_array:
        """Return the plan at the places of a pattern as a CSR matrix."""
        return pattern.matrix(self.on(Scope.of(pattern, self.kernel.cost)))


def plan_entries(
    kernel: StructuredKernel, u: np.ndarray, u_shift: np.ndarray, v: np.ndarray, v_shift: np.ndarray
) -> np.ndarray:
    """Return the plan of these scalings on the kernel's own pattern, (nnz,)."""
    pattern, out = kernel.cost.pattern, np.empty(kernel.cost.pattern.nnz)
    places = (pattern.blocks, pattern.indptr, pattern.indices)
    kernels.plan_entries(*places, kernel.cost.values, kernel.scale, u, u_shift, v, v_shift, out)
    return out
