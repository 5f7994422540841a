"""Accuracy class by class agrees with the probe; two dimensions keep what two principal components keep."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidFeaturesError, MissingDependencyError, UnknownNameError
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


def test_tsne_keeps_groups_together_and_follows_the_seed(graph):
    pytest.importorskip("openTSNE", reason="openTSNE is not installed")
    groups = np.repeat(np.eye(3), 12, axis=0) + 0.05 * np.random.default_rng(0).normal(size=(36, 3))
    points = planar(groups, method="tsne", rng=1)
    assert points.shape == (36, 2)
    distances = np.linalg.norm(points[:, None] - points, axis=2) + 1e9 * np.eye(36)
    assert (distances.argmin(axis=1) // 12 == np.arange(36) // 12).all()
    np.testing.assert_array_equal(planar(groups, method="tsne", rng=1), points)
    assert planar(sp.csr_array(graph.features[:20]), method="tsne").shape == (20, 2)


def test_umap_is_called_with_what_pca_leaves(graph, monkeypatch):
    """A stand-in: UMAP compiles for half a minute."""
    seen = {}

    class UMAP:
        def __init__(self, **settings):
            seen.update(settings)

        def fit_transform(self, table):
            return table[:, :2].astype(np.float32)

    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=UMAP))
    assert planar(graph.features[:8], method="umap").dtype == np.float64
    assert seen["n_neighbors"] == 7
    assert isinstance(seen["random_state"], int)


PACKAGES = [("tsne", "openTSNE", "openTSNE"), ("umap", "umap", "umap-learn")]


@pytest.mark.parametrize(("method", "module", "package"), PACKAGES)
def test_a_missing_package_is_named(method, module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    message = rf"needs the package '{package}', which is not installed\.\nhint: pip install {package}$"
    with pytest.raises(MissingDependencyError, match=message):
        planar(np.eye(6), method=method)


def test_maps_of_other_names_and_of_few_rows_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'tsne'"):
        planar(np.eye(6), method="t-sne")
    with pytest.raises(InvalidFeaturesError, match=r"have at least 5 rows for tsne\. Got 3"):
        planar(np.eye(3), method="tsne")
