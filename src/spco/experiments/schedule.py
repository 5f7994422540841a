"""Make many runs: one process each, as many at a time as wanted, until all are made or the time is up."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from .classification import RunSpec, missing, perform
from .ledger import Ledger, LedgerRun

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Outcome:
    """What became of the wanted runs."""

    made: int
    held: int
    left: tuple[RunSpec, ...]
    failed: tuple[tuple[RunSpec, str], ...]


def make_runs(
    wanted: Sequence[RunSpec],
    ledger: Ledger,
    *,
    root: Path | None = None,
    jobs: int = 1,
    budget_minutes: float | None = None,
    report: Callable[[RunSpec, LedgerRun | None, int], None] = lambda *_: None,
) -> Outcome:
    """Make what the ledger does not hold yet and add each run to it as soon as it is finished.

    ``report`` is called with every finished run (None if it failed) and how many are left. When the budget is
    used up, no run is begun any more; those under way are finished. The rest is in ``Outcome.left``.
    """
    queue = missing(wanted, ledger)
    held = len(wanted) - len(queue)
    deadline = None if budget_minutes is None else time.monotonic() + 60 * budget_minutes
    waiting, made, failed = list(reversed(queue)), 0, []
    with _processes(jobs) as pool:
        running: dict[Future[LedgerRun], RunSpec] = {}
        while waiting or running:
            in_time = deadline is None or time.monotonic() < deadline
            while waiting and in_time and len(running) < jobs:
                spec = waiting.pop()
                running[pool.submit(perform, spec, root=root)] = spec
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                spec, error = running.pop(future), future.exception()
                if error is None:
                    ledger.add(future.result())
                    made += 1
                else:
                    failed.append((spec, f"{type(error).__name__}: {error}"))
                report(spec, None if error else future.result(), len(waiting) + len(running))
    return Outcome(made, held, tuple(reversed(waiting)), tuple(failed))


def _processes(jobs: int) -> ProcessPoolExecutor:
    """Return processes that share the cores evenly."""
    threads = str(max(1, (os.cpu_count() or 1) // jobs))
    for variable in _THREAD_VARIABLES:
        os.environ.setdefault(variable, threads)
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
