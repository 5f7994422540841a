"""Datasets of one's own, by name."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.datasets import DATASETS, availability
from spco.errors import InvalidParameterError


@pytest.fixture(autouse=True)
def registry_as_before(monkeypatch):
    monkeypatch.setattr(DATASETS, "_entries", dict(DATASETS._entries))


def ring(random_state):
    nodes = np.arange(12)
    order = np.random.default_rng(random_state).permutation(nodes)
    edges = np.column_stack([nodes, (nodes + 1) % 12])
    return spco.Graph.from_edges(edges, splits={"train": order[:4]})


def test_a_function_of_a_random_state():
    spco.register_dataset("ring", ring, description="twelve in a circle")
    graph = spco.load_dataset("ring", random_state=3)
    assert (graph.name, graph.num_edges, availability("ring")) == ("ring", 12, "embedded")
    np.testing.assert_array_equal(graph.splits["train"], ring(3).splits["train"])
    assert not np.array_equal(graph.splits["train"], spco.load_dataset("ring").splits["train"])


@pytest.mark.parametrize("file", ["folder", "graph.npz", "edges.csv"])
def test_a_path(tmp_path, monkeypatch, file):
    spco.write_graph(spco.Graph(ring(0).adjacency), tmp_path / file)
    monkeypatch.chdir(tmp_path)
    spco.register_dataset("here", file)
    monkeypatch.chdir("/")
    graph = spco.load_dataset("here")
    assert (graph.name, graph.num_edges, availability("here")) == ("here", 12, "folder")


def test_a_name_that_is_taken_is_replaced_only_on_demand():
    with pytest.raises(InvalidParameterError, match=r"'wine' is taken(.|\n)*replace=True") as caught:
        spco.register_dataset("wine", ring)
    assert "cultivars" in str(caught.value)
    spco.register_dataset("wine", ring, replace=True)
    assert spco.load_dataset("wine").num_nodes == 12


@pytest.mark.parametrize(("name", "make"), [("", ring), (None, ring), ("x", 3), ("x", None)])
def test_what_is_no_dataset(name, make):
    with pytest.raises(InvalidParameterError, match="of register_dataset must be"):
        spco.register_dataset(name, make)


def test_a_function_that_makes_no_graph():
    spco.register_dataset("nothing", lambda _: None)
    with pytest.raises(InvalidParameterError, match=r"return a Graph for 'nothing'\. Got NoneType"):
        spco.load_dataset("nothing")


def test_names_are_suggested():
    spco.register_dataset("hexagon", ring)
    with pytest.raises(spco.errors.UnknownNameError, match="did you mean 'hexagon'"):
        spco.load_dataset("hexagn")
