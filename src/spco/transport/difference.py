"""The difference of two plans over one cost: what a refresh of the spectral pair is after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..linalg import SparseSymmetric
from ..linalg.kernels import absolute_row_sums
from ..linalg.memory import Workspace
from .plain import PlainScaling, scale_both_plain, starts_plain
from .plain_kernels import difference_on_scope, form_difference
from .plan import Scope, SinkhornResult, StructuredKernel
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
    scope: Scope,
    *,
    iterations: int = 3,
    log_domain: bool | str = "auto",
    workspace: Workspace | None = None,
) -> PlanDifference:
    """Return Δ+ − Δ− for K± = exp(scale±·C), both with the marginal on rows and columns.

    Where plain numbers hold both kernels, neither plan is ever stored.
    """
    pair = (StructuredKernel(cost, scales[0]), StructuredKernel(cost, scales[1]))
    workspace = workspace or Workspace()
    if marginal.any() and all(starts_plain(kernel, log_domain) for kernel in pair):
        plus, minus = scale_both_plain(pair, marginal, iterations, workspace)
        if log_domain is False or (plus.accurate and minus.accurate):
            return _plain_difference(plus, minus, marginal, scope, workspace)
    return difference_of_plans(pair, marginal, scope, iterations, log_domain)


def _plain_difference(
    plus: PlainScaling, minus: PlainScaling, marginal: np.ndarray, scope: Scope, workspace: Workspace
) -> PlanDifference:
    columns = workspace.scratch("columns", 2 * len(marginal))
    row_sums = workspace.scratch("row sums", len(marginal))
    (overlap, error), (other_overlap, other_error) = form_difference(
        *plus.places,
        plus.excess,
        minus.excess,
        plus.u,
        plus.v,
        minus.u,
        minus.v,
        (plus.total, minus.total),
        marginal,
        columns,
        row_sums,
    )
    values = plus.excess
    if scope.positions is not None:
        pattern, values = scope.pattern, workspace.scratch("difference", scope.pattern.nnz)
        places = (pattern.blocks, pattern.indptr, pattern.indices, scope.positions)
        difference_on_scope(*places, plus.excess, plus.u, minus.u, columns, values, row_sums)
    return PlanDifference(
        plus.result(overlap, error, _TOLERANCE),
        minus.result(other_overlap, other_error, _TOLERANCE),
        values,
        row_sums,
    )


def difference_of_plans(
    pair: tuple[StructuredKernel, StructuredKernel],
    marginal: np.ndarray,
    scope: Scope,
    iterations: int,
    log_domain: bool | str,
) -> PlanDifference:
    """Return the same from two plans that are solved and stored one by one, as the log domain needs it."""
    plus, minus = (
        sinkhorn(
            kernel, marginal, marginal, iterations=iterations, log_domain=log_domain, tolerance=_TOLERANCE
        )
        for kernel in pair
    )
    values, row_sums = plus.on(scope) - minus.on(scope), np.empty(len(marginal))
    absolute_row_sums(scope.pattern.blocks, scope.pattern.indptr, values, row_sums)
    return PlanDifference(plus, minus, values, row_sums)
