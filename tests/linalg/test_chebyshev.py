"""The recurrence against dense polynomials, and eigenpairs against their definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.polynomial import chebyshev as numpy_chebyshev
from scipy.sparse.linalg import aslinearoperator

import spco
from spco.errors import InvalidGraphError
from spco.linalg.chebyshev import (
    COLUMNS,
    BilinearForms,
    band_coefficients,
    chebyshev_moments,
    chebyshev_terms,
    filtered,
    jackson_factors,
    lanczos_factors,
)
from spco.linalg.eigen import laplacian_spectrum
from spco.linalg.laplacian import shifted_laplacian

from ..conftest import awkward_adjacency
from ..dense_spco import dense_laplacian
from ..dense_spectrum import series_at


def setting(seed):
    adjacency = awkward_adjacency(seed)
    start = np.random.default_rng(seed).standard_normal((len(adjacency), COLUMNS))
    return dense_laplacian(adjacency), shifted_laplacian(sp.csr_array(adjacency)), start


def dense_polynomial(coefficients, matrix):
    """Σ_k c_k·T_k(matrix), through the matrix's eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * numpy_chebyshev.chebval(values, coefficients)) @ vectors.T


@pytest.mark.parametrize("seed", range(6))
def test_shifted_laplacian_equals_dense(seed):
    dense, operator, _ = setting(seed)
    np.testing.assert_allclose(operator.matrix().toarray(), dense - np.eye(len(dense)), atol=1e-15)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 10, 17, 40])
def test_terms_equal_dense_polynomials(count):
    dense, operator, start = setting(3)
    seen = []
    for degree, terms in chebyshev_terms(operator, start, count):
        assert degree == len(seen)
        seen.extend(terms.copy())
    assert len(seen) == count
    for k, term in enumerate(seen):
        expected = dense_polynomial(np.eye(count)[k], dense - np.eye(len(dense))) @ start
        np.testing.assert_allclose(term, expected, atol=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_filters_equal_dense_filters(seed):
    dense, operator, start = setting(seed)
    coefficients = band_coefficients(np.array([0.0, 0.3, 0.9, 1.1, 2.0]), lanczos_factors(37))
    found = filtered(operator, start, coefficients)
    for band, series in zip(found, coefficients, strict=True):
        np.testing.assert_allclose(
            band, dense_polynomial(series, dense - np.eye(len(dense))) @ start, atol=1e-11
        )


def test_filters_on_many_blocks_equal_scipy():
    graph = spco.datasets.sbm(40_000, average_degree=8, num_features=0)
    operator = shifted_laplacian(graph.adjacency)
    assert len(operator.pattern.blocks) > 3
    start = np.random.default_rng(0).standard_normal((graph.num_nodes, COLUMNS))
    weights = np.array([[0.5, -1.0, 0.25, 2.0], [0.0, 0.0, 0.0, 1.0]])
    matrix = operator.matrix()
    terms = [start, matrix @ start]
    for _ in range(2):
        terms.append(2 * (matrix @ terms[-1]) - terms[-2])
    expected = np.einsum("bk,knc->bnc", weights, np.array(terms))
    np.testing.assert_allclose(filtered(operator, start, weights), expected, atol=1e-11)
    forms = BilinearForms(graph.adjacency)(start, terms[1])
    np.testing.assert_allclose(forms, (start * (graph.adjacency @ terms[1])).sum(0), rtol=1e-9)


@pytest.mark.parametrize("count", [2, 3, 10, 17, 32, 33])
def test_moments_equal_their_definition(count):
    _, operator, start = setting(5)
    expected = [
        (start * term).sum(0) for _, terms in chebyshev_terms(operator, start, count) for term in terms.copy()
    ]
    np.testing.assert_allclose(chebyshev_moments(operator, start, count), expected, atol=1e-9)


def test_bilinear_forms_of_any_kind_of_matrix_agree():
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((30, 30)) * (rng.random((30, 30)) < 0.3)
    left, right = rng.standard_normal((2, 30, COLUMNS))
    expected = (left * (matrix @ right)).sum(0)
    for form in (sp.csr_array(matrix), matrix, aslinearoperator(matrix), sp.csc_array(matrix)):
        np.testing.assert_allclose(BilinearForms(form)(left, right), expected, atol=1e-12)


@pytest.mark.parametrize("damping", [jackson_factors, lanczos_factors])
def test_bands_that_tile_add_up_to_one(damping):
    edges = np.array([0.0, 0.2, 0.7, 1.4, 2.0])
    found = series_at(band_coefficients(edges, damping(80)), np.linspace(0, 2, 301))
    np.testing.assert_allclose(found.sum(0), 1.0, atol=1e-12)


def test_jackson_never_goes_negative_and_lanczos_is_sharper():
    edges, count = np.array([0.0, 0.6, 1.3, 2.0]), 100
    frequencies = np.linspace(0, 2, 2001)[:-1]
    inside = np.array([(frequencies >= a) & (frequencies < b) for a, b in itertools.pairwise(edges)])
    jackson, lanczos = (
        series_at(band_coefficients(edges, damping(count)), frequencies)
        for damping in (jackson_factors, lanczos_factors)
    )
    assert jackson.min() > -1e-9
    assert lanczos.min() > -0.02
    assert np.abs(lanczos - inside).mean() < 0.7 * np.abs(jackson - inside).mean()
    clear = np.min(np.abs(frequencies[:, None] - edges[1:-1]), axis=1) > 3 * np.pi / count
    assert np.abs(jackson - inside)[:, clear].max() < 0.02


def test_jackson_factors_equal_the_autocorrelation_they_come_from():
    """g_k = Σ_i a_i·a_{i+k} with a_i = sin(π(i + 1)/(n + 1)), normalised: a square, so never negative."""
    count = 12
    a = np.sin(np.pi * np.arange(1, count + 1) / (count + 1))
    expected = np.array([(a[: count - k] * a[k:]).sum() for k in range(count)]) / (a**2).sum()
    np.testing.assert_allclose(jackson_factors(count), expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_eigenpairs_fulfil_their_definition(seed):
    adjacency = awkward_adjacency(seed)
    found = laplacian_spectrum(spco.Graph(adjacency))
    values, vectors = found.eigenvalues, found.eigenvectors
    np.testing.assert_allclose(dense_laplacian(adjacency) @ vectors, vectors * values, atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-12)
    assert np.all(np.diff(values) >= 0)
    assert values[0] >= 0
    assert values[-1] <= 2


def test_nodes_without_edges_have_the_frequency_one():
    assert laplacian_spectrum(spco.Graph(np.zeros((3, 3)))).eigenvalues.tolist() == [1.0, 1.0, 1.0]


def test_a_spectrum_is_read_only():
    found = laplacian_spectrum(spco.Graph([[0, 1], [1, 0]]))
    with pytest.raises(ValueError, match="read-only"):
        found.eigenvalues[0] = 1.0


def test_large_graphs_are_refused_with_a_way_out():
    with pytest.raises(InvalidGraphError) as caught:
        laplacian_spectrum(spco.Graph(np.zeros((5, 5))), max_nodes=4)
    message = str(caught.value)
    assert "The 'graph' parameter of laplacian_spectrum must have at most max_nodes (4) nodes" in message
    assert "Got 5 nodes." in message
    assert "hint: method='stochastic'" in message
