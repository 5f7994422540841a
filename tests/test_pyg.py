"""torch-geometric: the learnt view as a transform and in a loop, and graphs of metapaths."""

from __future__ import annotations

import copy
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import DirectedGraphError, InvalidParameterError

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")

import torch_geometric.transforms as T  # noqa: E402
from torch_geometric.data import Data, HeteroData  # noqa: E402
from torch_geometric.nn import GCNConv  # noqa: E402

from spco.pyg import SpectralView, metapath  # noqa: E402

WINE = spco.load_dataset("wine")


def matrix_of(data):
    values, ends = data.edge_weight.double().numpy(), tuple(data.edge_index.numpy())
    return sp.coo_array((values, ends), shape=(data.num_nodes, data.num_nodes)).toarray()


def learnt(thetas=(0.0, 1.0), **settings):
    pair = spco.SpectralPair(WINE, **settings)
    for theta in thetas:
        view = pair.refresh(theta)
    return view.toarray()


@pytest.mark.parametrize("settings", [{}, {"eta": 0.2, "epsilon": 0.1, "hops": 2, "iterations": 5}])
def test_the_edges_are_those_of_the_learnt_view(settings):
    found = SpectralView(**settings)(WINE.to_pyg())
    np.testing.assert_allclose(matrix_of(found), learnt(**settings), rtol=1e-6)
    assert (found.edge_weight != 0).all()
    assert found.edge_weight.dtype == torch.float32


def test_everything_else_stays_and_the_input_is_not_written_to():
    data = WINE.to_pyg()
    data.edge_attr, data.note, data.edge_label = torch.ones(data.num_edges, 2), "mine", torch.ones(3)
    before = copy.deepcopy(data)
    with pytest.warns(UserWarning, match="edge_attr of shape"):
        found = SpectralView()(data)
    assert data.to_dict().keys() == before.to_dict().keys()
    assert all(torch.equal(data[k], v) for k, v in before.to_dict().items() if torch.is_tensor(v))
    assert set(found.keys()) == (set(data.keys()) | {"edge_weight"}) - {"edge_attr"}
    assert found.x is data.x
    assert found.note == "mine"
    assert found.validate()


def test_it_works_in_a_chain_of_transforms():
    chain = T.Compose([T.NormalizeFeatures(), SpectralView(eta=0.3), T.ToSparseTensor(attr="edge_weight")])
    found = chain(Data(x=torch.tensor(WINE.features) + 20, edge_index=WINE.to_pyg().edge_index))
    assert torch.allclose(found.x.sum(1), torch.ones(178))
    np.testing.assert_allclose(found.adj_t.to_dense().numpy(), learnt(eta=0.3).T, rtol=1e-5, atol=1e-8)
    again = SpectralView(eta=0.0)(found)  # of a sparse tensor
    assert "adj_t" not in again


def test_with_loops_a_convolution_of_the_plain_view_is_the_usual_one():
    data = WINE.to_pyg()
    layer = GCNConv(13, 4)
    plain = SpectralView(theta=0.0, self_loops=1.0)(data)
    with torch.no_grad():
        expected = layer(data.x, data.edge_index)
        found = layer(plain.x, plain.edge_index, plain.edge_weight)
    assert torch.allclose(found, expected, atol=1e-5)


def test_a_loop_refreshes_when_it_is_due_wherever_it_counts_from():
    data = WINE.to_pyg()
    for first in (0, 1):
        loop = SpectralView(eta=0.4).in_loop(data, epochs=50, every=20)
        views = [loop(epoch) for epoch in range(first, first + 50)]
        assert loop.thetas == [0.0, 0.4, 0.8]
        assert [one is other for one, other in pairwise(views)].count(False) == 2
        np.testing.assert_array_equal(matrix_of(views[0]), WINE.adjacency.toarray())
        np.testing.assert_allclose(matrix_of(views[-1]), learnt((0.0, 0.4, 0.8), eta=0.4), rtol=1e-6)
    assert "edge_weight" not in data


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        (lambda: SpectralView(theta=-1), "'theta' parameter of SpectralView must be >= 0"),
        (lambda: SpectralView(self_loops=-1), "'self_loops' parameter of SpectralView must be >= 0"),
        (lambda: SpectralView(eta="x")(WINE.to_pyg()), "'eta' parameter of SpectralPair"),
        (lambda: SpectralView()(HeteroData()), "'graph' parameter of SpectralView must be .*HeteroData"),
        (lambda: SpectralView().in_loop(WINE.to_pyg(), epochs=0), "'epochs' parameter of SpectralLoop"),
        (
            lambda: metapath(WINE.to_pyg(), [("a", "to", "b")]),
            "must be a torch_geometric HeteroData. Got Data",
        ),
        (lambda: metapath(library(), [("author", "likes", "paper")]), "name relations of the data"),
        (lambda: metapath(library(), [WRITES, WRITES]), "go on from 'paper'"),
        (lambda: metapath(library(), []), "be a list of relations"),
    ],
)
def test_mistakes_are_named(fail, message):
    with pytest.raises(InvalidParameterError, match=message):
        fail()


def test_a_directed_graph_is_refused_with_the_way_out():
    data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
    with pytest.raises(DirectedGraphError, match="ToUndirected"):
        SpectralView()(data)
    assert T.Compose([T.ToUndirected(), SpectralView()])(data).num_nodes == 3


WRITES, CITES = ("author", "writes", "paper"), ("paper", "cites", "paper")
WRITTEN = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]])


def library():
    data = HeteroData()
    data["author"].x, data["author"].y = torch.eye(3), torch.tensor([0, 1, 1])
    data["author"].train_mask = torch.tensor([True, False, True])
    data["paper"].num_nodes = 4
    data[WRITES].edge_index = torch.tensor(np.array(np.nonzero(WRITTEN)))
    data[CITES].edge_index = torch.tensor([[2, 3, 2], [3, 2, 3]])
    return data


def test_a_metapath_counts_the_ways_between_nodes_of_one_type():
    data = metapath(library(), [WRITES])
    np.testing.assert_array_equal(matrix_of(data), WRITTEN @ WRITTEN.T - np.diag([2, 2, 1]))
    assert torch.equal(data.x, torch.eye(3))
    assert spco.Graph.coerce(data).splits["train"].tolist() == [0, 2]
    cited = np.array([[0] * 4, [0] * 4, [0, 0, 0, 1], [0, 0, 1, 0]])  # a pair listed twice counts once
    ways = WRITTEN @ cited
    expected = ways @ ways.T
    np.testing.assert_array_equal(
        matrix_of(metapath(library(), [WRITES, CITES])), expected - np.diag(np.diag(expected))
    )
