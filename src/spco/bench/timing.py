"""Time functions side by side, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np


def interleaved_seconds(functions: Sequence[Callable[[], object]], *, rounds: int) -> list[float]:
    """Return the median seconds of each function over ``rounds`` turns, taken in turn, after one warm-up."""
    for function in functions:
        function()
    times = np.empty((rounds, len(functions)))
    for turn in range(rounds):
        for index, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[turn, index] = time.perf_counter() - start
    return [float(value) for value in np.median(times, axis=0)]


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of log(seconds) over log(sizes): 1 means linear growth."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
