"""PyTorch Geometric there and back, and all the forms its data may take."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from spco import Graph, errors

from .strategies import (
    QUICK,
    SINGLE_WEIGHTS,
    assert_same_adjacency,
    assert_same_array,
    assert_same_features,
    graphs,
)

TRIANGLE_AND_ONE = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])


def as_sets(graph):
    return {name: sorted(nodes.tolist()) for name, nodes in graph.splits.items()}


@QUICK
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
    with pytest.warns(UserWarning, match=r"edge_attr of shape \(6, 2\) .* is ignored"):
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


@pytest.mark.parametrize(
    ("attributes", "named"),
    [
        ({"edge_index": [[0, 1], [1, 7]]}, "edge_index"),
        ({"edge_index": [[0, -1], [1, 2]]}, "edge_index"),
        ({"edge_index": [[0.5, 1], [1, 2]]}, "edge_index"),
        ({"edge_index": [0, 1, 2]}, "edge_index"),
        ({"edge_weight": [1.0, 2.0]}, "edge_weight"),
        ({"edge_attr": [-1.0] * 6}, "edge_attr"),
    ],
)
@pytest.mark.parametrize("make", [Graph.from_pyg, Graph.coerce])
def test_errors_speak_of_the_attributes_of_data(make, attributes, named):
    torch = pytest.importorskip("torch")
    data = pyg_data(**{name: torch.tensor(value) for name, value in attributes.items()})
    with pytest.raises(errors.InvalidGraphError, match=f"^The '{named}' parameter of Graph.from_pyg must"):
        make(data)
