"""How many threads a compiled pass is worth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numba

from .pattern import Pattern


@contextmanager
def threads_for(*patterns: Pattern) -> Iterator[None]:
    """Use at most one thread per block of work, and let a free thread take the next block.

    A short pass is over before a second thread wakes up. In a long one, halves dealt out beforehand would
    wait for whichever thread the machine held up.
    """
    before = numba.get_num_threads()
    blocks = max(len(pattern.blocks) - 1 for pattern in patterns)
    numba.set_num_threads(min(before, blocks))
    try:
        with numba.parallel_chunksize(1) if blocks > 1 else nullcontext():
            yield
    finally:
        numba.set_num_threads(before)
