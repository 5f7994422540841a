"""A and A_ as a method sees them, and A_ learnt again from what SpCo did in a run."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.errors import IneffectiveSettingsWarning, InvalidParameterError, UnknownNameError
from spco.linalg import renormalized
from spco.nn import SparseMatrix
from spco.training import SpectralSchedule, SpectralSettings, SpectralState, injected_view
from spco.views import DropArcs, DropEdges

from ..conftest import awkward_adjacency


def learnt(graph, inject_as, *, hops=1):
    """The schedule after two refreshes, and the partner that a method contrasts with A."""
    settings = SpectralSettings(refresh_every=1, inject_as=inject_as, eta=0.7, hops=hops)
    schedule = SpectralSchedule(graph, settings, epochs=2)
    schedule.at(0)
    return schedule, schedule.at(1).partner


def view_of(structure, view, seed):
    return structure.draw(view, num_features=1, rng=np.random.default_rng(seed)).operator


def operators(pair):
    return [structure.operator.matrix.toarray() for structure in (pair.anchor, pair.partner)]


@pytest.mark.parametrize("inject_as", ["operator", "weights"])
@pytest.mark.parametrize("seed", range(4))
def test_replayed_refreshes_give_the_structures_of_the_run(seed, inject_as):
    graph = spco.Graph(awkward_adjacency(seed))
    settings = SpectralSettings(refresh_every=2, inject_as=inject_as, theta_epochs=5, iterations=2)
    schedule = SpectralSchedule(graph, settings, epochs=6)
    records = [schedule.at(epoch).refresh for epoch in range(6)]
    assert [record is not None for record in records] == [True, False] * 3
    state = schedule.spectral_state
    assert state == SpectralState(settings, (0.0, 0.4, 0.8), schedule.pair.scales)
    found = operators(state.replay(graph))
    for ours, theirs in zip(found, operators(schedule.current), strict=True):
        assert np.array_equal(ours, theirs)
    last = SpectralState(settings, state.thetas[-1:], state.scales)  # scales come from the refreshes before
    assert not np.array_equal(operators(last.replay(graph))[1], found[1])


def test_the_two_ways_for_the_view_to_enter():
    graph = spco.load_dataset("wine")
    schedule, partner = learnt(graph, "weights")
    change = 0.7 * schedule.pair.delta
    assert abs(partner.operator.matrix - renormalized(graph.adjacency + change)).max() < 1e-12
    assert partner.own is schedule.current.anchor
    schedule, partner = learnt(graph, "operator")
    assert abs(partner.operator.matrix - renormalized(graph.adjacency) - change).max() < 1e-12


def test_dropped_edges_are_those_of_the_view_or_those_of_the_graph():
    graph = spco.load_dataset("wine")
    for inject_as in ("weights", "operator"):
        schedule, partner = learnt(graph, inject_as)
        found = (
            view_of(partner, DropEdges(1.0), 0) @ torch.eye(graph.num_nodes, dtype=torch.float64)
        ).numpy()
        change = 0.7 * schedule.pair.delta.toarray() if inject_as == "operator" else 0.0
        np.testing.assert_allclose(found, np.eye(graph.num_nodes) + change, atol=1e-12)


def test_a_symmetric_draw_beside_a_large_change_is_a_sum_and_any_other_is_formed():
    _, partner = learnt(spco.load_dataset("wine"), "operator", hops=2)
    drawn = [view_of(partner, DropEdges(0.3), seed) for seed in (0, 1)]
    (first, change), (second, again) = (operator.terms for operator in drawn)
    assert change is again is partner.added
    dense = torch.rand(first.shape[0], 2, dtype=torch.float64)
    for term in (first, second):
        assert torch.equal(term.times(dense), term.transpose_times(dense))
    kept = DropEdges(0.3).apply(partner.matrix, num_features=1, rng=np.random.default_rng(0)).matrix
    formed = torch.from_numpy((renormalized(kept) + change.matrix).toarray())
    torch.testing.assert_close(drawn[0] @ dense, formed @ dense)
    assert isinstance(view_of(partner, DropArcs(0.3), 0), SparseMatrix)
    _, partner = learnt(spco.load_dataset("wine"), "operator", hops=1)
    assert isinstance(view_of(partner, DropEdges(0.3), 0), SparseMatrix)


@pytest.mark.parametrize("seed", range(4))
def test_an_added_change_is_measured_as_one(seed):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(sp.csr_array(adjacency))
    views, partner = learnt(graph, "operator")
    degrees = adjacency.sum(1)
    root = np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    plain = root[:, None] * adjacency * root
    found = injected_view(graph, views.view, "operator")
    assert found.normalized
    np.testing.assert_allclose(found.matrix.toarray() - plain, 0.7 * views.pair.delta.toarray(), atol=1e-12)
    # The two sides differ as they do in the method, where both have self loops.
    in_method = (partner.operator.matrix - renormalized(graph.adjacency)).toarray()
    np.testing.assert_allclose(found.matrix.toarray() - plain, in_method, atol=1e-12)


def test_weights_are_measured_as_weights():
    graph = spco.load_dataset("wine")
    views, _ = learnt(graph, "weights")
    assert injected_view(graph, views.view, "weights") is views.view


def test_a_view_of_another_graph_and_an_unknown_entry_are_refused():
    graph = spco.load_dataset("wine")
    with pytest.raises(InvalidParameterError, match="'view' parameter of injected_view must have one row"):
        injected_view(graph, sp.csr_array((3, 3)), "operator")
    with pytest.raises(UnknownNameError, match="did you mean 'weights'"):
        injected_view(graph, graph.adjacency, "weight")


def test_the_partner_is_the_anchor_itself_where_a_graph_has_no_signal():
    ring = np.roll(np.eye(6), 1, axis=0)
    schedule = SpectralSchedule(spco.Graph(ring + ring.T), SpectralSettings(refresh_every=1), epochs=2)
    with pytest.warns(IneffectiveSettingsWarning, match="The learnt view is A itself"):
        pairs = [schedule.at(epoch) for epoch in range(2)]
    assert pairs[1].refresh.theta > 0
    assert pairs[1].partner is pairs[1].anchor
