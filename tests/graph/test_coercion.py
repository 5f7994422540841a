"""Graphs as people have them: every tool takes them, and says what it got where it cannot."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco import Graph, errors
from spco.graph import as_graph

RNG = np.random.default_rng(0)
ADJACENCY = np.triu(RNG.random((12, 12)) < 0.4, 1).astype(float)
ADJACENCY += ADJACENCY.T
FEATURES = RNG.random((12, 3)).astype(np.float32)
LABELS = np.arange(12) % 2
GRAPH = Graph(ADJACENCY, FEATURES, LABELS)


def as_pyg():
    pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")
    return GRAPH.to_pyg()


def as_networkx():
    pytest.importorskip("networkx", reason="NetworkX is not installed")
    return GRAPH.to_networkx()


def as_igraph():
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    edges, weights = GRAPH.to_edges()
    built = igraph.Graph(n=12, edges=edges.tolist())
    built.es["weight"] = weights
    built.vs["x"], built.vs["y"] = FEATURES.tolist(), LABELS.tolist()
    return built


KINDS = {"graph": lambda: GRAPH, "nodes": lambda: GRAPH.nodes, "pyg": as_pyg}
KINDS |= {"networkx": as_networkx, "igraph": as_igraph}


@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_a_graph_becomes_that_graph(kind):
    found = Graph.coerce(KINDS[kind]())
    np.testing.assert_array_equal(found.adjacency.toarray(), ADJACENCY)
    np.testing.assert_array_equal(found.features, FEATURES)
    np.testing.assert_array_equal(found.labels, LABELS)


@pytest.mark.parametrize("matrix", [ADJACENCY, sp.csr_array(ADJACENCY), sp.coo_matrix(ADJACENCY)])
def test_a_matrix_comes_with_features_and_labels(matrix):
    found = Graph.coerce(matrix, features=FEATURES, labels=LABELS)
    np.testing.assert_array_equal(found.adjacency.toarray(), ADJACENCY)
    np.testing.assert_array_equal(found.features, FEATURES)
    np.testing.assert_array_equal(found.labels, LABELS)


def test_a_graph_comes_back_as_it_is():
    assert Graph.coerce(GRAPH) is GRAPH


def test_given_features_come_before_those_of_the_source():
    for kind in ("graph", "pyg", "networkx"):
        np.testing.assert_array_equal(
            Graph.coerce(KINDS[kind](), features=2 * FEATURES).features, 2 * FEATURES
        )


def test_attributes_of_other_names_are_named():
    graph = as_networkx()
    for node in graph:
        graph.nodes[node]["age"], graph.nodes[node]["team"] = node, "ab"[node % 2]
    found = Graph.coerce(graph, features="age", labels="team")
    assert found.features.ravel().tolist() == list(range(12))
    assert found.label_names.tolist() == ["a", "b"]
    with pytest.raises(errors.UnknownNameError, match="did you mean 'age'"):
        Graph.coerce(graph, features="agee")
    with pytest.raises(errors.InvalidFeaturesError, match="which has no node attributes"):
        Graph.coerce(ADJACENCY, features="age")


def test_igraph_keeps_names_parallel_edges_and_gaps():
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    graph = igraph.Graph(n=3, edges=[(0, 1), (0, 1), (2, 2)])
    graph.vs["name"] = ["ann", "bob", "cid"]
    assert Graph.from_igraph(graph).adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    graph.es["weight"] = [2.0, 3.0, None]
    found = Graph.from_igraph(graph)
    assert found.node_ids.tolist() == ["ann", "bob", "cid"]
    assert found.adjacency.toarray().tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 1]]
    graph.es["weight"] = [2.0, -3.0, 1.0]
    with pytest.raises(errors.InvalidGraphError, match=r"-3\.0 between nodes 'ann' and 'bob'"):
        Graph.from_igraph(graph)


TOOLS = {
    "SpectralPair": lambda g: spco.SpectralPair(g).refresh(1.0).toarray(),
    "spectral_response": lambda g: spco.spectral_response(g, ADJACENCY**2).values,
    "game_score": lambda g: spco.game_score(g, ADJACENCY**2).score,
    "rank_views": lambda g: spco.rank_views(g, {"square": ADJACENCY**2}).reports[0].score,
    "spectral_density": lambda g: spco.spectral_density(g, bins=5).density,
    "advise": lambda g: spco.advise(g).features.agreement,
    "Embedder": lambda g: spco.Embedder("dgi", epochs=2).fit_transform(g),
    "auto": lambda g: spco.Embedder(epochs=2).fit_transform(g),
    "transform": lambda g: spco.Embedder("dgi", epochs=2).fit(GRAPH).transform(g),
    "NodeClassifier": lambda g: spco.NodeClassifier(epochs=2).fit(g).predict_proba(g),
}


@pytest.mark.filterwarnings("ignore::spco.errors.IneffectiveSettingsWarning")
@pytest.mark.parametrize("tool", TOOLS)
def test_tools_take_what_people_have(tool):
    expected = TOOLS[tool](GRAPH)
    for kind in ("pyg", "networkx", "igraph"):
        np.testing.assert_array_equal(TOOLS[tool](KINDS[kind]()), expected)


@pytest.mark.filterwarnings("ignore::spco.errors.IneffectiveSettingsWarning")
def test_estimators_take_a_matrix_with_features():
    embedder = spco.Embedder("dgi", epochs=2)
    expected = embedder.fit_transform(GRAPH)
    matrix = sp.csr_array(ADJACENCY)
    np.testing.assert_array_equal(embedder.fit_transform(matrix, features=FEATURES), expected)
    np.testing.assert_array_equal(embedder.transform(matrix, features=FEATURES), embedder.transform(GRAPH))
    with pytest.raises(errors.InvalidFeaturesError, match="must have node features"):
        embedder.fit(matrix)
    predicted = spco.NodeClassifier(epochs=2).fit(matrix, LABELS, features=FEATURES)
    assert predicted.predict(matrix, features=FEATURES).shape == (12,)


def test_compare_takes_what_people_have():
    small = {"method": "dgi", "epochs": 1, "spectral": False, "settings": {"method": {"widths": [4]}}}
    data = spco.load_dataset("wine").to_pyg()
    found = spco.compare(data, {"dgi": small}, seeds=[0], rates=["train20"], baselines=False)
    assert found.names == ("dgi",)


def directed_data():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data", reason="torch-geometric is not installed")
    return data.Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)


def directed_networkx():
    return pytest.importorskip("networkx", reason="NetworkX is not installed").DiGraph([(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("make", "got", "way_out"),
    [
        (directed_networkx, r"networkx\.DiGraph", "how='union'"),
        (directed_data, r"torch_geometric\.Data", r"ToUndirected\(\)"),
        (lambda: np.array([[0, 1], [0, 0]]), r"numpy\.ndarray", "how='union'"),
    ],
)
def test_directed_graphs_are_refused_with_the_way_out(make, got, way_out):
    message = rf"'graph' parameter of SpectralPair must be undirected\. Got {got} .*\nhint: .*{way_out}"
    with pytest.raises(errors.DirectedGraphError, match=message):
        spco.SpectralPair(make())
    assert (Graph.coerce(make(), how="union").adjacency.toarray() > 0).sum() in (2, 4)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("cora", r"Got str\.\nhint: spco\.read_graph"),
        ([[0, 1], [1, 0]], r"Got list\.\nhint: spco\.Graph\("),
        (None, r"Got NoneType\.$"),
        (Graph, r"Got type\.$"),
    ],
)
def test_something_else_is_refused_by_name(source, message):
    with pytest.raises(errors.InvalidParameterError, match=r"'graph' parameter of me must be .*" + message):
        as_graph(source, "me")


def test_relations_of_several_types_are_refused_with_the_way_out():
    hetero = pytest.importorskip(
        "torch_geometric.data", reason="torch-geometric is not installed"
    ).HeteroData()
    hetero["author"].num_nodes = hetero["paper"].num_nodes = 3
    message = (
        r"Got torch_geometric\.HeteroData with the node types 'author', 'paper'\.\nhint: spco\.pyg\.metapath"
    )
    with pytest.raises(errors.InvalidParameterError, match=message):
        spco.Embedder("dgi").fit(hetero)


def test_a_graph_of_one_package_loads_no_other():
    code = (
        "import sys, numpy, spco; spco.Graph.coerce(numpy.eye(3));"
        "others = ('torch', 'networkx', 'igraph', 'pandas', 'polars', 'pyarrow');"
        "print([name for name in others if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
