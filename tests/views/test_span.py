"""SPAN's probabilities, against a dense version with finite differences of eigenvalues, and its draws."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import brentq

import spco
from spco.spectral import eigenvalue_norm
from spco.views import SPAN, Compose, DropEdges

from ..conftest import awkward_adjacency
from ..spectral.test_eigenvalue_norm import finite_difference
from .flip_tables import assert_drawn_by, table_of
from .graphs import learnt_matrix, random_graph

DIRECTIONS = ("max", "min")


def dense_table(adjacency, p, direction):
    """Return Δ after one step, with the gradient by finite differences and t by a root search."""
    size, edges = len(adjacency), adjacency != 0
    np.fill_diagonal(edges, False)
    flip = np.where(edges, -adjacency, adjacency[edges].mean())
    gains = np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1, size):
            gains[i, j] = gains[j, i] = flip[i, j] * finite_difference(adjacency, i, j)
    gains = np.maximum(gains if direction == "max" else -gains, 0.0)
    gains[gains < 1e-8] = 0.0
    upper = np.triu(gains, 1)
    budget = p * edges.sum() / 2
    if (upper > 0).sum() <= budget:
        return (gains > 0) * 1.0
    step = brentq(lambda step: np.minimum(1, step * upper).sum() - budget, 0, 1 / upper[upper > 0].min())
    return np.minimum(1, step * gains)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("seed", "p"), [(0, 0.2), (1, 0.2), (2, 0.6), (3, 0.6), (4, 1.0), (5, 1.0)])
def test_probabilities_equal_the_dense_version(seed, p, direction):
    """Isolated nodes make some pairs certain; seeds with weights and with self loops are among them."""
    adjacency = awkward_adjacency(seed)
    view = SPAN(p, direction=direction, steps=1).prepared(spco.Graph(adjacency))
    np.testing.assert_allclose(table_of(view.flips), dense_table(adjacency, p, direction), atol=2e-5)


@pytest.mark.parametrize("seed", range(4))
def test_more_steps_equal_dense_steps_on_the_thinned_graph(seed):
    adjacency, p, steps = awkward_adjacency(seed), 0.5, 3
    edges = np.triu(adjacency, 1) != 0
    table = np.zeros(adjacency.shape)
    for step in range(steps):
        thinned = adjacency * (1 - table - table.T)
        gains = np.zeros(adjacency.shape)
        for i, j in zip(*np.nonzero(edges & (table < 1)), strict=True):
            gains[i, j] = max(0.0, -adjacency[i, j] * finite_difference(thinned, i, j))
        gains[gains < 1e-8] = 0.0
        target = p * edges.sum() * (step + 1) / steps
        length = brentq(lambda t: np.minimum(1, table + t * gains).sum() - target, 0, 1e4)  # noqa: B023
        table = np.minimum(1, table + length * gains)
        table[table > 1 - 1e-9] = 1.0
    view = SPAN(p, steps=steps).prepared(spco.Graph(adjacency))
    np.testing.assert_allclose(table_of(view.flips), table + table.T, atol=1e-4)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_budget_is_spent(direction):
    for seed, p in ((0, 0.1), (1, 0.3), (2, 0.5)):
        graph = random_graph(seed, size=80)
        view = SPAN(p, direction=direction).prepared(graph)
        assert np.triu(table_of(view.flips), 1).sum() == pytest.approx(p * graph.num_edges)


@pytest.mark.parametrize(("direction", "p"), [("max", 0.3), ("min", 0.3), ("min", 1.0)])
def test_draws_follow_the_probabilities(direction, p):
    adjacency = awkward_adjacency(0)
    if p == 1.0:  # with a dense part and isolated nodes, some pairs are likelier than ½ or certain
        adjacency = np.zeros((16, 16))
        adjacency[:10, :10] = 1.0 - np.eye(10)
        adjacency[10, 11] = adjacency[11, 10] = 1.0
    graph, view = spco.Graph(adjacency), SPAN(p, direction=direction)
    table = table_of(view.prepared(graph).flips)
    assert ((table > 0) & (table < 0.5)).sum() > 20
    assert ((table > 0.5) & (table < 1)).any() or p < 1.0
    assert_drawn_by(table, view, graph)


@pytest.mark.parametrize("seed", range(4))
def test_the_norm_moves_in_its_direction(seed):
    graph = random_graph(seed, size=200, weighted=seed % 2 == 1)
    start = eigenvalue_norm(graph.adjacency).norm
    larger, smaller = (
        eigenvalue_norm(SPAN(0.3, direction=direction)(graph, rng=seed).matrix).norm
        for direction in DIRECTIONS
    )
    randomly = eigenvalue_norm(DropEdges(0.3)(graph, rng=seed).matrix).norm
    assert smaller < start < randomly < larger


def test_leaves_lose_their_edges_first_and_hubs_keep_theirs():
    """Two hubs of eight leaves each, joined: to drop a leaf's edge makes the leaf a node of its own."""
    edges = [[0, 1], *([hub, 2 + 8 * hub + leaf] for hub in (0, 1) for leaf in range(8))]
    graph = spco.Graph.from_edges(edges)
    table = table_of(SPAN(0.3).prepared(graph).flips)
    assert table[0, 1] < table[0, 2]
    joined = table_of(SPAN(0.3, direction="min").prepared(graph).flips)
    assert joined[2, 3] > joined[0, 10] > 0
    assert joined[0, 2] == joined[0, 1] == 0


def test_no_edge_of_a_regular_graph_is_better_than_another():
    ring = spco.Graph.from_edges([[i, (i + 1) % 9] for i in range(9)])
    assert abs(SPAN(0.5)(ring, rng=0).matrix - ring.adjacency).nnz == 0
    complete = spco.Graph(np.ones((6, 6)) - np.eye(6))
    for direction in DIRECTIONS:
        assert abs(SPAN(0.5, direction=direction)(complete, rng=0).matrix - complete.adjacency).nnz == 0
    added = SPAN(1.0, direction="min")(ring, rng=0).matrix - ring.adjacency
    assert added.nnz > 0
    assert added.min() >= 0


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_self_loops_stay_and_new_edges_have_the_mean_weight(direction):
    adjacency = awkward_adjacency(3)
    drawn = SPAN(1.0, direction=direction)(spco.Graph(adjacency), rng=1).matrix.toarray()
    assert np.diag(adjacency).any()
    np.testing.assert_array_equal(np.diag(drawn), np.diag(adjacency))
    off = adjacency[~np.eye(len(adjacency), dtype=bool)]
    new = drawn[(adjacency == 0) & (drawn != 0)]
    assert (len(new) > 0) is (direction == "min")
    np.testing.assert_allclose(new, off[off > 0].mean())
    same = (drawn != 0) & (adjacency != 0)
    np.testing.assert_array_equal(drawn[same], adjacency[same])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_prepared_view_draws_the_same_of_any_matrix(direction):
    view = SPAN(0.4, direction=direction)
    prepared = view.prepared(random_graph(1))
    for matrix in (random_graph(1).adjacency, random_graph(2).adjacency, learnt_matrix()):
        drawn, fresh = (
            one.apply(matrix, num_features=0, rng=np.random.default_rng(5)).matrix for one in (prepared, view)
        )
        assert abs(drawn - fresh).nnz == 0
    assert prepared.flips.fits(random_graph(1).adjacency)
    assert not prepared.flips.fits(random_graph(2).adjacency)


def test_it_can_follow_a_view_that_drops_directions():
    graph = random_graph(4)
    for direction in DIRECTIONS:
        drawn = Compose([DropEdges(0.5), SPAN(0.5, direction=direction)])(graph, rng=0).matrix
        assert abs(drawn - drawn.T).nnz == 0
    upper = sp.csr_array(sp.triu(graph.adjacency))
    drawn = SPAN(0.5, direction="min").apply(upper, num_features=0, rng=np.random.default_rng(0)).matrix
    assert np.isfinite(drawn.data).all()
    assert drawn.data.max() == 1.0
