"""Time functions side by side, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np


def interleaved_seconds(
    functions: Sequence[Callable[[], object]], *, rounds: int, in_a_row: int = 1
) -> list[float]:
    """Return the median seconds of each function over ``rounds`` turns, taken in turn, after one warm-up.

    A turn calls its function ``in_a_row`` times, and the last call counts. With one, a function that uses
    little memory pays for the page tables and caches of the one before it: the heap that its neighbour gave
    up goes back to the system when it first frees something itself.
    """
    for function in functions:
        function()
    times = np.empty((rounds, len(functions)))
    for turn in range(rounds):
        for index, function in enumerate(functions):
            for _ in range(in_a_row):
                start = time.perf_counter()
                function()
                times[turn, index] = time.perf_counter() - start
    return [float(value) for value in np.median(times, axis=0)]


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of log(seconds) over log(sizes): 1 means linear growth."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
