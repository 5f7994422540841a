"""The methods' losses against dense versions that follow their papers line by line."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.features import scaled
from spco.linalg import renormalized
from spco.methods.cca_ssg import CCASSG, CCASSGSettings
from spco.methods.dgi import DGI, DGISettings
from spco.methods.gca import GCA, GCASettings
from spco.methods.gcn import GCN, GCNSettings
from spco.methods.grace import GRACE, GRACESettings
from spco.methods.graphcl import GraphCL, GraphCLSettings
from spco.methods.mvgrl import MVGRL, MVGRLSettings
from spco.nn import FeatureMatrix
from spco.structures import Batch, Structure
from spco.views import (
    PPR,
    AdaptiveDropEdges,
    AdaptiveMaskFeatures,
    DropArcs,
    DropEdges,
    DropNodes,
    MaskFeatures,
)

from ..objectives.test_objectives import dense_infonce, slow_cca


@pytest.fixture(scope="module")
def graph():
    wine = spco.load_dataset("wine")
    return spco.Graph(wine.adjacency, scaled(wine.features, "columns"))


@pytest.fixture(scope="module")
def learnt(graph):
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    return pair.refresh(1.0)


def batch_of(graph, partner, seed, seeds=None):
    anchor = Structure(graph.adjacency)
    other = anchor if partner is None else Structure(partner, symmetric=False)
    rng = np.random.default_rng(seed)
    return Batch(FeatureMatrix(graph.features), anchor, other, rng, seeds=seeds)


# All rows count, or some: the others are there for their neighbours.
some_rows = pytest.mark.parametrize("seeds", [None, np.arange(3, 178, 4)], ids=["all", "some"])


def counted(rows, seeds):
    return rows if seeds is None else rows[seeds]


def dense_operator(matrix):
    return torch.from_numpy(renormalized(matrix).toarray()).float()


def generator():
    return torch.Generator().manual_seed(3)


@some_rows
def test_dgi_with_a_learnt_partner(graph, learnt, seeds):
    model = DGI(graph.num_features, DGISettings(widths=(6,)), generator=generator())
    ours = model(batch_of(graph, learnt, 5, seeds))
    order = np.random.default_rng(5).permutation(graph.num_nodes)
    x = torch.from_numpy(np.array(graph.features))
    weight, bias, activation = model.encoder.weights[0], model.encoder.biases[0], model.encoder.activations[0]

    def encode(operator, features):
        return counted(activation(operator @ features @ weight + bias), seeds)

    own = dense_operator(graph.adjacency)
    summary = torch.sigmoid(encode(own, x).mean(0))
    bilinear, shift = model.discriminator.weight, model.discriminator.bias
    positive = encode(dense_operator(learnt), x) @ bilinear @ summary + shift
    negative = encode(own, x[order]) @ bilinear @ summary + shift
    theirs = cross_entropy_of(positive, negative)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)


def dropped_views(graph, edges, columns, rng, drop=DropEdges):
    """Draw the views in the order in which the methods do."""
    for edge_drop, column_drop in zip(edges, columns, strict=True):
        matrix = drop(edge_drop).apply(graph.adjacency, num_features=graph.num_features, rng=rng).matrix
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


@some_rows
def test_grace(graph, seeds):
    settings = GRACESettings(widths=(8, 4), projection=5, edge_drop=(0.2, 0.5), feature_drop=(0.3, 0.1))
    model = GRACE(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, None, 9, seeds))
    views = dropped_views(graph, (0.2, 0.5), (0.3, 0.1), np.random.default_rng(9))
    first, second = (counted(model.projection(dense_encode(model.encoder, *view)), seeds) for view in views)
    theirs = dense_infonce(first, second, settings.temperature)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)


@some_rows
@pytest.mark.parametrize("drop", [DropEdges, DropArcs])
def test_cca_ssg(graph, drop, seeds):
    settings = CCASSGSettings(
        widths=(8, 4),
        edge_drop=0.3,
        directed_drop=drop is DropArcs,
        feature_drop=0.2,
        decorrelation=0.01,
    )
    model = CCASSG(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, None, 9, seeds))
    views = dropped_views(graph, (0.3, 0.3), (0.2, 0.2), np.random.default_rng(9), drop)
    first, second = (counted(dense_encode(model.encoder, *view), seeds) for view in views)
    theirs = slow_cca(first, second, 0.01)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4)
    weights = list(model.encoder.weights)
    for own, slow in zip(
        torch.autograd.grad(ours, weights), torch.autograd.grad(theirs, weights), strict=True
    ):
        assert torch.allclose(own, slow, rtol=1e-3, atol=1e-4)


def test_grace_with_sampled_negatives_is_near_the_full_loss(graph):
    full = GRACE(graph.num_features, GRACESettings(widths=(8, 4), projection=5), generator=generator())
    sampled = GRACE(
        graph.num_features,
        GRACESettings(widths=(8, 4), projection=5, num_negatives=120),
        generator=generator(),
    )
    values = [model(batch_of(graph, None, 1)).item() for model in (full, sampled)]
    assert values[0] != values[1]
    assert values[1] == pytest.approx(values[0], rel=0.02)


def cross_entropy_of(positive, negative):
    truth = torch.cat([torch.ones(len(positive)), torch.zeros(len(negative))])
    return torch.nn.functional.binary_cross_entropy_with_logits(torch.cat([positive, negative]), truth)


def dense_mvgrl(model, first, second, features, order):
    """MVGRL's node loss as its authors wrote it: four sets of scores, one cross-entropy."""
    h1, h3 = (dense_encode(model.encoder, first, x) for x in (features, features[order]))
    h2, h4 = (dense_encode(model.diffused_encoder, second, x) for x in (features, features[order]))
    c1, c2 = torch.sigmoid(h1.mean(0)), torch.sigmoid(h2.mean(0))
    scores = [
        h @ model.discriminator.weight @ c + model.discriminator.bias
        for h, c in ((h2, c1), (h1, c2), (h4, c1), (h3, c2))
    ]
    return 2 * cross_entropy_of(torch.cat(scores[:2]), torch.cat(scores[2:])) - np.log(4)


@pytest.mark.parametrize("spectral", [True, False])
def test_mvgrl(graph, learnt, spectral):
    settings = MVGRLSettings(widths=(6,), diffusion="ppr:0.3,self_loops=true")
    model = MVGRL(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, learnt if spectral else None, 5))
    order = np.random.default_rng(5).permutation(graph.num_nodes)
    with_loops = graph.adjacency.toarray() + np.eye(graph.num_nodes)
    scale = with_loops.sum(0) ** -0.5
    ppr = 0.3 * np.linalg.inv(np.eye(graph.num_nodes) - 0.7 * scale[:, None] * with_loops * scale)
    x = torch.from_numpy(np.array(graph.features))
    first = dense_operator(learnt if spectral else graph.adjacency)
    theirs = dense_mvgrl(model, first, torch.from_numpy(ppr).float(), x, order)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4, abs=1e-6)


@some_rows
def test_mvgrl_on_a_sample_of_nodes(graph, seeds):
    settings = MVGRLSettings(widths=(6,), diffusion="heat:5", sample_size=30)
    model = MVGRL(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, None, 5, seeds))
    rng = np.random.default_rng(5)
    nodes = np.sort(rng.choice(counted(np.arange(graph.num_nodes), seeds), 30, replace=False))
    order = rng.permutation(30)
    scale = graph.degrees**-0.5
    laplacian = np.eye(graph.num_nodes) - scale[:, None] * graph.adjacency.toarray() * scale
    values, vectors = np.linalg.eigh(laplacian)
    heat = torch.from_numpy(vectors * np.exp(-5 * values) @ vectors.T).float()
    part = np.ix_(nodes, nodes)
    x = torch.from_numpy(np.array(graph.features))[nodes]
    theirs = dense_mvgrl(model, dense_operator(graph.adjacency)[part], heat[part], x, order)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4)


def test_mvgrl_computes_its_diffusion_once(graph, monkeypatch):
    calls = []
    inner = PPR.apply

    def counting(self, *arguments, **named):
        calls.append(self)
        return inner(self, *arguments, **named)

    monkeypatch.setattr(PPR, "apply", counting)
    model = MVGRL(graph.num_features, MVGRLSettings(widths=(4,)), generator=generator())
    batch = batch_of(graph, None, 0)
    model(batch)
    model(batch)
    model.embed(batch.features, batch.anchor)
    assert len(calls) == 1


def test_the_embedding_of_mvgrl_is_the_sum_of_both_encoders(graph):
    model = MVGRL(graph.num_features, MVGRLSettings(widths=(4,), diffusion="power:2"), generator=generator())
    ours = model.embed(FeatureMatrix(graph.features), Structure(graph.adjacency))
    own = dense_operator(graph.adjacency)
    scale = graph.degrees**-0.5
    walk = torch.from_numpy(scale[:, None] * graph.adjacency.toarray() * scale).float()
    x = torch.from_numpy(np.array(graph.features))
    theirs = dense_encode(model.encoder, own, x) + dense_encode(model.diffused_encoder, walk @ walk, x)
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("centrality", ["degree", "pagerank", "eigenvector"])
def test_gca(graph, learnt, centrality):
    settings = GCASettings(widths=(8, 4), projection=5, edge_drop=(0.2, 0.5), centrality=centrality)
    model = GCA(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, learnt, 9))
    rng, projected = np.random.default_rng(9), []
    for matrix, edges, columns in ((graph.adjacency, 0.2, 0.3), (learnt, 0.5, 0.4)):
        # Who matters is decided by A, for the learnt view as well.
        dropping = AdaptiveDropEdges(edges, centrality=centrality).prepared(graph)
        masking = AdaptiveMaskFeatures(columns, centrality=centrality).prepared(graph)
        kept = dropping.apply(matrix, num_features=graph.num_features, rng=rng).matrix
        mask = masking.apply(matrix, num_features=graph.num_features, rng=rng).kept_columns
        x = torch.from_numpy(graph.features * mask).float()
        projected.append(model.projection(dense_encode(model.encoder, dense_operator(kept), x)))
    theirs = dense_infonce(*projected, settings.temperature)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)


def test_graphcl(graph, learnt):
    settings = GraphCLSettings(widths=(6,), views=("drop-nodes:0.3", "mask-features:0.4"))
    model = GraphCL(graph.num_features, settings, generator=generator())
    ours = model(batch_of(graph, learnt, 5))
    rng = np.random.default_rng(5)
    order = rng.permutation(graph.num_nodes)
    fewer = DropNodes(0.3).apply(graph.adjacency, num_features=graph.num_features, rng=rng).matrix
    mask = MaskFeatures(0.4).apply(graph.adjacency, num_features=graph.num_features, rng=rng).kept_columns
    x = torch.from_numpy(np.array(graph.features))
    own = dense_operator(graph.adjacency)
    augmented = [(dense_operator(fewer), x), (own, x * torch.from_numpy(mask))]
    summaries = [torch.sigmoid(dense_encode(model.encoder, *view).mean(0)) for view in augmented]

    def score(nodes):
        return sum(nodes @ model.discriminator.weight @ s + model.discriminator.bias for s in summaries)

    positive = score(dense_encode(model.encoder, dense_operator(learnt), x))
    negative = score(dense_encode(model.encoder, own, x[order]))
    assert ours.item() == pytest.approx(cross_entropy_of(positive, negative).item(), rel=1e-5)


def test_an_asymmetric_view_of_a_symmetric_graph_has_the_right_gradient(graph):
    """The backward pass shares the operator of the forward pass only where it is its own transpose."""
    settings = GraphCLSettings(widths=(3,), views=("spectral:eta=0.9", "spectral:eta=0.9"))
    model = GraphCL(graph.num_features, settings, generator=generator()).double()
    batch = batch_of(graph, None, 1)
    weight = model.encoder.weights[0]
    (gradient,) = torch.autograd.grad(model(batch_of(graph, None, 1)), weight)
    step = torch.zeros_like(weight)
    step[2, 1] = 1e-6
    with torch.no_grad():
        weight += step
        above = model(batch_of(graph, None, 1))
        weight -= 2 * step
        below = model(batch)
    assert gradient[2, 1].item() == pytest.approx(((above - below) / 2e-6).item(), rel=1e-3)


def test_gcn(graph):
    model = GCN(graph.num_features, 3, GCNSettings(hidden=(5,)), generator=generator())
    ours = model.logits(FeatureMatrix(graph.features), Structure(graph.adjacency))
    own, x = dense_operator(graph.adjacency), torch.from_numpy(np.array(graph.features))
    (w1, w2), (b1, b2) = model.encoder.weights, model.encoder.biases
    torch.testing.assert_close(ours, own @ torch.relu(own @ x @ w1 + b1) @ w2 + b2, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MVGRLSettings(diffusion="pppr:0.2"), "did you mean 'ppr'"),
        (lambda: MVGRLSettings(diffusion="drop-edges:0.2"), "be a view without randomness"),
        (lambda: MVGRLSettings(sample_size=1), "'sample_size' parameter of MVGRLSettings"),
        (lambda: GCASettings(centrality="degre"), "did you mean 'degree'"),
        (lambda: GCASettings(cutoff=1.5), "'cutoff' parameter"),
        (lambda: GraphCLSettings(views=("drop-nodes:0.2", "drop-node:0.2")), "did you mean 'drop-nodes'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
