"""Every registered method, found by itself, keeps the protocol."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.methods import METHODS, Batch, Topology
from spco.nn import FeatureMatrix

SMALL = {
    "dgi": {"widths": (8,)},
    "grace": {"widths": (16, 8), "projection": 8},
    "cca_ssg": {"widths": (8, 8)},
}


def small_settings(name):
    return METHODS[name].settings_type(**SMALL.get(name, {}))


def make(name, num_features, seed=0):
    return METHODS[name](num_features, small_settings(name), generator=torch.Generator().manual_seed(seed))


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def batch(graph, seed=0, partner=None):
    anchor = Topology(graph.adjacency)
    other = anchor if partner is None else Topology(partner, symmetric=False)
    return Batch(FeatureMatrix(graph.features), anchor, other, np.random.default_rng(seed))


@pytest.mark.parametrize("name", METHODS)
def test_the_loss_is_a_finite_scalar_that_reaches_every_parameter(name, graph):
    model = make(name, graph.num_features)
    loss = model.loss(batch(graph))
    assert loss.shape == ()
    assert torch.isfinite(loss)
    loss.backward()
    for parameter_name, parameter in model.named_parameters():
        assert parameter.grad is not None, parameter_name
        assert torch.isfinite(parameter.grad).all(), parameter_name


@pytest.mark.parametrize("name", METHODS)
def test_same_seed_same_loss_and_another_seed_another(name, graph):
    model = make(name, graph.num_features)
    first, again, other = (model.loss(batch(graph, seed)).item() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", METHODS)
def test_another_partner_changes_the_loss(name, graph):
    model = make(name, graph.num_features)
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    view = pair.refresh(1.0)
    assert model.loss(batch(graph)).item() != model.loss(batch(graph, partner=view)).item()


@pytest.mark.parametrize("name", METHODS)
def test_a_partner_that_equals_the_anchor_gives_the_plain_loss(name, graph):
    model = make(name, graph.num_features)
    plain = model.loss(batch(graph)).item()
    same = model.loss(batch(graph, partner=graph.adjacency.copy())).item()
    assert same == pytest.approx(plain, rel=1e-5)


@pytest.mark.parametrize("name", METHODS)
def test_embeddings_are_deterministic_and_finite(name, graph):
    model = make(name, graph.num_features)
    with torch.no_grad():
        first, second = (
            model.embed(FeatureMatrix(graph.features), Topology(graph.adjacency)) for _ in range(2)
        )
    assert torch.equal(first, second)
    assert torch.isfinite(first).all()
    assert first.shape == (graph.num_nodes, model.encoder.width)


@pytest.mark.parametrize("name", METHODS)
def test_a_few_steps_lower_the_loss(name, graph):
    model = make(name, graph.num_features)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for step in range(30):
        loss = model.loss(batch(graph, step))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
