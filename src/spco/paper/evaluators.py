"""The same embeddings scored by the published evaluators and by our probe: how much is due to the probe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .._registry import Registry
from ..embedder import Embedder
from ..errors import UnfinishedError
from ..estimator import digest, digest_of_graph
from ..evaluation import Parts, Task, linear_probe, make_task, mean_and_std
from ..evaluation.protocol import checked_seeds
from ..graph import Graph
from ..presets import Preset
from ..report.wording import percent
from ..runs.folder import read_as
from ..runs.spec import is_spectral, method_of, run_name
from .case_study.cases import SEEDS, GoOn, Report
from .classification import printed_score
from .printed import Printed
from .probes import cross_validated_probe, restarted_probe, stopped_probe
from .store import RunFile

_OWNER = "evaluated"
# Of CCA-SSG's evaluator, and where the published results have another.
_WEIGHT_DECAY = 1e-4
_WEIGHT_DECAYS: Mapping[str | None, float] = {"citeseer": 1e-2}


@dataclass(frozen=True, eq=False)
class Embedded:
    """Nodes to be scored: embedding and class numbers, who trains, validates and tests, and the seed."""

    graph: str | None
    embedding: np.ndarray
    labels: np.ndarray
    parts: Parts
    seed: int

    @property
    def generator(self) -> torch.Generator:
        """A new one, for the weights that a probe starts from."""
        return torch.Generator().manual_seed(self.seed)


def _dgi(nodes: Embedded) -> float:
    accuracies = restarted_probe(
        torch.from_numpy(nodes.embedding),
        nodes.labels,
        train=nodes.parts.train,
        test=nodes.parts.test,
        steps=100,
        restarts=50,
        learning_rate=0.01,
        generator=nodes.generator,
    )
    return float(np.mean(accuracies))


def _grace(nodes: Embedded) -> float:
    train, test = nodes.parts.train, nodes.parts.test
    return cross_validated_probe(nodes.embedding, nodes.labels, train=train, test=test)


def _cca_ssg(nodes: Embedded) -> float:
    return stopped_probe(
        torch.from_numpy(nodes.embedding),
        nodes.labels,
        **asdict(nodes.parts),
        steps=2000,
        learning_rate=0.01,
        weight_decay=_WEIGHT_DECAYS.get(nodes.graph, _WEIGHT_DECAY),
        generator=nodes.generator,
    )


#: The evaluators behind the paper's Table 2: micro-F1 on the test nodes, which none chooses anything by.
EVALUATORS: Registry[Callable[[Embedded], float]] = Registry(
    "method", {"dgi": _dgi, "grace": _grace, "cca_ssg": _cca_ssg}
)
EVALUATED_COLUMNS = tuple(
    run_name(method, spectral=spectral) for method in EVALUATORS for spectral in (False, True)
)
EVALUATED_GRAPHS = ("cora", "citeseer")
#: Who scores, and what tables call it: the paper's evaluator of the method, and the one probe for all.
SCORERS = {"paper": "its evaluator", "probe": "our probe"}


@dataclass(frozen=True)
class Evaluated:
    """Embeddings of one method on one graph, scored in both ways.

    Attributes
    ----------
    column : str
        The method's name, with SpCo or without.
    graph : str or None
    seeds : tuple of int
    scores : mapping of label rates to mappings of :data:`SCORERS` to micro-F1 by seed
    """

    column: str
    graph: str | None
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[str, tuple[float, ...]]]

    @classmethod
    def of_runs(cls, column: str, graph: str | None, runs: Iterable[Mapping[str, Any]]) -> Evaluated:
        """Put runs together as a file of them holds them."""
        held = sorted(runs, key=lambda run: int(run["seed"]))
        scores = {
            rate: {scorer: tuple(float(run["scores"][rate][scorer]) for run in held) for scorer in SCORERS}
            for rate in held[0]["scores"]
        }
        return cls(column, graph, tuple(int(run["seed"]) for run in held), scores)

    def mean_and_std(self, rate: str, scorer: str) -> tuple[float, float | None]:
        """Return the mean over the seeds and its standard deviation; None for a single seed."""
        return mean_and_std(self.scores[rate][scorer])

    def printed(self, rate: str) -> Printed | None:
        """Return what the paper prints for it."""
        return None if self.graph is None else printed_score(self.graph, rate, "micro_f1", self.column)

    def __str__(self) -> str:
        return "\n".join(self._line(rate) for rate in self.scores)

    def _line(self, rate: str) -> str:
        parts = [f"{self.column:<14}{rate:<8}"]
        for scorer, title in SCORERS.items():
            parts.append(f"{title} {percent(*self.mean_and_std(rate, scorer))}")
        if (paper := self.printed(rate)) is not None:
            parts.append(f"printed {paper}")
        return "   ".join(parts)


def evaluated(
    graph: Graph,
    column: str,
    *,
    preset: str = "auto",
    seeds: Iterable[int] = SEEDS,
    path: Path | None = None,
    report: Report = lambda _: None,
    go_on: GoOn = lambda: True,
) -> Evaluated:
    """Train a method with every seed and score each embedding by the paper's evaluator and by our probe.

    Parameters
    ----------
    graph : Graph
        With labels and splits.
    column : str
        "dgi", "grace" or "cca_ssg", or one of them with "+spco".
    preset : str
        As :class:`spco.Embedder` takes it.
    path : Path or None
        A file in which finished runs are kept; the same call goes on with it.
    report : function
        Called with a line after each run.
    go_on : function
        Asked before each run; after a no, nothing is run any more.
    """
    method = method_of(column)
    EVALUATORS.resolve(method, owner=_OWNER)
    chosen = checked_seeds(seeds, _OWNER)
    base = Embedder(method, spectral=is_spectral(column), preset=preset)
    task, _ = make_task(graph, None, 0, _OWNER)
    runs = RunFile.open(path, _description(graph, task, column, base.prepare(graph).preset))
    for seed in chosen:
        if runs.holds(column, seed):
            continue
        if not go_on():
            break
        runs.check_versions()
        start = time.perf_counter()
        embedding = base.set_params(random_state=seed).fit_transform(graph)
        scores = {
            rate: _scores(method, Embedded(graph.name, embedding, task.labels, parts, seed))
            for rate, parts in task.parts.items()
        }
        seconds = round(time.perf_counter() - start, 2)
        runs.add({"name": column, "seed": seed, "scores": scores, "seconds": seconds})
        report(f"{column}, seed {seed}: {_in_words(scores)} in {seconds:.1f} s")
    finished = [runs.get(column, seed) for seed in chosen if runs.holds(column, seed)]
    if not finished:
        raise UnfinishedError("No seed has been run yet; the same call goes on from here.")
    return Evaluated.of_runs(column, graph.name, finished)


def read_evaluated(folder: Path) -> tuple[Evaluated, ...]:
    """Read all files of ``evaluators/`` in a folder such as ``results/``."""
    paths = sorted((folder / "evaluators").glob("*.json"))
    return tuple(read_as(path, _read) for path in paths)


def _read(document: Mapping[str, Any]) -> Evaluated:
    about = document["description"]
    return Evaluated.of_runs(about["column"], about["graph"], document["runs"])


def _scores(method: str, nodes: Embedded) -> dict[str, float]:
    """Return the micro-F1 by each of :data:`SCORERS`."""
    ours = linear_probe(nodes.embedding, nodes.labels, **asdict(nodes.parts))
    return {"paper": EVALUATORS[method](nodes), "probe": ours.micro_f1}


def _description(graph: Graph, task: Task, column: str, preset: Preset) -> dict[str, Any]:
    """Return all that the scores depend on; without SpCo its settings do not count."""
    settings = preset.to_dict()
    if not is_spectral(column):
        del settings["spectral"]
    parts = [nodes for rate in task.parts.values() for nodes in asdict(rate).values()]
    return {
        "experiment": "evaluators",
        "graph": graph.name,
        "column": column,
        "data": {"graph": digest_of_graph(graph), "labels": digest(task.labels), "splits": digest(*parts)},
        "settings": settings,
    }


def _in_words(scores: Mapping[str, Mapping[str, float]]) -> str:
    return ", ".join(f"{rate} {' and '.join(map(percent, found.values()))}" for rate, found in scores.items())
