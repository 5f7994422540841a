"""The methods' losses against dense versions that follow their papers line by line."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.linalg import renormalized
from spco.methods import Batch, Topology
from spco.methods.cca_ssg import CCASSG, CCASSGSettings
from spco.methods.dgi import DGI, DGISettings
from spco.methods.grace import GRACE, GRACESettings
from spco.nn import FeatureMatrix
from spco.views import DropEdges, MaskFeatures

from ..objectives.test_objectives import dense_infonce, slow_cca


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def dense_operator(matrix):
    return torch.from_numpy(renormalized(matrix).toarray()).float()


def generator():
    return torch.Generator().manual_seed(3)


def test_dgi_with_a_learnt_partner(graph):
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    view = pair.refresh(1.0)
    model = DGI(graph.num_features, DGISettings(widths=(6,)), generator=generator())
    ours = model.loss(
        Batch(
            FeatureMatrix(graph.features),
            Topology(graph.adjacency),
            Topology(view, symmetric=False),
            np.random.default_rng(5),
        )
    )
    order = np.random.default_rng(5).permutation(graph.num_nodes)
    x = torch.from_numpy(np.array(graph.features))
    weight, bias, activation = model.encoder.weights[0], model.encoder.biases[0], model.encoder.activations[0]

    def encode(operator, features):
        return activation(operator @ features @ weight + bias)

    own, learnt = dense_operator(graph.adjacency), dense_operator(view)
    summary = torch.sigmoid(encode(own, x).mean(0))
    bilinear, shift = model.discriminator.weight, model.discriminator.bias
    positive = encode(learnt, x) @ bilinear @ summary + shift
    negative = encode(own, x[order]) @ bilinear @ summary + shift
    truth = torch.cat([torch.ones(graph.num_nodes), torch.zeros(graph.num_nodes)])
    theirs = torch.nn.functional.binary_cross_entropy_with_logits(torch.cat([positive, negative]), truth)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)


def dropped_views(graph, edges, columns, rng):
    """Draw the views in the order in which the methods do."""
    for edge_drop, column_drop in zip(edges, columns, strict=True):
        matrix = DropEdges(edge_drop).apply(graph.adjacency, num_features=graph.num_features, rng=rng).matrix
        kept = (
            MaskFeatures(column_drop)
            .apply(graph.adjacency, num_features=graph.num_features, rng=rng)
            .kept_columns
        )
        mask = np.ones(graph.num_features, dtype=bool) if kept is None else kept
        yield dense_operator(matrix), torch.from_numpy(graph.features * mask).float()


def dense_encode(encoder, operator, features):
    hidden = features
    for weight, bias, activation in zip(encoder.weights, encoder.biases, encoder.activations, strict=True):
        hidden = activation(operator @ hidden @ weight + bias)
    return hidden


def test_grace(graph):
    settings = GRACESettings(widths=(8, 4), projection=5, edge_drop=(0.2, 0.5), feature_drop=(0.3, 0.1))
    model = GRACE(graph.num_features, settings, generator=generator())
    topology = Topology(graph.adjacency)
    ours = model.loss(Batch(FeatureMatrix(graph.features), topology, topology, np.random.default_rng(9)))
    views = dropped_views(graph, (0.2, 0.5), (0.3, 0.1), np.random.default_rng(9))
    first, second = (model.projection(dense_encode(model.encoder, *view)) for view in views)
    theirs = dense_infonce(first, second, settings.temperature)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)


def test_cca_ssg(graph):
    settings = CCASSGSettings(widths=(8, 4), edge_drop=0.3, feature_drop=0.2, decorrelation=0.01)
    model = CCASSG(graph.num_features, settings, generator=generator())
    topology = Topology(graph.adjacency)
    ours = model.loss(Batch(FeatureMatrix(graph.features), topology, topology, np.random.default_rng(9)))
    views = dropped_views(graph, (0.3, 0.3), (0.2, 0.2), np.random.default_rng(9))
    first, second = (dense_encode(model.encoder, *view) for view in views)
    theirs = slow_cca(first, second, 0.01)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4)


def test_grace_with_sampled_negatives_is_near_the_full_loss(graph):
    full = GRACE(graph.num_features, GRACESettings(widths=(8, 4), projection=5), generator=generator())
    sampled = GRACE(
        graph.num_features,
        GRACESettings(widths=(8, 4), projection=5, num_negatives=120),
        generator=generator(),
    )
    topology = Topology(graph.adjacency)
    values = [
        model.loss(Batch(FeatureMatrix(graph.features), topology, topology, np.random.default_rng(1))).item()
        for model in (full, sampled)
    ]
    assert values[0] != values[1]
    assert values[1] == pytest.approx(values[0], rel=0.02)
