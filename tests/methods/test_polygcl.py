"""PolyGCL against its formulas on dense matrices, and on structures that change."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.linalg import Part, normalized_adjacency
from spco.methods.polygcl import PolyGCL, PolyGCLSettings
from spco.nn import FeatureMatrix, SparseMatrix
from spco.structures import Batch, PartialStructure, Propagation, Structure

from ..conftest import awkward_adjacency
from ..nn.test_polynomial import slow_filter
from .test_against_dense import batch_of, counted, generator, graph, learnt, some_rows

__all__ = ["graph", "learnt"]  # fixtures

# Fewer columns than features, and more: the two ways to filter.
either_way = pytest.mark.parametrize("width", [5, 20], ids=["wide", "narrow"])


def model_of(graph, width, **settings):
    model = PolyGCL(
        graph.num_features, PolyGCLSettings(width=width, degree=6, **settings), generator=generator()
    )
    with torch.no_grad():
        for steps in (model.encoder.low_steps, model.encoder.high_steps):
            steps.copy_(torch.rand(6, generator=generator()) - 0.1)
        model.high_share.fill_(0.3)
    return model


def dense_bands(model, matrix, rows, mask=1.0, power=1):
    """Low-pass and high-pass embeddings by dense matrices; ``matrix`` are edge weights."""
    encoder = model.encoder
    operator = np.linalg.matrix_power(normalized_adjacency(sp.csr_array(matrix)).toarray(), power)
    laplacian = np.eye(len(operator)) - operator
    for steps, rising in ((encoder.low_steps, False), (encoder.high_steps, True)):
        filtered = slow_filter(steps.detach().numpy(), laplacian, rising=rising) @ rows
        yield encoder.activation(torch.from_numpy(filtered * mask).float() @ encoder.weight + encoder.bias)


def dense_loss(model, graph, partner, seed, seeds=None):
    rng, x = np.random.default_rng(seed), np.array(graph.features)
    order = rng.permutation(graph.num_nodes)
    p = model.settings.dropout
    mask = (rng.random(graph.num_features, dtype=np.float32) >= p) / np.float32(1 - p)
    low, high = (counted(rows, seeds) for rows in dense_bands(model, graph.adjacency, x, mask))
    summary = torch.relu((model.high_share * high + model.low_share * low).mean(0))
    positive = list(dense_bands(model, graph.adjacency if partner is None else partner, x, mask))
    negative = list(dense_bands(model, graph.adjacency, x[order], mask))
    bilinear, shift = model.discriminator.weight, model.discriminator.bias
    logits = torch.cat([counted(rows, seeds) @ bilinear @ summary + shift for rows in positive + negative])
    labels = torch.cat([torch.ones(len(logits) // 2), torch.zeros(len(logits) // 2)])
    return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)


@some_rows
@either_way
@pytest.mark.parametrize("with_partner", [False, True])
def test_the_loss_and_its_gradients_are_those_of_the_paper(graph, learnt, width, with_partner, seeds):
    model, partner = model_of(graph, width, dropout=0.4), learnt if with_partner else None
    ours = model(batch_of(graph, partner, 5, seeds))
    theirs = dense_loss(model, graph, partner, 5, seeds)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-4)
    shares = [model.high_share, model.encoder.weight, model.discriminator.weight]
    for one, other in zip(
        torch.autograd.grad(ours, shares), torch.autograd.grad(theirs, shares), strict=True
    ):
        torch.testing.assert_close(one, other, rtol=1e-2, atol=1e-4)


@either_way
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_embeddings_over_several_steps_are_filtered_on_powers_of_the_adjacency(graph, width, steps):
    model = model_of(graph, width)
    with torch.no_grad():
        found = model.embed(FeatureMatrix(graph.features), Structure(graph.adjacency).with_steps(steps))
        low, high = dense_bands(model, graph.adjacency, np.array(graph.features), power=steps)
        torch.testing.assert_close(found, 0.3 * high + 0.5 * low, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_both_ways_agree_on_awkward_graphs(seed):
    adjacency = sp.csr_array(awkward_adjacency(seed))
    rows = np.random.default_rng(seed).normal(size=(adjacency.shape[0], 4)).astype(np.float32)
    awkward = spco.Graph(adjacency, rows)
    model = model_of(awkward, 5)
    found = []
    for narrow in (True, False):
        model.encoder.is_narrow = narrow
        found.append((model(batch_of(awkward, None, seed)), *model.encode(batch_of(awkward, None, seed))))
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


def test_products_of_narrow_features_are_computed_once_per_structure(graph, learnt):
    features = FeatureMatrix(graph.features)
    anchor, partner = Structure(graph.adjacency), Structure(learnt, symmetric=False)
    terms = anchor.filter_terms(features, 4)
    assert anchor.filter_terms(features, 4) is terms
    assert anchor.filter_terms(features, 3).shape[0] == 4
    assert not torch.allclose(partner.filter_terms(features, 4), terms, atol=1e-3)
    assert not torch.allclose(anchor.with_steps(2).filter_terms(features, 4), terms, atol=1e-3)


@pytest.mark.parametrize("eta", [0.5, 3.0, -2.0])
def test_with_a_change_the_spectrum_stays_where_the_polynomials_are_bounded(graph, eta):
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    pair.refresh(1.0)
    change = sp.csr_array(eta * pair.delta)
    changed = Structure(graph.adjacency, added=SparseMatrix(change)).filter_operator.matrix.toarray()
    whole = normalized_adjacency(graph.adjacency).toarray() + change.toarray()
    assert np.linalg.norm(changed, 2) <= 1 + 1e-6
    np.testing.assert_allclose(changed / changed.max(), whole / whole.max(), atol=1e-9)


def test_heavier_loops_are_those_that_a_graph_could_have(graph):
    heavy = Structure(graph.adjacency, propagation=Propagation(3.0)).filter_operator.matrix
    looped = Structure(sp.csr_array(graph.adjacency + 2.0 * sp.eye_array(graph.num_nodes))).filter_operator
    np.testing.assert_allclose(heavy.toarray(), looped.matrix.toarray(), atol=1e-12)


def test_a_part_of_a_graph_has_the_degrees_of_the_whole(graph):
    nodes = np.arange(0, graph.num_nodes, 3)
    whole = Structure(graph.adjacency)
    part = PartialStructure.of(whole, Part.of(nodes)).filter_operator.matrix.toarray()
    np.testing.assert_array_equal(part, whole.filter_operator.matrix.toarray()[np.ix_(nodes, nodes)])


@either_way
def test_one_node_and_no_edges(graph, width):
    empty = Structure(sp.csr_array((1, 1)))
    lonely = Batch(FeatureMatrix(graph.features[:1]), empty, empty, np.random.default_rng(0))
    assert torch.isfinite(model_of(graph, width)(lonely))
