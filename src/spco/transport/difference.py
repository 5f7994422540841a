"""The difference of two plans over one cost: what a refresh of the spectral pair is after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..linalg import Pattern, SparseSymmetric
from ..linalg.kernels import absolute_row_sums
from ..linalg.memory import Workspace
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
    row_sums : (N,)
        Row sums of the absolute values. Both may lie in the workspace, and then hold until it is used again.
    """

    plus: SinkhornResult
    minus: SinkhornResult
    values: np.ndarray
    row_sums: np.ndarray


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
    workspace = workspace or Workspace()
    if scope is cost.pattern and marginal.any() and all(starts_plain(kernel, log_domain) for kernel in pair):
        plus, minus = (
            scale_plain(kernel, marginal, marginal, iterations, workspace, name)
            for kernel, name in zip(pair, ("plus", "minus"), strict=True)
        )
        if log_domain is False or (plus.accurate and minus.accurate):
            return _plain_difference(plus, minus, marginal, workspace.scratch("row sums", scope.size))
    return _general_difference(pair, marginal, scope, iterations, log_domain)


def _plain_difference(
    plus: PlainScaling, minus: PlainScaling, marginal: np.ndarray, row_sums: np.ndarray
) -> PlanDifference:
    values = plus.excess
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
