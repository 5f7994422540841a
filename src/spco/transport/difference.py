"""The difference of two plans over one cost, which a refresh of the spectral pair computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..linalg import SparseSymmetric
from ..linalg.kernels import absolute_row_sums
from ..linalg.shards import Shard
from ..linalg.workspace import Workspace
from .plain_kernels import difference_on_scope, form_difference
from .plan import Scope, SinkhornResult, StructuredKernel
from .sinkhorn import PlainScaling, scale_plain, sinkhorn, starts_plain


@dataclass(frozen=True, eq=False)
class PlanDifference:
    """Δ+ − Δ− at the places of a scope.

    Attributes
    ----------
    plus, minus : SinkhornResult
    values : (nnz of the scope,)
    row_sums : (N,)
        Row sums of the absolute values. The workspace's next use may overwrite both arrays.
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
    shard: Shard | None = None,
) -> PlanDifference:
    """Return Δ+ − Δ− for K± = exp(scale±·C), both with the marginal on rows and columns.

    Where plain numbers can hold both kernels, neither plan is ever stored, and processes with a shard of the
    rows of C share the passes; the log domain is every process's own. All of them get the whole result.
    """
    pair = (StructuredKernel(cost, scales[0]), StructuredKernel(cost, scales[1]))
    workspace = workspace or Workspace()
    if marginal.any() and all(starts_plain(kernel, log_domain) for kernel in pair):
        size = cost.pattern.size
        excess, other_excess = (workspace.scratch(name, cost.pattern.nnz) for name in ("plus", "minus"))
        plus, minus = (
            scale_plain(
                kernel, marginal, marginal, iterations, (work, *map(workspace.result, (size, size))), shard
            )
            for kernel, work in zip(pair, (excess, other_excess), strict=True)
        )
        if log_domain is False or (plus.accurate and minus.accurate):
            return _plain_difference(plus, minus, excess, other_excess, marginal, scope, workspace, shard)
    return difference_of_plans(pair, marginal, scope, iterations, log_domain)


def _plain_difference(
    plus: PlainScaling,
    minus: PlainScaling,
    excess: np.ndarray,
    other_excess: np.ndarray,
    marginal: np.ndarray,
    scope: Scope,
    workspace: Workspace,
    shard: Shard | None,
) -> PlanDifference:
    cost, pattern = plus.kernel.cost, plus.kernel.cost.pattern
    columns = workspace.scratch("columns", 2 * pattern.size)
    row_sums = workspace.scratch("row sums", pattern.size)
    blocks = pattern.blocks if shard is None else shard.blocks
    places = (blocks, pattern.indptr, pattern.indices, cost.values)
    scalings, totals = (plus.u, plus.v, minus.u, minus.v), (plus.total, minus.total)
    if shard is not None:  # the pass itself fills in its own rows alone
        columns[::2], columns[1::2] = plus.v, minus.v
    found = form_difference(*places, excess, other_excess, *scalings, totals, marginal, columns, row_sums)
    if shard is not None:
        found = shard.total(found).tolist()
        shard.fill_rows(row_sums)
        shard.fill_entries(excess)
    (overlap, error), (other_overlap, other_error) = found
    values = excess
    if scope.positions is not None:
        pattern, values = scope.pattern, workspace.scratch("difference", scope.pattern.nnz)
        places = (pattern.blocks, pattern.indptr, pattern.indices, scope.positions)
        difference_on_scope(*places, excess, plus.u, minus.u, columns, values, row_sums)
    plans = plus.result(overlap, error), minus.result(other_overlap, other_error)
    return PlanDifference(*plans, values, row_sums)


def difference_of_plans(
    pair: tuple[StructuredKernel, StructuredKernel],
    marginal: np.ndarray,
    scope: Scope,
    iterations: int,
    log_domain: bool | str,
) -> PlanDifference:
    """Return the same from two plans that are solved and stored one by one, as the log domain requires."""
    plus, minus = (
        sinkhorn(kernel, marginal, marginal, iterations=iterations, log_domain=log_domain) for kernel in pair
    )
    values, row_sums = plus.on(scope) - minus.on(scope), np.empty(len(marginal))
    absolute_row_sums(scope.pattern.blocks, scope.pattern.indptr, values, row_sums)
    return PlanDifference(plus, minus, values, row_sums)
