"""The linear probe: embeddings and labels in, scores out; test nodes cannot leak."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

from .._random import RandomState, as_generator
from .._validation import check_integer, invalid
from ..errors import InvalidFeaturesError, InvalidLabelsError
from ..linalg.normalize import unit_rows
from ._inputs import Embedding, checked_parts, embedding_matrix, fitting_parts, label_numbers
from .newton import MOST_COEFFICIENTS, SoftmaxProblem

#: The values of C to choose from: 10⁻², 10⁻¹·⁵, ..., 10⁴. Smaller ones add nothing on rows of length 1, where
#: the class means decide anyway.
STRENGTHS: tuple[float, ...] = tuple(float(f"{value:.6g}") for value in np.logspace(-2, 4, 13))

# The largest distance of w from the optimum. The penalty bounds it by the length of the gradient, which
# scikit-learn divides by C·n: weak penalties need small tolerances, or a fit would depend on its start.
_DISTANCE = 1e-2
_TIGHTEST, _LOOSEST = 1e-9, 1e-7
_MOST_ITERATIONS = 10_000
# After as many, or as many visits of a row, few columns of very different scales are left to Newton's method,
# which scales do not slow.
_PATIENCE, _LEAST_PATIENCE = 1_000, 50
_MOST_VISITS = 1_000_000
# With more entries the training rows are not made dense for the change of coordinates.
_MOST_DENSE_ENTRIES = 1 << 25
_FEWEST_LABELS = 4  # fewer cannot be held out in turn


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
    """A fitted probe: P(c | z) = softmax_c(⟨w_c, z/‖z‖⟩ + b_c).

    Attributes
    ----------
    classes : (K,) int64
        The class numbers of the nodes it was fitted on.
    coefficients, intercepts : (K, d) and (K,)
    C, val_accuracy : float
        See :class:`ProbeScores`.
    """

    classes: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray
    C: float
    val_accuracy: float

    def predict(self, Z: Any) -> np.ndarray:
        """Return the most probable class number of each row of an (M, d) embedding, dense or sparse."""
        return self.most_probable(self.scores(self._rows(Z, "LinearProbe.predict")))

    def predict_proba(self, Z: Any) -> np.ndarray:
        """Return the (M, K) probabilities of ``classes`` for the rows of an (M, d) embedding."""
        found: np.ndarray = softmax(self.scores(self._rows(Z, "LinearProbe.predict_proba")), axis=1)
        return found

    def scores(self, rows: Embedding) -> np.ndarray:
        """Return ⟨w_c, z⟩ + b_c for rows that have length 1 already, (M, K)."""
        found: np.ndarray = np.asarray(rows @ self.coefficients.T) + self.intercepts
        return found

    def most_probable(self, scores: np.ndarray) -> np.ndarray:
        """Return the class number with the highest score in each row."""
        best: np.ndarray = self.classes[np.argmax(scores, axis=1)]
        return best

    def _rows(self, Z: Any, owner: str) -> Embedding:
        matrix = embedding_matrix(Z, "Z", owner)
        width = self.coefficients.shape[1]
        if matrix.shape[1] != width:
            must, got = f"have {width} columns, as when it was fitted", f"{matrix.shape[1]}"
            raise invalid("Z", owner, must, got, error=InvalidFeaturesError)
        rows: Embedding = unit_rows(matrix)
        return rows


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


def cross_validated_probe(Z: Any, labels: Any, *, folds: int = 5, rng: RandomState = 0) -> LinearProbe:
    """Fit the probe of :func:`linear_probe` on all nodes of known class, its strength by cross-validation.

    C is the entry of :data:`STRENGTHS` with the best accuracy on held-out folds; of equals, the one with the
    highest mean log-probability of the right class. ``val_accuracy`` is that accuracy: that of the best of
    several strengths, so slightly too good.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    labels : (N,) integers
        Class numbers from 0; -1 where unknown. At least four nodes of at least two classes must be known.
    folds : int >= 2
        Each class is spread evenly over the folds; a fold without which one class alone is left is skipped.
    rng : int >= 0, Generator or None
        Draws the folds.

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> known = wine.labels.copy()
    >>> known[::2] = -1
    >>> probe = cross_validated_probe(wine.features, known)
    >>> bool((probe.predict(wine.features) == wine.labels)[::2].mean() > 0.9)
    True
    """
    owner = "cross_validated_probe"
    matrix = embedding_matrix(Z, "Z", owner)
    classes = label_numbers(labels, matrix.shape[0], owner)
    known = np.flatnonzero(classes >= 0)
    check_integer(folds, "folds", owner, minimum=2)
    distinct = np.unique(classes[known])
    if len(known) < _FEWEST_LABELS or len(distinct) < 2:
        got = f"{len(known)} nodes of {len(distinct)} class{'' if len(distinct) == 1 else 'es'}"
        must = f"give the class of at least {_FEWEST_LABELS} nodes, of at least two classes"
        raise invalid("labels", owner, must, got, error=InvalidLabelsError)
    fold = _folds(classes[known], folds, as_generator(rng, owner, parameter="rng"))
    # By strength: how many held-out nodes are right, and the sum of −log P(their class).
    totals = np.zeros((len(STRENGTHS), 2))
    for held in np.unique(fold):
        train, val = known[fold != held], known[fold == held]
        if len(np.unique(classes[train])) > 1:
            totals += _held_out_totals(matrix, classes, train, val)
    best = int(np.lexsort([totals[:, 1], -totals[:, 0]])[0])
    rows, _, basis = _coordinates(unit_rows(matrix[known]), unit_rows(matrix[known[:1]]))
    *_, chosen = _fits(rows, classes[known], STRENGTHS[: best + 1])
    return _rotated(replace(chosen, val_accuracy=float(totals[best, 0] / len(known))), basis)


def _folds(classes: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each node: the nodes of a class, shuffled, go to one fold after the other."""
    # Sorted by class, shuffled within: counting through them spreads every class evenly.
    order = rng.permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    fold = np.empty(len(classes), dtype=np.int64)
    fold[order] = np.arange(len(classes)) % folds
    return fold


def _held_out_totals(matrix: Embedding, labels: np.ndarray, train: np.ndarray, val: np.ndarray) -> np.ndarray:
    """Return, for each strength, how many of ``val`` are right, and the sum of −log P(their class)."""
    rows, held_out, _ = _coordinates(unit_rows(matrix[train]), unit_rows(matrix[val]))
    totals = []
    for fit in _fits(rows, labels[train], STRENGTHS):
        scores = fit.scores(held_out)
        column = np.searchsorted(fit.classes, labels[val]).clip(max=len(fit.classes) - 1)
        # A class that is missing among ``train`` is missed at every strength alike.
        known = np.flatnonzero(fit.classes[column] == labels[val])
        right = np.count_nonzero(fit.most_probable(scores) == labels[val])
        totals.append((right, -log_softmax(scores, axis=1)[known, column[known]].sum()))
    return np.array(totals)


def _fit(matrix: Embedding, labels: np.ndarray, train: np.ndarray, val: np.ndarray) -> LinearProbe:
    """Fit on ``train`` at every strength, and keep the best on ``val``."""
    rows, held_out, basis = _coordinates(unit_rows(matrix[train]), unit_rows(matrix[val]))
    fits = []
    for fit in _fits(rows, labels[train], STRENGTHS):
        accuracy = float(np.mean(fit.most_probable(fit.scores(held_out)) == labels[val]))
        fits.append(replace(fit, val_accuracy=accuracy))
    # max() keeps the first of equals, which has the strongest penalty.
    return _rotated(max(fits, key=lambda fit: fit.val_accuracy), basis)


def _fits(rows: Embedding, classes: np.ndarray, strengths: Sequence[float]) -> Iterator[LinearProbe]:
    """Yield the fit at each strength, from strong to weak; each starts where the one before it ended."""
    numbers, of_rows = np.unique(classes, return_inverse=True)
    is_narrow = len(numbers) * (rows.shape[1] + 1) <= MOST_COEFFICIENTS
    patience = min(max(_MOST_VISITS // len(classes), _LEAST_PATIENCE), _PATIENCE)
    patience = patience if is_narrow else _MOST_ITERATIONS
    model = LogisticRegression(solver="lbfgs", max_iter=patience, warm_start=True)
    dense: np.ndarray | None = None
    found = np.empty(0)
    for strength in strengths:
        tolerance = min(max(_DISTANCE / (strength * len(classes)), _TIGHTEST), _LOOSEST)
        if dense is None:
            with warnings.catch_warnings():
                if is_narrow:
                    warnings.simplefilter("ignore", ConvergenceWarning)
                model.set_params(C=strength, tol=tolerance).fit(rows, classes)
            found = np.column_stack(_per_class(model))
            if is_narrow and model.n_iter_.max() >= patience:
                dense = rows.toarray() if sp.issparse(rows) else rows
        if dense is not None:
            found = SoftmaxProblem(dense, of_rows, len(numbers), strength).solved(found, tolerance)
        yield LinearProbe(numbers, found[:, :-1], found[:, -1], strength, np.nan)


def _rotated(fit: LinearProbe, basis: np.ndarray | None) -> LinearProbe:
    """Return a fit in the coordinates of the embedding."""
    return fit if basis is None else replace(fit, coefficients=fit.coefficients @ basis.T)


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
    """Return the coefficients and intercept of each class.

    With two classes, the logistic function of ⟨w, z⟩ + b is the softmax of halves, one of them mirrored.
    """
    coefficients, intercepts = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        coefficients, intercepts = coefficients / 2, intercepts / 2
        return np.vstack([-coefficients, coefficients]), np.concatenate([-intercepts, intercepts])
    return coefficients.copy(), intercepts.copy()


def prediction_scores(predicted: np.ndarray, actual: np.ndarray) -> dict[str, float]:
    """Return macro-F1, micro-F1 and accuracy of predicted class numbers, by field name."""
    return {
        "macro_f1": float(f1_score(actual, predicted, average="macro")),
        "micro_f1": float(f1_score(actual, predicted, average="micro")),
        "accuracy": float(accuracy_score(actual, predicted)),
    }
