"""Where a graph's plans carry no signal, A_ is A; elsewhere numbering, units and mode do not matter."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest

import spco
from spco import SpectralPair
from spco.errors import IneffectiveSettingsWarning
from spco.spectral.state import PairState, RefreshWarnings

from ..conftest import awkward_adjacency


def circulant(size):
    """A regular bipartite graph whose rows hold the same weights in another order each: their sums differ."""
    weights = np.random.default_rng(0).random(size)
    rows = np.array([np.roll(weights, shift) for shift in range(size)])
    return np.block([[np.zeros((size, size)), rows], [rows.T, np.zeros((size, size))]])


def united(*adjacencies):
    """Return the graph with these components."""
    return nx.to_numpy_array(nx.disjoint_union_all([nx.from_numpy_array(part) for part in adjacencies]))


REGULAR = {
    "K50": nx.to_numpy_array(nx.complete_graph(50)),
    "cycle of 1000": nx.to_numpy_array(nx.cycle_graph(1000)),
    "cycle of 7": nx.to_numpy_array(nx.cycle_graph(7)),
    "Petersen": nx.to_numpy_array(nx.petersen_graph()),
    "hypercube": nx.to_numpy_array(nx.hypercube_graph(5)),
    "K7,7": nx.to_numpy_array(nx.complete_bipartite_graph(7, 7)),
    "random bipartite weights": circulant(9),
    "random 6-regular": nx.to_numpy_array(nx.random_regular_graph(6, 60, seed=0)),
    "several components": united(nx.to_numpy_array(nx.cycle_graph(5)), np.ones((4, 4)), circulant(3)),
}
IRREGULAR = {
    "blocks": nx.to_numpy_array(nx.stochastic_block_model([15, 20], [[0.3, 0.05], [0.05, 0.4]], seed=1)),
    "scale free": nx.to_numpy_array(nx.barabasi_albert_graph(50, 2, seed=2)),
    "awkward": awkward_adjacency(3),
    "K3,5": nx.to_numpy_array(nx.complete_bipartite_graph(3, 5)),
}


def change(adjacency, *, log_domain="auto", thetas=(0.0, 1.0, 1.0), **settings):
    """Return N(S∗(Δ+ − Δ−)) after some refreshes."""
    pair = SpectralPair(spco.Graph(adjacency), log_domain=log_domain, **settings)
    for theta in thetas:
        pair.refresh(theta)
    return pair.delta.toarray()


@pytest.mark.filterwarnings("ignore::spco.errors.IneffectiveSettingsWarning")
@pytest.mark.parametrize("adjacency", REGULAR.values(), ids=REGULAR)
@pytest.mark.parametrize("log_domain", [False, True])
def test_a_regular_graph_is_left_exactly_as_it_is(adjacency, log_domain):
    order = np.random.default_rng(1).permutation(len(adjacency))
    for written in (adjacency, 3 * adjacency, 0.1 * adjacency, adjacency[np.ix_(order, order)]):
        for settings in ({}, {"epsilon": 1e-6}, {"hops": 2, "target": "laplacian2-laplacian"}):
            graph = spco.Graph(written)
            pair = SpectralPair(graph, log_domain=log_domain, **settings)
            for theta in (0.0, 1.0, 0.5):
                assert (pair.refresh(theta) != graph.adjacency).nnz == 0
            assert pair.scales == (0.0, 0.0)
            assert not pair.delta.data.any()


@pytest.mark.parametrize("adjacency", REGULAR.values(), ids=REGULAR)
def test_another_target_has_a_signal_there(adjacency):
    assert abs(change(adjacency, target="identity+laplacian", epsilon=1.0)).max() > 0.1


def test_one_warning_says_so_and_names_a_way_out():
    pair = SpectralPair(spco.Graph(REGULAR["Petersen"]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pair.refresh(0.0)
        assert not caught  # θ = 0 was asked for
        pair.refresh(1.0)
        pair.refresh(1.0)
    (warning,) = caught
    assert warning.category is IneffectiveSettingsWarning
    assert "The learnt view is A itself" in str(warning.message)
    assert "hint: another target" in str(warning.message)
    assert warning.filename == __file__


def test_one_plan_with_a_signal_is_enough():
    for scales in ((0.5, 0.0), (0.0, 0.5)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            RefreshWarnings().check(1.0, scales, 0.0, iterations=3, epsilon=0.01)
    with pytest.warns(IneffectiveSettingsWarning, match="no signal beyond rounding"):
        RefreshWarnings().check(1.0, (0.0, 0.0), 0.0, iterations=3, epsilon=0.01)


@pytest.mark.parametrize("adjacency", IRREGULAR.values(), ids=IRREGULAR)
@pytest.mark.parametrize("epsilon", [1e-2, 1.0])
def test_numbering_unit_of_weights_and_mode_do_not_matter(adjacency, epsilon):
    order = np.random.default_rng(1).permutation(len(adjacency))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = change(adjacency, epsilon=epsilon)
        assert abs(expected).max() > 0.1
        for factor in (3.0, 0.1, 1e-30, 1e30):
            np.testing.assert_allclose(change(factor * adjacency, epsilon=epsilon), expected, atol=1e-8)
        np.testing.assert_allclose(change(adjacency, epsilon=epsilon, log_domain=True), expected, atol=1e-8)
        renumbered = change(adjacency[np.ix_(order, order)], epsilon=epsilon)
        np.testing.assert_allclose(renumbered, expected[np.ix_(order, order)], atol=1e-8)


@pytest.mark.parametrize("log_domain", [False, True])
def test_a_weak_signal_is_kept_and_one_below_rounding_is_not(log_domain):
    """One chord in a cycle of 1000 nodes; then exponents of 1e-6 and of 1e-20."""
    ring = REGULAR["cycle of 1000"].copy()
    ring[0, 500] = ring[500, 0] = 1e-3
    assert abs(change(ring, log_domain=log_domain)).max() > 0.1
    blocks = IRREGULAR["blocks"]
    expected = change(blocks, epsilon=1.0, thetas=(1e-3,), log_domain=log_domain)
    found = change(blocks, epsilon=1.0, thetas=(1e-4,), log_domain=log_domain)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    with pytest.warns(IneffectiveSettingsWarning):
        assert not change(blocks, epsilon=1.0, thetas=(1e-10,), log_domain=log_domain).any()


def test_plans_that_agree_in_all_digits_give_a_itself():
    """With s+ = 2000 and s− = −580 both plans are diag(a); what differs off the diagonal is below 1e-250."""
    graph = spco.load_dataset("wine")
    pair = SpectralPair(graph, epsilon=1e-3)
    pair.restore(PairState(overlap_plus=1.0, overlap_minus=-0.29, refreshes=7))
    with pytest.warns(IneffectiveSettingsWarning, match="A itself"):
        view = pair.refresh(1.0)
    assert pair.scales == pytest.approx((2000.0, -580.0))
    np.testing.assert_array_equal(view.toarray(), graph.adjacency.toarray())
    assert not pair.delta.data.any()
