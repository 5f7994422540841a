"""Edge arrays there and back, and the packages that other converters need."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from spco import Graph, errors

from .strategies import (
    QUICK,
    adjacencies,
    assert_same,
    assert_same_adjacency,
    graphs,
)


@QUICK
@given(graphs())
def test_edges_there_and_back(graph):
    edges, weights = graph.to_edges()
    back = Graph.from_edges(
        edges,
        weights=weights,
        num_nodes=graph.num_nodes,
        features=graph.features,
        labels=graph.labels,
        splits=graph.splits,
        node_ids=graph.node_ids,
        label_names=graph.label_names,
        name=graph.name,
    )
    assert_same(graph, back)


@QUICK
@given(adjacencies(), st.randoms(use_true_random=False))
def test_order_direction_and_shape_of_pairs_do_not_matter(matrix, random):
    graph = Graph(matrix)
    edges, weights = graph.to_edges()
    rows = []
    for (i, j), weight in zip(edges.tolist(), weights.tolist(), strict=True):
        ways = random.choice([[(i, j)], [(j, i)], [(i, j), (j, i)]]) if i != j else [(i, j)]
        rows += [(*way, weight) for way in ways]
    random.shuffle(rows)
    pairs = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
    values = [row[2] for row in rows]
    assert_same_adjacency(graph, Graph.from_edges(pairs, weights=values, num_nodes=len(matrix)))
    if len(pairs) > 2:
        assert_same_adjacency(graph, Graph.from_edges(pairs.T, weights=values, num_nodes=len(matrix)))


def slow_adjacency(rows, size, weighted):
    """What a list of (i, j, weight) means, told pair by pair; None if two directions disagree."""
    directed = {}
    for i, j, weight in rows:
        directed[i, j] = directed.get((i, j), 0) + weight if weighted else 1
    matrix = np.zeros((size, size))
    for (i, j), weight in directed.items():
        if directed.get((j, i), weight) != weight:
            return None
        matrix[i, j] = matrix[j, i] = weight
    return matrix


@QUICK
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), max_size=8), st.booleans()
)
def test_lists_of_pairs_mean_what_the_slow_version_says(rows, weighted):
    pairs = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
    weights = [row[2] for row in rows] if weighted else None
    expected = slow_adjacency(rows, 4, weighted)
    if expected is None:
        with pytest.raises(errors.DirectedGraphError):
            Graph.from_edges(pairs, weights=weights, num_nodes=4)
    else:
        g = Graph.from_edges(pairs, weights=weights, num_nodes=4)
        np.testing.assert_array_equal(g.adjacency.toarray(), expected)
    directed = np.zeros((4, 4))
    for i, j, weight in rows:
        directed[i, j] = directed[i, j] + weight if weighted else 1
    for how, undirected in (
        ("union", np.maximum(directed, directed.T)),
        ("mean", (directed + directed.T) / 2),
    ):
        g = Graph.from_edges(pairs, weights=weights, num_nodes=4, how=how)
        np.testing.assert_array_equal(g.adjacency.toarray(), undirected)


def test_to_edges_names_each_edge_once_in_order():
    edges, weights = Graph([[4, 0, 2], [0, 0, 3], [2, 3, 0]]).to_edges()
    assert edges.dtype == np.int64
    assert (edges.tolist(), weights.tolist()) == ([[0, 0], [0, 2], [1, 2]], [4, 2, 3])


def test_repeated_pairs_count_once_without_weights():
    g = Graph.from_edges([[0, 1], [0, 1], [1, 0], [2, 2], [2, 2]])
    np.testing.assert_array_equal(g.adjacency.toarray(), [[0, 1, 0], [1, 0, 0], [0, 0, 1]])


def test_repeated_pairs_are_summed_with_weights():
    g = Graph.from_edges([[0, 1], [0, 1], [2, 2], [2, 2], [1, 2]], weights=[1, 2, 3, 4, 5])
    np.testing.assert_array_equal(g.adjacency.toarray(), [[0, 3, 0], [3, 0, 5], [0, 5, 7]])


def test_both_directions_are_summed_apart():
    g = Graph.from_edges([[0, 1], [0, 1], [1, 0]], weights=[0.1, 0.2, 0.3])
    assert g.adjacency[0, 1] == pytest.approx(0.3)


@pytest.mark.parametrize(("how", "expected"), [("union", 3), ("mean", 2)])
def test_two_weights_for_one_edge_need_a_word(how, expected):
    pairs, weights = [[0, 1], [1, 0]], [1, 3]
    with pytest.raises(errors.DirectedGraphError, match="1 from node 0 to 1 but 3 back"):
        Graph.from_edges(pairs, weights=weights)
    assert Graph.from_edges(pairs, weights=weights, how=how).adjacency[0, 1] == expected


def test_a_zero_against_a_weight_is_a_conflict_too():
    with pytest.raises(errors.DirectedGraphError):
        Graph.from_edges([[0, 1], [1, 0]], weights=[0, 3])


def test_mean_halves_what_goes_one_way():
    assert Graph.from_edges([[0, 1]], how="mean").adjacency[1, 0] == 0.5


@pytest.mark.parametrize("empty", [[], np.empty((0, 2), int), np.empty((2, 0), int)])
def test_no_edges(empty):
    assert Graph.from_edges(empty, num_nodes=2).adjacency.nnz == 0


def test_the_number_of_nodes_is_detected():
    assert Graph.from_edges([[0, 1]]).num_nodes == 2
    assert Graph.from_edges([[0, 1]], labels=[0, 1, 0]).num_nodes == 3
    assert Graph.from_edges([[0, 1]], features=sp.eye_array(4)).num_nodes == 4
    assert Graph.from_edges([[0, 1]], node_ids=list("abcde")).num_nodes == 5


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"edges": [[0, 1, 2]]}, errors.InvalidGraphError, "(E, 2) or (2, E)"),
        ({"edges": [0, 1]}, errors.InvalidGraphError, "(E, 2) or (2, E)"),
        ({"edges": [[0, -1]]}, errors.InvalidGraphError, "from 0. Got -1."),
        ({"edges": [[0, 0.5]]}, errors.InvalidGraphError, "whole numbers"),
        ({"edges": [[True, False]]}, errors.InvalidGraphError, "whole numbers"),
        ({"edges": [["a", "b"]]}, errors.InvalidGraphError, "real numbers"),
        ({"edges": [[0, 1], [2]]}, errors.InvalidGraphError, "real numbers"),
        ({"edges": [[0, 5]], "num_nodes": 3}, errors.InvalidGraphError, "be in [0, 3). Got 5."),
        ({"edges": [], "num_nodes": 0}, errors.InvalidParameterError, ">= 1"),
        ({"edges": []}, errors.InvalidGraphError, "at least one node"),
        ({"edges": [[0, 1]], "weights": [1, 2]}, errors.InvalidGraphError, "one entry per edge (1)"),
        ({"edges": [[0, 1]], "weights": [np.nan]}, errors.InvalidGraphError, "nan for edge 0"),
        ({"edges": [[0, 1]], "weights": [-1]}, errors.InvalidGraphError, "-1.0 for edge 0"),
        ({"edges": [[0, 1]], "weights": [np.inf]}, errors.InvalidGraphError, "inf for edge 0"),
        ({"edges": [[0, 1]], "weights": ["a"]}, errors.InvalidGraphError, "real numbers"),
        ({"edges": [[0, 1]], "how": "both"}, errors.UnknownNameError, "'mean', 'union'"),
        ({"edges": [[0, 1]], "labels": [0, 1, 2], "num_nodes": 2}, errors.InvalidLabelsError, "(2)"),
    ],
)
def test_bad_edges_have_a_named_error(arguments, error, message):
    with pytest.raises(error) as caught:
        Graph.from_edges(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("networkx", lambda: Graph([[0]]).to_networkx(), "networkx"),
        ("networkx", lambda: Graph.from_networkx(None), "networkx"),
        ("torch_geometric.data", lambda: Graph([[0]]).to_pyg(), "pyg"),
        ("torch_geometric.data", lambda: Graph.from_pyg(None), "pyg"),
    ],
)
def test_a_missing_package_is_named_with_the_remedy(monkeypatch, package, call, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(errors.MissingDependencyError, match=rf"pip install 'spco\[{extra}\]'"):
        call()
