"""The kNN graphs of scikit-learn's tables, against a slow version."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from spco.datasets import knn_adjacency
from spco.datasets.embedded import NEIGHBOURS, from_scikit_learn
from spco.errors import InvalidFeaturesError, InvalidParameterError

LOADERS = {"digits": load_digits, "wine": load_wine, "breast_cancer": load_breast_cancer}
TABLES = [(partial(from_scikit_learn, name), load) for name, load in LOADERS.items()]


def dense_knn(table: np.ndarray, neighbours: int) -> np.ndarray:
    spread = table.std(axis=0)
    standard = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1)
    distances = ((standard[:, None, :] - standard[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    adjacency = np.zeros(distances.shape)
    for row, nearest in enumerate(np.argsort(distances, axis=1)[:, :neighbours]):
        adjacency[row, nearest] = adjacency[nearest, row] = 1
    return adjacency


@pytest.mark.parametrize("neighbours", [1, 3, 10])
def test_knn_is_the_union_of_nearest_neighbours(neighbours: int) -> None:
    # Columns of very different scales, one of them constant: without standardising the result differs.
    table = np.random.default_rng(neighbours).standard_normal((80, 4)) * [1, 1000, 0.001, 0]
    np.testing.assert_array_equal(
        knn_adjacency(table, neighbours=neighbours).toarray(), dense_knn(table, neighbours)
    )


@pytest.mark.parametrize(("make", "load"), TABLES[1:])
def test_tables_are_joined_by_their_nearest_rows(make, load) -> None:
    np.testing.assert_array_equal(make().adjacency.toarray(), dense_knn(load().data, NEIGHBOURS))


@pytest.mark.parametrize(("make", "load"), TABLES)
def test_graph_of_a_table(make, load) -> None:
    graph, table = make(), load()
    np.testing.assert_array_equal(graph.labels, table.target)
    assert graph.label_names.tolist() == [str(label) for label in table.target_names]
    assert graph.degrees.min() >= NEIGHBOURS
    assert not graph.adjacency.diagonal().any()
    assert set(graph.adjacency.data) == {1.0}
    assert connected_components(graph.adjacency)[0] == 1
    low, high = table.data.min(axis=0), table.data.max(axis=0)
    scaled = (table.data - low) / np.where(high > low, high - low, 1)
    np.testing.assert_allclose(graph.features, scaled, atol=1e-6)


@pytest.mark.parametrize(("make", "load"), TABLES)
def test_seed_decides_the_splits_only(make, load) -> None:
    first, again, other = make(0), make(0), make(1)
    assert (first.adjacency != other.adjacency).nnz == 0
    np.testing.assert_array_equal(first.features, other.features)
    assert set(first.splits) == {"train5", "train10", "train20", "val", "test"}
    for name, nodes in first.splits.items():
        np.testing.assert_array_equal(nodes, again.splits[name])
        assert not np.array_equal(nodes, other.splits[name])
    classes = len(load().target_names)
    for k in (5, 10, 20):
        assert np.bincount(first.labels[first.splits[f"train{k}"]]).tolist() == [k] * classes


def test_bad_input_is_a_named_error() -> None:
    with pytest.raises(InvalidFeaturesError, match="more than 3 rows"):
        knn_adjacency(np.eye(3), neighbours=3)
    with pytest.raises(InvalidFeaturesError, match="shape"):
        knn_adjacency(np.arange(30))
    with pytest.raises(InvalidParameterError, match="'neighbours' parameter of knn_adjacency"):
        knn_adjacency(np.eye(3), neighbours=0)
