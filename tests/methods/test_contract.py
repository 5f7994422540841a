"""Every registered method and classifier, found by itself, keeps its protocol."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.features import scaled
from spco.methods import CLASSIFIERS, LEARNERS, METHODS
from spco.nn import FeatureMatrix
from spco.structures import Batch, Structure, Targets

# Only to be quick: a method that is not named here is tested with its own defaults.
SMALL = {
    "dgi": {"widths": (8,)},
    "mvgrl": {"widths": (8,)},
    "grace": {"widths": (16, 8), "projection": 8},
    "gca": {"widths": (16, 8), "projection": 8},
    "graphcl": {"widths": (8,)},
    "cca_ssg": {"widths": (8, 8)},
    "bgrl": {"widths": (16, 8), "prediction": 8},
    "ggd": {"widths": (8,)},
    "polygcl": {"width": 8},
}


def make(name, num_features, seed=0):
    learner, generator = LEARNERS[name], torch.Generator().manual_seed(seed)
    settings = learner.settings_type(**SMALL.get(name, {}))
    if name in CLASSIFIERS:
        return learner(num_features, 3, settings, generator=generator)
    return learner(num_features, settings, generator=generator)


@pytest.fixture(scope="module")
def graph():
    wine = spco.load_dataset("wine")
    return spco.Graph(wine.adjacency, scaled(wine.features, "columns"), wine.labels, wine.splits)


def batch(graph, seed=0, partner=None):
    anchor = Structure(graph.adjacency)
    other = anchor if partner is None else Structure(partner, symmetric=False)
    nodes = graph.splits["train5"]
    targets = Targets(torch.from_numpy(np.array(nodes)), torch.from_numpy(graph.labels[nodes]))
    return Batch(FeatureMatrix(graph.features), anchor, other, np.random.default_rng(seed), targets)


def test_a_name_belongs_to_one_learner():
    assert set(LEARNERS) == set(METHODS) | set(CLASSIFIERS)
    assert not set(METHODS) & set(CLASSIFIERS)
    assert all(LEARNERS[name].name == name for name in LEARNERS)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_loss_is_a_finite_scalar_that_reaches_every_parameter(name, graph):
    model = make(name, graph.num_features)
    loss = model(batch(graph))
    assert loss.shape == ()
    assert torch.isfinite(loss)
    loss.backward()
    for parameter_name, parameter in model.named_parameters():
        assert parameter.grad is not None, parameter_name
        assert torch.isfinite(parameter.grad).all(), parameter_name


@pytest.mark.parametrize("name", LEARNERS)
def test_same_seed_same_loss_and_another_seed_another(name, graph):
    model = make(name, graph.num_features)
    first, again, other = (model(batch(graph, seed)).item() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", METHODS)
def test_another_partner_changes_the_loss(name, graph):
    model = make(name, graph.num_features)
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    view = pair.refresh(1.0)
    assert model(batch(graph)).item() != model(batch(graph, partner=view)).item()


@pytest.mark.parametrize("name", METHODS)
def test_a_partner_that_equals_the_anchor_gives_the_plain_loss(name, graph):
    model = make(name, graph.num_features)
    plain = model(batch(graph)).item()
    same = model(batch(graph, partner=graph.adjacency.copy())).item()
    assert same == pytest.approx(plain, rel=1e-5)


@pytest.mark.parametrize("name", METHODS)
def test_embeddings_are_deterministic_and_finite(name, graph):
    model = make(name, graph.num_features)
    with torch.no_grad():
        first, second = (
            model.embed(FeatureMatrix(graph.features), Structure(graph.adjacency)) for _ in range(2)
        )
    assert torch.equal(first, second)
    assert torch.isfinite(first).all()
    assert first.shape == (graph.num_nodes, model.encoder.width)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_few_steps_lower_the_loss(name, graph):
    model = make(name, graph.num_features)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for step in range(30):
        loss = model(batch(graph, step))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert np.mean(losses[-5:]) < np.mean(losses[:5])


@pytest.mark.parametrize("name", LEARNERS)
def test_neither_building_nor_the_loss_touches_the_global_random_state(name, graph):
    before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    make(name, graph.num_features)(batch(graph))
    assert torch.equal(torch.get_rng_state(), before)
    assert np.array_equal(np.random.get_state()[1], numpy_before)  # noqa: NPY002


@pytest.mark.parametrize("name", LEARNERS)
def test_same_generator_same_weights(name, graph):
    first, again, other = (make(name, graph.num_features, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[key], again[key]) for key in first)
    assert any(not torch.equal(first[key], other[key]) for key in first)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_logits_of_a_classifier_are_deterministic_but_in_training(name, graph):
    model, structure = make(name, graph.num_features), Structure(graph.adjacency)
    features = FeatureMatrix(graph.features)
    with torch.no_grad():
        dropped = model.logits(features, structure, rng=np.random.default_rng(0))
        first, second = (model.logits(features, structure) for _ in range(2))
    assert first.shape == (graph.num_nodes, 3)
    assert torch.equal(first, second)
    assert not torch.equal(first, dropped)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_learns_from_its_targets_alone(name, graph):
    model, whole = make(name, graph.num_features), batch(graph)
    one = Batch(
        whole.features,
        whole.anchor,
        whole.partner,
        np.random.default_rng(0),
        Targets(whole.targets.rows[:1], whole.targets.classes[:1]),
    )
    scores = model.logits(whole.features, whole.anchor, rng=np.random.default_rng(0))
    expected = -torch.log_softmax(scores, 1)[whole.targets.rows[0], whole.targets.classes[0]]
    assert model(one).item() == pytest.approx(expected.item(), rel=1e-5)
    with pytest.raises(ValueError, match="must have targets"):
        model(Batch(whole.features, whole.anchor, whole.partner, np.random.default_rng(0)))
