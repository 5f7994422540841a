"""The probe against a slow one written by hand, and against every way a test node could leak."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

import spco
from spco.errors import InvalidFeaturesError, InvalidLabelsError, InvalidParameterError, InvalidSplitError
from spco.evaluation import STRENGTHS, fit_probe, linear_probe, probe


def blobs(seed, *, size=240, width=12, classes=4, spread=2.5):
    """Overlapping clouds of points, and disjoint parts of them."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, size)
    labels[: 2 * classes] = np.tile(np.arange(classes), 2)
    Z = rng.normal(size=(classes, width))[labels] + spread * rng.normal(size=(size, width))
    count = 10 * classes
    rest = 2 * classes + rng.permutation(size - 2 * classes)
    train = np.concatenate([np.arange(2 * classes), rest[: count - 2 * classes]])
    val, test = np.split(rest[count - 2 * classes :], 2)
    return Z, labels, {"train": train, "val": val, "test": test}


def by_hand(Z, labels, train, val, test):
    """Refit from scratch at every strength, in all columns, and keep the best on val; then predict test."""
    Z = Z.toarray() if sp.issparse(Z) else np.asarray(Z)
    Z = Z.astype(np.float64)
    lengths = np.sqrt((Z**2).sum(axis=1))
    Z = Z / np.where(lengths == 0, 1, lengths)[:, None]
    best = None
    for exponent in range(-4, 9):
        model = LogisticRegression(C=10 ** (exponent / 2), tol=1e-9, max_iter=100_000)
        model.fit(Z[train], labels[train])
        right = np.count_nonzero(model.predict(Z[val]) == labels[val])
        if best is None or right > best[0]:
            best = (right, 10 ** (exponent / 2), model)
    right, strength, model = best
    return strength, right / len(val), model.predict(Z[test])


def f1_by_hand(actual, predicted):
    """Macro- and micro-F1 from counts."""
    per_class, totals = [], np.zeros(3)
    for number in np.union1d(actual, predicted):
        hit = np.sum((actual == number) & (predicted == number))
        false = np.sum((actual != number) & (predicted == number))
        missed = np.sum((actual == number) & (predicted != number))
        per_class.append(2 * hit / (2 * hit + false + missed))
        totals += hit, false, missed
    return np.mean(per_class), 2 * totals[0] / (2 * totals[0] + totals[1] + totals[2])


def assert_equals_by_hand(Z, labels, parts):
    strength, val_accuracy, predicted = by_hand(Z, labels, **parts)
    scores = linear_probe(Z, labels, **parts)
    fitted = fit_probe(Z, labels, train=parts["train"], val=parts["val"])
    assert scores.C == fitted.C == pytest.approx(strength, rel=1e-5)
    assert scores.val_accuracy == pytest.approx(val_accuracy, abs=1e-12)
    np.testing.assert_array_equal(fitted.predict(Z[parts["test"]]), predicted)
    actual = labels[parts["test"]]
    macro, micro = f1_by_hand(actual, predicted)
    assert (scores.macro_f1, scores.micro_f1) == pytest.approx((macro, micro), abs=1e-12)
    assert scores.macro_f1 == pytest.approx(f1_score(actual, predicted, average="macro"), abs=1e-12)
    assert scores.accuracy == accuracy_score(actual, predicted)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("width", [5, 300])  # fewer and more columns than training nodes
def test_equals_a_probe_by_hand(seed, classes, width):
    Z, labels, parts = blobs(seed, width=width, classes=classes, spread=2.5 if width == 5 else 8.0)
    assert_equals_by_hand(Z, labels, parts)


@pytest.mark.parametrize("seed", range(3))
def test_sparse_rows_give_what_dense_ones_give(seed):
    rng = np.random.default_rng(seed)
    _, labels, parts = blobs(seed)
    Z = sp.random_array((240, 90), density=0.1, rng=rng) + sp.csr_array(np.eye(4, 90)[labels] * 0.3)
    Z = sp.csr_array(Z)
    assert_equals_by_hand(Z, labels, parts)
    sparse, dense = linear_probe(Z, labels, **parts), linear_probe(Z.toarray(), labels, **parts)
    assert sparse == dense
    assert linear_probe(sp.coo_matrix(Z), labels, **parts) == sparse
    assert linear_probe(Z.astype(np.float64).toarray().tolist(), labels.tolist(), **parts) == dense


def test_sparse_rows_that_are_too_many_to_turn_dense(monkeypatch):
    rng = np.random.default_rng(0)
    _, labels, parts = blobs(0)
    Z = sp.csr_array(sp.random_array((240, 90), density=0.2, rng=rng) + np.eye(4, 90)[labels] * 0.3)
    usual = linear_probe(Z, labels, **parts)
    monkeypatch.setattr(probe, "_MOST_DENSE_ENTRIES", 0)
    monkeypatch.setattr(sp.csr_array, "toarray", None)
    assert linear_probe(Z, labels, **parts) == usual


def test_duplicate_entries_of_a_sparse_row_are_summed_without_touching_the_callers_matrix():
    Z, labels, parts = blobs(0, width=3)
    row, column = np.indices(Z.shape).reshape(2, -1)
    twice = sp.csr_array((240, 3))
    twice.data = np.repeat(Z.ravel(), 2) * np.tile([0.25, 0.75], Z.size)
    twice.indices = np.repeat(column, 2).astype(np.int32)
    twice.indptr = np.arange(0, 6 * 240 + 1, 6, dtype=np.int32)
    twice.has_canonical_format = False
    assert linear_probe(twice, labels, **parts) == linear_probe(sp.csr_array(Z), labels, **parts)
    assert twice.nnz == 2 * Z.size
    assert len(row) == Z.size


@pytest.mark.parametrize("width", [5, 300])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_fit_is_the_minimum_of_the_objective(width, classes):
    Z, labels, parts = blobs(3, width=width, classes=classes)
    fitted = fit_probe(Z, labels, train=parts["train"], val=parts["val"])
    X = Z[parts["train"]] / np.linalg.norm(Z[parts["train"]], axis=1, keepdims=True)
    targets = np.eye(classes)[labels[parts["train"]]]
    if classes == 2:  # one vector w, the difference of both classes, which mirror each other
        w, b = fitted.coefficients[1] - fitted.coefficients[0], np.diff(fitted.intercepts)
        residual = 1 / (1 + np.exp(-(X @ w + b))) - targets[:, 1]
        slope = w / fitted.C + X.T @ residual
    else:
        scores = X @ fitted.coefficients.T + fitted.intercepts
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        residual = shares / shares.sum(axis=1, keepdims=True) - targets
        slope = fitted.coefficients / fitted.C + residual.T @ X
    assert np.abs(slope).max() < 1e-4
    assert np.abs(residual.sum(axis=0)).max() < 1e-4  # intercepts are not penalised


@pytest.mark.parametrize("name", ["wine", "digits", "breast_cancer"])
def test_equals_a_probe_by_hand_on_embedded_graphs(name):
    g = spco.load_dataset(name)
    parts = {"train": g.splits["train10"], "val": g.splits["val"], "test": g.splits["test"]}
    assert_equals_by_hand(np.asarray(g.features), g.labels, parts)


@pytest.mark.parametrize("seed", range(2))
def test_test_labels_and_test_rows_change_neither_the_choice_nor_the_fit(seed):
    Z, labels, parts = blobs(seed)
    train, val, test = parts["train"], parts["val"], parts["test"]
    rng = np.random.default_rng(seed)
    scores = linear_probe(Z, labels, **parts)
    shuffled = labels.copy()
    shuffled[test] = rng.permutation(labels[test])
    other = linear_probe(Z, shuffled, **parts)
    assert (other.C, other.val_accuracy) == (scores.C, scores.val_accuracy)
    assert other.accuracy != scores.accuracy  # the labels are looked at, but only to score
    first, second = (fit_probe(Z, y, train=train, val=val) for y in (labels, shuffled))
    np.testing.assert_array_equal(first.predict(Z[test]), second.predict(Z[test]))
    assert accuracy_score(shuffled[test], first.predict(Z[test])) == other.accuracy

    moved = Z.copy()
    moved[test] = rng.normal(size=Z[test].shape)
    third = linear_probe(moved, labels, **parts)
    assert (third.C, third.val_accuracy) == (scores.C, scores.val_accuracy)


def test_the_test_rows_are_read_once_and_after_the_choice(monkeypatch):
    Z, labels, parts = blobs(0)
    events = []
    scaled, chosen = probe.unit_rows, probe._fit
    monkeypatch.setattr(probe, "unit_rows", lambda rows: events.append(rows) or scaled(rows))
    monkeypatch.setattr(probe, "_fit", lambda *rest: (chosen(*rest), events.append("chosen"))[0])
    linear_probe(Z, labels, **parts)
    assert [event if isinstance(event, str) else len(event) for event in events] == [40, 100, "chosen", 100]
    for event, part in zip((events[0], events[1], events[3]), ("train", "val", "test"), strict=True):
        np.testing.assert_array_equal(event, Z[parts[part]])


def test_of_equal_strengths_the_strongest_penalty_is_taken():
    labels = np.repeat([0, 1], 30)
    Z = np.where(labels[:, None] == 0, [[1.0, 0.0]], [[0.0, 1.0]])  # every strength is right on every node
    nodes = np.arange(60)  # as many of either class to train on
    scores = linear_probe(Z, labels, train=nodes[::3], val=nodes[1::3], test=nodes[2::3])
    assert scores.C == STRENGTHS[0] == min(STRENGTHS)
    assert (scores.val_accuracy, scores.accuracy, scores.macro_f1) == (1.0, 1.0, 1.0)


def test_the_strengths_are_spaced_evenly_on_a_log_scale():
    assert len(STRENGTHS) == 13
    np.testing.assert_allclose(np.diff(np.log10(STRENGTHS)), 0.5, atol=1e-5)
    assert (STRENGTHS[0], STRENGTHS[-1]) == (0.01, 10_000.0)


@pytest.mark.parametrize("factor", [1e-300, 1e-20, 1.0, 1e20, 1e300])
def test_only_the_direction_of_a_row_counts(factor):
    Z, labels, parts = blobs(1)
    lengths = factor * np.random.default_rng(0).uniform(0.5, 2.0, (len(Z), 1))
    assert linear_probe(Z * lengths, labels, **parts) == linear_probe(Z, labels, **parts)


def test_rows_of_zeros_are_no_trouble():
    Z, labels, parts = blobs(1)
    Z[parts["train"][:3]] = 0
    Z[parts["test"][:3]] = 0
    assert_equals_by_hand(Z, labels, parts)
    assert_equals_by_hand(np.zeros_like(Z), labels, parts)


def test_a_class_that_nobody_trains_on_counts_as_missed():
    labels = np.array([0, 1] * 10 + [2] * 10)
    Z = np.eye(3)[labels]
    scores = linear_probe(Z, labels, train=[0, 1], val=[2, 3, 20], test=[4, 5, 21, 22])
    assert scores.accuracy == 0.5
    assert scores.val_accuracy == pytest.approx(2 / 3)


def test_masks_indices_and_whole_floats_name_the_same_nodes():
    Z, labels, parts = blobs(2)
    masks = {name: np.isin(np.arange(len(Z)), nodes) for name, nodes in parts.items()}
    floats = {name: nodes.astype(float) for name, nodes in parts.items()}
    assert linear_probe(Z, labels, **masks) == linear_probe(Z, labels, **floats)


def test_every_seed_gives_the_same_scores_and_nothing_is_written_to():
    Z, labels, parts = blobs(2)
    kept = Z.copy()
    found = {linear_probe(Z, labels, **parts, random_state=seed) for seed in (0, 1, np.random.default_rng(5))}
    assert len(found) == 1
    np.testing.assert_array_equal(Z, kept)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.pop().accuracy = 1.0


def test_a_float32_embedding_is_widened_before_anything_is_computed():
    Z, labels, parts = blobs(2)
    narrow = Z.astype(np.float32)
    assert linear_probe(narrow, labels, **parts) == linear_probe(narrow.astype(np.float64), labels, **parts)


GOOD_Z, GOOD_LABELS, GOOD = blobs(0)


def refused(error, message, *, Z=GOOD_Z, labels=GOOD_LABELS, **changed):
    with pytest.raises(error, match=message) as caught:
        linear_probe(Z, labels, **{**GOOD, **changed})
    assert str(caught.value).startswith("The '")
    return str(caught.value)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_every_overlap_of_two_parts_is_refused(data):
    first, second = data.draw(st.sampled_from([("train", "test"), ("val", "test"), ("train", "val")]))
    shared = data.draw(st.lists(st.sampled_from(GOOD[first].tolist()), min_size=1, max_size=5, unique=True))
    leaking = np.concatenate([GOOD[second], shared])
    message = refused(InvalidSplitError, f"share no node with '{first}'", **{second: leaking})
    assert f"The '{second}' parameter of linear_probe" in message
    assert f"node {min(shared)} in both, {len(shared)} shared" in message


@pytest.mark.parametrize("part", ["train", "val", "test"])
def test_nodes_that_are_not_there_or_have_no_class(part):
    where = f"The '{part}' parameter of linear_probe"
    assert where in refused(InvalidSplitError, r"be in \[0, 240\). Got 240", **{part: [0, 240]})
    assert where in refused(InvalidSplitError, r"Got -1", **{part: [-1, 0]})
    assert where in refused(InvalidSplitError, "at least one node", **{part: []})
    assert where in refused(InvalidSplitError, "at least one node", **{part: np.zeros(240, bool)})
    assert where in refused(InvalidSplitError, "name nodes. Got None", **{part: None})
    assert where in refused(InvalidSplitError, "each node once", **{part: [0, 0]})
    assert where in refused(InvalidSplitError, "one entry per node", **{part: np.ones(3, bool)})
    labels = GOOD_LABELS.copy()
    labels[GOOD[part][4]] = -1
    message = refused(InvalidLabelsError, "whose class is known", labels=labels)
    assert f"{where} must name nodes whose class is known. Got node {GOOD[part][4]}" in message


def test_unknown_classes_outside_the_parts_are_no_trouble():
    labels = np.append(GOOD_LABELS, -1)
    Z = np.vstack([GOOD_Z, np.ones(GOOD_Z.shape[1])])
    assert linear_probe(Z, labels, **GOOD) == linear_probe(GOOD_Z, GOOD_LABELS, **GOOD)


def test_labels_that_do_not_fit():
    refused(InvalidLabelsError, "class numbers of the 240 nodes. Got None", labels=None)
    refused(InvalidLabelsError, r"one entry per node \(240\). Got 239", labels=GOOD_LABELS[:-1])
    refused(InvalidLabelsError, "np.unique", labels=np.array(["a"] * 240))
    one_class = GOOD["train"][GOOD_LABELS[GOOD["train"]] == 2]
    refused(InvalidSplitError, "at least two classes. Got .* nodes of class 2", train=one_class)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_embeddings_that_are_not_finite(bad, make):
    Z = GOOD_Z.copy()
    Z[7, 3] = Z[9, 0] = bad
    message = refused(InvalidFeaturesError, "be finite", Z=make(Z))
    assert f"Got {bad} in row 7, 2 of " in message
    assert "hint:" in message


def test_embeddings_that_are_no_matrices():
    refused(InvalidFeaturesError, r"shape \(240,\)", Z=GOOD_Z[:, 0])
    refused(InvalidFeaturesError, r"shape \(240, 0\)", Z=GOOD_Z[:, :0])
    refused(InvalidFeaturesError, "real numbers", Z=GOOD_Z.astype(complex))
    refused(InvalidFeaturesError, "real numbers", Z=GOOD_Z.astype(str))
    refused(InvalidFeaturesError, "be an array", Z=[[1.0], [1.0, 2.0]])
    refused(InvalidParameterError, "random_state", random_state=-1)


def test_a_fitted_probe_checks_what_it_predicts():
    fitted = fit_probe(GOOD_Z, GOOD_LABELS, train=GOOD["train"], val=GOOD["val"])
    with pytest.raises(InvalidFeaturesError, match=r"have 12 columns.*Got 11"):
        fitted.predict(GOOD_Z[:, :-1])
    with pytest.raises(InvalidSplitError, match="share no node"):
        fit_probe(GOOD_Z, GOOD_LABELS, train=GOOD["train"], val=GOOD["train"])


def test_evaluation_does_not_import_torch():
    code = "import sys, spco.evaluation; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
