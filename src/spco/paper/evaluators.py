"""The evaluators behind the paper's Table 2, one per method: they score embeddings of published settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.metrics import f1_score

from .._registry import Registry
from ..evaluation import Parts, make_task
from ..graph import Graph
from ..runs.spec import RunSpec
from .probes import cross_validated_probe, restarted_probe, stopped_probe

#: Takes an embedding, class numbers and the nodes' parts; returns the guessed classes of the test nodes.
Evaluator = Callable[[np.ndarray, np.ndarray, Parts], np.ndarray]
#: The evaluators by method: functions of the graph's name and the seed.
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
