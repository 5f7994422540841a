"""Rates, independence and structure of the random edge views."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import spco
from spco.linalg.hashing import splitmix64
from spco.views import DropArcs, DropEdges, DropNodes, PerturbEdges, Subgraph

from ..conftest import awkward_adjacency
from .graphs import path_graph, random_graph


def draw(view, graph, seed=0):
    return view(graph, rng=np.random.default_rng(seed)).matrix


def upper_pairs(matrix):
    upper = sp.coo_array(sp.triu(matrix))
    return set(zip(*(part.tolist() for part in upper.coords), strict=True))


@pytest.fixture(scope="module")
def large():
    return spco.datasets.sbm(num_nodes=4000, average_degree=12, num_features=1, random_state=0)


def test_splitmix64_gives_the_published_numbers():
    # The first outputs for seed 1234567, as in the reference implementation's test.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [int(splitmix64(np.uint64(1234567), np.uint64(k))) for k in range(1, 5)] == published


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5, 0.9])
def test_p_is_the_probability_of_dropping(large, p):
    edges = large.num_edges
    dropped = np.array([edges - draw(DropEdges(p), large, seed).nnz / 2 for seed in range(20)])
    # The mean of 20 binomial counts, within five of its standard deviations.
    assert abs(dropped.mean() - p * edges) < 5 * np.sqrt(edges * p * (1 - p) / 20)
    assert 0.4 < dropped.std() / np.sqrt(edges * p * (1 - p)) < 1.8


def test_no_edge_is_favoured():
    p, seeds = 0.3, 300
    graph = random_graph(2)
    kept = sum((draw(DropEdges(p), graph, seed) > 0).astype(float) for seed in range(seeds))
    counts = np.asarray(sp.csr_array(kept).toarray()[graph.adjacency.toarray() > 0])
    assert abs(counts - seeds * (1 - p)).max() < 5 * np.sqrt(seeds * p * (1 - p))


def test_draws_of_two_seeds_are_independent(large):
    p = 0.4
    first, second = (draw(DropEdges(p), large, seed) for seed in (1, 2))
    both = first.multiply(second).nnz / large.adjacency.nnz
    assert abs(both - (1 - p) ** 2) < 5 * np.sqrt(0.36 * 0.64 / large.num_edges)


def test_edges_of_one_node_are_independent():
    star = spco.Graph.from_edges([[0, leaf] for leaf in range(1, 10_001)])
    stays = draw(DropEdges(0.5), star).toarray()[0, 1:] > 0
    assert abs(stays.mean() - 0.5) < 0.025
    runs = np.count_nonzero(np.diff(stays.astype(int)))
    assert abs(runs / 10_000 - 0.5) < 0.025


@pytest.mark.parametrize("seed", range(6))
def test_what_stays_keeps_its_weight_and_both_directions_agree(seed):
    graph = spco.Graph(awkward_adjacency(seed))
    matrix, whole = draw(DropEdges(0.5), graph, seed).toarray(), graph.adjacency.toarray()
    assert np.array_equal(matrix, matrix.T)
    assert np.array_equal(matrix[matrix > 0], whole[matrix > 0])


def test_both_directions_agree_also_where_the_weights_do_not():
    rng = np.random.default_rng(0)
    matrix = random_graph(1).adjacency.copy()
    matrix.data = rng.normal(size=matrix.nnz)
    drawn = DropEdges(0.5).apply(matrix, num_features=0, rng=rng).matrix
    assert abs((drawn != 0).astype(int) - (drawn != 0).T.astype(int)).nnz == 0
    assert 0 < drawn.nnz < matrix.nnz
    assert abs(drawn - matrix.multiply(drawn != 0)).nnz == 0


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5, 0.9])
def test_the_two_directions_of_an_edge_are_dropped_independently(large, p):
    edges = large.num_edges
    drawn = draw(DropArcs(p), large)
    both, one = drawn.multiply(drawn.T).nnz / 2, drawn.nnz / 2
    assert abs(one - (1 - p) * edges) < 5 * np.sqrt(edges * p * (1 - p) / 2)
    share = (1 - p) ** 2
    assert abs(both - share * edges) < 5 * np.sqrt(edges * share * (1 - share))


def test_what_stays_of_a_directed_draw_keeps_its_weight():
    graph = spco.Graph(awkward_adjacency(0))
    matrix, whole = draw(DropArcs(0.5), graph).toarray(), graph.adjacency.toarray()
    assert np.array_equal(matrix[matrix > 0], whole[matrix > 0])
    assert (matrix > 0).sum() < (whole > 0).sum()


def test_self_loops_are_edges_like_any_other():
    graph = spco.Graph(sp.eye_array(5000))
    assert abs(draw(DropEdges(0.3), graph).nnz / 5000 - 0.7) < 0.05


@pytest.mark.parametrize("view", [DropEdges, DropArcs, DropNodes, PerturbEdges])
def test_probability_zero_changes_nothing(view):
    graph = random_graph(4, weighted=True)
    assert abs(draw(view(0.0), graph) - graph.adjacency).nnz == 0


@pytest.mark.parametrize("view", [DropEdges(1.0), DropArcs(1.0), DropNodes(1.0), Subgraph(0.0)])
def test_probability_one_leaves_no_edge(view):
    assert draw(view, random_graph(4)).nnz == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), p=st.floats(0, 1))
def test_a_higher_probability_drops_more_of_the_same_edges(seed, p):
    graph = random_graph(0)
    fewer, more = draw(DropEdges(p), graph, seed), draw(DropEdges(min(1.0, p + 0.1)), graph, seed)
    assert upper_pairs(more) <= upper_pairs(fewer)


def test_drop_nodes_isolates_whole_nodes(large):
    matrix = draw(DropNodes(0.3), large)
    kept = np.random.default_rng(0).random(large.num_nodes) >= 0.3
    assert abs(kept.mean() - 0.7) < 0.05
    expected = sp.diags_array(kept.astype(float)) @ large.adjacency @ sp.diags_array(kept.astype(float))
    assert abs(matrix - expected).nnz == 0


@pytest.mark.parametrize("seed", range(6))
def test_perturb_edges_moves_edges_to_places_that_were_free(seed):
    graph = random_graph(seed, weighted=True)
    before, after = upper_pairs(graph.adjacency), upper_pairs(draw(PerturbEdges(0.4), graph, seed))
    assert len(after) == len(before)
    added = after - before
    assert all(i != j for i, j in added)
    assert 0.2 < len(added) / len(before) < 0.6
    kept = upper_pairs(DropEdges(0.4)(graph, rng=np.random.default_rng(seed)).matrix)
    assert after - added == kept
    assert draw(PerturbEdges(0.4), graph, seed).sum() == pytest.approx(graph.adjacency.sum())


def test_perturb_edges_puts_new_edges_anywhere():
    graph = path_graph(40)
    counts = sum((draw(PerturbEdges(1.0), graph, seed) > 0).astype(float) for seed in range(600)).toarray()
    free = np.triu(np.ones((40, 40)), 1) - np.triu(graph.adjacency.toarray())
    expected = 600 * 39 / free.sum()
    assert counts[graph.adjacency.toarray() > 0].sum() == 0
    assert abs(counts[free > 0] - expected).max() < 5.5 * np.sqrt(expected)


def test_perturb_edges_fills_a_dense_graph_as_far_as_it_can():
    full = np.ones((6, 6)) - np.eye(6)
    full[0, 1] = full[1, 0] = 0
    drawn = draw(PerturbEdges(1.0), spco.Graph(full)).toarray()
    assert np.argwhere(drawn).tolist() == [[0, 1], [1, 0]]


def test_perturb_edges_replaces_dropped_loops_by_edges():
    graph = spco.Graph(sp.eye_array(30))
    drawn = draw(PerturbEdges(1.0), graph)
    assert drawn.diagonal().sum() == 0
    assert drawn.nnz == 60


@pytest.mark.parametrize("fraction", [0.1, 0.5, 0.9])
def test_subgraph_is_induced_by_that_many_nodes(large, fraction):
    matrix = draw(Subgraph(fraction), large)
    touched = np.flatnonzero(np.diff(matrix.indptr))
    assert len(touched) <= round(fraction * large.num_nodes)
    assert len(touched) > 0.9 * fraction * large.num_nodes
    induced = large.adjacency[touched][:, touched]
    assert matrix.nnz == induced.nnz
    assert abs(matrix[touched][:, touched] - induced).nnz == 0


def test_subgraph_of_everything_is_everything():
    graph = spco.Graph(awkward_adjacency(3))
    assert abs(draw(Subgraph(1.0), graph) - graph.adjacency).nnz == 0


def test_subgraph_is_a_walk_and_not_a_scatter():
    # On a path, a walk of a tenth of the nodes has nearly all edges between them; a random tenth, a tenth.
    edges = draw(Subgraph(0.1), path_graph(2000)).nnz / 2
    assert edges > 120


def test_subgraph_starts_everywhere():
    starts = {
        int(np.flatnonzero(np.diff(draw(Subgraph(0.2), path_graph(10), seed).indptr))[0])
        for seed in range(60)
    }
    assert len(starts) >= 8
