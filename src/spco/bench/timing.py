"""What every measurement has in common: functions timed side by side, and the case that comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Case:
    """Something done on a graph, timed in turn with a baseline.

    Attributes
    ----------
    graph : str
    nodes, nonzeros : int
    seconds, baseline_seconds : float
        Medians.
    facts : mapping of str to numbers or text
        What else is to be known: errors, memory, counts.
    """

    graph: str
    nodes: int
    nonzeros: int
    seconds: float
    baseline_seconds: float
    facts: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """The time in units of the baseline's."""
        return self.seconds / self.baseline_seconds

    @property
    def speedup(self) -> float:
        """How many times faster than the baseline it is."""
        return self.baseline_seconds / self.seconds

    def to_dict(self) -> dict[str, float | str]:
        """Return all numbers by name, the ratios among them."""
        return {
            "graph": self.graph,
            "nodes": self.nodes,
            "nonzeros": self.nonzeros,
            "seconds": self.seconds,
            "ms": 1e3 * self.seconds,
            "baseline_seconds": self.baseline_seconds,
            "baseline_ms": 1e3 * self.baseline_seconds,
            "ratio": self.ratio,
            "speedup": self.speedup,
            **self.facts,
        }


def interleaved_seconds(
    functions: Sequence[Callable[[], object]], *, rounds: int, in_a_row: int = 1
) -> list[float]:
    """Return the median seconds of each function over ``rounds`` turns, taken in turn, after one warm-up.

    What else the machine does hits all of them alike. A turn calls its function ``in_a_row`` times, and the
    last call counts. With one, a function that uses little memory pays for the page tables and caches of the
    one before it: the heap that its neighbour gave up goes back to the system when it first frees something
    itself.
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
