"""Frames in, frames out: embeddings keep the ids of their nodes, whatever the order of the tables."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest

import spco
from spco import errors

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::spco.errors.IneffectiveSettingsWarning")
WINE = spco.load_dataset("wine")
NAMES = np.array([f"bottle {i}ß" for i in range(WINE.num_nodes)])
SMALL = {"epochs": 2, "settings": {"method": {"widths": [4]}}}


@pytest.fixture(scope="module")
def edges():
    pairs, _ = WINE.to_edges()
    return pandas.DataFrame({"source": NAMES[pairs[:, 0]], "target": NAMES[pairs[:, 1]]})


@pytest.fixture(scope="module")
def nodes():
    frame = pandas.DataFrame(WINE.features, columns=[f"f{k}" for k in range(WINE.num_features)])
    return frame.assign(id=NAMES)


def test_a_frame_comes_out_with_the_ids(edges, nodes):
    embedder = spco.Embedder("dgi", **SMALL).fit(edges, features=nodes)
    frame = embedder.to_frame()
    assert frame.columns.tolist() == ["node_id", "z0", "z1", "z2", "z3"]
    assert frame["node_id"].tolist() == nodes["id"].tolist()
    np.testing.assert_array_equal(frame.drop(columns="node_id").to_numpy(), embedder.embedding_)
    assert embedder.to_arrow().equals(pa.Table.from_pandas(frame, schema=embedder.to_arrow().schema))


def test_another_order_of_the_tables_gives_every_node_the_same_row(edges, nodes):
    embedder = spco.Embedder("dgi", **SMALL).fit(edges, features=nodes)
    expected = embedder.to_frame().set_index("node_id")
    mixed = {"edges": edges.sample(frac=1, random_state=1), "nodes": nodes.sample(frac=1, random_state=2)}
    found = embedder.to_frame(mixed["edges"], features=mixed["nodes"])
    assert found["node_id"].tolist() == mixed["nodes"]["id"].tolist() != nodes["id"].tolist()
    pandas.testing.assert_frame_equal(found.set_index("node_id").loc[expected.index], expected, atol=1e-5)
    # The same graph with a new table of nodes.
    graph = spco.Graph.coerce(edges, features=nodes)
    rows = embedder.transform(graph, features=mixed["nodes"])
    np.testing.assert_array_equal(rows, embedder.transform(graph))


def test_missing_and_unknown_nodes_are_named(edges, nodes):
    embedder = spco.Embedder("dgi", **SMALL)
    with pytest.raises(errors.InvalidFeaturesError, match="Got none for 'bottle 0ß'"):
        embedder.fit(edges, features=nodes[1:])
    graph = spco.Graph.coerce(edges, features=nodes)
    extra = pandas.concat([nodes, nodes[:1].assign(id="cork")])
    with pytest.raises(errors.InvalidFeaturesError, match=r"'features' .* of Embedder\.fit .* Got 'cork'"):
        embedder.fit(graph, features=extra)


def test_ids_are_saved_with_the_model(edges, nodes, tmp_path):
    for graph in (
        spco.Graph.coerce(edges, features=nodes),
        WINE,
        spco.Graph(WINE.adjacency, WINE.features, node_ids=np.arange(178)[::-1]),
    ):
        embedder = spco.Embedder("dgi", **SMALL).fit(graph)
        embedder.save(tmp_path / "model")
        again = spco.Embedder.load(tmp_path / "model")
        assert again.to_arrow().equals(embedder.to_arrow())
        assert (again.node_ids_ is None) == (graph.node_ids is None)


def test_auto_keeps_ids_and_parts_of_a_graph_have_theirs(edges, nodes):
    embedder = spco.Embedder(epochs=2).fit(edges, features=nodes)
    assert embedder.to_frame()["node_id"].tolist() == NAMES.tolist()
    graph = spco.Graph.coerce(edges, features=nodes)
    some = embedder.to_frame(graph[[5, 3]])
    assert some["node_id"].tolist() == [NAMES[5], NAMES[3]]


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    embedder = spco.Embedder("dgi", **SMALL).fit(WINE)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        errors.MissingDependencyError, match=r"Embedder\.to_frame needs .*\nhint: pip install pandas"
    ):
        embedder.to_frame()
    with pytest.raises(errors.NotFittedError):
        spco.Embedder("dgi").to_arrow()


def test_polars_frames_give_what_pandas_frames_give(edges, nodes):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    embedder = spco.Embedder("dgi", **SMALL)
    expected = embedder.fit(edges, features=nodes).to_arrow()
    theirs = (polars.DataFrame({name: frame[name].to_list() for name in frame}) for frame in (edges, nodes))
    first, second = theirs
    assert embedder.fit(first, features=second).to_arrow().equals(expected)
    assert polars.from_arrow(expected).shape == (178, 5)
