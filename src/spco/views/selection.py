"""Select entries of a CSR matrix: mark, count per row, copy. No sort, no table of edges."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from ..linalg import Pattern
from ..linalg.pattern import threads_for
from . import kernels


def draw_seed(rng: np.random.Generator) -> np.uint64:
    """Return 64 random bits."""
    return np.uint64(rng.integers(0, 2**64, dtype=np.uint64))


def drop_pairs(matrix: sp.csr_array, p: float, seed: np.uint64, *, ordered: bool = False) -> sp.csr_array:
    """Return the matrix with each pair {i, j} dropped with probability ``p``.

    With ``ordered``, (i, j) and (j, i) are dropped independently.
    """
    pattern = Pattern.of(matrix)
    keep, counts = pair_mask(pattern, p, seed, ordered=ordered)
    return kept_entries(matrix, pattern, keep, counts)


def pair_mask(
    pattern: Pattern, p: float, seed: np.uint64, *, ordered: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return which entries stay if each pair {i, j} is dropped with probability ``p``, and their row sums."""
    keep, counts = _empty_mask(pattern)
    # A pair with the 53 bits b is dropped if b/2^53 < p, so p = 0 drops nothing and p = 1 everything.
    threshold = np.uint64(math.ceil(p * 2**53))
    with threads_for(pattern):
        where = pattern.blocks, pattern.indptr, pattern.indices
        kernels.mask_pairs(*where, ordered, seed, threshold, keep, counts)
    return keep, counts


def between(matrix: sp.csr_array, alive: np.ndarray) -> sp.csr_array:
    """Return the matrix of the entries whose two ends are both alive."""
    pattern = Pattern.of(matrix)
    keep, counts = _empty_mask(pattern)
    with threads_for(pattern):
        kernels.mask_between(pattern.blocks, pattern.indptr, pattern.indices, alive, keep, counts)
    return kept_entries(matrix, pattern, keep, counts)


def drop_pairs_by_centrality(
    matrix: sp.csr_array, centrality: np.ndarray, p: float, cutoff: float, seed: np.uint64
) -> sp.csr_array:
    """Return the matrix without pairs dropped by the log-centrality of their ends (see ``adaptive``)."""
    pattern = Pattern.of(matrix)
    where, blocks = (pattern.blocks, pattern.indptr, pattern.indices), len(pattern.blocks) - 1
    scores = np.empty(pattern.nnz)
    sums, finite, tops = np.zeros(blocks), np.zeros(blocks, dtype=np.int64), np.full(blocks, -np.inf)
    with threads_for(pattern):
        kernels.log_mean_of_ends(*where, centrality, scores, sums, finite, tops)
        top = float(tops.max(initial=-np.inf))
        spread = top - float(sums.sum()) / max(1, int(finite.sum()))
    if not is_spread(spread, top):  # all edges are alike: the rule's 0/0 is taken as 1
        return drop_pairs(matrix, min(p, cutoff), seed)
    return drop_pairs_by_probability(matrix, np.minimum((top - scores) * (p / spread), cutoff), seed)


def drop_pairs_by_probability(
    matrix: sp.csr_array, probabilities: np.ndarray, seed: np.uint64
) -> sp.csr_array:
    """Return the matrix with each pair {i, j} dropped with a probability of its own, given per entry."""
    pattern = Pattern.of(matrix)
    keep, counts = _empty_mask(pattern)
    with threads_for(pattern):
        where = pattern.blocks, pattern.indptr, pattern.indices
        kernels.mask_pairs_by_probability(*where, seed, probabilities, keep, counts)
    return kept_entries(matrix, pattern, keep, counts)


def is_spread(spread: float, top: float) -> bool:
    """Whether max − mean of some scores exceeds rounding."""
    return math.isfinite(spread) and spread > 1e-12 * max(1.0, abs(top))


def kept_entries(
    matrix: sp.csr_array, pattern: Pattern, keep: np.ndarray, counts: np.ndarray
) -> sp.csr_array:
    """Return the matrix of the marked entries; ``counts`` is their number per row."""
    indptr = np.zeros_like(pattern.indptr)
    np.cumsum(counts, out=indptr[1:])
    total = int(indptr[-1])
    indices, values = np.empty(total, np.uint32), np.empty(total, matrix.dtype)
    with threads_for(pattern):
        kernels.compact(
            pattern.blocks, pattern.indptr, pattern.indices, matrix.data, keep, indptr, indices, values
        )
    return Pattern(indptr, indices).matrix(values)


def _empty_mask(pattern: Pattern) -> tuple[np.ndarray, np.ndarray]:
    return np.empty(pattern.nnz, dtype=np.bool_), np.empty(pattern.size, dtype=pattern.indptr.dtype)
