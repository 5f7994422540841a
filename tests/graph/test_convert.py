"""Edge arrays, PyTorch Geometric and NetworkX: there and back, and what each of them leaves open."""

from __future__ import annotations

import builtins
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from spco import Graph, errors

from .strategies import (
    SINGLE_WEIGHTS,
    adjacencies,
    assert_same,
    assert_same_adjacency,
    assert_same_array,
    assert_same_features,
    graphs,
)

TRIANGLE_AND_ONE = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])


# Edge arrays


@settings(deadline=None)
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


@settings(deadline=None)
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
    g = Graph.from_edges([[0, 1], [0, 1], [1, 0]], weights=[0.1, 0.2, 0.30000000000000004])
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


def test_the_number_of_nodes_is_found_out():
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
        ({"edges": [["a", "b"]]}, errors.InvalidGraphError, "whole numbers"),
        ({"edges": [[0, 1], [2]]}, errors.InvalidGraphError, "whole numbers"),
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


# PyTorch Geometric


def as_sets(graph):
    return {name: sorted(nodes.tolist()) for name, nodes in graph.splits.items()}


@settings(deadline=None)
@given(graphs(SINGLE_WEIGHTS), st.booleans())
def test_pyg_there_and_back(graph, sparse_features):
    pytest.importorskip("torch_geometric")
    back = Graph.from_pyg(graph.to_pyg(sparse_features=sparse_features))
    assert_same_adjacency(graph, back)
    assert_same_features(graph, back)
    assert sp.issparse(back.features) == (sparse_features and sp.issparse(graph.features))
    assert_same_array(graph.labels, back.labels)
    assert_same_array(graph.node_ids, back.node_ids)
    assert_same_array(graph.label_names, back.label_names)
    assert as_sets(graph) == as_sets(back)
    assert graph.name == back.name


def pyg_data(**attributes):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    edges = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    return data.Data(**({"edge_index": edges, "num_nodes": 4} | attributes))


def test_pyg_data_has_what_layers_expect():
    torch = pytest.importorskip("torch")
    graph = Graph(
        TRIANGLE_AND_ONE * 2.5, sp.eye_array(4), [0, 1, 1, -1], {"train": [2, 0], "val": [3]}, list("abcd")
    )
    pytest.importorskip("torch_geometric")
    data = graph.to_pyg()
    assert data.validate()
    assert data.num_nodes == 4
    assert data.has_isolated_nodes()
    assert not data.is_directed()
    assert data.edge_index.dtype == torch.int64
    assert data.x.dtype == torch.float32
    assert data.x.layout == torch.strided
    assert data.x.tolist() == np.eye(4).tolist()
    assert data.y.tolist() == [0, 1, 1, -1]
    assert data.edge_weight.dtype == torch.float32
    assert data.edge_weight.tolist() == [2.5] * 6
    assert data.train_mask.tolist() == [True, False, True, False]
    assert data.val_mask.tolist() == [False, False, False, True]
    assert data.node_ids == list("abcd")


def test_pyg_without_weights_has_no_weights():
    pytest.importorskip("torch_geometric")
    assert "edge_weight" not in Graph(TRIANGLE_AND_ONE).to_pyg()


def test_pyg_tensors_are_copies():
    pytest.importorskip("torch_geometric")
    graph = Graph(TRIANGLE_AND_ONE, np.ones((4, 1)), [0, 0, 0, 0])
    data = graph.to_pyg()
    data.x[:], data.y[:], data.edge_index[:] = 5, 5, 0
    assert (graph.features == 1).all()
    assert (graph.labels == 0).all()
    np.testing.assert_array_equal(graph.adjacency.toarray(), TRIANGLE_AND_ONE)


def test_pyg_repeated_edges():
    torch = pytest.importorskip("torch")
    twice = torch.tensor([[0, 0, 1, 1], [1, 1, 0, 0]])
    assert Graph.from_pyg(pyg_data(edge_index=twice)).adjacency[0, 1] == 1
    weighted = pyg_data(edge_index=twice, edge_weight=torch.tensor([1.0, 2.0, 2.0, 1.0]))
    assert Graph.from_pyg(weighted).adjacency[0, 1] == 3


def test_pyg_directed_edges_need_a_word():
    torch = pytest.importorskip("torch")
    data = pyg_data(edge_index=torch.tensor([[0, 1], [1, 2]]), edge_weight=torch.tensor([2.0, 4.0]))
    with pytest.raises(errors.DirectedGraphError, match="take how="):
        Graph.from_pyg(data)
    assert Graph.from_pyg(data, how="union").to_edges()[1].tolist() == [2, 4]
    assert Graph.from_pyg(data, how="mean").to_edges()[1].tolist() == [1, 2]


def test_pyg_features_of_every_layout():
    torch = pytest.importorskip("torch")
    dense = torch.tensor([[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [0.0, 3.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # torch calls its CSR support a beta
        layouts = [dense.to_sparse_coo(), dense.to_sparse_csr(), dense.to_sparse_csc()]
    for x in layouts:
        g = Graph.from_pyg(pyg_data(x=x))
        assert sp.issparse(g.features)
        np.testing.assert_array_equal(g.features.toarray(), dense.numpy())
    for x in (dense, dense.double(), dense.bfloat16(), dense.clone().requires_grad_(), dense.to(torch.int32)):
        g = Graph.from_pyg(pyg_data(x=x))
        assert isinstance(g.features, np.ndarray)
        np.testing.assert_array_equal(g.features, dense.numpy())


def test_pyg_adjacency_as_a_sparse_tensor():
    torch = pytest.importorskip("torch")
    one_way = np.zeros((4, 4), dtype=np.float32)
    one_way[0, 1], one_way[2, 3] = 2, 1
    data = pyg_data(edge_index=None, adj_t=torch.from_numpy(one_way).T.to_sparse_coo())
    expected = np.maximum(one_way, one_way.T)
    np.testing.assert_array_equal(Graph.from_pyg(data, how="union").adjacency.toarray(), expected)


def test_pyg_labels_may_be_a_column():
    torch = pytest.importorskip("torch")
    assert Graph.from_pyg(pyg_data(y=torch.tensor([[0], [1], [1], [2]]))).labels.tolist() == [0, 1, 1, 2]
    with pytest.raises(
        errors.InvalidLabelsError, match=r"one class number per node in y. Got shape \(4, 3\)"
    ):
        Graph.from_pyg(pyg_data(y=torch.zeros(4, 3)))
    with pytest.raises(errors.InvalidLabelsError, match="entry per node"):
        Graph.from_pyg(pyg_data(y=torch.tensor([1])))


def test_pyg_masks_become_splits():
    torch = pytest.importorskip("torch")
    rows = torch.tensor([[True, False], [False, True], [False, False], [True, True]])
    g = Graph.from_pyg(pyg_data(train_mask=rows, val_mask=rows[:, 1], seen_mask=rows[:, 0], other_mask=None))
    assert as_sets(g) == {"train_0": [0, 3], "train_1": [1, 3], "val": [1, 3], "seen": [0, 3]}


def test_pyg_edge_attributes():
    torch = pytest.importorskip("torch")
    one = torch.arange(1.0, 7.0).reshape(6, 1)
    symmetric = one[[0, 0, 1, 1, 2, 2]]
    assert Graph.from_pyg(pyg_data(edge_attr=symmetric)).to_edges()[1].tolist() == [1, 3, 2]
    with pytest.warns(UserWarning, match=r"edge_attr of shape \(6, 2\) .* is not kept"):
        g = Graph.from_pyg(pyg_data(edge_attr=torch.ones(6, 2)))
    assert g.to_edges()[1].tolist() == [1, 1, 1]


def test_pyg_weights_beyond_float32_are_refused():
    pytest.importorskip("torch_geometric")
    for weight in (1e300, 1e-300):
        with pytest.raises(errors.InvalidGraphError, match="float32"):
            Graph(TRIANGLE_AND_ONE * weight).to_pyg()


def test_pyg_bad_data():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    with pytest.raises(errors.InvalidParameterError, match="homogeneous"):
        Graph.from_pyg(data.HeteroData())
    with pytest.raises(errors.InvalidParameterError, match="homogeneous"):
        Graph.from_pyg("cora")
    with pytest.raises(errors.InvalidGraphError, match="edge_index or adj_t"):
        Graph.from_pyg(data.Data(x=torch.ones(3, 1)))
    with pytest.raises(errors.InvalidGraphError, match=r"in \[0, 2\). Got 2"):
        Graph.from_pyg(pyg_data(num_nodes=2))
    with pytest.raises(errors.InvalidGraphError, match="finite and >= 0"):
        Graph.from_pyg(pyg_data(edge_weight=torch.full((6,), -1.0)))
    with pytest.raises(errors.InvalidFeaturesError, match="nan for node 3"):
        Graph.from_pyg(pyg_data(x=torch.tensor([[0.0], [0.0], [0.0], [float("nan")]])))


# NetworkX


@settings(deadline=None)
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


# Optional packages


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("networkx", lambda: Graph([[0]]).to_networkx(), "networkx"),
        ("networkx", lambda: Graph.from_networkx(None), "networkx"),
        ("torch_geometric", lambda: Graph([[0]]).to_pyg(), "pyg"),
        ("torch_geometric", lambda: Graph.from_pyg(None), "pyg"),
    ],
)
def test_a_missing_package_is_named_with_the_remedy(monkeypatch, package, call, extra):
    real = builtins.__import__

    def without(name, *rest, **options):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(errors.MissingDependencyError, match=rf"pip install 'spco\[{extra}\]'"):
        call()
