"""PPR, heat and powers against dense matrix functions, and their spectra."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import expm
from scipy.sparse.linalg import expm_multiply

import spco
from spco.errors import InvalidGraphError
from spco.views import PPR, Heat, Power
from spco.views.chebyshev import heat_coefficients, ppr_coefficients

from ..conftest import awkward_adjacency
from .graphs import learnt_matrix, random_graph

RNG = np.random.default_rng(0)


def dense_adjacency(adjacency, *, self_loops=False):
    """D^-½ A D^-½ with D the sums of absolute values."""
    adjacency = adjacency + np.eye(len(adjacency)) * self_loops
    degrees = np.abs(adjacency).sum(axis=1)
    root = np.divide(1.0, np.sqrt(degrees), out=np.zeros(len(degrees)), where=degrees > 0)
    return root[:, None] * adjacency * root


def dense_ppr(hat, alpha):
    return alpha * np.linalg.inv(np.eye(len(hat)) - (1 - alpha) * hat)


def dense_heat(hat, t):
    return expm(-t * (np.eye(len(hat)) - hat))


def matrix_of(view, graph):
    return view(graph, rng=RNG).matrix.toarray()


EXACT = [(PPR, dense_ppr, alpha) for alpha in (0.01, 0.2, 0.85, 1.0)]
EXACT += [(Heat, dense_heat, t) for t in (0.0, 0.1, 5.0, 60.0)]


@pytest.mark.parametrize("self_loops", [False, True])
@pytest.mark.parametrize(("view", "dense", "strength"), EXACT)
@pytest.mark.parametrize("seed", range(4))
def test_small_graphs_are_exact(seed, view, dense, strength, self_loops):
    adjacency = awkward_adjacency(seed)
    ours = matrix_of(view(strength, self_loops=self_loops), spco.Graph(adjacency))
    expected = dense(dense_adjacency(adjacency, self_loops=self_loops), strength)
    np.testing.assert_allclose(ours, expected, atol=1e-13)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_power_is_the_matrix_power(seed, k):
    adjacency = awkward_adjacency(seed)
    expected = np.linalg.matrix_power(dense_adjacency(adjacency), k)
    np.testing.assert_allclose(matrix_of(Power(k), spco.Graph(adjacency)), expected, atol=1e-15)


@pytest.mark.parametrize("t", [0.5, 5.0, 30.0])
def test_heat_of_large_graphs_is_within_1e_8_of_expm(t):
    graph = random_graph(1, size=120, weighted=True)
    ours = matrix_of(Heat(t, exact_limit=0, top_k=120), graph)
    assert abs(ours - dense_heat(dense_adjacency(graph.adjacency.toarray()), t)).max() < 1e-8


@pytest.mark.parametrize("name", ["wine", "breast_cancer"])
def test_heat_of_datasets_is_within_1e_8_of_expm(name):
    graph = spco.load_dataset(name)
    expected = dense_heat(dense_adjacency(graph.adjacency.toarray()), 5.0)
    assert abs(matrix_of(Heat(5.0), graph) - expected).max() < 1e-13
    largest = matrix_of(Heat(5.0, exact_limit=0), graph)
    assert abs(largest - expected)[largest != 0].max() < 1e-8


def test_heat_on_cora_is_within_1e_8_of_expm(data_root):
    graph = spco.load_dataset("cora", root=data_root)
    scaling = sp.diags_array(graph.degrees**-0.5)
    laplacian = sp.eye_array(graph.num_nodes) - scaling @ graph.adjacency @ scaling
    columns = np.arange(0, graph.num_nodes, 90)
    expected = expm_multiply(sp.csc_array(-5.0 * laplacian), np.eye(graph.num_nodes)[:, columns])
    assert abs(matrix_of(Heat(5.0), graph)[:, columns] - expected).max() < 1e-12
    largest = matrix_of(Heat(5.0, exact_limit=0), graph)[:, columns]
    assert abs(largest - expected)[largest != 0].max() < 1e-8


def test_heat_of_large_graphs_keeps_the_largest_and_their_mirror_images():
    graph = random_graph(2, size=150, weighted=True)  # weights, so that no two entries are equal
    exact, kept = matrix_of(Heat(2.0), graph), matrix_of(Heat(2.0, exact_limit=0, top_k=10), graph) != 0
    largest = (exact >= -np.sort(-exact, axis=1)[:, 9:10]) & (exact != 0)
    assert np.array_equal(kept, largest | largest.T)


def test_ppr_of_large_graphs_is_the_symmetric_form():
    graph = random_graph(3, size=120, weighted=True)
    ours = matrix_of(PPR(0.2, exact_limit=0, tolerance=1e-12, top_k=120), graph)
    np.testing.assert_allclose(ours, dense_ppr(dense_adjacency(graph.adjacency.toarray()), 0.2), atol=1e-9)


def test_ppr_of_large_graphs_with_self_loops():
    graph = random_graph(3, size=120, weighted=True)
    ours = matrix_of(PPR(0.2, exact_limit=0, tolerance=1e-12, top_k=120, self_loops=True), graph)
    expected = dense_ppr(dense_adjacency(graph.adjacency.toarray(), self_loops=True), 0.2)
    np.testing.assert_allclose(ours, expected, atol=1e-9)


@pytest.mark.parametrize("view", [PPR(0.2, top_k=7), PPR(0.2, top_k=7, exact_limit=0, tolerance=1e-9)])
def test_ppr_keeps_the_largest_and_their_mirror_images(view):
    graph = random_graph(4, size=100, weighted=True)
    exact, kept = matrix_of(PPR(0.2), graph), matrix_of(view, graph) != 0
    largest = (exact >= -np.sort(-exact, axis=1)[:, 6:7]) & (exact != 0)
    assert np.array_equal(kept, largest | largest.T)


@pytest.mark.parametrize("view", [PPR, Heat])
@pytest.mark.parametrize("exact_limit", [0, 5000])
def test_threshold_drops_what_is_smaller(view, exact_limit):
    graph = random_graph(4, size=100)
    whole = matrix_of(view(exact_limit=exact_limit, top_k=100), graph)
    cut = matrix_of(view(exact_limit=exact_limit, top_k=100, threshold=1e-2), graph)
    assert np.array_equal(cut, np.where(whole >= 1e-2, whole, 0.0))
    assert 0 < np.count_nonzero(cut) < np.count_nonzero(whole)


@pytest.mark.parametrize("view", [PPR, Heat])
def test_large_graphs_stay_sparse(view):
    graph = spco.datasets.sbm(num_nodes=3000, average_degree=8, num_features=1, random_state=0)
    matrix = view(exact_limit=2999)(graph, rng=RNG).matrix
    assert 20 * 3000 < matrix.nnz <= 64 * 3000
    assert view(exact_limit=3000)(graph, rng=RNG).matrix.nnz > 64 * 3000


def test_isolated_nodes_stay_on_their_own():
    empty = spco.Graph(sp.csr_array((3, 3)))
    for limit in (0, 5000):
        np.testing.assert_allclose(matrix_of(PPR(0.3, exact_limit=limit), empty), 0.3 * np.eye(3), atol=1e-15)
        np.testing.assert_allclose(
            matrix_of(Heat(2.0, exact_limit=limit), empty), np.exp(-2) * np.eye(3), atol=1e-12
        )
    assert matrix_of(Power(2), empty).sum() == 0


@pytest.mark.parametrize(
    ("view", "response"),
    [
        (PPR(0.2), lambda frequency: 0.2 / (1 - 0.8 * (1 - frequency))),
        (Heat(5.0), lambda frequency: np.exp(-5 * frequency)),
        (Power(2), lambda frequency: (1 - frequency) ** 2),
    ],
)
def test_the_response_is_the_function_itself(view, response):
    graph = random_graph(5, weighted=True)
    frequencies, vectors = np.linalg.eigh(np.eye(60) - dense_adjacency(graph.adjacency.toarray()))
    measured = np.einsum("ij,ij->j", vectors, matrix_of(view, graph) @ vectors)
    np.testing.assert_allclose(measured, response(frequencies), atol=1e-12)


@pytest.mark.parametrize("view", [PPR(0.2), Heat(5.0), Power(2)])
def test_learnt_matrices_diffuse_by_their_absolute_degrees(view):
    matrix = learnt_matrix()
    hat = dense_adjacency(matrix.toarray())
    expected = {"ppr": dense_ppr(hat, 0.2), "heat": dense_heat(hat, 5.0), "power": hat @ hat}[view.name]
    ours = view.apply(matrix, num_features=0, rng=RNG).matrix.toarray()
    np.testing.assert_allclose(ours, (expected + expected.T) / 2, atol=1e-10)


def test_pushing_along_negative_weights_is_refused():
    with pytest.raises(InvalidGraphError, match="The 'matrix' parameter of PPR must have weights >= 0"):
        PPR(exact_limit=0).apply(learnt_matrix(), num_features=0, rng=RNG)


@pytest.mark.parametrize("alpha", [1e-3, 0.2, 0.999, 1.0])
def test_ppr_coefficients_give_the_function(alpha):
    x = np.linspace(-1, 1, 101)
    ours = np.polynomial.chebyshev.chebval(x, ppr_coefficients(alpha, 1e-12))
    np.testing.assert_allclose(ours, alpha / (1 - (1 - alpha) * x), atol=2e-12)


@pytest.mark.parametrize("t", [0.0, 1e-3, 1.0, 5.0, 1000.0])
def test_heat_coefficients_give_the_function(t):
    x = np.linspace(-1, 1, 101)
    ours = np.polynomial.chebyshev.chebval(x, heat_coefficients(t, 1e-12))
    np.testing.assert_allclose(ours, np.exp(-t * (1 - x)), atol=2e-12)


def test_coefficients_stop_when_the_rest_is_small():
    assert len(heat_coefficients(5.0, 1e-4)) < len(heat_coefficients(5.0, 1e-12)) < 40
    assert len(ppr_coefficients(0.2, 1e-4)) < len(ppr_coefficients(0.2, 1e-12)) < 60
