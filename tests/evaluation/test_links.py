"""Link prediction: held-out edges are gone, non-edges are none, and scores are those of slow versions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco import Graph, errors
from spco.evaluation import link_scores, non_edges, pair_scores, split_links
from tests.conftest import awkward_adjacency


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.01, 0.3, 0.95])
def test_held_out_edges_are_gone_and_nothing_else(seed, share):
    dense = awkward_adjacency(seed)
    size = len(dense)
    graph = Graph(dense, features=np.eye(size), labels=np.arange(size), node_ids=np.arange(size) + 7)
    split = split_links(graph, share=share, rng=seed)
    rest = split.graph.adjacency.toarray()
    held = np.zeros_like(dense)
    held[tuple(split.edges.T)] = held[tuple(split.edges[:, ::-1].T)] = 1
    np.testing.assert_array_equal(rest, np.where(held > 0, 0, dense))
    assert (dense[tuple(split.edges.T)] > 0).all()
    assert (dense[tuple(split.non_edges.T)] == 0).all()
    for pairs in (split.edges, split.non_edges):
        assert (pairs[:, 0] < pairs[:, 1]).all()
        assert len(np.unique(pairs, axis=0)) == len(pairs) == len(split.edges)
    between = np.count_nonzero(np.triu(dense, 1))
    assert len(split.edges) == min(max(1, int(share * between)), between - 1)
    np.testing.assert_array_equal(split.graph.node_ids, graph.node_ids)
    np.testing.assert_array_equal(split.graph.labels, graph.labels)
    again = split_links(graph, share=share, rng=seed)
    np.testing.assert_array_equal(again.edges, split.edges)
    np.testing.assert_array_equal(again.non_edges, split.non_edges)


def test_another_seed_draws_other_edges():
    wine = spco.load_dataset("wine")
    first, second = (split_links(wine, rng=seed) for seed in (0, 1))
    assert not np.array_equal(first.edges, second.edges)
    assert not np.array_equal(first.non_edges, second.non_edges)


@pytest.mark.parametrize("seed", range(4))
def test_all_non_edges_of_a_graph_are_found_when_all_are_wanted(seed):
    dense = awkward_adjacency(seed)
    rows, columns = np.nonzero(np.triu(dense == 0, 1))
    found = non_edges(Graph(dense), len(rows))
    np.testing.assert_array_equal(found, np.column_stack([rows, columns]))
    besides = found[::3, ::-1]  # either end may come first
    others = non_edges(Graph(dense), len(rows) - len(besides), besides=besides)
    np.testing.assert_array_equal(others, np.delete(found, np.s_[::3], axis=0))


def test_every_non_edge_is_equally_likely():
    graph = Graph.from_edges([[0, 1], [1, 2], [2, 3], [0, 4]])
    rng = np.random.default_rng(0)
    counts: dict[tuple[int, int], int] = {}
    for _ in range(3000):
        (pair,) = non_edges(graph, 1, rng=rng)
        counts[tuple(pair)] = counts.get(tuple(pair), 0) + 1
    assert set(counts) == {(0, 2), (0, 3), (1, 3), (1, 4), (2, 4), (3, 4)}
    assert max(abs(count - 500) for count in counts.values()) < 100


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (Graph(np.zeros((3, 3))), "two edges between different nodes. Got 0"),
        (Graph(np.eye(4)), "two edges between different nodes. Got 0"),
        (Graph.from_edges([[0, 1]]), "two edges between different nodes. Got 1"),
        (Graph(1 - np.eye(4)), "at least 1 pairs of nodes without an edge. Got 0"),
    ],
)
def test_graphs_without_enough_edges_or_non_edges_are_refused(graph, message):
    with pytest.raises(errors.InvalidGraphError, match=message):
        split_links(graph)


@pytest.mark.parametrize("share", [0, 1, -0.1, "half"])
def test_a_share_is_between_none_and_all(share):
    with pytest.raises(errors.InvalidParameterError, match="'share' parameter of split_links"):
        split_links(spco.load_dataset("wine"), share=share)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_similarities_of_pairs_are_those_of_the_whole_matrix(kind):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(9, 4)).astype(np.float32)
    Z[2] = 0
    pairs = rng.integers(0, 9, (40, 2))
    dots = Z.astype(float) @ Z.astype(float).T
    lengths = np.sqrt(np.diag(dots))
    cosines = dots / np.where(lengths > 0, lengths, 1)[:, None] / np.where(lengths > 0, lengths, 1)
    for similarity, expected in (("dot", dots), ("cosine", cosines)):
        found = pair_scores(kind(Z), pairs, similarity=similarity)
        np.testing.assert_allclose(found, expected[tuple(pairs.T)], atol=1e-12)


def test_blocks_of_pairs_change_nothing(monkeypatch):
    Z, pairs = np.random.default_rng(0).normal(size=(9, 4)), np.arange(18).reshape(9, 2) % 9
    whole = pair_scores(Z, pairs)
    monkeypatch.setattr("spco.evaluation.links._PAIRS_AT_A_TIME", 4)
    np.testing.assert_array_equal(pair_scores(Z, pairs), whole)


def test_scores_by_hand():
    """Similarities of edges 4, 3, 1 and of non-edges 2, 1, 0: one tie, counted half."""
    Z = np.array([[1.0], [4.0], [3.0], [1.0], [2.0], [0.0]])
    edges, bad = [[0, 1], [0, 2], [0, 3]], [[0, 4], [3, 0], [0, 5]]
    found = link_scores(Z, edges, bad, similarity="dot", hits=[1, 2, 3])
    assert found.roc_auc == pytest.approx((3 + 3 + 1.5) / 9)
    # Recall rises by 1/3 at the thresholds 4, 3 and 1, with precisions 1, 1 and 3/5.
    assert found.average_precision == pytest.approx((1 + 1 + 3 / 5) / 3)
    assert found.hits == {1: pytest.approx(2 / 3), 2: pytest.approx(2 / 3), 3: 1.0}
    assert found.pairs == 3
    assert link_scores(Z, edges, bad).hits == {}  # fewer non-edges than the usual k


def test_hits_and_area_against_loops():
    wine = spco.load_dataset("wine")
    split = split_links(wine, share=0.2)
    found = link_scores(wine.features, split.edges, split.non_edges)
    good, bad = (pair_scores(wine.features, pairs) for pairs in (split.edges, split.non_edges))
    wins = [(a > b) + 0.5 * (a == b) for a in good for b in bad]
    assert found.roc_auc == pytest.approx(np.mean(wins))
    assert tuple(found.hits) == (10, 50, 100)
    for k, share in found.hits.items():
        assert share == pytest.approx(np.mean([score > sorted(bad)[-k] for score in good]))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"edges": [[0, 9]]}, r"'edges' parameter of link_scores must name rows of Z, in \[0, 3\). Got 9"),
        ({"edges": [[0, -1]]}, r"Got -1"),
        ({"edges": [0, 1]}, r"be an \(M, 2\) array of integers"),
        ({"edges": [[0.5, 1.0]]}, r"be an \(M, 2\) array of integers. Got float64"),
        ({"non_edges": []}, "'non_edges' parameter of link_scores must have at least one pair"),
        ({"hits": [5]}, "be at most 1, the number of non-edges"),
        ({"similarity": "cosin"}, "did you mean 'cosine'"),
    ],
)
def test_bad_pairs_are_refused(more, message):
    given = {"edges": [[0, 1]], "non_edges": [[1, 2]], **more}
    with pytest.raises(errors.InvalidInputError, match=message):
        link_scores(np.eye(3), **given)
