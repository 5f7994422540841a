"""Distances against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.views import Distance, hop_distances

from ..conftest import awkward_adjacency
from .graphs import learnt_matrix, path_graph, random_graph

RNG = np.random.default_rng(0)


def networkx_hops(adjacency, max_hops=None):
    hops = np.zeros(adjacency.shape)
    lengths = nx.all_pairs_shortest_path_length(nx.from_numpy_array(adjacency), cutoff=max_hops)
    for source, targets in lengths:
        for target, length in targets.items():
            hops[source, target] = length
    return hops


@pytest.mark.parametrize("max_hops", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_equal_networkx_on_awkward_graphs(seed, max_hops):
    adjacency = awkward_adjacency(seed)
    ours = hop_distances(sp.csr_array(adjacency), max_hops=max_hops).toarray()
    assert np.array_equal(ours, networkx_hops(adjacency, max_hops))


def test_equal_networkx_on_cora(data_root):
    graph = spco.load_dataset("cora", root=data_root)
    hops, theirs = hop_distances(graph.adjacency), nx.from_scipy_sparse_array(graph.adjacency)
    for source in range(0, graph.num_nodes, 60):
        expected = nx.single_source_shortest_path_length(theirs, source)
        row = hops[[source]]
        assert dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) == {
            target: length for target, length in expected.items() if target != source
        }


def test_the_view_is_the_inverse_distance():
    view = Distance()(path_graph(5), rng=RNG).matrix.toarray()
    gaps = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_allclose(view, np.divide(1.0, gaps, out=np.zeros((5, 5)), where=gaps > 0))


def test_a_cut_off_keeps_the_near_ones():
    graph = random_graph(0)
    whole, near = (Distance(max_hops)(graph, rng=RNG).matrix.toarray() for max_hops in (None, 2))
    assert np.array_equal(near, np.where(whole >= 0.5, whole, 0.0))


def test_large_graphs_have_a_cut_off_unless_told_otherwise():
    graph = path_graph(30)
    assert Distance(exact_limit=30)(graph, rng=RNG).matrix.nnz == 30 * 29
    assert Distance(exact_limit=29)(graph, rng=RNG).matrix.nnz == 2 * (29 + 28)
    assert Distance(29, exact_limit=29)(graph, rng=RNG).matrix.nnz == 30 * 29


def test_weights_are_no_lengths_and_stored_zeros_no_edges():
    matrix = learnt_matrix()
    there = (matrix.toarray() != 0).astype(float)
    np.fill_diagonal(there, 0)
    directed = nx.from_numpy_array(there, create_using=nx.DiGraph)
    hops = np.zeros(there.shape)
    for source, targets in nx.all_pairs_shortest_path_length(directed):
        for target, length in targets.items():
            hops[source, target] = length
    assert np.array_equal(hop_distances(matrix).toarray(), hops)
