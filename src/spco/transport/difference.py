"""The difference of two plans over one cost: what a refresh of the spectral pair is after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..linalg import Pattern, SparseSymmetric
from ..linalg.kernels import absolute_row_sums
from ..linalg.memory import Workspace
from .plain import PlainScaling, scale_both_plain, starts_plain
from .plain_kernels import form_difference
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

    Where the scope is C's own pattern and plain numbers hold both kernels, neither plan is ever stored.
    """
    pair = (StructuredKernel(cost, scales[0]), StructuredKernel(cost, scales[1]))
    workspace = workspace or Workspace()
    if scope is cost.pattern and marginal.any() and all(starts_plain(kernel, log_domain) for kernel in pair):
        plus, minus = scale_both_plain(pair, marginal, iterations, workspace)
        if log_domain is False or (plus.accurate and minus.accurate):
            return _plain_difference(plus, minus, marginal, workspace)
    return _general_difference(pair, marginal, scope, iterations, log_domain)


def _plain_difference(
    plus: PlainScaling, minus: PlainScaling, marginal: np.ndarray, workspace: Workspace
) -> PlanDifference:
    cost, pattern = plus.kernel.cost, plus.kernel.cost.pattern
    row_sums = workspace.scratch("row sums", pattern.size)
    (overlap, error), (other_overlap, other_error) = form_difference(
        pattern.blocks,
        pattern.indptr,
        pattern.indices,
        cost.values,
        plus.excess,
        minus.excess,
        plus.u,
        plus.v,
        minus.u,
        minus.v,
        (plus.total, minus.total),
        marginal,
        workspace.scratch("columns", 2 * pattern.size),
        row_sums,
    )
    return PlanDifference(
        plus.result(overlap, error, _TOLERANCE),
        minus.result(other_overlap, other_error, _TOLERANCE),
        plus.excess,
        row_sums,
    )


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
