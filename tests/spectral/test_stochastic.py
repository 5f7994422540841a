"""Responses by random probes against exact band means."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.datasets import sbm
from spco.linalg.chebyshev import (
    band_coefficients,
    lanczos_factors,
)
from spco.linalg.eigen import laplacian_spectrum
from spco.linalg.laplacian import shifted_laplacian
from spco.spectral.response import spectral_response, spectral_responses
from spco.spectral.settings import ResponseSettings
from spco.spectral.stochastic import (
    band_edges,
    density_estimate,
    estimate_bands,
    spectral_shares,
)
from spco.views.base import Augmented

from ..conftest import awkward_adjacency
from ..dense_spectrum import dropped, normalised, ppr, series_at


def six_views(graph, spectrum):
    """Edge weights, a learnt view, a random one, and functions of the adjacency."""
    pair = spco.SpectralPair(graph, epsilon=1e-2, eta=0.5)
    pair.refresh(0.0)
    values, vectors = spectrum.eigenvalues, spectrum.eigenvectors

    def function(f):
        return Augmented((vectors * f(values)) @ vectors.T, normalized=True)

    return {
        "adjacency": graph.adjacency,
        "learnt": pair.refresh(1.0),
        "dropped": dropped(graph.adjacency.toarray(), 0.2, 0),
        "square": function(lambda x: (1 - x) ** 2),
        "ppr": function(lambda x: 0.2 / (1 - 0.8 * (1 - x))),
        "heat": function(lambda x: np.exp(-5 * x)),
    }


def assert_agrees_with_exact_band_means(graph, _, spectrum, *, seeds):
    views = six_views(graph, spectrum)
    exact = spectral_responses(graph, views, spectrum=spectrum)
    for seed in seeds:
        found = spectral_responses(
            graph, views, method="stochastic", rng=seed, settings=ResponseSettings(moments=100, probes=20)
        )
        for name, estimate in found.items():
            assert np.all(estimate.counts > 5)
            error = estimate.values - exact[name].band_means(estimate.edges)
            assert np.abs(error).max() < 0.01, name
            assert estimate.counts.sum() == pytest.approx(graph.num_nodes, rel=0.01)


def test_agrees_with_exact_band_means_on_digits(digits):
    assert_agrees_with_exact_band_means(*digits, seeds=(0, 1))


def test_agrees_with_exact_band_means_on_cora(cora):
    assert_agrees_with_exact_band_means(*cora, seeds=(0,))


def test_converges_to_the_means_under_its_own_weights():
    """Many probes leave no noise: what is estimated is a mean weighted by h_b·(h_{b−1} + h_b + h_{b+1})."""
    graph = spco.load_dataset("wine")
    spectrum = laplacian_spectrum(graph)
    view = dropped(graph.adjacency.toarray(), 0.3, 1)
    exact = spectral_response(graph, view, spectrum=spectrum)
    edges = np.array([0.0, 0.5, 0.8, 1.1, 1.4, 2.0])
    found = spectral_response(
        graph, view, method="stochastic", settings=ResponseSettings(bands=edges, moments=60, probes=2000)
    )
    filters = series_at(band_coefficients(edges, lanczos_factors(60)), spectrum.eigenvalues)
    padded = np.vstack([np.zeros_like(filters[:1]), filters, np.zeros_like(filters[:1])])
    weights = filters * (padded[:-2] + padded[1:-1] + padded[2:])
    used = found.counts > 0
    np.testing.assert_allclose(found.counts[used], weights.sum(1)[used], rtol=0.02)
    np.testing.assert_allclose(
        found.values[used], (weights @ exact.values / weights.sum(1))[used], atol=0.005
    )


def test_error_bars_cover_what_they_say_and_shrink():
    """Over many seeds the spread of the estimates is what the jackknife predicts."""
    graph = spco.load_dataset("wine")
    view = dropped(graph.adjacency.toarray(), 0.3, 1)
    edges = [0.0, 0.6, 0.95, 1.05, 1.3, 2.0]

    def runs(probes):
        return [
            spectral_response(
                graph,
                view,
                method="stochastic",
                rng=seed,
                settings=ResponseSettings(bands=edges, probes=probes),
            )
            for seed in range(60)
        ]

    few, many = runs(10), runs(40)
    for found in (few, many):
        spread = np.std([one.values for one in found], axis=0)
        predicted = np.mean([one.errors for one in found], axis=0)
        np.testing.assert_allclose(predicted, spread, rtol=0.35)
    ratio = np.mean([one.errors for one in few]) / np.mean([one.errors for one in many])
    assert 1.6 < ratio < 2.5  # √4


def test_leaving_out_distant_bands_makes_the_error_smaller():
    """Against the plain estimator of Δφ, ⟨z, (V̂ − Â)·h_b(L)z⟩ / ⟨z, h_b(L)z⟩, with the same filters."""
    graph = sbm(300, average_degree=5, num_features=0, random_state=0)
    spectrum = laplacian_spectrum(graph)
    adjacency = graph.adjacency.toarray()
    view = dropped(adjacency, 0.4, 0)
    edges = np.linspace(0, 2, 12)
    filters = series_at(band_coefficients(edges, lanczos_factors(100)), spectrum.eigenvalues)
    used = filters.sum(1) > 5
    vectors, change = spectrum.eigenvectors, normalised(view) - normalised(adjacency)
    plain, ours = [], []
    for seed in range(40):
        z = np.random.default_rng(seed).choice([-1.0, 1.0], (graph.num_nodes, 8))
        bands = np.array([vectors @ (f[:, None] * (vectors.T @ z)) for f in filters])
        plain.append(np.einsum("nc,bnc->b", change @ z, bands) / np.einsum("nc,bnc->b", z, bands))
        found = spectral_response(
            graph, view, method="stochastic", rng=seed, settings=ResponseSettings(bands=edges, probes=8)
        )
        ours.append(found.values - (1 - found.frequencies))
    spreads = np.std(ours, axis=0)[used], np.std(plain, axis=0)[used]
    assert np.mean(spreads[0]) < np.mean(spreads[1]) / 1.4
    np.testing.assert_allclose(np.mean(ours, axis=0)[used], np.mean(plain, axis=0)[used], atol=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_functions_of_the_adjacency_lie_on_their_curve(seed):
    """Within a narrow band, φ of the mean frequency is the mean of φ."""
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    found = spectral_response(
        graph,
        ppr(adjacency, 0.5),
        normalized=True,
        method="stochastic",
        rng=seed,
        settings=ResponseSettings(bands=41, moments=400, probes=200),
    )
    used = found.counts > 0
    expected = 0.5 / (1 - 0.5 * (1 - found.frequencies[used]))
    np.testing.assert_allclose(found.values[used], expected, atol=0.02)


def test_bands_hold_about_equally_many_and_avoid_one():
    graph = sbm(1000, average_degree=12, num_features=0, random_state=1)
    values = laplacian_spectrum(graph).eigenvalues
    for bands in (3, 7, 11):
        settings = ResponseSettings(bands, 200)
        rng = np.random.default_rng(0)
        edges = band_edges(spectral_shares(shifted_laplacian(graph.adjacency), 200, rng), settings)
        counts = np.histogram(values, edges)[0]
        assert len(edges) == bands + 1
        assert np.all(np.diff(edges) > 0)
        middle = bands // 2
        assert edges[middle] < 1 < edges[middle + 1]
        sides = np.delete(counts, middle)
        assert sides.max() < 2.5 * sides.min(), (bands, counts)


def test_edges_keep_out_of_heaps():
    """A star has all its frequencies but two at 1, K_{20,20} too: no edge comes near it."""
    for adjacency in (star(40), bipartite(20)):
        found = spectral_response(
            spco.Graph(adjacency), adjacency, method="stochastic", settings=ResponseSettings(bands=5)
        )
        assert np.abs(found.edges - 1).min() > 0.03
        assert found.counts[2] == pytest.approx(38, abs=1)
        np.testing.assert_allclose(found.values[2], 0.0, atol=0.01)


def star(size):
    adjacency = np.zeros((size, size))
    adjacency[0, 1:] = adjacency[1:, 0] = 1
    return adjacency


def bipartite(half):
    return np.kron([[0, 1], [1, 0]], np.ones((half, half)))


def test_a_band_without_frequencies_says_so():
    found = spectral_response(
        spco.Graph(bipartite(20)),
        bipartite(20),
        method="stochastic",
        settings=ResponseSettings(bands=[0, 0.3, 0.7, 1.3, 1.7, 2]),
    )
    assert np.isnan(found.values[[1, 3]]).all()
    assert np.all(found.counts[[1, 3]] == 0)
    np.testing.assert_allclose(found.values[[0, 4]], [1.0, -1.0], atol=0.02)


def test_density_counts_add_up_per_probe():
    graph = spco.load_dataset("wine")
    found = density_estimate(
        shifted_laplacian(graph.adjacency), np.linspace(0, 2, 30), 50, 7, np.random.default_rng(0)
    )
    assert found.shape == (7, 29)
    np.testing.assert_allclose(found.sum(1), graph.num_nodes, rtol=1e-9)


def test_the_same_seed_gives_the_same_bits_and_views_do_not_disturb_each_other():
    graph = spco.load_dataset("wine")
    view = dropped(graph.adjacency.toarray(), 0.3, 1)
    alone = spectral_response(graph, view, method="stochastic", rng=3)
    together = spectral_responses(graph, {"a": graph.adjacency, "v": view}, method="stochastic", rng=3)
    assert np.array_equal(alone.values, together["v"].values)
    assert np.array_equal(alone.errors, together["v"].errors)
    assert not np.array_equal(alone.values, spectral_response(graph, view, method="stochastic", rng=4).values)


@pytest.mark.parametrize("probes", [2, 3, 4, 5, 9])
def test_any_number_of_probes_counts_each_once(probes):
    graph = spco.load_dataset("wine")
    settings = ResponseSettings(5, probes=probes)
    estimate = estimate_bands(graph, [graph.adjacency], settings, np.random.default_rng(0))
    assert estimate.counts.shape == (probes, 5)
    np.testing.assert_allclose(estimate.counts.sum(1), graph.num_nodes, rtol=0.05)
    assert estimate.views.shape == (1, probes, 5)
