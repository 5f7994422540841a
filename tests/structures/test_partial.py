"""Parts of structures: degrees of the whole graph, neighbours that stand for others, views of the whole."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.linalg import Part, renormalized
from spco.linalg.sampling import sampled_neighbourhood
from spco.methods import METHODS
from spco.nn import FeatureMatrix, SparseMatrix
from spco.structures import Batch, PartialStructure, Structure, pair_between
from spco.views import PPR, AdaptiveDropEdges, Compose, DropEdges, MaskFeatures

from ..methods.test_contract import graph as graph  # the fixture
from ..methods.test_contract import make

LAYERED = [name for name in METHODS if name != "polygcl"]  # whose filters have no layers


@pytest.fixture(scope="module")
def partner(graph):
    pair = spco.SpectralPair(graph, eta=1.0)
    pair.refresh(0.0)
    return pair.refresh(1.0)


def sides(graph, partner, inject_as):
    """The two whole structures: plain, with the change as weights, or with the change as an operator."""
    anchor = Structure(graph.adjacency)
    if inject_as is None:
        return anchor, anchor
    if inject_as == "weights":
        return anchor, Structure(partner, symmetric=False, changed_from=anchor)
    added = SparseMatrix((partner - graph.adjacency).tocsr())
    return anchor, Structure(graph.adjacency, added=added, changed_from=anchor)


def loss_and_gradients(model, batch):
    model.zero_grad()
    loss = model(batch)
    loss.backward()
    return [loss.item(), *(weight.grad.numpy().copy() for weight in model.parameters())]


@pytest.mark.parametrize("inject_as", [None, "weights", "operator"])
@pytest.mark.parametrize("name", LAYERED)
def test_the_part_of_all_nodes_has_the_loss_and_gradients_of_the_whole(name, inject_as, graph, partner):
    whole = sides(graph, partner, inject_as)
    features, every = FeatureMatrix(graph.features), np.arange(graph.num_nodes)
    parts = [Part.of(every), sampled_neighbourhood(graph.adjacency, every, [-1, -1], 0)]
    found = []
    for part in (None, *parts):
        rows = features if part is None else features.rows(part.nodes)
        anchor, other = whole if part is None else pair_between(*whole, part)
        seeds = None if part is None else part.seeds
        found.append(
            loss_and_gradients(
                make(name, graph.num_features),
                Batch(rows, anchor, other, np.random.default_rng(0), seeds=seeds),
            )
        )
    for values in found[1:]:
        for ours, theirs in zip(values, found[0], strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("inject_as", [None, "weights", "operator"])
def test_with_all_neighbours_seeds_are_embedded_as_in_the_whole_graph(inject_as, graph, partner):
    """Of a change that reaches one hop, too; layers compute fewer and fewer rows on the way."""
    model = make("cca_ssg", graph.num_features)
    features, seeds = FeatureMatrix(graph.features), np.arange(7, 178, 19)
    part = sampled_neighbourhood(graph.adjacency, seeds, [-1, -1], 0)
    assert part.ends[0] < part.ends[1] < part.ends[2] < graph.num_nodes
    for whole, some in zip(
        sides(graph, partner, inject_as),
        pair_between(*sides(graph, partner, inject_as), part),
        strict=True,
    ):
        expected = model.embed(features, whole)[seeds]
        found = model.embed(features.rows(part.nodes), some)
        assert len(found) == len(seeds)
        np.testing.assert_allclose(found.detach(), expected.detach(), rtol=1e-4, atol=1e-5)


def test_neighbours_in_a_part_stand_for_all_and_degrees_are_the_graphs(graph):
    whole, seeds = Structure(graph.adjacency), np.arange(0, 178, 4)
    part = sampled_neighbourhood(graph.adjacency, seeds, [2], 0)
    found = PartialStructure.of(whole, part).operator.matrix.toarray()
    inside = np.ix_(part.nodes, part.nodes)
    expected = renormalized(graph.adjacency).toarray()[inside]
    adjacency = graph.adjacency.toarray()
    for row, node in enumerate(part.nodes[: len(seeds)]):
        within = (adjacency[inside][row] != 0).sum()
        assert within >= 2
        expected[row] *= np.where(
            np.arange(len(part.nodes)) == row, 1.0, (adjacency[node] != 0).sum() / within
        )
    expected[len(seeds) :] = 0.0  # no layer reads what they hear
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("stand_in", [False, True])
def test_a_draw_counts_edges_that_leave_by_the_share_that_it_keeps(stand_in, graph):
    nodes = np.arange(0, 178, 2)
    part = PartialStructure.of(Structure(graph.adjacency), Part.of(nodes, stand_in=stand_in))
    drawn = part.draw(DropEdges(0.4), num_features=0, rng=np.random.default_rng(3)).operator.matrix
    inner = graph.adjacency.toarray()[np.ix_(nodes, nodes)]
    kept = np.where(drawn.toarray() != 0, inner, 0.0)
    share = kept.sum() / inner.sum()
    assert 0.5 < share < 0.7
    degrees = kept.sum(1) + share * (graph.degrees[nodes] - inner.sum(1)) + 1.0
    expected = (kept + np.eye(len(nodes))) / np.sqrt(np.outer(degrees, degrees))
    if stand_in:
        neighbours, within = (graph.adjacency.toarray()[nodes] != 0).sum(1), (inner != 0).sum(1)
        factors = neighbours / within
        expected *= np.where(np.eye(len(nodes)), 1.0, factors[:, None])
    np.testing.assert_allclose(drawn.toarray(), expected, rtol=1e-12)


def test_views_of_a_part_know_the_whole_graph(graph):
    whole, nodes = Structure(graph.adjacency), np.arange(0, 178, 2)
    features = FeatureMatrix(graph.features)
    part = PartialStructure.of(whole, Part.of(nodes))
    view = Compose([AdaptiveDropEdges(0.3), MaskFeatures(0.1)])
    prepared = part.prepared(view, features.rows(nodes))
    np.testing.assert_array_equal(prepared.views[0].weights, graph.degrees[nodes])
    assert whole.prepared(view, features) is whole.prepared(view, features)  # once for all parts
    diffused = part.draw(PPR(0.2), num_features=0, rng=np.random.default_rng(0)).operator.matrix
    expected = whole.operator_under(PPR(0.2)).matrix.toarray()[np.ix_(nodes, nodes)]
    np.testing.assert_array_equal(diffused.toarray(), expected)
