"""Functions timed side by side, and the shape that every measurement has."""

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
    facts : mapping
        Whatever else was measured: errors, memory, counts; None where the system does not tell.
    """

    graph: str
    nodes: int
    nonzeros: int
    seconds: float
    baseline_seconds: float
    facts: Mapping[str, float | str | None] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """The time relative to the baseline."""
        return self.seconds / self.baseline_seconds

    @property
    def speedup(self) -> float:
        """How many times faster than the baseline."""
        return self.baseline_seconds / self.seconds

    def to_dict(self) -> dict[str, float | str | None]:
        """Return all numbers by name, including the ratios."""
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
    """Return the median seconds of each function over ``rounds`` rounds, after one warm-up.

    The functions take turns, so that other load on the machine affects all of them alike. A turn calls its
    function ``in_a_row`` times and counts the last call: the first one after another function also pays for
    returning that function's memory to the system.
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


def growth_exponents(cases: Sequence[Case]) -> tuple[float, float] | None:
    """Return the slopes of log(seconds) over log(nonzeros), of the cases and of their baselines.

    1 means linear growth. None for fewer than two cases.
    """
    if len(cases) < 2:
        return None
    sizes = np.log([case.nonzeros for case in cases])
    times = np.log([(case.seconds, case.baseline_seconds) for case in cases])
    slope, baseline_slope = np.polyfit(sizes, times, 1)[0]
    return float(slope), float(baseline_slope)
