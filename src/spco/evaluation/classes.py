"""Which classes a probe finds, and which it misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph import Graph
from ._rates import make_task
from .probe import fit_probe


@dataclass(frozen=True, eq=False)
class ClassAccuracy:
    """The test nodes of each class, and those that the probe puts into it.

    Attributes
    ----------
    classes, counts, right : (K,) integers
        Class numbers that occur among the test nodes, how many nodes have them, how many of these are right.
    """

    classes: np.ndarray
    counts: np.ndarray
    right: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """The accuracy of each class."""
        shares: np.ndarray = self.right / self.counts
        return shares


def class_accuracy(graph: Graph, Z: Any, *, rate: str, split_seed: int = 0) -> ClassAccuracy:
    """Score an embedding class by class at a label rate, by the probe that :func:`score_runs` uses.

    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> found = class_accuracy(g, g.features, rate="train20")
    >>> found.classes.tolist(), int(found.counts.sum()) == len(g.splits["test"])
    ([0, 1, 2], True)
    """
    task, _ = make_task(graph, [rate], split_seed, "class_accuracy")
    parts = task.parts[rate]
    probe = fit_probe(Z, task.labels, train=parts.train, val=parts.val)
    actual = task.labels[parts.test]
    is_right = probe.predict(Z[parts.test]) == actual
    classes, place, counts = np.unique(actual, return_inverse=True, return_counts=True)
    right = np.bincount(place, weights=is_right, minlength=len(classes)).astype(np.int64)
    return ClassAccuracy(classes, counts, right)
