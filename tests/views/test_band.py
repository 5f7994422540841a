"""The paper's V against sums of eigenspaces, one by one."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.errors import InvalidGraphError, InvalidParameterError
from spco.linalg.eigen import laplacian_spectrum
from spco.views import BandPass, band_projection

from ..dense_spco import dense_laplacian
from .graphs import learnt_matrix, path_graph, random_graph

RNG = np.random.default_rng(0)
RATES = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]


def kept_by_hand(size, rate, part, order):
    """The indices (from 0) of the eigenspaces in V, written out as in the paper."""
    half = size // 2
    low, high = list(range(half)), list(range(half, size))
    thinned, whole = (low, high) if part == "low" else (high, low)
    stay = int(rate * len(thinned) + 1e-9)
    return whole + (thinned[:stay] if order == "low-to-high" else thinned[len(thinned) - stay :])


@pytest.mark.parametrize("order", ["low-to-high", "high-to-low"])
@pytest.mark.parametrize("part", ["low", "high"])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("size", [10, 11])
def test_is_the_sum_of_the_kept_eigenspaces(size, rate, part, order):
    graph = path_graph(size)  # its frequencies are all different
    _, vectors = np.linalg.eigh(dense_laplacian(graph.adjacency.toarray()))
    expected = sum(
        (np.outer(vectors[:, i], vectors[:, i]) for i in kept_by_hand(size, rate, part, order)),
        start=np.zeros((size, size)),
    )
    view = BandPass(rate, part=part, order=order)(graph, rng=RNG)
    assert view.normalized
    np.testing.assert_allclose(view.matrix.toarray(), expected, atol=1e-12)


@pytest.mark.parametrize("order", ["low-to-high", "high-to-low"])
@pytest.mark.parametrize("part", ["low", "high"])
def test_the_response_is_one_or_zero(part, order):
    graph = random_graph(0, weighted=True)
    vectors = laplacian_spectrum(graph).eigenvectors
    view = BandPass(0.4, part=part, order=order)(graph, rng=RNG).matrix
    response = np.einsum("ij,ij->j", vectors, view @ vectors)
    expected = np.zeros(60)
    expected[kept_by_hand(60, 0.4, part, order)] = 1
    np.testing.assert_allclose(response, expected, atol=1e-12)


def test_examples_of_the_paper():
    size = 100
    kept = {
        (part, order): np.flatnonzero(
            band_projection(np.eye(size), rate=0.2, part=part, order=order).diagonal()
        )
        + 1
        for part in ("low", "high")
        for order in ("low-to-high", "high-to-low")
    }
    assert kept["low", "low-to-high"].tolist() == [*range(1, 11), *range(51, 101)]
    assert kept["low", "high-to-low"].tolist() == [*range(41, 51), *range(51, 101)]
    assert kept["high", "low-to-high"].tolist() == [*range(1, 51), *range(51, 61)]
    assert kept["high", "high-to-low"].tolist() == [*range(1, 51), *range(91, 101)]


def test_all_of_it_is_the_identity_exactly():
    for part in ("low", "high"):
        view = BandPass(1.0, part=part)(random_graph(0), rng=RNG).matrix
        assert view.nnz == 60
        assert (view.diagonal() == 1).all()


def test_rates_that_floats_cannot_hold_round_as_written():
    assert int(band_projection(np.eye(200), rate=0.29, part="low").trace()) == 100 + 29


def test_a_learnt_matrix_is_taken_as_symmetric():
    view = BandPass(0.5).apply(learnt_matrix(), num_features=0, rng=RNG).matrix.toarray()
    np.testing.assert_allclose(view @ view, view, atol=1e-12)  # a projection
    assert round(np.trace(view)) == 45


def test_graphs_that_are_too_large_are_refused():
    with pytest.raises(
        InvalidGraphError, match=r"must have at most 59 nodes .* Got 60 nodes\.\nhint: BandPass"
    ):
        BandPass(exact_limit=59)(random_graph(0), rng=RNG)


def test_the_projection_checks_its_settings():
    with pytest.raises(InvalidParameterError, match="'rate' parameter of band_projection"):
        band_projection(np.eye(3), rate=20)
    with pytest.raises(spco.errors.UnknownNameError, match="did you mean 'low'"):
        band_projection(np.eye(3), rate=0.2, part="lo")
