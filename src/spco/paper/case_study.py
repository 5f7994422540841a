"""Run pairs of views through the model of Section 3, seed by seed, and keep every finished run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import check_integer, invalid, shown
from ..errors import UnfinishedError
from ..estimator import digest, digest_of_graph
from ..evaluation.statistics import mean_and_std
from ..graph import Graph
from ..report.wording import percent
from .model import CaseSettings, case_accuracy, probe_task
from .paper import Printed, printed
from .store import RunFile

SEEDS = tuple(range(10))
Report = Callable[[str], None]
#: asked before each run; after a no, nothing is run any more
GoOn = Callable[[], bool]
#: draws a pair of matrices; the first is the one whose embedding is tested
DrawPair = Callable[[np.random.Generator], tuple[sp.csr_array, sp.csr_array]]


@dataclass(frozen=True)
class Case:
    """A pair of views to contrast.

    Attributes
    ----------
    name : str
    about : str
        The views with all their settings, for the record.
    draw : function of a generator
        Returns the two matrices that multiply X·W, as they are.
    """

    name: str
    about: str
    draw: DrawPair


@dataclass(frozen=True)
class CaseRun:
    """One seed of one pair: the test accuracy in [0, 1], and how long it took."""

    name: str
    seed: int
    accuracy: float
    seconds: float


@dataclass(frozen=True)
class CaseResult:
    """All seeds of one pair of views, and what the paper prints for it."""

    name: str
    seeds: tuple[int, ...]
    scores: tuple[float, ...]
    paper: Printed | None = None

    @property
    def mean(self) -> float:
        """Mean accuracy over the seeds."""
        return mean_and_std(self.scores)[0]

    @property
    def std(self) -> float | None:
        """Its sample standard deviation (n − 1); None for a single seed."""
        return mean_and_std(self.scores)[1]

    def __str__(self) -> str:
        text = f"{self.name:<20}  {percent(self.mean, self.std)}"
        return text if self.paper is None else f"{text}   paper: {self.paper}"


def view_rng(seed: int) -> np.random.Generator:
    """Return the generator that a run with this seed draws its random view from."""
    return np.random.default_rng([seed, 0])


def open_runs(
    experiment: str, graph: Graph, cases: Sequence[Case], *, settings: CaseSettings, path: Path | None
) -> RunFile:
    """Return the file of an experiment's runs, new or to go on with; ``path`` None keeps nothing.

    Runs belong to what the graph holds, not to its name alone: graphs of one's own often have none.
    """
    labels, train, test = probe_task(graph, settings)
    description = {
        "experiment": experiment,
        "graph": graph.name,
        "data": {
            "graph": digest_of_graph(graph),
            "labels": digest(labels),
            "train": digest(train),
            "test": digest(test),
        },
        "settings": asdict(settings),
        "cases": {case.name: case.about for case in cases},
    }
    return RunFile.open(path, description)


def run_cases(
    runs: RunFile,
    graph: Graph,
    cases: Sequence[Case],
    *,
    seeds: Iterable[int],
    settings: CaseSettings,
    report: Report,
    go_on: GoOn,
) -> tuple[CaseResult, ...]:
    """Run every case with every seed that ``runs`` does not hold yet, and return all scores by case.

    A random view is drawn once per run, from :func:`view_rng`. Seeds go outermost, so that an interrupted
    run has all cases for the seeds it got to; stopped by ``go_on``, the scores are those of these seeds. The
    summary in the file is over all of its seeds, whichever were asked for.
    """
    chosen = checked_seeds(seeds, owner="run_cases")
    missing = [(seed, case) for seed, case in product(chosen, cases) if not runs.holds(case.name, seed)]
    for seed, case in missing:
        if not go_on():
            break
        runs.check_versions()
        run = _run(graph, case, seed, settings)
        runs.add(asdict(run))
        report(f"{case.name}, seed {seed}: {100 * run.accuracy:.1f}% in {run.seconds:.1f} s")
    held = _finished(runs, cases, runs.seeds)
    if held and (missing or "summary" not in runs.conclusions):
        runs.conclude(summary=summary(_results(runs, graph, cases, held)))
    finished = _finished(runs, cases, chosen)
    if not finished:
        raise UnfinishedError("No seed has all of its runs yet; the same call goes on from here.")
    return _results(runs, graph, cases, finished)


def _finished(runs: RunFile, cases: Sequence[Case], seeds: Iterable[int]) -> tuple[int, ...]:
    return tuple(seed for seed in seeds if all(runs.holds(case.name, seed) for case in cases))


def _results(
    runs: RunFile, graph: Graph, cases: Sequence[Case], seeds: tuple[int, ...]
) -> tuple[CaseResult, ...]:
    known = printed(runs.description["experiment"], graph.name)
    return tuple(
        CaseResult(
            case.name,
            seeds,
            tuple(float(runs.get(case.name, seed)["accuracy"]) for seed in seeds),
            known.get(case.name),
        )
        for case in cases
    )


def _run(graph: Graph, case: Case, seed: int, settings: CaseSettings) -> CaseRun:
    start = time.perf_counter()
    first, second = case.draw(view_rng(seed))
    accuracy = case_accuracy(graph, first, second, seed=seed, settings=settings)
    return CaseRun(case.name, seed, accuracy, round(time.perf_counter() - start, 2))


def checked_seeds(seeds: Iterable[int], *, owner: str) -> tuple[int, ...]:
    """Return the seeds as a tuple: integers >= 0, at least one, each once."""
    try:
        chosen = tuple(check_integer(seed, "seeds", owner, minimum=0) for seed in seeds)
    except TypeError:
        chosen = ()
    if not chosen or len(set(chosen)) < len(chosen):
        raise invalid("seeds", owner, "be integers >= 0, at least one, each once", shown(seeds))
    return chosen


def summary(results: Iterable[CaseResult]) -> list[dict[str, Any]]:
    """Return mean, spread and the printed number of each case, as plain values."""
    return [
        {
            "name": result.name,
            "seeds": list(result.seeds),
            "mean": result.mean,
            "std": result.std,
            "paper_mean": None if result.paper is None else result.paper.mean,
            "paper_std": None if result.paper is None else result.paper.std,
        }
        for result in results
    ]
