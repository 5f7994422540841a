"""SpCo on large graphs without a matrix of A_: the same training as with one, to the accuracy of float32."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.spectral import ImplicitView, LargePair, SpectralPair
from spco.structures import GCN_RULE, PROPAGATIONS, ImplicitStructure
from spco.training import SpectralSchedule, SpectralSettings, SpectralState
from spco.training.learnt_pair import LearntPair

from ..conftest import awkward_adjacency


@pytest.fixture(scope="module")
def graph():
    return spco.datasets.sbm(400, 3, average_degree=8.0, num_features=16, random_state=0)


def unweighted(seed):
    """Isolated nodes, several components and self loops, all of weight 1."""
    return spco.Graph((awkward_adjacency(seed) > 0).astype(float))


@pytest.mark.parametrize("loops", [1.0, 0.5])
@pytest.mark.parametrize("inject_as", ["operator", "weights"])
@pytest.mark.parametrize("seed", range(4))
def test_products_are_those_of_the_formed_view(seed, inject_as, loops):
    graph, rule = unweighted(seed), PROPAGATIONS["gcn"](self_loops=loops)
    settings = SpectralSettings(inject_as=inject_as, eta=0.7, epsilon=0.1)
    pairs = [LearntPair(graph, settings, propagation=rule, implicit=implicit) for implicit in (True, False)]
    for pair in pairs:
        pair.refresh(0.0)
        assert pair.partner is pair.anchor
        pair.refresh(1.0)
    (large, exact), dense = (pair.partner for pair in pairs), torch.randn(graph.num_nodes, 5)
    assert isinstance(large, ImplicitStructure)
    assert large.own is pairs[0].anchor
    for steps in (1, 2):
        found, expected = (one.with_steps(steps).operator @ dense for one in (large, exact))
        torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-4)
        filters = [one.with_steps(steps).filter_operator for one in (large, exact)]
        assert abs(filters[0].matrix - filters[1].matrix).max() < 1e-5


@pytest.mark.parametrize(
    "settings", [{"inject_as": "operator", "readout": ["A_", "A^2"]}, {"readout": ["A_^2"]}]
)
@pytest.mark.parametrize("method", ["dgi", "ggd", "polygcl"])
def test_training_is_the_same_with_and_without_the_matrix(method, settings, graph, monkeypatch, tmp_path):
    own = {"method": {"width": 16} if method == "polygcl" else {"widths": (16,)}}
    spectral = {**settings, "refresh_every": 1, "epsilon": 1e-3, "eta": 0.7}

    def fitted():
        parameters = {"loader": "blocks", "batch_size": 100, "epochs": 3, "settings": own}
        return spco.Embedder(method, spectral=spectral, **parameters).fit(graph)

    exact = fitted()
    for module in ("trained", "embedder"):
        monkeypatch.setattr(f"spco.estimators.{module}.FULL_UP_TO", 0)
    large = fitted()
    assert isinstance(large._view_, ImplicitView)
    assert any(large.spectral_state_.scales)
    np.testing.assert_allclose(large.history_.losses, exact.history_.losses, rtol=1e-4)
    np.testing.assert_allclose(large.embedding_, exact.embedding_, atol=1e-3)
    np.testing.assert_allclose(large.transform(graph), large.embedding_, rtol=1e-5, atol=1e-5)
    assert abs(large.view_ - exact.view_).max() < 1e-5  # formed when it is asked for
    large.save(tmp_path)
    assert abs(spco.Embedder.load(tmp_path).view_ - exact.view_).max() < 1e-5


def test_a_plan_beyond_float32_is_left_to_the_exact_pair(graph):
    settings = SpectralSettings(theta="constant", epsilon=1e-2, refresh_every=1)
    schedules = [SpectralSchedule(graph, settings, epochs=2, implicit=implicit) for implicit in (True, False)]
    assert isinstance(schedules[0].pair, LargePair)
    with pytest.warns(spco.errors.UnreliableResultWarning):
        found, expected = (schedule.at(0).partner.operator.matrix for schedule in schedules)
    assert isinstance(schedules[0].pair, SpectralPair)
    assert abs(found - expected).max() < 1e-12
    records = [schedule.at(1).refresh for schedule in schedules]
    assert records[0].scale_plus == pytest.approx(records[1].scale_plus)


def test_a_run_is_replayed_and_resumed(graph):
    settings = SpectralSettings(refresh_every=1, epsilon=1e-3)
    schedule = SpectralSchedule(graph, settings, epochs=3, implicit=True)
    for epoch in range(3):
        record = schedule.at(epoch).refresh
    assert record is not None
    assert not record.log_domain
    dense = torch.randn(400, 3)
    expected = schedule.current.partner.operator @ dense
    replayed = schedule.spectral_state.replay(graph, implicit=True)
    assert torch.equal(replayed.partner.operator @ dense, expected)
    resumed = SpectralSchedule(graph, settings, epochs=3, implicit=True)
    resumed.restore(schedule.state())
    assert torch.equal(resumed.current.partner.operator @ dense, expected)
    assert schedule.spectral_state == SpectralState(settings, (0.0, 1.0, 1.0), schedule.pair.scales)


@pytest.mark.parametrize(
    ("changes", "rule", "weight"),
    [
        ({"hops": 2}, GCN_RULE, 1.0),
        ({"target": "identity+laplacian"}, GCN_RULE, 1.0),
        ({}, PROPAGATIONS["pyg"](), 1.0),
        ({}, GCN_RULE, 2.0),
    ],
)
def test_what_needs_the_exact_pair(changes, rule, weight, graph):
    assert isinstance(LearntPair(graph, SpectralSettings(), implicit=True).pair, LargePair)
    other = spco.Graph(weight * graph.adjacency)
    pair = LearntPair(other, SpectralSettings(**changes), propagation=rule, implicit=True)
    assert isinstance(pair.pair, SpectralPair)
