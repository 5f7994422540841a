"""The choice by labels against scikit-learn's ridge regression, and its guard against luck."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier

from spco.advice.selection import _RIDGES, LabelledNodes, ReadoutScores, Trial, best_trial
from spco.errors import InvalidLabelsError


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def labels_of(rng, count=80, unknown=20):
    labels = np.concatenate([rng.integers(0, 3, count), np.full(unknown, -1)])
    return rng.permutation(labels)


def test_accuracies_are_those_of_ridge_regression_on_weighted_columns(rng):
    labels = labels_of(rng)
    known = LabelledNodes.of(labels, 100, train=None, rng=rng, owner="test")
    blocks = {name: rng.normal(size=(80, 5)) + 0.8 * np.eye(5)[known.classes] for name in "ab"}
    weights = {"a": 1.0, "b": 0.5}
    found = ReadoutScores.of(known, blocks).accuracies(weights)
    unit = {name: rows / np.linalg.norm(rows, axis=1, keepdims=True) for name, rows in blocks.items()}
    columns = np.hstack([weights[name] * unit[name] for name in "ab"]) / np.sqrt(1.25)
    by_ridge = [
        [
            (RidgeClassifier(alpha=ridge).fit(columns[fit], known.classes[fit]).predict(columns[score])
             == known.classes[score]).mean()
            for fit, score in known.splits
        ]
        for ridge in _RIDGES
    ]  # fmt: skip
    assert np.allclose(found, max(by_ridge, key=np.mean))


def test_every_split_keeps_to_the_labelled_nodes_and_apart(rng):
    labels = labels_of(rng)
    train = np.flatnonzero(labels >= 0)[:12]
    for fitted in (None, train):
        known = LabelledNodes.of(labels, 100, train=fitted, rng=rng, owner="test")
        assert set(known.nodes) == set(np.flatnonzero(labels >= 0))
        for fit, score in known.splits:
            assert not set(fit) & set(score)
            assert len(fit) + len(score) == known.size
    sizes = np.bincount(labels[train], minlength=3)
    for fit, _ in known.splits:
        assert np.array_equal(np.bincount(known.classes[fit], minlength=3), sizes)


@pytest.mark.parametrize(
    ("labels", "got"),
    [
        ([0] + [-1] * 9, "1 labelled nodes of 1 class."),
        ([0] * 6 + [-1] * 4, "6 labelled nodes of 1 class."),
        ([-1] * 10, "0 labelled nodes of 0 classes"),
        ([0, 1, 1] + [-1] * 7, "3 labelled nodes of 2 classes"),
    ],
)
def test_too_few_labels_are_refused(labels, got, rng):
    with pytest.raises(
        InvalidLabelsError, match=f"must label at least 4 nodes of at least two classes. Got {got}"
    ):
        LabelledNodes.of(labels, 10, train=None, rng=rng, owner="test")


def test_a_class_with_one_label_is_no_obstacle(rng):
    known = LabelledNodes.of([0] * 6 + [1] * 6 + [2], 13, train=None, rng=rng, owner="test")
    assert sorted(np.concatenate([score for _, score in known.splits])) == sorted(list(range(13)) * 2)


def trial(accuracies, readout=("A",)):
    return Trial("dgi", False, readout, np.array(accuracies), 1.0)


def test_the_advised_readout_stays_unless_the_lead_is_clear():
    advised = trial([0.80, 0.78, 0.82, 0.80])
    lucky = trial([0.90, 0.70, 0.84, 0.78], ("X",))
    better = trial([0.84, 0.83, 0.85, 0.84], ("own",))
    assert best_trial([advised, lucky], advised) is advised
    assert best_trial([advised, lucky, better], advised) is better
