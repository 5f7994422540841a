"""Accuracy class by class agrees with the probe; two dimensions keep what two principal components keep."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.evaluation import class_accuracy, planar
from spco.evaluation.probe import fit_probe


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def test_classes_add_up_to_the_accuracy_of_the_probe(graph):
    parts = {name: graph.splits[split] for name, split in (("train", "train5"), ("val", "val"))}
    scores = spco.linear_probe(graph.features, graph.labels, test=graph.splits["test"], **parts)
    found = class_accuracy(graph, graph.features, rate="train5")
    assert found.right.sum() / found.counts.sum() == pytest.approx(scores.accuracy)
    predicted = fit_probe(graph.features, graph.labels, **parts).predict(graph.features)
    for number, share in zip(found.classes, found.shares, strict=True):
        own = [node for node in graph.splits["test"] if graph.labels[node] == number]
        assert share == pytest.approx(np.mean(predicted[own] == number))


def test_the_plane_is_that_of_the_largest_singular_values(graph):
    features = graph.features.astype(float)
    rows = features / np.linalg.norm(features, axis=1, keepdims=True)
    centred = rows - rows.mean(axis=0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    points = planar(graph.features)
    np.testing.assert_allclose(np.abs(points), np.abs(left[:, :2] * values[:2]), atol=1e-9)
    np.testing.assert_allclose(planar(sp.csr_array(graph.features)), points, atol=1e-6)
    assert (points[np.argmax(np.abs(points), axis=0), [0, 1]] > 0).all()


def test_one_column_or_one_row_is_a_line_or_a_point():
    np.testing.assert_allclose(planar(np.array([[2.0], [-1.0], [3.0]]))[:, 1], 0)
    np.testing.assert_allclose(planar(np.ones((1, 4))), 0)
