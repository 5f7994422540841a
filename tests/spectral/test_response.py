"""Exact responses against dense quadratic forms and against the functions they must equal."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import aslinearoperator

import spco
from spco.errors import InvalidGraphError, InvalidInputError, UnknownNameError
from spco.linalg.eigen import laplacian_spectrum
from spco.spectral.response import spectral_density, spectral_response, spectral_responses
from spco.spectral.settings import ResponseSettings
from spco.views import PPR, DropEdges
from spco.views.base import Augmented

from ..conftest import awkward_adjacency
from ..dense_spco import dense_laplacian
from ..dense_spectrum import dropped, heat, normalised, ppr


@pytest.mark.parametrize("seed", range(12))
def test_the_adjacency_responds_with_one_minus_the_frequency(seed):
    graph = spco.Graph(awkward_adjacency(seed))
    for method in ("rayleigh", "perturbation"):
        found = spectral_response(graph, graph.adjacency, method=method)
        np.testing.assert_allclose(found.values, 1 - found.frequencies, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_laplacian_responds_with_the_frequency(seed):
    adjacency = awkward_adjacency(seed)
    found = spectral_response(spco.Graph(adjacency), dense_laplacian(adjacency), normalized=True)
    np.testing.assert_allclose(found.values, found.frequencies, atol=1e-12)
    assert np.all(found.errors == 0)
    assert np.all(found.counts == 1)
    assert found.edges is None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["rayleigh", "perturbation"])
def test_functions_of_the_adjacency_respond_with_their_function(seed, method):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    hat = normalised(adjacency)
    # An isolated node has λ = 1 and, to first order, no degree that could change: it is left out there.
    connected = graph.degrees > 0
    for matrix, function in (
        (hat @ hat, lambda x: (1 - x) ** 2),
        (ppr(adjacency, 0.2), lambda x: 0.2 / (1 - 0.8 * (1 - x))),
        (heat(adjacency, 5.0), lambda x: np.exp(-5 * x)),
    ):
        found = spectral_response(graph, matrix, normalized=True, method=method)
        expected = function(found.frequencies)
        if method == "rayleigh":
            np.testing.assert_allclose(found.values, expected, atol=1e-11)
        else:
            away = np.abs(found.frequencies - 1) > 1e-9
            np.testing.assert_allclose(found.values[away], expected[away], atol=1e-11)
            total = found.values[~away].sum()
            present = (~away).sum() - (~connected).sum()
            np.testing.assert_allclose(total, present * function(1.0), atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_edge_weights_are_normalised_and_measured(seed):
    adjacency = awkward_adjacency(seed)
    graph, view = spco.Graph(adjacency), dropped(adjacency, 0.3, seed)
    spectrum = laplacian_spectrum(graph)
    vectors = spectrum.eigenvectors
    expected = [u @ normalised(view) @ u for u in vectors.T]
    for form in (view, sp.csr_array(view), sp.coo_matrix(view), view.astype(np.float32)):
        found = spectral_response(graph, form, spectrum=spectrum)
        np.testing.assert_allclose(found.values, expected, atol=1e-6 if form.dtype == np.float32 else 1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_views_with_negative_entries_stay_within_minus_one_and_one(seed):
    adjacency = awkward_adjacency(seed)
    noise = np.random.default_rng(seed).standard_normal(adjacency.shape)
    values = spectral_response(spco.Graph(adjacency), noise).values
    assert np.abs(values).max() <= 1 + 1e-12
    inverse = ((np.abs(noise).sum(0) + np.abs(noise).sum(1)) / 2) ** -0.5
    expected = np.linalg.eigvalsh((lambda m: (m + m.T) / 2)(inverse[:, None] * noise * inverse))
    assert expected[0] - 1e-12 <= values.min()
    assert values.max() <= expected[-1] + 1e-12
    np.testing.assert_allclose(values.sum(), expected.sum(), atol=1e-9)


def test_an_asymmetric_view_counts_by_its_symmetric_part():
    adjacency = awkward_adjacency(1)
    graph = spco.Graph(adjacency)
    operator = np.random.default_rng(0).standard_normal(adjacency.shape) / 10
    one = spectral_response(graph, operator, normalized=True).values
    other = spectral_response(graph, (operator + operator.T) / 2, normalized=True).values
    np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_perturbation_is_the_derivative_of_generalised_eigenvalues(seed):
    """μ(t) of (A + tΔ)x = μ(D + tD_Δ)x moves by first order as eq. 3 says."""
    import scipy.linalg

    rng = np.random.default_rng(seed)
    size = 12
    adjacency = np.triu(rng.uniform(0.2, 1.0, (size, size)), 1)
    adjacency = adjacency + adjacency.T
    change = np.triu(rng.uniform(-0.1, 0.1, (size, size)), 1)
    change = change + change.T
    found = spectral_response(spco.Graph(adjacency), adjacency + change, method="perturbation")
    step = 1e-5

    def generalised(t):
        moved = adjacency + t * change
        return scipy.linalg.eigh(moved, np.diag(moved.sum(1)), eigvals_only=True)[::-1]

    slope = (generalised(step) - generalised(-step)) / (2 * step)
    np.testing.assert_allclose(found.values - (1 - found.frequencies), slope, atol=1e-6)


def test_views_know_whether_they_are_operators():
    graph = spco.load_dataset("wine")
    spectrum = laplacian_spectrum(graph)
    found = spectral_response(graph, PPR(0.3), spectrum=spectrum)
    np.testing.assert_allclose(found.values, 0.3 / (1 - 0.7 * (1 - found.frequencies)), atol=1e-10)
    drawn = Augmented(PPR(0.3)(graph, rng=np.random.default_rng(0)).matrix, normalized=True)
    again = spectral_response(graph, drawn, spectrum=spectrum)
    np.testing.assert_array_equal(found.values, again.values)


def test_random_views_are_drawn_from_rng():
    graph = spco.load_dataset("wine")
    spectrum = laplacian_spectrum(graph)
    first, again, other = (
        spectral_response(graph, DropEdges(0.3), spectrum=spectrum, rng=seed).values for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_linear_operator_is_taken_as_it_is():
    adjacency = awkward_adjacency(2)
    graph = spco.Graph(adjacency)
    hat = normalised(adjacency)
    for method in ("rayleigh", "perturbation"):
        found = spectral_response(graph, aslinearoperator(hat @ hat), normalized=True, method=method)
        dense = spectral_response(graph, hat @ hat, normalized=True, method=method)
        np.testing.assert_allclose(found.values, dense.values, atol=1e-12)


def test_several_views_at_once_equal_each_alone():
    graph = spco.load_dataset("wine")
    views = {"a": graph.adjacency, "p": PPR(0.2)}
    together = spectral_responses(graph, views)
    assert list(together) == ["a", "p"]
    for name, view in views.items():
        np.testing.assert_array_equal(together[name].values, spectral_response(graph, view).values)


def test_band_means_are_means_over_the_frequencies_in_a_band():
    found = spectral_response(spco.load_dataset("wine"), PPR(0.2))
    edges = [0.0, 0.4, 0.4 + 1e-12, 1.0, 2.0]
    means = found.band_means(edges)
    for b in (0, 2):
        inside = (found.frequencies >= edges[b]) & (found.frequencies < edges[b + 1])
        assert means[b] == pytest.approx(found.values[inside].mean())
    assert np.isnan(means[1])
    top = spectral_response(spco.Graph([[0, 1], [1, 0]]), [[0, 1], [1, 0]]).band_means([0, 1, 2])
    np.testing.assert_allclose(top, [1.0, -1.0], atol=1e-12)


@pytest.mark.parametrize(
    "adjacency",
    [np.zeros((1, 1)), np.ones((1, 1)), np.zeros((4, 4)), np.diag([1.0, 0.0, 2.0])],
    ids=["one node", "one self loop", "no edges", "self loops only"],
)
@pytest.mark.parametrize("method", ["rayleigh", "perturbation", "stochastic"])
def test_degenerate_graphs_are_measured(adjacency, method):
    graph = spco.Graph(adjacency)
    found = spectral_response(graph, graph.adjacency, method=method)
    seen = found.counts > 0
    assert seen.any()
    np.testing.assert_allclose(found.values[seen], 1 - found.frequencies[seen], atol=1e-8)
    zeros = spectral_response(graph, np.zeros(adjacency.shape), method="rayleigh")
    assert np.all(zeros.values == 0)


def test_density_estimates_the_histogram(digits):
    graph, _, spectrum = digits
    exact = spectral_density(graph, bins=12, spectrum=spectrum)
    assert exact.density @ np.diff(exact.edges) == pytest.approx(1.0)
    assert np.array_equal(exact.density > 0, exact.edges[:-1] < spectrum.eigenvalues[-1])
    found = spectral_density(graph, bins=12, rng=0, settings=ResponseSettings(moments=400, probes=40))
    np.testing.assert_allclose(found.density, exact.density, atol=0.05)
    assert found.density.min() > -1e-9
    assert 0 < found.errors.max() < 0.05


@pytest.mark.parametrize(
    ("view", "options", "message"),
    [
        (np.zeros((2, 2)), {}, "must have one row and column per node, (3, 3). Got shape (2, 2)."),
        (np.full((3, 3), np.nan), {}, "must hold finite numbers. Got 9 others, such as nan."),
        (np.zeros((3, 3), dtype=complex), {}, "must hold real numbers. Got complex128."),
        ("ppr", {}, "must be a square matrix, an operator or a View. Got 'ppr'."),
        (None, {}, "must be a square matrix, an operator or a View. Got None."),
        (PPR, {}, "must be a square matrix, an operator or a View."),
        (np.eye(3), {"settings": 5}, "'settings' parameter of spectral_response must be a ResponseSettings"),
        (aslinearoperator(np.eye(3)), {}, "must be a matrix if it is to be normalised"),
        (np.eye(3), {"normalized": 1}, "'normalized' parameter of spectral_response must be True or False"),
        (DropEdges(0.1), {"normalized": True}, "must be left out for a View"),
        (
            np.eye(3),
            {"spectrum": 3},
            "'spectrum' parameter of spectral_response must be a Spectrum of 3 nodes",
        ),
        (np.eye(3), {"rng": -1}, "be None, an integer >= 0 or a numpy Generator"),
    ],
    ids=str,
)
def test_bad_input_is_refused(view, options, message):
    graph = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    with pytest.raises(InvalidInputError) as caught:
        spectral_response(graph, view, **options)
    assert message in str(caught.value)


def test_a_misspelt_method_names_the_closest():
    with pytest.raises(UnknownNameError, match="did you mean 'rayleigh'"):
        spectral_response(spco.Graph([[0, 1], [1, 0]]), np.eye(2), method="raleigh")


def test_too_large_a_graph_points_to_the_stochastic_method():
    graph = spco.load_dataset("wine")
    with pytest.raises(InvalidGraphError, match="method='stochastic'"):
        spectral_response(graph, graph.adjacency, settings=ResponseSettings(max_nodes=100))


def test_a_spectrum_of_another_graph_is_refused():
    spectrum = laplacian_spectrum(spco.Graph([[0, 1], [1, 0]]))
    with pytest.raises(InvalidInputError, match=r"must be a Spectrum of 178 nodes. Got 2 nodes\."):
        spectral_response(spco.load_dataset("wine"), np.eye(178), spectrum=spectrum)
