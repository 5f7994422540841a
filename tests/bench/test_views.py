from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.bench import views
from spco.bench.views import bench_views


def test_the_exact_vectors_solve_the_linear_system():
    graph = spco.Graph.from_edges([[0, 1], [1, 2], [2, 3], [3, 1], [4, 5]], num_nodes=7)
    adjacency = graph.adjacency.toarray()
    step = adjacency / np.maximum(adjacency.sum(1, keepdims=True), 1)
    wanted = 0.2 * np.linalg.inv(np.eye(7) - 0.8 * step)
    roots = np.array([0, 4, 6])
    np.testing.assert_allclose(views._exact(graph.adjacency, roots), wanted[roots], atol=1e-12)


def test_missing_mass_is_the_share_of_the_best_places_not_found():
    exact = np.array([[0.5, 0.3, 0.2] + [0.0] * 40])
    assert views._missing(exact, sp.csr_array(exact)) == pytest.approx(0.0)
    found = exact.copy()
    found[0, 1] = 0.0
    assert views._missing(exact, sp.csr_array(found)) == pytest.approx(0.3)


def test_both_find_the_same_mass():
    pytest.importorskip("torch_geometric")
    told = []
    first, second = bench_views(
        sizes=[3000], graphs=[spco.load_dataset("wine")], roots=50, rounds=1, tell=told.append
    )
    assert told == ["PageRank on wine", "PageRank on a graph with 3,000 nonzeros"]
    assert (first.graph, first.nodes) == ("wine", 178)
    assert second.nodes == 300
    for case in (first, second):
        assert case.facts["roots"] == 50
        assert 0 <= case.facts["missing"] < 0.02
        assert 0 <= case.facts["baseline_missing"] < 0.05
