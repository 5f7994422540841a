"""Make many runs: one process each, as many at a time as wanted, until all are made or the time is up."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .._validation import check_integer
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

    Each run has a process of its own, so that its peak of memory is its own too, and a process that is killed
    is one failed run. ``report`` is called with every finished run (None if it failed) and how many are left.
    When the budget is used up, no run is begun any more; those under way are finished. The rest is in
    ``Outcome.left``.
    """
    check_integer(jobs, "jobs", "make_runs", minimum=1)
    queue = missing(wanted, ledger)
    held = len(wanted) - len(queue)
    deadline = None if budget_minutes is None else time.monotonic() + 60 * budget_minutes
    waiting, made, failed = list(reversed(queue)), 0, []
    running: dict[Future[LedgerRun], _Begun] = {}
    try:
        while waiting or running:
            in_time = deadline is None or time.monotonic() < deadline
            while waiting and in_time and len(running) < jobs:
                begun = _begin(waiting.pop(), root, jobs)
                running[begun.future] = begun
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                spec, error = running.pop(future).ended(), future.exception()
                if error is None:
                    ledger.add(future.result())
                    made += 1
                else:
                    failed.append((spec, _in_words(error)))
                report(spec, None if error else future.result(), len(waiting) + len(running))
    finally:
        for begun in running.values():
            begun.ended()
    return Outcome(made, held, tuple(reversed(waiting)), tuple(failed))


@dataclass(frozen=True)
class _Begun:
    """A run under way, and the process that is its own."""

    spec: RunSpec
    future: Future[LedgerRun]
    process: ProcessPoolExecutor

    def ended(self) -> RunSpec:
        """Wait for the end of the process and return what was run."""
        self.process.shutdown()
        return self.spec


def _begin(spec: RunSpec, root: Path | None, jobs: int) -> _Begun:
    """Begin a run in a new process: what one leaves in memory, or its end, is nothing to the others."""
    process = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    with _even_threads(jobs):  # the process starts in here, with the environment as it is then
        return _Begun(spec, process.submit(perform, spec, root=root), process)


@contextmanager
def _even_threads(jobs: int) -> Iterator[None]:
    """Have processes that start in the block share the cores evenly; what is set already stays as it is."""
    absent = [variable for variable in _THREAD_VARIABLES if variable not in os.environ]
    threads = str(max(1, (os.cpu_count() or 1) // jobs))
    os.environ.update(dict.fromkeys(absent, threads))
    try:
        yield
    finally:
        for variable in absent:
            del os.environ[variable]


def _in_words(error: BaseException) -> str:
    if isinstance(error, BrokenProcessPool):
        return "its process was killed; did the memory run out?"
    return f"{type(error).__name__}: {error}"
