"""NetworkX there and back, and all the forms its attributes may take."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from spco import Graph, errors

from .strategies import (
    QUICK,
    assert_same_adjacency,
    assert_same_array,
    assert_same_features,
    graphs,
)


@QUICK
@given(graphs())
def test_networkx_there_and_back(graph):
    pytest.importorskip("networkx")
    attributes = {}
    if graph.features is not None:
        attributes["features"] = "x"
    if graph.labels is not None and (graph.labels >= 0).any():
        attributes["labels"] = "y"
    back = Graph.from_networkx(graph.to_networkx(), **attributes)
    assert_same_adjacency(graph, back)
    assert_same_features(graph, back)
    rows = np.arange(graph.num_nodes)
    np.testing.assert_array_equal(
        rows if graph.node_ids is None else graph.node_ids, rows if back.node_ids is None else back.node_ids
    )
    if "labels" in attributes:
        assert_same_array(graph.labels, back.labels)
        assert_same_array(graph.label_names, back.label_names)
    assert {k: v.tolist() for k, v in graph.splits.items()} == {k: v.tolist() for k, v in back.splits.items()}
    assert graph.name == back.name


def test_networkx_graph_has_names_and_attributes():
    pytest.importorskip("networkx")
    graph = Graph(
        [[0, 2, 0], [2, 5, 0], [0, 0, 0]],
        sp.csr_array([[1, 0], [0, 2], [0, 0]]),
        [1, -1, 0],
        {"train": [2, 0]},
        ["ann", "bob", "cid"],
    )
    built = graph.to_networkx()
    assert list(built) == ["ann", "bob", "cid"]
    assert sorted(built.edges(data="weight")) == [("ann", "bob", 2.0), ("bob", "bob", 5.0)]
    assert built.nodes["bob"]["x"].tolist() == [0, 2]
    assert dict(built.nodes(data="y")) == {"ann": 1, "bob": None, "cid": 0}
    assert built.graph["splits"] == {"train": ["cid", "ann"]}


def test_networkx_agrees_with_its_own_matrix():
    nx = pytest.importorskip("networkx")
    for source in (nx.karate_club_graph(), nx.les_miserables_graph(), nx.path_graph(5), nx.empty_graph(3)):
        np.testing.assert_array_equal(
            Graph.from_networkx(source).adjacency.toarray(), nx.to_numpy_array(source, weight="weight")
        )


def test_networkx_names_are_kept_in_order():
    nx = pytest.importorskip("networkx")
    source = nx.Graph([("z", "a"), ("a", "m")])
    source.add_node("alone")
    assert Graph.from_networkx(source).node_ids.tolist() == ["z", "a", "m", "alone"]
    assert Graph.from_networkx(nx.Graph([(7, 3), (3, 5)])).node_ids.tolist() == [7, 3, 5]
    assert Graph.from_networkx(nx.path_graph(4)).node_ids is None
    assert Graph.from_networkx(nx.grid_2d_graph(1, 2)).node_ids.tolist() == ["(0, 0)", "(0, 1)"]


def test_networkx_labels_may_be_words_and_may_be_missing():
    nx = pytest.importorskip("networkx")
    source = nx.path_graph(3)
    source.nodes[0]["club"], source.nodes[2]["club"] = "b", "a"
    g = Graph.from_networkx(source, labels="club")
    assert (g.labels.tolist(), g.label_names.tolist()) == ([1, -1, 0], ["a", "b"])
    nx.set_node_attributes(source, {0: 4, 1: 0}, "number")
    g = Graph.from_networkx(source, labels="number")
    assert (g.labels.tolist(), g.label_names) == ([4, 0, -1], None)


def test_networkx_features_may_be_numbers():
    nx = pytest.importorskip("networkx")
    source = nx.path_graph(2)
    nx.set_node_attributes(source, {0: 1.5, 1: 2}, "age")
    assert Graph.from_networkx(source, features="age").features.tolist() == [[1.5], [2.0]]


def test_networkx_parallel_and_directed_edges():
    nx = pytest.importorskip("networkx")
    twice = nx.MultiGraph([(0, 1), (1, 0), (1, 1), (1, 1)])
    assert Graph.from_networkx(twice).to_edges()[1].tolist() == [1, 1]
    twice.add_edge(0, 1, weight=3)
    assert Graph.from_networkx(twice).to_edges()[1].tolist() == [5, 2]
    assert Graph.from_networkx(twice, weight=None).to_edges()[1].tolist() == [1, 1]
    arrow = nx.DiGraph([(0, 1)])
    with pytest.raises(errors.DirectedGraphError):
        Graph.from_networkx(arrow)
    assert Graph.from_networkx(arrow, how="mean").adjacency[0, 1] == 0.5
    assert Graph.from_networkx(nx.DiGraph([(0, 1), (1, 0)])).adjacency[0, 1] == 1


def attributed():
    nx = pytest.importorskip("networkx")
    source = nx.Graph()
    source.add_node("p", feat=[1, 2], kind="a")
    source.add_node("q", feat=[3, 4], kind="b")
    source.add_edge("p", "q", strength=2)
    return source


@pytest.mark.parametrize(
    ("change", "arguments", "error", "message"),
    [
        (None, {"features": "fet"}, errors.UnknownNameError, "did you mean 'feat'?"),
        (None, {"labels": "kin"}, errors.UnknownNameError, "did you mean 'kind'?"),
        (None, {"weight": "strenght"}, errors.UnknownNameError, "did you mean 'strength'?"),
        ({"feat": [1]}, {"features": "feat"}, errors.InvalidFeaturesError, "[1] for node 'q'"),
        ({"feat": None}, {"features": "feat"}, errors.InvalidFeaturesError, "None for node 'q'"),
        ({"feat": "ab"}, {"features": "feat"}, errors.InvalidFeaturesError, "'ab' for node 'q'"),
        ({"feat": [1, np.nan]}, {"features": "feat"}, errors.InvalidFeaturesError, "be finite"),
        (None, {"how": "max"}, errors.UnknownNameError, "'mean', 'union'"),
    ],
)
def test_networkx_bad_attributes(change, arguments, error, message):
    source = attributed()
    source.nodes["q"].update(change or {})
    with pytest.raises(error) as caught:
        Graph.from_networkx(source, **arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "heavy", None])
def test_networkx_bad_weights_name_the_edge(weight):
    source = attributed()
    source["p"]["q"]["weight"] = weight
    with pytest.raises(errors.InvalidGraphError, match="between nodes 'p' and 'q'"):
        Graph.from_networkx(source)


def test_networkx_bad_graphs():
    nx = pytest.importorskip("networkx")
    with pytest.raises(errors.InvalidGraphError, match="at least one node"):
        Graph.from_networkx(nx.Graph())
    with pytest.raises(errors.InvalidParameterError, match="be a NetworkX graph"):
        Graph.from_networkx([[0, 1]])
    with pytest.raises(errors.InvalidParameterError, match="'1' more than once"):
        Graph.from_networkx(nx.Graph([(1, "1")]))
    source = attributed()
    source.graph["splits"] = {"train": ["nobody"]}
    with pytest.raises(errors.InvalidSplitError, match="'nobody' in 'train'"):
        Graph.from_networkx(source)


def test_a_graph_is_no_matrix_and_the_error_says_what_takes_it():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(
        errors.InvalidGraphError, match=r"Got networkx.Graph.\nhint: Graph.from_networkx\(...\), or pass"
    ):
        Graph(networkx.path_graph(3))
