"""The same embeddings scored by the published evaluators and by our probe: what the probe contributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from .._registry import Registry
from ..embedder import Embedder
from ..errors import UnfinishedError
from ..estimator import digest, digest_of_graph
from ..evaluation import Parts, linear_probe, make_task, mean_and_std
from ..evaluation.protocol import checked_seeds
from ..graph import Graph
from ..report.wording import percent
from ..runs.folder import read_as
from ..runs.spec import RunSpec, is_spectral, method_of, run_name
from .classification import printed_score
from .printed import Printed
from .probes import accuracy, cross_validated_probe, restarted_probe, stopped_probe
from .store import SEEDS, GoOn, RunFile, Tell

_OWNER = "evaluated"
#: Takes an embedding, class numbers and the nodes' parts; returns the guessed classes of the test nodes.
Evaluator = Callable[[np.ndarray, np.ndarray, Parts], np.ndarray]
#: The evaluators behind the paper's Table 2, by method: functions of the graph's name and the seed.
EVALUATORS: Registry[Callable[[str | None, int], Evaluator]] = Registry(
    "method",
    {
        "dgi": lambda _, seed: partial(
            restarted_probe, steps=100, restarts=50, learning_rate=0.01, seed=seed
        ),
        "grace": lambda *_: cross_validated_probe,
        "cca_ssg": lambda graph, seed: partial(
            stopped_probe,
            steps=2000,
            learning_rate=0.01,
            weight_decay=1e-2 if graph == "citeseer" else 1e-4,
            seed=seed,
        ),
    },
)
EVALUATED_COLUMNS = tuple(
    run_name(method, spectral=spectral) for method in EVALUATORS for spectral in (False, True)
)
EVALUATED_GRAPHS = ("cora", "citeseer")
#: The paper's evaluator of the method and our probe for all methods, with their titles in tables.
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
        """Collect the runs of a file."""
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
        lines = []
        for rate in self.scores:
            parts = [f"{self.column:<14}{rate:<8}"]
            for scorer, title in SCORERS.items():
                parts.append(f"{title} {percent(*self.mean_and_std(rate, scorer))}")
            if (paper := self.printed(rate)) is not None:
                parts.append(f"printed {paper}")
            lines.append("   ".join(parts))
        return "\n".join(lines)


def evaluated(
    graph: Graph,
    column: str,
    *,
    preset: str = "auto",
    seeds: Iterable[int] = SEEDS,
    path: Path | None = None,
    tell: Tell = lambda _: None,
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
        A preset's name, as for :class:`spco.Embedder`.
    path : Path or None
        A file of finished runs; runs that it holds are not repeated.
    tell : function
        Called with a line after each run.
    go_on : function
        Asked before each run; after a no, nothing more is run.
    """
    method = method_of(column)
    evaluator_of = EVALUATORS.resolve(method, owner=_OWNER)
    chosen = checked_seeds(seeds, _OWNER)
    base = Embedder(method, spectral=is_spectral(column), preset=preset)
    task, _ = make_task(graph, None, 0, _OWNER)
    settings = base.prepare(graph).preset.to_dict()
    if not is_spectral(column):
        del settings["spectral"]
    splits = [nodes for parts in task.parts.values() for nodes in asdict(parts).values()]
    description = {
        "experiment": "evaluators",
        "graph": graph.name,
        "column": column,
        "data": {"graph": digest_of_graph(graph), "labels": digest(task.labels), "splits": digest(*splits)},
        "settings": settings,
    }

    def make(_: str, seed: int) -> tuple[dict[str, Any], str]:
        embedding = base.set_params(random_state=seed).fit_transform(graph)
        evaluator, scores = evaluator_of(graph.name, seed), {}
        for rate, parts in task.parts.items():
            guesses = evaluator(embedding, task.labels, parts)
            ours = linear_probe(embedding, task.labels, **asdict(parts))
            # With one class per node, micro-F1 is the accuracy.
            scores[rate] = {"paper": accuracy(guesses, task.labels[parts.test]), "probe": ours.micro_f1}
        words = (f"{rate} {' and '.join(map(percent, found.values()))}" for rate, found in scores.items())
        return {"scores": scores}, ", ".join(words)

    runs = RunFile.open(path, description)
    runs.carry_out([column], chosen, make, tell=tell, go_on=go_on)
    finished = [runs.get(column, seed) for seed in chosen if runs.holds(column, seed)]
    if not finished:
        raise UnfinishedError("No seed has been run yet. Repeat the call to continue.")
    return Evaluated.of_runs(column, graph.name, finished)


def published_scores(spec: RunSpec, graph: Graph, embedding: np.ndarray) -> dict[str, dict[str, float]]:
    """Return macro- and micro-F1 by the evaluator of the authors of a method, at every label rate.

    The scores of a restarted evaluator are means over its restarts, as in the published results.
    """
    task, _ = make_task(graph, None, 0, "published_scores")
    evaluator = EVALUATORS.resolve(spec.method_name, owner="published_scores")(graph.name, spec.seed)
    found = {}
    for rate, parts in task.parts.items():
        truth, guesses = task.labels[parts.test], np.atleast_2d(evaluator(embedding, task.labels, parts))
        found[rate] = {
            f"{average}_f1": float(np.mean([f1_score(truth, guess, average=average) for guess in guesses]))
            for average in ("macro", "micro")
        }
    return found


def read_evaluated(folder: Path) -> tuple[Evaluated, ...]:
    """Read all files of ``evaluators/`` in a folder such as ``results/``."""
    return tuple(read_as(path, _read) for path in sorted((folder / "evaluators").glob("*.json")))


def _read(document: Mapping[str, Any]) -> Evaluated:
    about = document["description"]
    return Evaluated.of_runs(about["column"], about["graph"], document["runs"])
