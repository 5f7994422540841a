"""Sinkhorn's iteration (Algorithm 1 of the paper) on a kernel that is one almost everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._validation import check_choice, check_integer, invalid
from ..errors import NonFinitePlanError
from ..linalg.intrinsics import LARGEST_EXPONENT
from ..linalg.shards import Shard
from . import plain_kernels, shifted_kernels
from .plan import SinkhornResult, StructuredKernel, plan_entries

# Kernel mode keeps u, v and K apart; each stays within exp(±3·limit), far inside float64.
_LARGEST_PLAIN_EXPONENT = 200.0
# A ratio (Kv)_i / Σv below this has lost more than four digits to cancellation.
_SMALLEST_RATIO = 1e-4
#: Where Sinkhorn has not converged by then, another ε is the remedy.
MOST_ITERATIONS = 100_000


def sinkhorn(
    kernel: StructuredKernel,
    a: np.ndarray,
    b: np.ndarray,
    *,
    iterations: int = 3,
    log_domain: bool | str = "auto",
) -> SinkhornResult:
    """Scale K to the marginals a and b.

        u ← 1/N;   repeat ``iterations`` times: v ← b / Kᵀu, u ← a / Kv;   v ← b / Kᵀu

    Where a or b is 0 (nodes without edges), the scaling is 0. ``log_domain="auto"`` works on plain numbers
    while that is accurate and on shifted exponents otherwise; the two agree where both are finite.

    Parameters
    ----------
    kernel : StructuredKernel
    a, b : (N,) non-negative, with equal sums
    iterations : int >= 1
    log_domain : "auto", True or False

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
    check_integer(iterations, "iterations", "sinkhorn", minimum=1, maximum=MOST_ITERATIONS)
    check_choice(log_domain, "log_domain", "sinkhorn", ("auto", True, False))
    pattern = kernel.cost.pattern
    a, b = _checked_marginal(a, "a", pattern.size), _checked_marginal(b, "b", pattern.size)
    if not a.any():  # no edges, so no mass
        nothing = np.zeros(pattern.size)
        return SinkhornResult(kernel, nothing, nothing, nothing, nothing, 0.0, 0.0, log_domain=False)
    if starts_plain(kernel, log_domain):
        work = np.empty(pattern.nnz), np.empty(pattern.size), np.empty(pattern.size)
        scaling = scale_plain(kernel, a, b, iterations, work)
        if scaling.accurate or log_domain is False:
            places = (pattern.blocks, pattern.indptr, pattern.indices, kernel.cost.values)
            overlap, error = plain_kernels.form_plan(*places, *work, scaling.total, a)
            return scaling.result(overlap, error)
    return _solve_shifted(kernel, a, b, iterations)


def _checked_marginal(values: np.ndarray, name: str, size: int) -> np.ndarray:
    """Return a marginal as a writeable float64 array: a read-only one would compile every kernel anew."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise invalid(name, "sinkhorn", f"have one entry per row ({size})", f"shape {array.shape}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise invalid(name, "sinkhorn", "be finite and >= 0", "other values")
    return array if array.flags.writeable else array.copy()


def starts_plain(kernel: StructuredKernel, log_domain: bool | str) -> bool:
    """Whether to try plain numbers first; raises if the caller insists on them and they would overflow."""
    if log_domain is False and kernel.largest_exponent > LARGEST_EXPONENT:
        raise _overflow(kernel)
    fits = kernel.largest_exponent <= _LARGEST_PLAIN_EXPONENT
    return log_domain is False or (log_domain == "auto" and fits)


@dataclass(frozen=True, eq=False)
class PlainScaling:
    """u and v of the iteration on plain numbers (kernel mode), with Σv and the smallest (Kv)_i / Σv.

    ``in_range`` is whether no number came close to overflow or underflow.
    """

    kernel: StructuredKernel
    u: np.ndarray
    v: np.ndarray
    total: float
    smallest_ratio: float
    in_range: bool

    @property
    def accurate(self) -> bool:
        """Whether no product lost digits, to cancellation or to underflow."""
        return self.in_range and is_accurate(self.smallest_ratio)

    def result(self, overlap: float, error: float) -> SinkhornResult:
        """Return the result, given ⟨C, plan⟩ and the error of the row marginals."""
        if not np.isfinite(overlap) or not np.isfinite(error):
            raise _overflow(self.kernel)
        shift = np.zeros(len(self.u))
        return SinkhornResult(self.kernel, self.u, self.v, shift, shift, overlap, error, log_domain=False)


def is_accurate(smallest_ratio: float) -> bool:
    """Whether products K·v, the smallest of which is this share of Σv, lost few digits to cancellation."""
    return smallest_ratio > _SMALLEST_RATIO


def scale_plain(
    kernel: StructuredKernel,
    a: np.ndarray,
    b: np.ndarray,
    iterations: int,
    work: tuple[np.ndarray, ...],
    shard: Shard | None = None,
) -> PlainScaling:
    """Run the iteration on plain numbers; ``work`` holds the arrays that E, u and v are written to.

    Processes with a shard of the rows write E for these alone, and all of u and v.
    """
    pattern = kernel.cost.pattern
    if shard is not None:
        total, ratio = _solve_shared(kernel, a, b, iterations, work, shard)
    else:
        places = (pattern.blocks, pattern.indptr, pattern.indices, kernel.cost.values)
        total, ratio = plain_kernels.solve(*places, kernel.scale, a, b, iterations, *work)
    _, u, v = work
    return PlainScaling(kernel, u, v, total, ratio, plain_kernels.within_range(a, b, u, v, total))


def _solve_shared(
    kernel: StructuredKernel,
    a: np.ndarray,
    b: np.ndarray,
    iterations: int,
    work: tuple[np.ndarray, ...],
    shard: Shard,
) -> tuple[float, float]:
    """Do what ``plain_kernels.solve`` does, half-step by half-step on this process's rows."""
    pattern, (excess, u, v) = kernel.cost.pattern, work
    found = shard.per_block(2)
    own = np.empty(len(shard.own(found))), np.empty(len(shard.own(found)))
    smallest = np.inf

    def total_after(written: np.ndarray) -> float:
        nonlocal smallest
        shard.own(found)[:] = np.column_stack(own)
        shard.fill_rows(written)
        shard.fill_blocks(found)
        smallest = min(smallest, float(found[:, 1].min()))
        return float(found[:, 0].sum())

    start = (shard.blocks, pattern.indptr, kernel.cost.values, kernel.scale, 1.0 / pattern.size)
    plain_kernels.first_half_step(*start, b, excess, v, *own)
    total = total_after(v)
    for _ in range(iterations):
        for vector, target, out in ((v, a, u), (u, b, v)):
            step = (shard.blocks, pattern.indptr, pattern.indices, excess, vector, total, target)
            plain_kernels.half_step(*step, out, *own)
            total = total_after(out)
    return total, smallest


def _overflow(kernel: StructuredKernel) -> NonFinitePlanError:
    return NonFinitePlanError(
        f"The plan overflowed in kernel mode: its largest exponent is {kernel.largest_exponent:.3g}.\n"
        "hint: log_domain='auto' switches to the log domain when it is needed"
    )


def _solve_shifted(kernel: StructuredKernel, a: np.ndarray, b: np.ndarray, iterations: int) -> SinkhornResult:
    """Run on mantissas and exponents (log domain), so that no exponential is ever larger than 1."""
    size = kernel.cost.pattern.size
    u, u_shift = np.full(size, 1.0 / size), np.zeros(size)
    v, v_shift = _shifted_half_step(kernel, u, u_shift, b)
    for _ in range(iterations):
        u, u_shift = _shifted_half_step(kernel, v, v_shift, a)
        v, v_shift = _shifted_half_step(kernel, u, u_shift, b)
    # A half-step towards ones gives 1/(Kv), and so the row sums u·(Kv).
    used = a > 0
    inverse, inverse_shift = _shifted_half_step(kernel, v, v_shift, used.astype(np.float64))
    rows = u[used] / inverse[used] * np.exp(u_shift[used] - inverse_shift[used])
    error = float(np.abs(rows - a[used]).sum())
    overlap = float((kernel.cost.values * plan_entries(kernel, u, u_shift, v, v_shift)).sum())
    return SinkhornResult(kernel, u, v, u_shift, v_shift, overlap, error, log_domain=True)


def _shifted_half_step(
    kernel: StructuredKernel, vector: np.ndarray, shift: np.ndarray, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    pattern = kernel.cost.pattern
    out, out_shift = np.empty(pattern.size), np.empty(pattern.size)
    step = (pattern.indptr, pattern.indices, kernel.cost.values, kernel.scale, vector, shift, target)
    if shifted_kernels.shifted_half_step(pattern.blocks, *step, out, out_shift):
        rows, tree = np.flatnonzero(np.isnan(out)), shifted_kernels.exponential_tree(vector, shift)
        shifted_kernels.shifted_rows_exactly(rows, *step, *tree, out, out_shift)
    return out, out_shift
