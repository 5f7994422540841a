"""Choose among trained candidates and their readouts by the labels that are known, and by nothing else.

A readout puts channels side by side, so its Gram matrix is a weighted sum of theirs. One Gram matrix per
channel scores every readout, by ridge regression on the classes in closed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from .._validation import invalid
from ..errors import InvalidLabelsError
from ..graph.checks import label_vector, node_indices
from ..linalg.normalize import unit_rows

_RIDGES = (1e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0)
_MOST_LABELS = 2000  # that are used; more would add cost, not certainty
_FOLDS, _REPEATS = 5, 2
_DRAWS = 10

Split = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class LabelledNodes:
    """The nodes whose class is known, and how they are split to score a readout.

    Attributes
    ----------
    nodes : (n,) int
    classes : (n,) int
        From 0 on.
    splits : sequence of pairs of index arrays into ``nodes``
        What is fitted on, and what is scored.
    """

    nodes: np.ndarray
    classes: np.ndarray
    splits: tuple[Split, ...]

    @classmethod
    def of(
        cls, labels: Any, num_nodes: int, *, train: Any, rng: np.random.Generator, owner: str
    ) -> LabelledNodes:
        """Check labels, −1 for unknown ones, and split the nodes that have one.

        Without ``train``: five folds, twice. With it, the nodes that a classifier will be fitted on: ten
        draws of as many nodes of each class, so that few labels are judged by few.
        """
        vector = label_vector(labels, num_nodes, owner, "y")
        if vector is None:
            raise invalid("y", owner, "hold class numbers", "None", error=InvalidLabelsError)
        known = np.flatnonzero(vector >= 0)
        fitted = None if train is None else node_indices(train, num_nodes, "train", owner)
        if len(known) > _MOST_LABELS:
            kept = rng.permutation(known)[:_MOST_LABELS]
            known = np.unique(kept if fitted is None else np.concatenate([kept, fitted]))
        numbers, classes = np.unique(vector[known], return_inverse=True)
        counts = np.bincount(classes)
        if len(numbers) < 2 or len(known) < 4:
            got = f"{len(known)} labelled nodes of {len(numbers)} class{'es' * (len(numbers) != 1)}"
            must = "label at least 4 nodes of at least two classes"
            hint = "without y the advice alone decides"
            raise invalid("y", owner, must, got, hint=hint, error=InvalidLabelsError)
        if fitted is None:
            return cls(known, classes, _folds(classes, counts, rng))
        return cls(known, classes, _draws(classes, np.isin(known, fitted), rng))

    @property
    def size(self) -> int:
        """How many nodes are labelled."""
        return len(self.nodes)


def _folds(classes: np.ndarray, counts: np.ndarray, rng: np.random.Generator) -> tuple[Split, ...]:
    folds = int(min(_FOLDS, max(2, counts.min()))) if counts.min() > 1 else 2
    splitter = RepeatedStratifiedKFold(
        n_splits=folds, n_repeats=_REPEATS, random_state=int(rng.integers(2**31))
    )
    rare = (
        counts.min() < folds
    )  # scikit-learn wants every class in every fold; a rare one counts as any other
    by = np.where(counts[classes] < folds, int(np.argmax(counts)), classes) if rare else classes
    return tuple((fit, score) for fit, score in splitter.split(np.zeros(len(by)), by))


def _draws(classes: np.ndarray, fitted: np.ndarray, rng: np.random.Generator) -> tuple[Split, ...]:
    sizes = np.bincount(classes[fitted], minlength=classes.max() + 1)
    found = []
    for _ in range(_DRAWS):
        order = rng.permutation(len(classes))
        chosen = np.concatenate([order[classes[order] == number][:size] for number, size in enumerate(sizes)])
        rest = np.setdiff1d(order, chosen)
        if len(rest):
            found.append((np.sort(chosen), rest))
    return tuple(found) or ((np.flatnonzero(fitted), np.flatnonzero(fitted)),)


@dataclass(frozen=True, eq=False)
class ReadoutScores:
    """Scores the readouts of one trained encoder."""

    labelled: LabelledNodes
    grams: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, labelled: LabelledNodes, channels: Mapping[str, np.ndarray]) -> ReadoutScores:
        """Take in each channel's rows of the labelled nodes, (n, d)."""
        units = {name: unit_rows(rows) for name, rows in channels.items()}
        return cls(labelled, {name: rows @ rows.T for name, rows in units.items()})

    def accuracies(self, weights: Mapping[str, float]) -> np.ndarray:
        """Return the accuracy on every split of the readout with these weights; the best ridge for all."""
        total = sum(weight**2 for weight in weights.values())
        gram: Any = sum(weight**2 / total * self.grams[name] for name, weight in weights.items())
        rows = [self._accuracies_by_ridge(gram, *split) for split in self.labelled.splits]
        by_ridge = np.array(rows)
        best: np.ndarray = by_ridge[:, int(np.argmax(by_ridge.mean(axis=0)))]
        return best

    def _accuracies_by_ridge(self, gram: np.ndarray, fit: np.ndarray, score: np.ndarray) -> list[float]:
        """Fit K·α = Y by ridge regression for every strength, with an intercept by centring."""
        classes = self.labelled.classes
        between, targets = gram[np.ix_(fit, fit)], np.eye(classes.max() + 1)[classes[fit]]
        centre, whole = between.mean(axis=0), between.mean()
        inner = between - centre - centre[:, None] + whole
        cross = gram[np.ix_(score, fit)]
        cross = cross - centre - cross.mean(axis=1, keepdims=True) + whole
        values, vectors = np.linalg.eigh(inner)
        rotated, mean = vectors.T @ (targets - targets.mean(axis=0)), targets.mean(axis=0)
        found = []
        for ridge in _RIDGES:
            weights = vectors @ (rotated / (np.maximum(values, 0) + ridge)[:, None])
            guesses = np.argmax(cross @ weights + mean, axis=1)
            found.append(float(np.mean(guesses == classes[score])))
        return found


@dataclass(frozen=True, eq=False)
class Trial:
    """A readout of a trained candidate, and its accuracy on every split.

    Attributes
    ----------
    method : str
    spectral : bool
    readout : tuple of channels
    accuracies : (S,)
    seconds : float
        The training's, which all readouts of a candidate share.
    """

    method: str
    spectral: bool
    readout: tuple[str, ...]
    accuracies: np.ndarray
    seconds: float

    @property
    def score(self) -> float:
        """The mean accuracy over the splits."""
        return float(self.accuracies.mean())

    def lead_over(self, other: Trial) -> tuple[float, float]:
        """Return by how much the mean is ahead, and the standard error of that, split by split."""
        difference = self.accuracies - other.accuracies
        error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else 0.0
        return float(difference.mean()), float(error)


def best_trial(trials: Sequence[Trial], advised: Trial) -> Trial:
    """Return the best trial, unless its lead over the advised one is within a standard error.

    Many readouts are compared on few labels: the luckiest one is not to win by luck alone.
    """
    best = max(trials, key=lambda trial: trial.score)
    lead, error = best.lead_over(advised)
    return best if lead > error else advised
