"""Classes for nodes that have none, by the probe that embeddings are scored with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._random import RandomState
from ._inputs import embedding_matrix, label_numbers
from .probe import cross_validated_probe


@dataclass(frozen=True, eq=False)
class PredictedLabels:
    """The class of every node: the known ones, and predictions for all others.

    Attributes
    ----------
    labels : (N,) int64
        Known class numbers as they were given, and the most probable ones elsewhere.
    is_known : (N,) bool
    classes : (K,) int64
        The class numbers that occur among the known ones, which the columns of ``probabilities`` stand for.
    probabilities : (N, K) float64
        Those of the probe, for known nodes too.
    C, accuracy : float
        The strength of the probe, and its accuracy on held-out folds of the known nodes, in [0, 1].
    """

    labels: np.ndarray
    is_known: np.ndarray
    classes: np.ndarray
    probabilities: np.ndarray
    C: float
    accuracy: float


def predict_labels(Z: Any, labels: Any, *, folds: int = 5, rng: RandomState = 0) -> PredictedLabels:
    """Fill in the classes of unlabelled nodes by logistic regression on their embeddings.

    The probe is that of :func:`spco.linear_probe`, fitted on all nodes of known class; its strength is chosen
    by cross-validation among them (see ``cross_validated_probe``).

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    labels : (N,) integers
        Class numbers from 0; -1 where unknown.
    folds, rng
        How many folds, and what draws them.

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> some = wine.labels.copy()
    >>> some[::2] = -1
    >>> found = predict_labels(wine.features, some)
    >>> found.probabilities.shape, bool((found.labels == wine.labels).mean() > 0.9)
    ((178, 3), True)
    """
    owner = "predict_labels"
    matrix = embedding_matrix(Z, "Z", owner)
    given = label_numbers(labels, matrix.shape[0], owner)
    probe = cross_validated_probe(matrix, given, folds=folds, rng=rng)
    is_known = given >= 0
    probabilities = probe.predict_proba(matrix)
    likely = probe.classes[np.argmax(probabilities, axis=1)]
    filled = np.where(is_known, given, likely)
    return PredictedLabels(filled, is_known, probe.classes, probabilities, probe.C, probe.val_accuracy)
