"""The difference of two plans over one cost: what a refresh of the spectral pair is after."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..linalg import Pattern, SparseSymmetric
from ..linalg.kernels import absolute_row_sums
from .plain import PlainScaling, scale_plain, starts_plain
from .plan import SinkhornResult, StructuredKernel
from .sinkhorn import sinkhorn

_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class PlanDifference:
    """Δ+ − Δ− at the places of a scope.

    Attributes
    ----------
    plus, minus : SinkhornResult
    values : (nnz of the scope,)
        It may lie in the workspace, and then holds until the workspace is used again.
    row_sums : (N,)
        Row sums of the absolute values.
    """

    plus: SinkhornResult
    minus: SinkhornResult
    values: np.ndarray
    row_sums: np.ndarray


@dataclass(eq=False)
class Workspace:
    """Two arrays over a cost's pattern, kept from one call to the next: fresh memory costs a pass each."""

    _arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def array(self, name: str, size: int) -> np.ndarray:
        """Return the array of this name, made anew only if its size has changed."""
        if name not in self._arrays or len(self._arrays[name]) != size:
            self._arrays[name] = np.empty(size)
        return self._arrays[name]


def plan_difference(
    cost: SparseSymmetric,
    scales: tuple[float, float],
    marginal: np.ndarray,
    scope: Pattern,
    *,
    iterations: int = 3,
    log_domain: bool | str = "auto",
    workspace: Workspace | None = None,
) -> PlanDifference:
    """Return Δ+ − Δ− for K± = exp(scale±·C), both with the marginal on rows and columns.

    Where the scope is C's own pattern and plain numbers hold both kernels, the second plan is never stored.
    """
    pair = (StructuredKernel(cost, scales[0]), StructuredKernel(cost, scales[1]))
    if scope is cost.pattern and marginal.any() and all(starts_plain(kernel, log_domain) for kernel in pair):
        plus, minus = _scaled(pair, marginal, iterations, workspace or Workspace())
        if log_domain is False or (plus.accurate and minus.accurate):
            return _plain_difference(plus, minus, marginal)
    return _general_difference(pair, marginal, scope, iterations, log_domain)


def _scaled(
    pair: tuple[StructuredKernel, StructuredKernel],
    marginal: np.ndarray,
    iterations: int,
    workspace: Workspace,
) -> tuple[PlainScaling, PlainScaling]:
    nnz = pair[0].cost.pattern.nnz
    return (
        scale_plain(pair[0], marginal, marginal, iterations, workspace.array("plus", nnz)),
        scale_plain(pair[1], marginal, marginal, iterations, workspace.array("minus", nnz)),
    )


def _plain_difference(plus: PlainScaling, minus: PlainScaling, marginal: np.ndarray) -> PlanDifference:
    values, row_sums = plus.excess, np.empty(len(marginal))
    first = plus.plan(marginal, _TOLERANCE)
    second = minus.subtracted_from(values, marginal, row_sums, _TOLERANCE)
    return PlanDifference(first, second, values, row_sums)


def _general_difference(
    pair: tuple[StructuredKernel, StructuredKernel],
    marginal: np.ndarray,
    scope: Pattern,
    iterations: int,
    log_domain: bool | str,
) -> PlanDifference:
    plus, minus = (
        sinkhorn(
            kernel, marginal, marginal, iterations=iterations, log_domain=log_domain, tolerance=_TOLERANCE
        )
        for kernel in pair
    )
    values, row_sums = plus.on(scope) - minus.on(scope), np.empty(scope.size)
    absolute_row_sums(scope.blocks, scope.indptr, values, row_sums)
    return PlanDifference(plus, minus, values, row_sums)
