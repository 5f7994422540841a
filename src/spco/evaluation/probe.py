"""The linear probe: embeddings and labels in, scores out; test nodes cannot leak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

from .._random import RandomState, as_generator
from .._validation import invalid
from ..errors import InvalidFeaturesError
from ..linalg.normalize import unit_rows
from ._inputs import Embedding, checked_parts, embedding_matrix, fitting_parts, label_numbers

#: The values of C to choose from: 10⁻², 10⁻¹·⁵, ..., 10⁴. Smaller ones add nothing on rows of length 1, where
#: the class means decide anyway.
STRENGTHS: tuple[float, ...] = tuple(float(f"{value:.6g}") for value in np.logspace(-2, 4, 13))

# The largest distance of w from the optimum. The penalty bounds it by the length of the gradient, which
# scikit-learn divides by C·n: weak penalties need small tolerances, or a fit would depend on its start.
_DISTANCE = 1e-2
_TIGHTEST, _LOOSEST = 1e-9, 1e-7
_MOST_ITERATIONS = 10_000
# With more entries the training rows are not made dense for the change of coordinates.
_MOST_DENSE_ENTRIES = 1 << 25


@dataclass(frozen=True)
class ProbeScores:
    """Scores of a linear probe on the test nodes.

    Attributes
    ----------
    macro_f1 : float
        Mean F1 score of the classes that occur among the test nodes or their predictions.
    micro_f1, accuracy : float
        F1 over all test nodes together, which is the accuracy, because a node has one class.
    C : float
        The strength chosen on the validation nodes; a small C is a strong penalty.
    val_accuracy : float
        Accuracy on the validation nodes at that strength.
    """

    macro_f1: float
    micro_f1: float
    accuracy: float
    C: float
    val_accuracy: float


@dataclass(frozen=True, eq=False)
class LinearProbe:
    """A fitted probe: class = argmax_c ⟨w_c, z/‖z‖⟩ + b_c."""

    classes: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray
    C: float
    val_accuracy: float

    def predict(self, Z: Any) -> np.ndarray:
        """Return the class number of each row of an (M, d) embedding, dense or sparse."""
        matrix = embedding_matrix(Z, "Z", "LinearProbe.predict")
        width = self.coefficients.shape[1]
        if matrix.shape[1] != width:
            must, got = f"have {width} columns, as when it was fitted", f"{matrix.shape[1]}"
            raise invalid("Z", "LinearProbe.predict", must, got, error=InvalidFeaturesError)
        return _classify(unit_rows(matrix), self.classes, self.coefficients, self.intercepts)


def linear_probe(
    Z: Any, labels: Any, *, train: Any, val: Any, test: Any, random_state: RandomState = 0
) -> ProbeScores:
    """Score an embedding by logistic regression on its rows, scaled to length 1.

        min_{w,b}  ½‖w‖² + C·Σ_{i∈train} −log softmax(⟨w_c, z_i/‖z_i‖⟩ + b_c)[y_i]

    C is the entry of :data:`STRENGTHS` with the best accuracy on the validation nodes; of equals the
    smallest, which is the strongest penalty. The test nodes are used after that, once. Only training nodes
    are fitted. Everything is computed in float64.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
        One row per node. Rows of zeros stay zeros.
    labels : (N,) integers
        Class numbers from 0; -1 where unknown. Nodes of the three parts must have known classes.
    train, val, test : node indices or boolean masks
        They must not share a node. A class without training nodes is never predicted and counts as missed.
    random_state : int >= 0, Generator or None
        Checked, but without effect: the objective is convex and L-BFGS deterministic.

    Raises
    ------
    InvalidSplitError
        Parts that overlap, are empty or name a node twice or an unknown one; training nodes of one class.
    InvalidLabelsError
        Labels that are missing or of the wrong number, or a node of unknown class in a part.
    InvalidFeaturesError
        An embedding that is not a matrix of finite numbers.

    Examples
    --------
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> parts = {"train": g.splits["train5"], "val": g.splits["val"], "test": g.splits["test"]}
    >>> scores = linear_probe(g.features, g.labels, **parts)
    >>> scores.accuracy > 0.8, scores.C in STRENGTHS
    (True, True)
    """
    as_generator(random_state, "linear_probe")
    matrix = embedding_matrix(Z, "Z", "linear_probe")
    classes = label_numbers(labels, matrix.shape[0], "linear_probe")
    parts = checked_parts(classes, train, val, test, "linear_probe")
    probe = _fit(matrix, classes, parts.train, parts.val)
    scores = prediction_scores(probe.predict(matrix[parts.test]), classes[parts.test])
    return ProbeScores(**scores, C=probe.C, val_accuracy=probe.val_accuracy)


def fit_probe(Z: Any, labels: Any, *, train: Any, val: Any) -> LinearProbe:
    """Fit the probe of :func:`linear_probe`, to predict the classes of other nodes.

    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> probe = fit_probe(g.features, g.labels, train=g.splits["train20"], val=g.splits["val"])
    >>> len(probe.predict(g.features))
    178
    """
    matrix = embedding_matrix(Z, "Z", "fit_probe")
    classes = label_numbers(labels, matrix.shape[0], "fit_probe")
    return _fit(matrix, classes, *fitting_parts(classes, train, val, "fit_probe"))


def _fit(matrix: Embedding, labels: np.ndarray, train: np.ndarray, val: np.ndarray) -> LinearProbe:
    """Fit on ``train`` at every strength, from strong to weak, and keep the best on ``val``."""
    rows, held_out, basis = _coordinates(unit_rows(matrix[train]), unit_rows(matrix[val]))
    model = LogisticRegression(solver="lbfgs", max_iter=_MOST_ITERATIONS, warm_start=True)
    fits = []
    for strength in STRENGTHS:
        tolerance = min(max(_DISTANCE / (strength * len(train)), _TIGHTEST), _LOOSEST)
        model.set_params(C=strength, tol=tolerance).fit(rows, labels[train])
        coefficients, intercepts = _per_class(model)
        predicted = _classify(held_out, model.classes_, coefficients, intercepts)
        accuracy = float(np.mean(predicted == labels[val]))
        fits.append(LinearProbe(model.classes_, coefficients, intercepts, strength, accuracy))
    # max() keeps the first of equals, which has the strongest penalty.
    best = max(fits, key=lambda fit: fit.val_accuracy)
    return best if basis is None else replace(best, coefficients=best.coefficients @ basis.T)


def _coordinates(rows: Embedding, held_out: Embedding) -> tuple[Embedding, Embedding, np.ndarray | None]:
    """Return both in an orthonormal basis of the training rows, if these are fewer than the columns.

    The best w lies in the span of the training rows, and a rotation changes neither the penalty nor the fit.
    Nothing is lost, and the cost no longer depends on the width of the embedding.
    """
    count, width = rows.shape
    if count >= width or count * width > _MOST_DENSE_ENTRIES:
        return rows, held_out, None
    dense = rows.toarray() if sp.issparse(rows) else rows
    basis, triangle = np.linalg.qr(dense.T)
    return np.ascontiguousarray(triangle.T), np.asarray(held_out @ basis), basis


def _per_class(model: LogisticRegression) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients and intercept of each class; with two classes, one mirrors the other."""
    coefficients, intercepts = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        return np.vstack([-coefficients, coefficients]), np.concatenate([-intercepts, intercepts])
    return coefficients.copy(), intercepts.copy()


def _classify(
    rows: Embedding, classes: np.ndarray, coefficients: np.ndarray, intercepts: np.ndarray
) -> np.ndarray:
    scores = np.asarray(rows @ coefficients.T) + intercepts
    best: np.ndarray = classes[np.argmax(scores, axis=1)]
    return best


def prediction_scores(predicted: np.ndarray, actual: np.ndarray) -> dict[str, float]:
    """Return macro-F1, micro-F1 and accuracy of predicted class numbers, by field name."""
    return {
        "macro_f1": float(f1_score(actual, predicted, average="macro")),
        "micro_f1": float(f1_score(actual, predicted, average="micro")),
        "accuracy": float(accuracy_score(actual, predicted)),
    }
