"""Sinkhorn's iteration on plain numbers (kernel mode)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import NonFinitePlanError
from ..linalg.intrinsics import LARGEST_EXPONENT
from ..linalg.memory import Workspace
from . import plain_kernels as kernels
from .plan import SinkhornResult, StructuredKernel

# u, v and K are held apart; each stays within exp(±3·limit), far inside float64.
_LARGEST_PLAIN_EXPONENT = 200.0
# (Kv)_i / Σv below this has lost more than four digits to cancellation.
_SMALLEST_RATIO = 1e-4


def starts_plain(kernel: StructuredKernel, log_domain: bool | str) -> bool:
    """Whether to try plain numbers first; an error where they are asked for and cannot hold the kernel."""
    if log_domain is False and kernel.largest_exponent > LARGEST_EXPONENT:
        raise _overflow(kernel)
    return log_domain is False or (
        log_domain == "auto" and kernel.largest_exponent <= _LARGEST_PLAIN_EXPONENT
    )


@dataclass(frozen=True, eq=False)
class PlainScaling:
    """u and v of the iteration on plain numbers, with the E that it left in its work array."""

    kernel: StructuredKernel
    excess: np.ndarray
    u: np.ndarray
    v: np.ndarray
    total: float
    smallest_ratio: float
    iterations: int

    @property
    def accurate(self) -> bool:
        """Whether no product lost digits to cancellation."""
        return self.smallest_ratio > _SMALLEST_RATIO

    @property
    def places(self) -> tuple[np.ndarray, ...]:
        """Blocks, row pointers, indices and values of C."""
        return _places(self.kernel)

    def plan(self, a: np.ndarray, tolerance: float) -> SinkhornResult:
        """Turn the work array into the plan's entries and return the result."""
        overlap, error = kernels.form_plan(*self.places, self.excess, self.u, self.v, self.total, a)
        return self.result(overlap, error, tolerance)

    def result(self, overlap: float, error: float, tolerance: float) -> SinkhornResult:
        """Return the result, given ⟨C, plan⟩ and the row marginals' error."""
        if not np.isfinite(overlap) or not np.isfinite(error):
            raise _overflow(self.kernel)
        unshifted = np.zeros(len(self.u))
        return SinkhornResult(
            self.kernel,
            self.u,
            self.v,
            unshifted,
            unshifted,
            overlap=overlap,
            marginal_error=error,
            tolerance=tolerance,
            iterations=self.iterations,
            log_domain=False,
        )


def scale_plain(kernel: StructuredKernel, a: np.ndarray, b: np.ndarray, iterations: int) -> PlainScaling:
    """Run on u, v and E themselves."""
    pattern = kernel.cost.pattern
    excess, u, v = np.empty(pattern.nnz), np.empty(pattern.size), np.empty(pattern.size)
    total, smallest_ratio = kernels.solve(*_places(kernel), kernel.scale, a, b, iterations, excess, u, v)
    return PlainScaling(kernel, excess, u, v, total, smallest_ratio, iterations)


def scale_both_plain(
    pair: tuple[StructuredKernel, StructuredKernel], a: np.ndarray, iterations: int, workspace: Workspace
) -> tuple[PlainScaling, PlainScaling]:
    """Run on two kernels over one cost; the two E stay in the workspace, until its next use."""
    pattern = pair[0].cost.pattern
    first, second = (
        (workspace.scratch(name, pattern.nnz), workspace.result(pattern.size), workspace.result(pattern.size))
        for name in ("plus", "minus")
    )
    scales = (pair[0].scale, pair[1].scale)
    (total, ratio), (other_total, other_ratio) = kernels.solve_both(
        *_places(pair[0]), scales, a, iterations, *first, *second
    )
    return (
        PlainScaling(pair[0], *first, total, ratio, iterations),
        PlainScaling(pair[1], *second, other_total, other_ratio, iterations),
    )


def _places(kernel: StructuredKernel) -> tuple[np.ndarray, ...]:
    pattern = kernel.cost.pattern
    return pattern.blocks, pattern.indptr, pattern.indices, kernel.cost.values


def _overflow(kernel: StructuredKernel) -> NonFinitePlanError:
    return NonFinitePlanError(
        f"The plan overflowed in kernel mode: its largest exponent is {kernel.largest_exponent:.3g}.\n"
        "hint: log_domain='auto' switches to the log domain when it is needed"
    )
