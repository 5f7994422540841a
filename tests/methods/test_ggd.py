"""GGD against its formulas on dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from spco.methods.ggd import GGD, GGDSettings
from spco.nn import FeatureMatrix
from spco.structures import Structure

from .test_against_dense import (
    batch_of,
    counted,
    dense_encode,
    dense_operator,
    generator,
    graph,
    learnt,
    some_rows,
)

__all__ = ["graph", "learnt"]  # fixtures


@some_rows
@pytest.mark.parametrize("layers", [1, 3])
def test_the_loss_and_its_gradients_are_those_of_summed_projections(graph, learnt, layers, seeds):
    settings = GGDSettings(widths=(6,), feature_drop=0.3, projection_layers=layers)
    model = GGD(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, learnt, 5, seeds))
    rng = np.random.default_rng(5)
    mask = rng.random(graph.num_features) >= 0.3
    order = rng.permutation(graph.num_nodes)
    x = torch.from_numpy(graph.features * mask).float()
    groups = [
        dense_encode(model.encoder, dense_operator(learnt), x),
        dense_encode(model.encoder, dense_operator(graph.adjacency), x[order]),
    ]
    logits = []
    for rows in groups:
        projected = counted(rows, seeds)
        for layer in model.projection:
            projected = layer(projected)
        logits.append(projected.sum(1))
    labels = torch.cat([torch.ones_like(logits[0]), torch.zeros_like(logits[1])])
    theirs = torch.nn.functional.binary_cross_entropy_with_logits(torch.cat(logits), labels)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)
    learnt_parameters = list(model.parameters())
    torch.testing.assert_close(
        torch.autograd.grad(ours, learnt_parameters),
        torch.autograd.grad(theirs, learnt_parameters),
        rtol=1e-3,
        atol=1e-5,
    )


@pytest.mark.parametrize("power", [0, 1, 4])
@pytest.mark.parametrize("steps", [1, 2])
def test_embeddings_add_what_the_wider_neighbourhood_says(graph, power, steps):
    model = GGD(graph.num_features, GGDSettings(widths=(6,), graph_power=power), generator=generator())
    with torch.no_grad():
        found = model.embed(FeatureMatrix(graph.features), Structure(graph.adjacency).with_steps(steps))
        operator = torch.linalg.matrix_power(dense_operator(graph.adjacency), steps)
        own = dense_encode(model.encoder, operator, torch.from_numpy(np.array(graph.features)))
        expected = own + torch.linalg.matrix_power(operator, power) @ own if power else own
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
