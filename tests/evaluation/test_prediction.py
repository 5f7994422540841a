"""Predicted labels: probabilities of scikit-learn's own fit, strengths by held-out folds, clear errors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

import spco
from spco import errors
from spco.evaluation import STRENGTHS, cross_validated_probe, fit_probe, predict_labels
from spco.evaluation.probe import _folds

WINE = spco.load_dataset("wine")
ROWS = (WINE.features - WINE.features.mean(axis=0)) / WINE.features.std(axis=0)
HALF = np.where(np.arange(WINE.num_nodes) % 2, WINE.labels, -1)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("columns", [13, 300])  # fewer and more columns than training rows
def test_probabilities_are_those_of_scikit_learn(classes, columns):
    rng = np.random.default_rng(0)
    known = np.flatnonzero(WINE.labels < classes)
    labels, rows = WINE.labels[known], ROWS[known]
    rows = np.hstack([rows, rng.normal(size=(len(rows), columns - 13))])
    train, val = np.arange(0, len(rows), 2), np.arange(1, len(rows), 2)
    probe = fit_probe(rows, labels, train=train, val=val)
    theirs = LogisticRegression(C=probe.C, tol=1e-10, max_iter=10_000).fit(
        normalize(rows[train]), labels[train]
    )
    expected = theirs.predict_proba(normalize(rows[val]))
    np.testing.assert_allclose(probe.predict_proba(rows[val]), expected, atol=2e-3)
    assert (probe.predict(rows[val]) == theirs.predict(normalize(rows[val]))).all()


def test_the_strength_is_the_best_on_held_out_folds():
    probe = cross_validated_probe(ROWS, HALF, folds=4, rng=1)
    known = np.flatnonzero(HALF >= 0)
    fold = _folds(HALF[known], 4, np.random.default_rng(1))
    found = []
    for strength in STRENGTHS:
        right, surprise = 0, 0.0
        for k in range(4):
            train, val = known[fold != k], known[fold == k]
            fit = LogisticRegression(C=strength, tol=1e-8, max_iter=10_000).fit(
                normalize(ROWS[train]), HALF[train]
            )
            right += (fit.predict(normalize(ROWS[val])) == HALF[val]).sum()
            surprise -= np.log(fit.predict_proba(normalize(ROWS[val]))[np.arange(len(val)), HALF[val]]).sum()
        found.append((-right, surprise))
    assert STRENGTHS.index(probe.C) == min(range(len(found)), key=found.__getitem__)
    assert probe.val_accuracy == pytest.approx(-min(found)[0] / len(known))


def test_folds_spread_every_class_and_follow_the_seed():
    classes = np.repeat([0, 1, 2], [3, 10, 7])
    fold = _folds(classes, 5, np.random.default_rng(0))
    for number in range(3):
        counts = np.bincount(fold[classes == number], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert not np.array_equal(fold, _folds(classes, 5, np.random.default_rng(1)))


def test_unknown_nodes_are_filled_in_and_known_ones_kept():
    rows, wrong = ROWS.copy(), HALF.copy()
    rows[3], wrong[[1, 3]] = rows[1], [0, 1]  # one embedding, two classes
    found = predict_labels(rows, wrong)
    known = wrong >= 0
    np.testing.assert_array_equal(found.is_known, known)
    np.testing.assert_array_equal(found.labels[known], wrong[known])
    assert (found.labels == WINE.labels)[~known].mean() > 0.9
    likely = found.classes[found.probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(found.labels[~known], likely[~known])
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
    assert 0.85 < found.accuracy <= 1
    again = predict_labels(rows, wrong)
    np.testing.assert_array_equal(found.probabilities, again.probabilities)


def test_labels_of_unlabelled_nodes_cannot_leak():
    np.testing.assert_array_equal(
        predict_labels(ROWS, HALF).probabilities,
        predict_labels(ROWS, np.where(HALF >= 0, WINE.labels, -1)).probabilities,
    )


def test_classes_of_a_single_node_are_no_obstacle():
    labels = np.full(178, -1)
    labels[[0, 1, 2, 3]] = [0, 0, 0, 7]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = predict_labels(ROWS, labels)
    assert found.classes.tolist() == [0, 7]
    labels[[0, 1, 2, 3]] = [0, 1, 2, 7]
    assert predict_labels(ROWS, labels).accuracy == 0


@pytest.mark.parametrize(
    ("labels", "got"),
    [
        ([0] * 178, "178 nodes of 1 class"),
        ([-1] * 178, "0 nodes of 0 classes"),
        ([0, 1, 1] + [-1] * 175, "3 nodes of 2 classes"),
    ],
)
def test_labels_that_say_nothing_are_refused(labels, got):
    must = "give the class of at least 4 nodes, of at least two classes"
    with pytest.raises(errors.InvalidLabelsError, match=f"must {must}. Got {got}"):
        predict_labels(ROWS, labels)


def test_other_bad_input():
    with pytest.raises(errors.InvalidLabelsError, match="'labels' parameter of predict_labels"):
        predict_labels(ROWS, None)
    with pytest.raises(errors.InvalidParameterError, match="'folds' parameter"):
        predict_labels(ROWS, HALF, folds=1)
    with pytest.raises(errors.InvalidFeaturesError, match="have 13 columns, as when it was fitted"):
        cross_validated_probe(ROWS, HALF).predict_proba(ROWS[:, :3])
