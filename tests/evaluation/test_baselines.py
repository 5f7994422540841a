"""The baselines against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidFeaturesError, InvalidParameterError, UnknownNameError
from spco.evaluation import BASELINES, filter_bank, raw_features, score_runs, sgc, untrained_encoder

from ..conftest import awkward_adjacency


def dense(matrix):
    return matrix.toarray() if sp.issparse(matrix) else np.asarray(matrix)


def propagation(adjacency):
    with_loops = adjacency + np.eye(len(adjacency))
    degrees = with_loops.sum(axis=1)
    return with_loops / np.sqrt(degrees[:, None] * degrees[None, :])


def awkward_graph(seed, *, sparse):
    adjacency = awkward_adjacency(seed)
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(len(adjacency), 7)) * (rng.random((len(adjacency), 7)) < 0.4)
    return spco.Graph(adjacency, features=sp.csr_array(features) if sparse else features)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_sgc_equals_powers_of_a_dense_matrix(seed, sparse, hops):
    graph = awkward_graph(seed, sparse=sparse)
    operator = propagation(graph.adjacency.toarray())
    expected = np.linalg.matrix_power(operator, hops) @ dense(graph.features)
    np.testing.assert_allclose(dense(sgc(graph, hops=hops)), expected, atol=1e-5)
    rows = np.array([5, 0, 3])
    np.testing.assert_allclose(dense(sgc(graph, hops=hops, rows=rows)), expected[rows], atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("hops", [0, 1, 3])
def test_the_filter_bank_holds_powers_side_by_side_with_rows_of_length_one(seed, sparse, hops):
    graph = awkward_graph(seed, sparse=sparse)
    operator = propagation(graph.adjacency.toarray())
    expected = []
    for power in range(hops + 1):
        block = np.linalg.matrix_power(operator, power) @ dense(graph.features)
        for row in block:
            length = np.sqrt((row**2).sum())
            row /= length if length > 1e-12 else 1.0
        expected.append(block)
    expected = np.concatenate(expected, axis=1)
    np.testing.assert_allclose(dense(filter_bank(graph, hops=hops)), expected, atol=1e-5)
    rows = np.array([5, 0, 3])
    np.testing.assert_allclose(dense(filter_bank(graph, hops=hops, rows=rows)), expected[rows], atol=1e-5)


def test_the_steps_of_sgc_are_those_of_its_names():
    graph, rows = awkward_graph(3, sparse=False), np.arange(6)
    for name, hops in {"sgc1": 1, "sgc": 2, "sgc3": 3}.items():
        np.testing.assert_array_equal(BASELINES[name].embed(graph, 0, rows), sgc(graph, hops=hops, rows=rows))


def test_a_comparison_has_the_baselines_that_it_names():
    wine = spco.load_dataset("wine")
    found = score_runs(wine, {}, seeds=[0], rates=["train5"], baselines=["sgc3", "features"])
    assert found.names == ("sgc3", "features")
    assert [run.name for run in found.runs] == ["sgc3", "features"]
    assert score_runs(wine, {}, seeds=[0], rates=["train5"]).names == ("features", "untrained", "sgc")
    with pytest.raises(UnknownNameError, match="did you mean 'sgc3'"):
        score_runs(wine, {}, seeds=[0], baselines=["sgc33"])
    with pytest.raises(InvalidParameterError, match="each once"):
        score_runs(wine, {}, seeds=[0], baselines=["sgc", "sgc"])


def test_sgc_stays_sparse_while_it_is():
    size = 300
    ring = sp.diags_array([np.ones(size - 1), np.ones(size - 1)], offsets=[-1, 1])
    graph = spco.Graph(ring, features=sp.eye_array(size))
    assert sgc(graph).nnz == 5 * size - 6
    assert isinstance(sgc(graph, hops=100), np.ndarray)  # most nodes see most others


@pytest.mark.parametrize("sparse", [True, False])
def test_the_untrained_encoder_is_one_random_layer(sparse):
    graph = awkward_graph(1, sparse=sparse)
    found = untrained_encoder(graph, rng=np.random.default_rng(3), width=50)
    bound = np.sqrt(6 / (7 + 50))
    weights = np.random.default_rng(3).uniform(-bound, bound, (7, 50))
    hidden = propagation(graph.adjacency.toarray()) @ dense(graph.features) @ weights
    np.testing.assert_allclose(found, np.maximum(hidden, 0) + 0.25 * np.minimum(hidden, 0), atol=1e-5)
    assert found.dtype == np.float32
    again = untrained_encoder(graph, rng=np.random.default_rng(3), width=50, rows=np.array([4, 2]))
    np.testing.assert_allclose(again, found[[4, 2]], atol=1e-7)
    other = untrained_encoder(graph, rng=np.random.default_rng(4), width=50)
    assert np.abs(other - found).max() > 0.01


def test_raw_features_are_the_graphs_own():
    graph = awkward_graph(0, sparse=True)
    assert raw_features(graph) is graph.features
    np.testing.assert_array_equal(dense(raw_features(graph, rows=[2, 1])), dense(graph.features)[[2, 1]])


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_follows_its_declaration(name):
    graph, rows = awkward_graph(2, sparse=True), np.array([1, 4])
    first, again, other = (dense(BASELINES[name].embed(graph, seed, rows)) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert np.array_equal(first, other) != BASELINES[name].is_random
    assert len(first) == 2
    with pytest.raises(InvalidFeaturesError, match=r"have node features. Got none.\nhint: "):
        BASELINES[name].embed(spco.Graph(awkward_adjacency(0)), 0, rows)
    with pytest.raises(InvalidParameterError, match=r"be a spco.Graph. Got ndarray"):
        BASELINES[name].embed(awkward_adjacency(0), 0, rows)


def test_bad_settings():
    graph = awkward_graph(0, sparse=False)
    with pytest.raises(
        InvalidParameterError, match=r"The 'hops' parameter of sgc must be an integer >= 0. Got -1"
    ):
        sgc(graph, hops=-1)
    with pytest.raises(InvalidParameterError, match="The 'hops' parameter of filter_bank"):
        filter_bank(graph, hops=-1)
    with pytest.raises(InvalidParameterError, match="The 'width' parameter of untrained_encoder"):
        untrained_encoder(graph, rng=np.random.default_rng(0), width=0)
