"""``spco bench pair --large``: a refresh on graphs that SciPy could not hold, generated row by row."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numba import njit, prange

from ..linalg.pattern import threads_for
from ..runs.cost import peak_bytes, start_of_peak
from ..spectral import LargePair
from .matchings import matched_pattern
from .timing import Case, interleaved_seconds

_EPSILON, _ETA, _ITERATIONS = 1.0, 0.5, 3


def bench_large(
    *,
    sizes: Sequence[int],
    order: str = "communities",
    folder: Path | None = None,
    rounds: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Case]:
    """Measure refreshes of :class:`LargePair` on unions of matchings with about ``sizes`` nonzeros.

    The baseline is one sum over the neighbours of every node: the least that any pass costs. With a
    ``folder`` the graph's indices are a memory-mapped file there, deleted afterwards. The peak is the
    process's, graph included, also those mapped pages that the system held in memory.
    """
    cases = []
    for size in sizes:
        tell(f"matchings with {size:,} nonzeros")
        place = None if folder is None else Path(tempfile.mkdtemp(prefix="spco-", dir=folder))
        try:
            cases.append(_case(size, order, place, rounds))
        finally:
            if place is not None:
                shutil.rmtree(place)
    return cases


def _case(size: int, order: str, folder: Path | None, rounds: int) -> Case:
    pattern = matched_pattern(size, order=order, folder=folder)
    start_of_peak()
    pair = LargePair(pattern, epsilon=_EPSILON, eta=_ETA, iterations=_ITERATIONS)
    pair.refresh(0.0)
    vector, out = np.ones(pattern.size, dtype=np.float32), np.empty(pattern.size, dtype=np.float32)

    def neighbour_sums() -> None:
        with threads_for(pattern):
            _neighbour_sums(pattern.blocks, pattern.indptr, pattern.indices, vector, out)

    seconds, one_pass = interleaved_seconds([lambda: pair.refresh(1.0), neighbour_sums], rounds=rounds)
    peak = peak_bytes()
    facts = {
        "order": order,
        "mapped": "no" if folder is None else "yes",
        "peak_gb": None if peak is None else peak / 1e9,
        "peak_bytes_per_nonzero": None if peak is None else peak / pattern.nnz,
        "marginal_error": pair.plus.marginal_error,
    }
    return Case("matchings", pattern.size, pattern.nnz, seconds, one_pass, facts)


@njit(parallel=True, cache=True, nogil=True)
def _neighbour_sums(blocks, indptr, indices, vector, out):  # type: ignore[no-untyped-def]
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            total = np.float32(0.0)
            for k in range(indptr[i], indptr[i + 1]):
                total += vector[indices[k]]
            out[i] = total
