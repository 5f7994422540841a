"""Personalised PageRank by pushes against the exact one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidGraphError, InvalidParameterError
from spco.views import personalized_pagerank

from ..conftest import awkward_adjacency
from .graphs import random_graph


def exact_rows(adjacency, alpha):
    """α·(I − (1 − α)·D^-1·A)^-1, rows of zero degree left at 0."""
    degrees = adjacency.sum(axis=1, keepdims=True)
    walk = np.divide(adjacency, degrees, out=np.zeros_like(adjacency), where=degrees > 0)
    return alpha * np.linalg.inv(np.eye(len(adjacency)) - (1 - alpha) * walk)


def mass_of_largest(rows, count=32):
    return -np.sort(-rows, axis=1)[:, :count].sum(axis=1)


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.9])
@pytest.mark.parametrize("seed", range(8))
def test_equals_the_inverse_on_awkward_graphs(seed, alpha):
    adjacency = awkward_adjacency(seed)
    ours = personalized_pagerank(sp.csr_array(adjacency), alpha=alpha, tolerance=1e-13, top_k=len(adjacency))
    np.testing.assert_allclose(ours.toarray(), exact_rows(adjacency, alpha), atol=1e-10)


def test_equals_networkx():
    graph = random_graph(0, weighted=True)
    ours = personalized_pagerank(graph.adjacency, alpha=0.15, tolerance=1e-13, top_k=60, roots=np.array([7]))
    theirs = nx.pagerank(graph.to_networkx(), alpha=0.85, personalization={7: 1}, tol=1e-14, max_iter=1000)
    np.testing.assert_allclose(ours.toarray()[0], [theirs[node] for node in range(60)], atol=1e-10)


def exact_rows_by_steps(graph, roots, alpha=0.2, steps=150):
    """The same for some roots, as a sum over the lengths of walks; 0.8^150 is 3e-15."""
    backwards = sp.csr_array((sp.diags_array(1 / np.maximum(graph.degrees, 1e-300)) @ graph.adjacency).T)
    at = np.zeros((graph.num_nodes, len(roots)))
    at[roots, np.arange(len(roots))] = 1.0
    total = np.zeros_like(at)
    for step in range(steps):
        total += alpha * (1 - alpha) ** step * at
        at = backwards @ at
    return total.T


def check_mass(graph, roots, *, worst=0.02):
    exact = exact_rows_by_steps(graph, roots, steps=50)  # 0.8^50 is 1e-5
    ours = personalized_pagerank(graph.adjacency, alpha=0.2, tolerance=1e-4, top_k=32, roots=roots)
    assert np.diff(ours.indptr).max() <= 32
    ratio = np.asarray(ours.sum(axis=1)).ravel() / mass_of_largest(exact)
    assert abs(ratio - 1).mean() < 0.02
    assert abs(ratio - 1).max() < worst
    # The nodes picked are the right ones: their exact mass is that of the largest 32.
    picked = (exact * (ours.toarray() > 0)).sum(axis=1) / mass_of_largest(exact)
    assert picked.mean() > 0.99


@pytest.mark.parametrize("name", ["digits", "wine", "breast_cancer"])
def test_the_mass_in_the_top_32_is_within_two_percent(name):
    graph = spco.load_dataset(name)
    check_mass(graph, np.arange(0, graph.num_nodes, 3))


def test_the_mass_in_the_top_32_is_within_two_percent_on_a_block_graph():
    graph = spco.datasets.sbm(num_nodes=5000, average_degree=10, num_features=1, random_state=0)
    check_mass(graph, np.arange(0, 5000, 25))


@pytest.mark.parametrize(
    ("name", "worst"),
    # Roots next to hubs, whose neighbours are never pushed, can be further off on the denser graphs.
    [("cora", 0.02), ("citeseer", 0.02), ("pubmed", 0.08), ("blogcatalog", 0.15), ("flickr", 0.1)],
)
def test_the_mass_in_the_top_32_is_within_two_percent_on_the_papers_graphs(data_root, name, worst):
    graph = spco.load_dataset(name, root=data_root)
    check_mass(graph, np.arange(0, graph.num_nodes, graph.num_nodes // 100), worst=worst)


def test_the_exact_rows_agree():
    graph = random_graph(0, weighted=True)
    roots = np.array([3, 8])
    np.testing.assert_allclose(
        exact_rows_by_steps(graph, roots), exact_rows(graph.adjacency.toarray(), 0.2)[roots], atol=1e-13
    )


def test_all_estimates_sum_to_one_in_a_connected_graph():
    graph = spco.datasets.sbm(num_nodes=300, average_degree=10, num_features=1, random_state=0)
    giant = np.flatnonzero(graph.degrees > 0)
    ours = personalized_pagerank(graph.adjacency, alpha=0.2, tolerance=1e-4, top_k=300, roots=giant[:50])
    reached = ours.toarray() > 0
    total = np.asarray(ours.sum(axis=1)).ravel()
    assert total[reached[:, giant].all(axis=1)] == pytest.approx(1.0, abs=2e-3)
    assert (total < 1.002).all()


def test_rows_follow_the_roots_also_repeated_and_in_any_order():
    graph = random_graph(0)
    whole = personalized_pagerank(graph.adjacency, top_k=5).toarray()
    some = personalized_pagerank(
        graph.adjacency, top_k=5, roots=np.array([9, 3, 9], dtype=np.int32)
    ).toarray()
    assert np.array_equal(some, whole[[9, 3, 9]])
    assert personalized_pagerank(graph.adjacency, roots=np.array([], dtype=int)).shape == (0, 60)


def test_an_isolated_root_keeps_alpha():
    assert (
        personalized_pagerank(sp.csr_array((3, 3)), alpha=0.3).toarray().tolist()
        == np.diag([0.3] * 3).tolist()
    )


def test_a_smaller_tolerance_is_closer():
    graph = random_graph(0, size=200)
    exact = exact_rows(graph.adjacency.toarray(), 0.2)
    errors = [
        abs(personalized_pagerank(graph.adjacency, tolerance=tolerance, top_k=200).toarray() - exact).max()
        for tolerance in (1e-2, 1e-4, 1e-6, 1e-8)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-7


def test_weights_count():
    pair = sp.csr_array(np.array([[0, 3.0, 1.0], [3.0, 0, 0], [1.0, 0, 0]]))
    row = personalized_pagerank(pair, alpha=0.2, tolerance=1e-12).toarray()[0]
    assert row[1] / row[2] == pytest.approx(3.0)


def test_bad_input_is_refused():
    matrix = random_graph(0).adjacency
    with pytest.raises(
        InvalidParameterError, match="'alpha' parameter of personalized_pagerank must be > 0 and <= 1"
    ):
        personalized_pagerank(matrix, alpha=0.0)
    with pytest.raises(InvalidParameterError, match="'tolerance'"):
        personalized_pagerank(matrix, tolerance=0.0)
    with pytest.raises(InvalidParameterError, match="'top_k'"):
        personalized_pagerank(matrix, top_k=0)
    for roots in (np.array([60]), np.array([-1]), np.array([0.5]), np.array([[1]])):
        with pytest.raises(InvalidParameterError, match=r"'roots' parameter .* node numbers in \[0, 60\)"):
            personalized_pagerank(matrix, roots=roots)
    with pytest.raises(InvalidGraphError, match="have weights >= 0"):
        personalized_pagerank(sp.csr_array([[0.0, -1.0], [-1.0, 0.0]]))
