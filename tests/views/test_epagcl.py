"""EPAGCL's probabilities, against tables of all pairs, and its draws."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.views import EPAGCL

from ..conftest import awkward_adjacency
from .flip_tables import assert_drawn_by, table_of
from .graphs import learnt_matrix, random_graph


def weighted_graph(seed):
    """Weights that no two pairs share, so that no candidates tie."""
    return random_graph(seed, size=30, weighted=True)


def dense_table(adjacency, drop, add):
    """The rule on N×N tables."""
    degrees = adjacency.sum(1)
    edges = np.triu(adjacency, 1) != 0
    table = np.zeros(adjacency.shape)
    messages = np.outer(degrees, degrees)[edges] ** -0.5
    table[edges] = np.minimum(1, drop * (messages - messages.min()) / (messages.mean() - messages.min()))
    absent = np.triu(adjacency == 0, 1)
    messages = np.outer(degrees + 1, degrees + 1) ** -0.5
    limit = np.sort(messages[absent])[int(np.ceil(2 * add * edges.sum())) - 1]
    gaps = messages[absent].max() - messages
    candidates = absent & (messages <= limit)
    table[candidates] = np.minimum(0.9, 0.5 * gaps[candidates] / gaps[candidates].mean())
    return table + table.T


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("drop", "add"), [(0.2, 0.05), (0.7, 0.4), (1.0, 1.0)])
def test_probabilities_equal_the_dense_version(seed, drop, add):
    graph = weighted_graph(seed)
    view = EPAGCL(drop, add=add).prepared(graph)
    np.testing.assert_allclose(
        table_of(view.flips), dense_table(graph.adjacency.toarray(), drop, add), atol=1e-9
    )


def test_draws_follow_the_probabilities():
    graph, view = weighted_graph(5), EPAGCL(0.4, add=0.5)
    table = table_of(view.prepared(graph).flips)
    assert ((table > 0) & (table < 0.45)).any()
    assert_drawn_by(table, view, graph, draws=2000)


def test_leaves_lose_edges_and_hubs_are_joined():
    hubs = [[a, b] for a in range(4) for b in range(a + 1, 4) if (a, b) != (0, 1)]
    leaves = [[hub, 4 + 10 * hub + leaf] for hub in range(4) for leaf in range(10)]
    graph = spco.Graph.from_edges([*hubs, *leaves])
    view = EPAGCL(0.3, add=0.01).prepared(graph)
    table = table_of(view.flips)
    assert table[2, 3] < table[0, 4]
    assert table[0, 1] == 0.5
    assert len(view.flips.listed.pairs) == 1


def test_the_shares_are_means():
    graph = random_graph(3, size=400)
    view = EPAGCL(0.2, add=0.1).prepared(graph)
    assert view.flips.dropped.mean() == pytest.approx(0.2, rel=0.01)
    assert view.flips.listed.probabilities.sum() == pytest.approx(0.1 * graph.num_edges, rel=0.01)
    assert EPAGCL(0.2, add=0.0).prepared(graph).flips.listed is None


def test_where_all_are_alike():
    ring = spco.Graph.from_edges([[i, (i + 1) % 30] for i in range(30)])
    flips = EPAGCL(0.3, add=0.5).prepared(ring).flips
    assert flips.dropped.tolist() == [0.3] * 60
    assert flips.listed.probabilities.tolist() == [0.5] * 30
    complete = spco.Graph(np.ones((6, 6)) - np.eye(6))
    assert EPAGCL(0.3, add=0.5).prepared(complete).flips.listed is None


def test_self_loops_stay_and_new_edges_have_the_mean_weight():
    adjacency = awkward_adjacency(3)
    drawn = EPAGCL(0.5, add=1.0)(spco.Graph(adjacency), rng=1).matrix.toarray()
    assert np.diag(adjacency).any()
    np.testing.assert_array_equal(np.diag(drawn), np.diag(adjacency))
    off = adjacency[~np.eye(len(adjacency), dtype=bool)]
    np.testing.assert_allclose(drawn[(adjacency == 0) & (drawn != 0)], off[off > 0].mean())


def test_a_prepared_view_draws_the_same_of_any_matrix():
    view = EPAGCL(0.4, add=0.3)
    prepared = view.prepared(random_graph(1))
    for matrix in (random_graph(1).adjacency, random_graph(2).adjacency, learnt_matrix()):
        drawn, fresh = (
            one.apply(matrix, num_features=0, rng=np.random.default_rng(5)).matrix for one in (prepared, view)
        )
        assert abs(drawn - fresh).nnz == 0


def test_directed_matrices_have_probabilities_too():
    upper = sp.csr_array(sp.triu(random_graph(4).adjacency))
    flips = EPAGCL(0.4, add=0.3).flips_of(upper)
    for probabilities in (flips.dropped, flips.listed.probabilities):
        assert ((probabilities >= 0) & (probabilities <= 1)).all()
        assert probabilities.any()
