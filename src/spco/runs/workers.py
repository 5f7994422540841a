"""Carry out many runs, here or in processes of their own, until all are made or the time is up."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace

from .._validation import check_integer
from ..errors import TrainingInterrupted
from ..methods import resolve_method
from .performing import GraphSource, RunOptions, perform
from .spec import Run, RunSpec
from .store import Store

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
Report = Callable[[RunSpec, Run | None, int], None]


@dataclass(frozen=True)
class Outcome:
    """What became of the wanted runs: how many were made or held before, which are left, which failed."""

    made: int
    held: int
    left: tuple[RunSpec, ...]
    failed: tuple[tuple[RunSpec, str], ...]


def missing(specs: Sequence[RunSpec], store: Store, rates: Sequence[str] | None = None) -> list[RunSpec]:
    """Return those runs that a store does not hold, or not with scores at all of these label rates."""
    wanted = set(rates or ())
    held = zip(specs, store.held(specs), strict=True)
    return [spec for spec, run in held if run is None or not wanted <= set(run.scores)]


def carry_out(
    specs: Sequence[RunSpec],
    store: Store,
    source: GraphSource,
    options: RunOptions | None = None,
    *,
    jobs: int = 1,
    apart: bool = False,
    budget_minutes: float | None = None,
    report: Report = lambda *_: None,
) -> Outcome:
    """Make what the store does not hold yet, and add each run to it as soon as it is finished.

    With ``jobs`` > 1, or if they are to be kept ``apart``, each run has a process of its own: its peak of
    memory is its own too, and a process that is killed is one failed run. Otherwise runs are made in this
    process one by one, and an error ends them all. ``report`` is called with every finished run (None if it
    failed) and how many are left. When the budget is used up, no run is begun any more and those under way
    are finished. The rest is in ``Outcome.left``.
    """
    check_integer(jobs, "jobs", "carry_out", minimum=1)
    options = options or RunOptions()
    waiting = missing(specs, store, options.rates)
    held = len(specs) - len(waiting)
    deadline = None if budget_minutes is None else time.monotonic() + 60 * budget_minutes
    begun = (
        _in_processes(waiting, store, source, options, jobs, deadline)
        if jobs > 1 or apart
        else (_in_this_process(waiting, store, source, options, deadline))
    )
    made, failed = [], []
    for spec, found in begun:
        if isinstance(found, Run):
            store.add(found)
            made.append(spec)
        else:
            failed.append((spec, _in_words(found)))
        left = len(waiting) - len(made) - len(failed)
        report(spec, found if isinstance(found, Run) else None, left)
    done = {id(spec) for spec in (*made, *(spec for spec, _ in failed))}
    return Outcome(len(made), held, tuple(spec for spec in waiting if id(spec) not in done), tuple(failed))


def _in_this_process(
    waiting: Sequence[RunSpec], store: Store, source: GraphSource, options: RunOptions, deadline: float | None
) -> Iterator[tuple[RunSpec, Run]]:
    for spec in waiting:
        if _is_late(deadline):
            return
        yield spec, perform(spec, source, options, store.desk(spec))


def _in_processes(
    waiting: Sequence[RunSpec],
    store: Store,
    source: GraphSource,
    options: RunOptions,
    jobs: int,
    deadline: float | None,
) -> Iterator[tuple[RunSpec, Run | BaseException]]:
    """Yield each run, or why it failed, as soon as its process has ended."""
    queue = list(reversed(waiting))
    quiet = replace(options, verbose=False)  # bars of several processes would write over each other
    running: dict[Future[Run], _Worker] = {}
    try:
        while queue or running:
            while queue and len(running) < jobs and not _is_late(deadline):
                spec = queue.pop()
                worker = _Worker.begun(spec, jobs, source, quiet, store)
                running[worker.future] = worker
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                worker, error = running.pop(future), future.exception()
                worker.end()
                if isinstance(error, TrainingInterrupted):
                    raise error
                yield worker.spec, error or future.result()
    finally:
        for worker in running.values():
            worker.end()


@dataclass(frozen=True)
class _Worker:
    """A run under way, and the process that is its own."""

    spec: RunSpec
    future: Future[Run]
    process: ProcessPoolExecutor

    @classmethod
    def begun(
        cls, spec: RunSpec, jobs: int, source: GraphSource, options: RunOptions, store: Store
    ) -> _Worker:
        """Begin a run in a new process: what one leaves in memory, or its end, is nothing to the others."""
        process = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        # A class is found by every process, the name that it is registered under in this one alone.
        portable = replace(spec, method=resolve_method(spec.method, owner="carry_out"))
        with _even_threads(jobs):  # the process starts in here, with the environment as it is then
            return cls(spec, process.submit(perform, portable, source, options, store.desk(spec)), process)

    def end(self) -> None:
        """Wait for the end of the process."""
        self.process.shutdown()


def _is_late(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


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
