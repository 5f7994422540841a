from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from spco.errors import InvalidSplitError
from spco.evaluation import Parts
from spco.paper.probes import accuracy, cross_validated_probe, restarted_probe, stopped_probe

rng = np.random.default_rng(0)
LABELS = rng.integers(0, 3, 60)
EMBEDDING = torch.tensor(np.eye(3)[LABELS] + rng.normal(0, 0.6, (60, 3)), dtype=torch.float32)
TRAIN, TEST = np.arange(30), np.arange(30, 60)
FITTED, VAL = np.arange(20), np.arange(20, 30)
PARTS = Parts(TRAIN, VAL, TEST)


def accuracies(restarts=4, steps=40, labels=LABELS, test=TEST):
    guesses = restarted_probe(
        EMBEDDING.numpy(),
        labels,
        Parts(TRAIN, VAL, test),
        steps=steps,
        restarts=restarts,
        learning_rate=0.05,
        seed=3,
    )
    return (guesses == labels[test]).mean(axis=1)


def alone(weight, steps):
    """The accuracy of one restart, trained alone."""
    weight = weight.clone().requires_grad_()
    bias = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([weight, bias], lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        scores = EMBEDDING[TRAIN] @ weight + bias
        torch.nn.functional.cross_entropy(scores, torch.tensor(LABELS[TRAIN])).backward()
        optimizer.step()
    guess = (EMBEDDING[TEST] @ weight + bias).argmax(1).numpy()
    return float((guess == LABELS[TEST]).mean())


def test_restarts_together_are_restarts_one_by_one():
    from spco.nn import glorot

    generator = torch.Generator().manual_seed(3)
    starts = [glorot(3, 3, generator).detach() for _ in range(4)]
    for steps in (1, 40):
        np.testing.assert_allclose(accuracies(steps=steps), [alone(start, steps) for start in starts])
    assert len(set(accuracies(steps=1))) > 1


def test_the_labels_of_test_nodes_are_not_learnt_from():
    wrong = LABELS.copy()
    wrong[TEST] = (wrong[TEST] + 1) % 3
    right = accuracies()
    guesses_right_then_wrong = accuracies(labels=wrong)
    # The guesses stay the same, so what was right before is wrong now.
    assert (right > 0.5).all()
    assert (guesses_right_then_wrong <= 1 - right + 1e-12).all()


def stopped(labels=LABELS, weight_decay=1e-2):
    guesses = stopped_probe(
        EMBEDDING.numpy(),
        labels,
        Parts(FITTED, VAL, TEST),
        steps=60,
        learning_rate=0.05,
        weight_decay=weight_decay,
        seed=3,
    )
    return accuracy(guesses, labels[TEST])


def accuracies_of_steps(weight_decay):
    """Validation and test accuracies after every step, by a loop of its own."""
    from spco.nn import linear

    layer = linear(3, 3, torch.Generator().manual_seed(3))
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.05, weight_decay=weight_decay)
    right = torch.zeros(60, len(LABELS), dtype=torch.bool)
    for step in range(60):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(layer(EMBEDDING[FITTED]), torch.tensor(LABELS[FITTED])).backward()
        optimizer.step()
        right[step] = layer(EMBEDDING).argmax(1) == torch.tensor(LABELS)
    return right[:, VAL].double().mean(1).numpy(), right[:, TEST].double().mean(1).numpy()


@pytest.mark.parametrize("weight_decay", [0.0, 1e-2, 1.0])
def test_a_probe_stops_at_the_last_of_the_best_steps_on_validation_nodes(weight_decay):
    val, test = accuracies_of_steps(weight_decay)
    last = np.flatnonzero(val == val.max())[-1]
    assert stopped(weight_decay=weight_decay) == test[last]


def test_the_steps_differ_so_that_stopping_matters():
    val, test = accuracies_of_steps(1e-2)
    assert val.max() > val[0]
    assert len(set(test)) > 1


def test_a_stopped_probe_learns_nothing_from_test_nodes():
    wrong = LABELS.copy()
    wrong[TEST] = (wrong[TEST] + 1) % 3
    assert stopped() > 0.5
    assert stopped(labels=wrong) <= 1 - stopped() + 1e-12


def one_against_the_rest(rows, labels, train, test):
    """Folds and classes one by one."""
    train_rows, names = rows[train], labels[train]

    def fitted(nodes, strength):
        models = []
        for number in range(3):
            model = LogisticRegression(C=strength, solver="liblinear")
            models.append(model.fit(train_rows[nodes], names[nodes] == number))
        return models

    def exact(models, nodes):
        """The share of nodes that are said to be of their own class, and of no other."""
        said = np.stack([model.predict(train_rows[nodes]) for model in models], axis=1)
        return np.mean((said == np.eye(3, dtype=bool)[names[nodes]]).all(axis=1))

    everyone = np.arange(len(train))
    folds = np.array_split(everyone, 5)
    scores = {
        strength: np.mean([exact(fitted(np.setdiff1d(everyone, fold), strength), fold) for fold in folds])
        for strength in 2.0 ** np.arange(-10, 10)
    }
    models = fitted(everyone, max(scores, key=scores.__getitem__))
    return np.stack([model.predict_proba(rows[test])[:, 1] for model in models], axis=1).argmax(axis=1)


def test_a_cross_validated_probe_is_one_regression_per_class_and_fold():
    embedding = EMBEDDING.numpy()
    rows = embedding / np.linalg.norm(embedding, axis=1, keepdims=True)
    expected = one_against_the_rest(rows.astype(np.float64), LABELS, TRAIN, TEST)
    found = cross_validated_probe(embedding, LABELS, PARTS)
    assert 1 / 3 < accuracy(expected, LABELS[TEST]) < 1
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(cross_validated_probe(7 * embedding, LABELS, PARTS), expected)


def test_the_other_folds_may_lack_a_class_that_one_fold_has_all_of(recwarn):
    labels = np.repeat(np.arange(5), 8)  # five training nodes of each class in turn make a fold
    embedding = np.eye(5)[labels] + np.random.default_rng(0).normal(0, 0.1, (40, 5))
    train = np.flatnonzero(np.arange(40) % 8 < 5)
    test = np.setdiff1d(np.arange(40), train)
    found = cross_validated_probe(embedding, labels, Parts(train, test[:0], test))
    np.testing.assert_array_equal(found, labels[test])
    assert not recwarn.list


def test_every_fold_needs_a_node():
    with pytest.raises(InvalidSplitError, match=r"must name at least 5 nodes, one for each fold\. Got 4"):
        cross_validated_probe(EMBEDDING.numpy(), LABELS, Parts(TRAIN[:4], VAL, TEST))
