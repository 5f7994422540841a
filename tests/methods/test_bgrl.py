"""BGRL against its formulas on dense matrices, and its target network over several steps."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from spco.methods.bgrl import BGRL, BGRLSettings

from .test_against_dense import batch_of, counted, dense_operator, generator, graph, learnt, some_rows

__all__ = ["graph", "learnt"]  # fixtures

SMALL = {"widths": (6, 4), "prediction": 5, "edge_drop": (0.3, 0.2), "feature_drop": (0.2, 0.4)}


def model_of(graph, **settings):
    return BGRL(graph.num_features, BGRLSettings(**{**SMALL, **settings}), generator=generator())


def slow_encode(weights, biases, norms, slopes, operator, features):
    hidden = features
    for weight, bias, (scale, shift), slope in zip(weights, biases, norms, slopes, strict=True):
        hidden = operator @ hidden @ weight + bias
        hidden = (hidden - hidden.mean(0)) / torch.sqrt(hidden.var(0, unbiased=False) + 1e-5)
        hidden = hidden * scale + shift
        hidden = torch.where(hidden > 0, hidden, slope * hidden)
    return hidden


def parts_of(named):
    """Return the weights of an encoder by their role."""
    return (
        [named[f"weights.{k}"] for k in range(2)],
        [named[f"biases.{k}"] for k in range(2)],
        [(named[f"activations.{k}.0.scale"], named[f"activations.{k}.0.shift"]) for k in range(2)],
        [named[f"activations.{k}.1.weight"] for k in range(2)],
    )


def slow_loss(model, target, graph, partner, seed, seeds=None):
    """The loss with a target network given by its weights, on the views that the seed draws."""
    rng, views = np.random.default_rng(seed), []
    for matrix, view in zip((graph.adjacency, partner), model.augmentations, strict=True):
        drawn = view.apply(matrix, num_features=graph.num_features, rng=rng)
        rows = torch.from_numpy(np.array(graph.features) * drawn.kept_columns).float()
        views.append((dense_operator(drawn.matrix), rows))
    online = parts_of(dict(model.encoder.named_parameters()))
    loss = 0.0
    for here, there in (views, views[::-1]):
        predicted = model.predictor(counted(slow_encode(*online, *here), seeds))
        seen = counted(slow_encode(*parts_of(target), *there), seeds).detach()
        cosines = (predicted * seen).sum(1) / (predicted.norm(dim=1) * seen.norm(dim=1))
        loss = loss + (1 - cosines).mean()
    return loss


def weights_of(model):
    return {name: value.detach().clone() for name, value in model.encoder.named_parameters()}


@some_rows
def test_the_loss_is_that_of_the_paper(graph, learnt, seeds):
    model = model_of(graph)
    ours = model(batch_of(graph, learnt, 5, seeds))
    theirs = slow_loss(model, weights_of(model), graph, learnt, 5, seeds)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4)


@pytest.mark.parametrize("total", [None, 3])
def test_the_target_follows_the_online_network_after_every_step(graph, learnt, total):
    model = model_of(graph, momentum=0.7, momentum_steps=total)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    target = weights_of(model)
    for step in range(5):
        loss = model(batch_of(graph, learnt, step))
        assert loss.item() == pytest.approx(slow_loss(model, target, graph, learnt, step).item(), rel=1e-4)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        momentum = 0.7 if total is None else 1 - 0.3 * (np.cos(np.pi * min(step / total, 1)) + 1) / 2
        for name, value in weights_of(model).items():
            target[name] = momentum * target[name] + (1 - momentum) * value


def test_a_loss_without_gradients_moves_nothing(graph):
    model = model_of(graph)
    torch.nn.init.constant_(model.encoder.weights[0], 0.5)  # away from the target
    before = copy.deepcopy(model.state_dict())
    with torch.no_grad():
        model(batch_of(graph, None, 0))
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    model(batch_of(graph, None, 0))
    assert not torch.equal(before["target_weights_0"], model.state_dict()["target_weights_0"])


def test_the_optimizer_never_sees_the_target(graph):
    model = model_of(graph)
    names = {name for name, _ in model.named_parameters()}
    assert not any("target" in name for name in names)
    assert {f"target_{name.replace('.', '_')}" for name, _ in model.encoder.named_parameters()} <= set(
        model.state_dict()
    )
