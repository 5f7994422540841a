"""Δ+ − Δ− for the Laplacian of an unweighted graph with up to billions of edges.

It is what :func:`spco.transport.plan_difference` computes, in 8 bytes per nonzero instead of 36, to the
accuracy of float32: the Laplacian's values are implicit, E is float32 and holds one sign at a time, and the
rows may be shared out among processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..errors import NonFinitePlanError
from ..linalg.normalize import inverse_sqrt
from ..linalg.pattern import Pattern
from ..linalg.shards import Shard
from ..linalg.workspace import Workspace
from . import unweighted_kernels as kernels
from .sinkhorn import is_accurate

# exp(±60), and u and v between its inverse and its square, are within the range of float32.
_LARGEST_EXPONENT = 60.0
_SCALINGS = (1e-36, 1e36)


@dataclass(frozen=True, eq=False)
class UnweightedLaplacian:
    """L = I − D^-½·A·D^-½ of an unweighted graph: the pattern of A, and r = d^-½.

    >>> indptr, indices = np.array([0, 1, 3, 4], np.uint32), np.array([1, 0, 2, 1], np.uint32)
    >>> UnweightedLaplacian(Pattern(indptr, indices)).degrees.tolist()
    [1.0, 2.0, 1.0]
    """

    pattern: Pattern

    @property
    def degrees(self) -> np.ndarray:
        """Numbers of neighbours, float64."""
        return np.diff(self.pattern.indptr.astype(np.float64))

    @cached_property
    def roots(self) -> np.ndarray:
        """r = d^-½, and 0 where d is 0."""
        return inverse_sqrt(self.degrees)

    def sums(self, shard: Shard) -> tuple[float, float]:
        """Return the sum of all entries, and that of their absolute values."""
        found = shard.per_block(2)
        places = (shard.blocks, self.pattern.indptr, self.pattern.indices, self.roots)
        kernels.sums_of_laplacian(*places, shard.own(found))
        shard.fill_blocks(found)
        on, off = found.sum(axis=0)
        return float(on - off), float(on + off)


@dataclass(frozen=True)
class PlanFacts:
    """⟨L, Δ⟩, ⟨|L|, Δ⟩ and the L1 error of the row sums of one plan."""

    log_domain: ClassVar[bool] = False  # exponents that need it are refused
    overlap: float
    absolute_overlap: float
    marginal_error: float


@dataclass(frozen=True, eq=False)
class UnweightedDifference:
    """Δ+ − Δ− on the rows of one process.

    Attributes
    ----------
    plus, minus : PlanFacts
    values : (nnz of the rows,) float32
        On the edges; 0 at self loops.
    diagonal : (N,) float32
        Only this process's rows are set.
    row_sums : (N,)
        Row sums of the absolute values, of all rows.
    """

    plus: PlanFacts
    minus: PlanFacts
    values: np.ndarray
    diagonal: np.ndarray
    row_sums: np.ndarray


def unweighted_difference(
    laplacian: UnweightedLaplacian,
    scales: tuple[float, float],
    marginal: np.ndarray,
    shard: Shard,
    *,
    iterations: int,
    workspace: Workspace,
) -> UnweightedDifference:
    """Return Δ+ − Δ− for K± = exp(scale±·L), both with the marginal on rows and columns."""
    pattern, size = laplacian.pattern, laplacian.pattern.size
    _require_float32(scales)
    values = workspace.result(shard.nnz, np.float32)
    columns = workspace.scratch("columns", 2 * size)
    scalings, totals = [], []
    for sign, scale in enumerate(scales):
        u, v = workspace.scratch(f"u{sign}", size), workspace.scratch("v", size)
        totals.append(_scale(laplacian, scale, marginal, shard, iterations, values, u, v, workspace))
        columns[sign::2] = v
        scalings.append(u)
    diagonal, row_sums = np.zeros(size, dtype=np.float32), workspace.scratch("v", size)
    found = shard.per_block(6)
    places = (shard.blocks, pattern.indptr, pattern.indices, laplacian.roots, scales)
    rest = (columns, tuple(totals), marginal, diagonal, row_sums, shard.own(found))
    kernels.form_difference(*places, values, *scalings, *rest)
    shard.fill_rows(row_sums)
    shard.fill_blocks(found)
    plus, minus = (
        PlanFacts(float(on - off), float(on + off), float(error))
        for on, off, error in found.sum(axis=0).reshape(2, 3)
    )
    return UnweightedDifference(plus, minus, values, diagonal, row_sums)


def _scale(
    laplacian: UnweightedLaplacian,
    scale: float,
    marginal: np.ndarray,
    shard: Shard,
    iterations: int,
    excess: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    workspace: Workspace,
) -> float:
    """Run Algorithm 1: write E, u (this process's rows) and v; return Σv."""
    pattern = laplacian.pattern
    indptr, indices = pattern.indptr, pattern.indices
    single, other = (workspace.scratch(name, pattern.size, np.float32) for name in ("single", "other"))
    sums, ratios = shard.per_block(), shard.per_block()
    own_sums, own_ratios = shard.own(sums), shard.own(ratios)
    smallest = np.inf

    def total_after(written: np.ndarray) -> float:
        nonlocal smallest
        shard.fill_rows(written)
        shard.fill_blocks(sums)
        shard.fill_blocks(ratios)
        smallest = min(smallest, float(ratios.min()))
        return float(sums.sum())

    start = (shard.blocks, indptr, indices, laplacian.roots, scale, marginal, excess)
    kernels.first_half_step(*start, v, single, own_sums, own_ratios)
    total = total_after(single)
    diagonal = float(np.expm1(scale))
    for _ in range(iterations):
        for out in (u, v):
            step = (shard.blocks, indptr, indices, excess, diagonal, single, total, marginal)
            kernels.half_step(*step, out, other, own_sums, own_ratios)
            single, other = other, single
            total = total_after(single)
    shard.fill_rows(v)
    _require_accurate(smallest, (single, other), marginal)
    return total


def _require_float32(scales: tuple[float, float]) -> None:
    largest = max(abs(scale) for scale in scales)
    if not largest <= _LARGEST_EXPONENT:
        raise NonFinitePlanError(
            f"The plan's largest exponent is {largest:.3g}; float32 holds up to {_LARGEST_EXPONENT:g}.\n"
            "hint: refresh(0.0) first, as training does, a larger epsilon, or SpectralPair, which has a log "
            "domain"
        )


def _require_accurate(smallest_ratio: float, scalings: tuple[np.ndarray, ...], marginal: np.ndarray) -> None:
    """Refuse scalings that lost digits, to cancellation or to the range of float32."""
    least, most = _SCALINGS
    used = marginal > 0
    in_range = all(
        bool(vector.min(initial=np.inf, where=used) >= least) and bool(vector.max(initial=0.0) <= most)
        for vector in scalings
    )
    if not (in_range and is_accurate(smallest_ratio)):
        raise NonFinitePlanError(
            "Float32 cannot hold the plan: most of the mass sits on a few nodes' neighbours.\n"
            "hint: a larger epsilon, or SpectralPair, which has a log domain"
        )
