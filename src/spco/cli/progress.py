"""Progress over many runs: a line for each that is finished, with the time that all of them still take."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..report.wording import percent, rate_title
from .console import say, say_detail

if TYPE_CHECKING:
    from ..runs.spec import Run, RunSpec


class RunProgress:
    """Says of each finished run how good it is, how far all runs are, and about how long they still take.

    It is called as :func:`spco.runs.carry_out` calls ``tell``.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._done = 0

    def __call__(self, spec: RunSpec, run: Run | None, left: int) -> None:
        self._done += 1
        total = self._done + left
        parts = [f"{spec.name}, seed {spec.seed}: {_result(run)}", f"{self._done} of {total} runs"]
        parts.append(f"{100 * self._done // total}%")
        if left:
            seconds = (time.monotonic() - self._start) / self._done * left
            parts.append(f"about {duration(seconds)} left")
        say(", ".join(parts))
        for rate, scores in (run.scores if run else {}).items():
            say_detail(f"  {rate_title(rate)}: micro-F1 {percent(scores.micro_f1)}%")


def _result(run: Run | None) -> str:
    """Return the score at the last label rate, which is the one with most labels; or the time."""
    if run is None:
        return "failed"
    if not run.scores:
        return f"trained in {duration(run.seconds)}"
    rate, scores = list(run.scores.items())[-1]
    return f"{percent(scores.micro_f1)}% with {rate_title(rate)}"


def duration(seconds: float) -> str:
    """Return a time in the largest unit that suits it.

    >>> duration(4.2), duration(200), duration(9000)
    ('4 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
