"""Normalised Laplacians, polynomials of them, and hop scopes: all sparse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, dijkstra

from .._budget import require_memory
from ..errors import TooLargeError
from . import kernels
from .normalize import normalized_by
from .pattern import Pattern

_BYTES_PER_ENTRY = 12  # a column and a float32, until the pattern alone is kept
_MOST_WORK = 1e11  # multiplications: about ten minutes
_FEWER = "fewer hops or a target of lower degree; nodes with very many neighbours are the usual reason"


@dataclass(frozen=True, eq=False)
class SparseSymmetric:
    """A symmetric matrix: a pattern and the values on it."""

    pattern: Pattern
    values: np.ndarray

    @cached_property
    def largest(self) -> float:
        """The largest absolute value."""
        return float(max(self.values.max(initial=0.0), -self.values.min(initial=0.0)))

    def matrix(self) -> sp.csr_array:
        """Return it as a SciPy CSR matrix."""
        return self.pattern.matrix(self.values)


def aligned(pattern: Pattern, matrix: sp.csr_array) -> np.ndarray:
    """Return the matrix's values at the pattern's places, 0 where it has none."""
    places = pattern.positions_in(Pattern.of(matrix))
    return np.asarray(np.append(matrix.data, 0.0)[places])


def neighbourhood(adjacency: sp.csr_array, hops: int) -> Pattern:
    """Return the pattern of (A + I)^hops: every pair of nodes at most ``hops`` steps apart."""
    step = sp.csr_array(
        (np.ones(adjacency.nnz, dtype=np.float32), adjacency.indices, adjacency.indptr), shape=adjacency.shape
    )
    step = sp.csr_array(step + sp.eye_array(adjacency.shape[0], dtype=np.float32, format="csr"))
    if hops > 2 and step.shape[0]:
        _require_affordable_hops(step, hops)
    reached, work = step, 0.0
    for hop in range(2, hops + 1):
        work += require_affordable_product(reached, step, f"The neighbourhood of {hop} hops", work)
        before, reached = reached.nnz, reached @ step
        reached.data.fill(1.0)
        if reached.nnz == before:  # further hops reach nothing new
            break
    reached.sort_indices()
    return Pattern.of(reached)


def _require_affordable_hops(step: sp.csr_array, hops: int) -> None:
    """Refuse hops whose least work is already too much, before the first of them is taken.

    If one node is e steps from its furthest, every node of that component is at least e/2 steps from its own.
    So k hops reach min(k, e/2) + 1 nodes or more from each, and every one of these has a loop and an edge.
    """
    _, component = connected_components(step, directed=False)
    members = np.flatnonzero(component == np.bincount(component).argmax())
    steps = dijkstra(step, directed=False, indices=members[0], unweighted=True)[members]
    furthest = int(steps.max())
    reached = np.minimum(np.arange(1, min(hops, furthest)), furthest // 2) + 1.0
    what = f"The neighbourhood of {hops} hops"
    require_memory(_BYTES_PER_ENTRY * members.size * reached.max(initial=0.0), what, _FEWER)
    _require_work(2 * members.size * reached.sum(), what)


def _require_work(work: float, what: str) -> None:
    if work > _MOST_WORK:
        raise TooLargeError(f"{what} takes at least {work:.0e} multiplications.\nhint: {_FEWER}")


def require_affordable_product(
    left: sp.csr_array, right: sp.csr_array, what: str, done: float = 0.0
) -> float:
    """Return the multiplications of a sparse product; refuse one that takes too much memory or time.

    ``done`` multiplications came before. The entries of a row are at most its multiplications, and at most N.
    """
    lengths = np.diff(right.indptr).astype(np.float64)
    sums = np.concatenate([[0.0], np.cumsum(lengths[left.indices])])
    work = np.diff(sums[left.indptr])
    entries = np.minimum(work, right.shape[1]).sum()
    require_memory(_BYTES_PER_ENTRY * entries, what, _FEWER)
    _require_work(done + work.sum(), what)
    return float(work.sum())


def shifted_laplacian(adjacency: sp.csr_array) -> SparseSymmetric:
    """Return L − I = −D^-½ A D^-½ over the pattern of A."""
    normalized = normalized_by(adjacency, np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel())
    return SparseSymmetric(Pattern.of(adjacency), np.negative(normalized.data, out=normalized.data))


def normalized_laplacian(adjacency: sp.csr_array) -> SparseSymmetric:
    """Return L = I − D^-½ A D^-½ over the pattern of A + I.

    Rows of zero degree have no normalised part, so L is 1 on their diagonal.
    """
    shifted = shifted_laplacian(adjacency).matrix()
    indptr, indices, values, _ = kernels.with_diagonal(shifted.indptr, shifted.indices, shifted.data, 1.0)
    laplacian = sp.csr_array((values, indices, indptr), shape=adjacency.shape)
    return SparseSymmetric(Pattern.of(laplacian), values)


def polynomial(base: SparseSymmetric, coefficients: Sequence[float]) -> SparseSymmetric:
    """Return Σ_p c_p·Bᵖ by Horner's rule; up to degree 1 the pattern stays the base's."""
    if len(coefficients) <= 2:
        constant, slope = (*coefficients, 0.0)[:2]
        if constant == 0.0 and slope == 1.0:
            return base
        matrix = base.pattern.matrix(slope * base.values)
        matrix.setdiag(matrix.diagonal() + constant)
        return SparseSymmetric(base.pattern, matrix.data)
    matrix = base.matrix()
    identity = sp.eye_array(base.pattern.size, format="csr")
    result = coefficients[-1] * identity
    for power, coefficient in enumerate(reversed(coefficients[:-1]), start=1):
        require_affordable_product(result, matrix, f"A polynomial of L up to degree {power}")
        result = sp.csr_array(result @ matrix + coefficient * identity)
    # Rounding differs between (i, j) and (j, i); the passes rely on exact symmetry.
    result = sp.csr_array(0.5 * (result + result.T))
    result.sort_indices()
    return SparseSymmetric(Pattern.of(result), result.data)
