"""Carry out many runs, in this process or in others, until all are finished or the time is up."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Any

from .._validation import check_integer, invalid
from .._warning import warn_user
from ..errors import TrainingInterrupted
from ..training.execution import Execution, current_execution
from .performing import GraphSource, RunOptions, perform
from .spec import Run, RunSpec
from .store import Store

_SECONDS_BETWEEN_LOOKS = 1.0
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
Tell = Callable[[RunSpec, Run | None, int], None]


@dataclass(frozen=True)
class Outcome:
    """How many runs were made or already held, which are left, and which failed and why."""

    made: int
    held: int
    left: tuple[RunSpec, ...]
    failed: tuple[tuple[RunSpec, str], ...]


def missing(
    specs: Sequence[RunSpec], store: Store, rates: Sequence[str] | None = None, *, evaluated: bool = False
) -> list[RunSpec]:
    """Return the runs that a store does not hold, or holds without scores at some of these label rates.

    With ``evaluated`` they must also have scores of a second evaluator. A supervised method has no embedding
    to evaluate.
    """
    wanted = set(rates or ())

    def is_whole(spec: RunSpec, run: Run) -> bool:
        return wanted <= set(run.scores) and (not evaluated or bool(run.evaluations) or spec.is_supervised)

    held = zip(specs, store.held(specs), strict=True)
    return [spec for spec, run in held if run is None or not is_whole(spec, run)]


def carry_out(
    specs: Sequence[RunSpec],
    store: Store,
    source: GraphSource,
    options: RunOptions | None = None,
    *,
    jobs: int = 1,
    apart: bool = False,
    budget_minutes: float | None = None,
    tell: Tell = lambda *_: None,
) -> Outcome:
    """Make the runs that the store does not hold, and add each to it as soon as it is finished.

    With ``jobs`` > 1 or ``apart``, each run has its own process: its peak of memory is its own, and a process
    that is killed is one failed run. Otherwise the runs are made in this process one after the other, and an
    error ends them all. ``tell`` is called with every finished run (None if it failed) and the number of
    runs left. When the budget is used up, no new run starts, and those under way are finished.
    """
    check_integer(jobs, "jobs", "carry_out", minimum=1)
    execution = current_execution()
    if execution.size > 1 and (jobs > 1 or apart):
        must = f"be 1, since the {execution.size} processes of torchrun share every run"
        raise invalid("jobs", "carry_out", must, f"{jobs}", hint="several runs at a time need no torchrun")
    options = options or RunOptions()
    is_second = options.evaluate is not None
    waiting = _of_writer(specs, lambda: missing(specs, store, options.rates, evaluated=is_second), execution)
    deadline = math.inf if budget_minutes is None else time.monotonic() + 60 * budget_minutes
    in_time = takewhile(lambda _: execution.agreed(lambda: time.monotonic() < deadline), waiting)
    results: Iterator[tuple[RunSpec, Run | BaseException]]
    if jobs > 1 or apart:
        results = _in_processes(in_time, store, source, options, jobs)
    else:
        results = ((spec, perform(spec, source, options, store.files(spec))) for spec in in_time)
    made, failed, done = 0, [], set()
    for spec, found in results:
        done.add(id(spec))
        if isinstance(found, Run):
            store.add(found)
            made += 1
        else:
            failed.append((spec, _in_words(found)))
        tell(spec, found if isinstance(found, Run) else None, len(waiting) - len(done))
    left = tuple(spec for spec in waiting if id(spec) not in done)
    return Outcome(made, len(specs) - len(waiting), left, tuple(failed))


def _of_writer(
    specs: Sequence[RunSpec], chosen: Callable[[], list[RunSpec]], execution: Execution
) -> list[RunSpec]:
    """Return what the writer chooses among the runs: it alone has a store of earlier ones."""
    places = {id(spec): place for place, spec in enumerate(specs)}
    numbers = execution.agreed(lambda: [places[id(spec)] for spec in chosen()])
    return [specs[number] for number in numbers]


def _in_processes(
    specs: Iterator[RunSpec], store: Store, source: GraphSource, options: RunOptions, jobs: int
) -> Iterator[tuple[RunSpec, Run | BaseException]]:
    """Yield each run, or why it failed, as soon as its process has ended."""
    quiet = replace(options, verbose=False)  # bars of several processes would overwrite each other
    others = set(multiprocessing.active_children())
    running: dict[Future[tuple[Run, list[Warning]]], tuple[RunSpec, ProcessPoolExecutor]] = {}
    try:
        while True:
            for spec in islice(specs, jobs - len(running)):
                # A new process for each run: neither its memory nor its end affects the others.
                context = multiprocessing.get_context("spawn")
                process = ProcessPoolExecutor(
                    1, mp_context=context, initializer=_follow, initargs=(os.getpid(),)
                )
                # Every process finds a class, but only this one knows the name it is registered under.
                portable = replace(spec, method=spec.learner or spec.method)
                with _even_threads(jobs):  # the process starts here and inherits the environment
                    future = process.submit(
                        _with_warnings, perform, portable, source, quiet, store.files(spec)
                    )
                running[future] = spec, process
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                spec, process = running.pop(future)
                process.shutdown()
                error = future.exception()
                if isinstance(error, TrainingInterrupted):
                    raise error
                if error is not None:
                    yield spec, error
                    continue
                run, told = future.result()
                for message in told:
                    warn_user(message)
                yield spec, run
    except BaseException:
        # Whatever ends this process ends the others: each keeps a checkpoint, as after Ctrl-C.
        for child in set(multiprocessing.active_children()) - others:
            if child.pid is not None:
                os.kill(child.pid, signal.SIGINT)
        raise
    finally:
        for _, process in running.values():
            process.shutdown()


def _follow(parent: int) -> None:
    """Within a process for runs: get signals from the parent alone, and end when it has ended."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # a terminal would send Ctrl-C a second time, which ends a run without a checkpoint
    # A shell lets what it starts in the background ignore Ctrl-C; the parent's must be heard there, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _with_warnings(make: Callable[..., Run], *given: Any) -> tuple[Run, list[Warning]]:
    """Make a run in another process; the warnings are for the one that has asked for it."""
    with warnings.catch_warnings(record=True) as caught:
        run = make(*given)
    return run, [one.message for one in caught if isinstance(one.message, Warning)]


@contextmanager
def _even_threads(jobs: int) -> Iterator[None]:
    """Let processes that start in the block share the cores evenly, unless the variables are set."""
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
