"""GCA's rule, by hand, and the centralities against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidParameterError
from spco.views import (
    AdaptiveDropEdges,
    AdaptiveMaskFeatures,
)
from spco.views.adaptive import CENTRALITIES, drop_probabilities, weighted_occurrence

from ..conftest import awkward_adjacency
from .graphs import path_graph, random_graph


def edge_probabilities(graph, centrality, p, cutoff):
    """p_uv = min((s_max − s_uv)/(s_max − mean s)·p, p_τ) over the edges, dense."""
    edges = graph.adjacency.toarray() > 0
    scores = np.log((centrality[:, None] + centrality[None, :]) / 2, where=edges, out=np.zeros(edges.shape))
    top, mean = scores[edges].max(), scores[edges].mean()
    return edges, np.clip((top - scores) / (top - mean) * p, 0.0, cutoff)


@pytest.mark.parametrize("name", list(CENTRALITIES))
def test_edges_are_dropped_with_the_rules_probability(name):
    graph, p, cutoff, seeds = random_graph(0, weighted=True), 0.4, 0.6, 300
    edges, expected = edge_probabilities(graph, CENTRALITIES[name](graph.adjacency), p, cutoff)
    view = AdaptiveDropEdges(p, cutoff=cutoff, centrality=name).prepared(graph)
    dropped = np.zeros(edges.shape)
    for seed in range(seeds):
        drawn = view.apply(graph.adjacency, num_features=0, rng=np.random.default_rng(seed)).matrix
        dropped += edges & (drawn.toarray() == 0)
    deviation = np.sqrt(seeds * expected * (1 - expected)) + 1e-9
    assert (np.abs(dropped - seeds * expected)[edges] < 5 * deviation[edges] + 1e-6).all()
    assert (expected[edges] == cutoff).any()
    assert dropped[edges & (expected == 0)].sum() == 0


def test_without_a_cut_off_p_is_the_mean_probability():
    graph = random_graph(1)
    edges, probabilities = edge_probabilities(graph, graph.degrees, 0.3, 1.0)
    assert probabilities[edges].max() < 1.0
    assert probabilities[edges].mean() == pytest.approx(0.3)
    view = AdaptiveDropEdges(0.3, cutoff=1.0)
    rates = [
        1 - view(graph, rng=np.random.default_rng(seed)).matrix.nnz / graph.adjacency.nnz
        for seed in range(200)
    ]
    assert np.mean(rates) == pytest.approx(0.3, abs=0.01)


def test_where_all_edges_are_alike_the_probability_is_p():
    ring = spco.Graph.from_edges([[i, (i + 1) % 3000] for i in range(3000)])
    for cutoff, expected in ((0.9, 0.3), (0.1, 0.1)):
        kept = AdaptiveDropEdges(0.3, cutoff=cutoff)(ring, rng=np.random.default_rng(0)).matrix.nnz / 6000
        assert kept == pytest.approx(1 - expected, abs=0.04)


def test_a_prepared_view_keeps_the_centralities_of_its_graph():
    graph, other = random_graph(2), random_graph(3)
    prepared = AdaptiveDropEdges(0.5).prepared(graph)
    assert np.array_equal(prepared.weights, graph.degrees)
    drawn = prepared.apply(other.adjacency, num_features=0, rng=np.random.default_rng(0)).matrix
    fresh = AdaptiveDropEdges(0.5).apply(other.adjacency, num_features=0, rng=np.random.default_rng(0)).matrix
    assert abs(drawn - fresh).nnz > 0
    with pytest.raises(InvalidParameterError, match="the 60 nodes that the view was prepared for"):
        prepared.apply(path_graph(5).adjacency, num_features=0, rng=np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(6))
def test_pagerank_equals_networkx(seed):
    adjacency = awkward_adjacency(seed)
    theirs = nx.pagerank(nx.from_numpy_array(adjacency), alpha=0.85, tol=1e-14, max_iter=1000)
    np.testing.assert_allclose(
        CENTRALITIES["pagerank"](sp.csr_array(adjacency)),
        [theirs[i] for i in range(len(adjacency))],
        atol=1e-11,
    )


@pytest.mark.parametrize("size", [40, 200])
def test_eigenvector_centrality_equals_networkx(size):
    graph = random_graph(1, size=size, degree=12, weighted=True)
    assert nx.is_connected(graph.to_networkx())
    theirs = nx.eigenvector_centrality_numpy(graph.to_networkx(), weight="weight")
    np.testing.assert_allclose(
        CENTRALITIES["eigenvector"](graph.adjacency), [theirs[i] for i in range(size)], atol=1e-10
    )


def test_degree_centrality_is_the_weighted_degree():
    graph = random_graph(1, weighted=True)
    np.testing.assert_allclose(CENTRALITIES["degree"](graph.adjacency), graph.degrees)


def test_columns_are_weighted_by_occurrence_if_sparse_and_by_size_if_dense():
    features = np.array([[0.0, 3.0], [-2.0, 1.0], [0.0, 0.0]])
    centrality = np.array([1.0, 10.0, 100.0])
    assert weighted_occurrence(sp.csr_array(features), centrality).tolist() == [10.0, 11.0]
    assert weighted_occurrence(features, centrality).tolist() == [20.0, 13.0]


def test_probabilities_of_columns():
    weights = np.exp([0.0, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(drop_probabilities(weights, p=0.3, cutoff=0.5), [0.5, 0.4, 0.2, 0.0])
    np.testing.assert_allclose(drop_probabilities(np.full(3, 7.0), p=0.3, cutoff=0.5), [0.3] * 3)
    np.testing.assert_allclose(drop_probabilities(np.array([0.0, 0.0]), p=0.3, cutoff=0.5), [0.5] * 2)
    np.testing.assert_allclose(drop_probabilities(np.exp([0.0, 2.0]) * [1, 1], p=0.2, cutoff=1.0), [0.4, 0.0])
    np.testing.assert_allclose(
        drop_probabilities(np.array([np.e, 0.0, 1.0]), p=0.2, cutoff=0.7), [0, 0.7, 0.4]
    )


def test_columns_are_masked_with_their_probability():
    graph, seeds = random_graph(4), 500
    weights = weighted_occurrence(graph.features, graph.degrees)
    expected = drop_probabilities(weights, p=0.3, cutoff=0.6)
    view = AdaptiveMaskFeatures(0.3, cutoff=0.6).prepared(graph)
    draws = [view.apply(graph.adjacency, num_features=20, rng=np.random.default_rng(s)) for s in range(seeds)]
    masked = np.mean([~drawn.kept_columns for drawn in draws], axis=0)
    assert (np.abs(masked - expected) < 5 * np.sqrt(expected * (1 - expected) / seeds) + 1e-9).all()
    assert draws[0].matrix is graph.adjacency


def test_masking_without_a_graph_says_what_to_do():
    with pytest.raises(InvalidParameterError, match=r"prepared for. Got 20\.\nhint: view\.prepared\(graph\)"):
        AdaptiveMaskFeatures().apply(random_graph(0).adjacency, num_features=20, rng=np.random.default_rng(0))
