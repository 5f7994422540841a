"""The stochastic block model: what was asked for is what can be measured."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from spco import Graph
from spco.datasets import sbm
from spco.errors import InvalidParameterError


def measured_homophily(graph: Graph) -> float:
    edges, _ = graph.to_edges()
    return float(np.mean(graph.labels[edges[:, 0]] == graph.labels[edges[:, 1]]))


def fitted_exponent(degrees: np.ndarray, smallest: int) -> float:
    """Maximum likelihood of P(d) ∝ d^-γ on smallest..largest observed degree."""
    tail = degrees[degrees >= smallest]
    support = np.arange(smallest, tail.max() + 1)
    mean_log = np.log(tail).mean()
    found = minimize_scalar(
        lambda gamma: gamma * mean_log + np.log((support**-gamma).sum()), bounds=(1.1, 8), method="bounded"
    )
    return float(found.x)


@given(
    size=st.integers(200, 1500),
    classes=st.integers(2, 6),
    degree=st.floats(0.5, 12),
    homophily=st.floats(0, 1),
    exponent=st.none() | st.floats(2.1, 4),
    seed=st.integers(0, 2**31),
)
@settings(max_examples=40, deadline=None)
def test_size_degree_and_homophily_are_met(
    size: int, classes: int, degree: float, homophily: float, exponent: float | None, seed: int
) -> None:
    graph = sbm(
        size,
        classes,
        average_degree=degree,
        homophily=homophily,
        degree_exponent=exponent,
        num_features=3,
        random_state=seed,
    )
    edges = round(size * degree / 2)
    assert (graph.num_nodes, graph.num_edges, graph.num_classes) == (size, edges, classes)
    assert np.ptp(np.bincount(graph.labels)) <= 1
    assert (graph.adjacency.data == 1).all()
    assert not graph.adjacency.diagonal().any()
    assert abs(measured_homophily(graph) - homophily) <= 0.5 / edges + 1e-12


@pytest.mark.parametrize("exponent", [2.2, 3.0])
def test_degrees_follow_the_power_law(exponent: float) -> None:
    graph = sbm(50_000, 4, average_degree=20, degree_exponent=exponent, num_features=0, random_state=2)
    assert graph.degrees.mean() == 20
    assert abs(fitted_exponent(graph.degrees, 40) - exponent) < 0.15


def test_without_exponent_the_degrees_are_poisson() -> None:
    degrees = sbm(50_000, 4, num_features=0).degrees
    assert degrees.mean() == 10
    assert abs(degrees.var() - 10) < 0.3
    assert fitted_exponent(degrees, 20) > 5


def test_pairs_of_one_kind_are_equally_likely() -> None:
    """Against the definition: over many small graphs, every pair of a kind is an edge equally often."""
    per_pair = []
    for seed in range(300):
        graph = sbm(40, 2, average_degree=4, homophily=0.7, num_features=0, random_state=seed)
        order = np.argsort(graph.labels, kind="stable")
        per_pair.append(graph.adjacency.toarray()[np.ix_(order, order)])
    frequency = np.mean(per_pair, axis=0)
    within = frequency[:20, :20][~np.eye(20, dtype=bool)]
    between = frequency[:20, 20:].ravel()
    # 56 of 380 pairs within a class, 24 of 400 between; the spread is that of 300 coin flips.
    assert abs(within.mean() - 56 / 380) < 0.006
    assert between.mean() == pytest.approx(24 / 400)
    assert within.std() < 1.3 * np.sqrt(within.mean() / 300)
    assert between.std() < 1.3 * np.sqrt(between.mean() / 300)


def test_no_structure_without_homophily_above_chance() -> None:
    graph = sbm(3000, 3, homophily=1 / 3, num_features=0, average_degree=20)
    one_hot = np.eye(3)[graph.labels]
    mixing = one_hot.T @ (graph.adjacency @ one_hot)
    assert np.abs(mixing / mixing.sum() - 1 / 9).max() < 0.01


def test_same_seed_same_graph_other_seed_another() -> None:
    first, again, other = (sbm(random_state=seed, degree_exponent=2.5) for seed in (5, 5, 6))
    assert (first.adjacency != again.adjacency).nnz == 0
    np.testing.assert_array_equal(first.features, again.features)
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.splits["test"], again.splits["test"])
    assert (first.adjacency != other.adjacency).nnz > 5000
    assert not np.array_equal(first.labels, other.labels)


def test_features_do_not_change_the_edges() -> None:
    with_features, without = sbm(num_features=8), sbm(num_features=0)
    assert (with_features.adjacency != without.adjacency).nnz == 0
    assert with_features.num_features == 8
    assert without.features is None


def test_features_are_a_unit_vector_per_class_plus_noise() -> None:
    exact = sbm(feature_noise=0.0)
    for number in range(4):
        rows = exact.features[exact.labels == number]
        np.testing.assert_array_equal(rows, np.broadcast_to(rows[0], rows.shape))
        assert np.linalg.norm(rows[0]) == pytest.approx(1, rel=1e-6)
    noisy = sbm(20_000, feature_noise=3.0, average_degree=1)
    centres = np.array([noisy.features[noisy.labels == number].mean(axis=0) for number in range(4)])
    noise = noisy.features - centres[noisy.labels]
    assert np.linalg.norm(centres, axis=1) == pytest.approx(1, abs=0.05)
    assert np.sqrt((noise**2).sum(axis=1).mean()) == pytest.approx(3, rel=0.02)


def test_features_and_graph_both_help_at_the_defaults() -> None:
    from sklearn.linear_model import LogisticRegression

    graph = sbm()
    train, test = graph.splits["train20"], graph.splits["test"]
    hop = graph.adjacency + sp.eye_array(graph.num_nodes)
    smooth = hop @ (hop @ graph.features) / 121

    def accuracy(rows: np.ndarray) -> float:
        model = LogisticRegression(max_iter=1000).fit(rows[train], graph.labels[train])
        return float(model.score(rows[test], graph.labels[test]))

    assert 0.4 < accuracy(graph.features) < 0.85
    assert accuracy(smooth) > 0.9


def test_small_classes_come_without_splits() -> None:
    assert sbm(159, 4, average_degree=3).splits == {}
    assert list(sbm(160, 4, average_degree=3).splits) == ["train5", "train10", "train20", "val", "test"]


def test_smallest_graphs() -> None:
    assert sbm(1, 1, average_degree=0).num_edges == 0
    assert sbm(2, 2, average_degree=0).num_edges == 0
    assert sbm(30, 1, homophily=1.0, average_degree=4, degree_exponent=2.5).num_edges == 60


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"num_nodes": 0}, "num_nodes"),
        ({"num_nodes": 10.0}, "num_nodes"),
        ({"num_classes": 0}, "num_classes"),
        ({"num_nodes": 3, "num_classes": 4}, "num_classes"),
        ({"average_degree": -1}, "average_degree"),
        ({"average_degree": float("inf")}, "average_degree"),
        ({"homophily": 1.1}, "homophily"),
        ({"homophily": -0.1}, "homophily"),
        ({"degree_exponent": 2}, "degree_exponent"),
        ({"degree_exponent": "steep"}, "degree_exponent"),
        ({"num_features": -1}, "num_features"),
        ({"feature_noise": -1}, "feature_noise"),
        ({"random_state": "zero"}, "random_state"),
        ({"num_nodes": 40, "average_degree": 30}, "average_degree"),
        ({"num_classes": 1, "homophily": 0.5}, "average_degree"),
    ],
)
def test_bad_input_is_a_named_error(arguments: dict[str, object], parameter: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"The '{parameter}' parameter of sbm must"):
        sbm(**arguments)


def test_unshuffled_nodes_stand_class_by_class():
    graph = sbm(300, 3, homophily=0.9, shuffled=False, num_features=0)
    assert (np.diff(graph.labels) >= 0).all()
    assert (
        graph.labels[graph.adjacency.tocoo().row] == graph.labels[graph.adjacency.tocoo().col]
    ).mean() > 0.85
