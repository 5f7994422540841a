"""Small awkward graphs with all their trimmings, and what it means that two are the same."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from spco import Graph

QUICK = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
FULL = Graph(
    PATH,
    sp.csr_array([[1, 0], [0, 0], [0, 3]]),
    [1, -1, 0],
    {"train": [2, 0], "val": [1]},
    ["x", "y", "z"],
    ["low", "high"],
    "full",
)

WEIGHTS = st.floats(1e-300, 1e300)
SINGLE_WEIGHTS = st.floats(2.0**-100, 2.0**100, width=32)
_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=6
).filter(lambda name: name == name.strip())
# Names that break careless readers of text files; any other text comes on top.
_AWKWARD = st.sampled_from(
    ["a,b", 'say "hi"', "#1", "% 2", "x\ty", "a;b", "a|b", "007", "1.0", "nan", "NULL", "-"]
)
_SPLIT_NAMES = st.text("abcXYZ019_- é", min_size=1, max_size=5).filter(
    lambda name: name == name.strip() and name.casefold() not in ("adj", "feat", "label")
)


@st.composite
def adjacencies(draw: st.DrawFn, weights: st.SearchStrategy[float] = WEIGHTS) -> np.ndarray:
    """A symmetric matrix with isolated nodes, self loops and, by turns, weights; perhaps no edge at all."""
    size = draw(st.integers(1, 7))
    cells = size * (size + 1) // 2
    there = draw(st.lists(st.booleans(), min_size=cells, max_size=cells))
    weighted = draw(st.booleans())
    values = draw(st.lists(weights, min_size=cells, max_size=cells)) if weighted else np.ones(cells)
    matrix = np.zeros((size, size))
    matrix[np.triu_indices(size)] = np.where(there, values, 0)
    return np.triu(matrix) + np.triu(matrix, 1).T


@st.composite
def graphs(draw: st.DrawFn, weights: st.SearchStrategy[float] = WEIGHTS, edges_only: bool = False) -> Graph:
    """A graph with or without features (dense or sparse), labels, splits and names."""
    adjacency = draw(adjacencies(weights))
    size = len(adjacency)
    ids = draw(st.sampled_from(["none", "integers", "strings"]))
    node_ids = None
    if ids == "integers":
        number = st.integers(-(2**63), 2**63 - 1)
        node_ids = draw(st.lists(number, min_size=size, max_size=size, unique=True))
    elif ids == "strings":
        node_ids = draw(st.lists(_NAMES | _AWKWARD, min_size=size, max_size=size, unique=True))
    if edges_only:
        return Graph(adjacency, node_ids=node_ids)
    features = draw(st.none() | st.integers(0, 3).map(lambda width: (size, width)))
    if features is not None:
        cell = st.one_of(st.just(0.0), st.floats(-(2.0**100), 2.0**100, width=32))
        flat = draw(st.lists(cell, min_size=size * features[1], max_size=size * features[1]))
        features = np.array(flat, dtype=np.float32).reshape(features)
        features = sp.csr_array(features) if draw(st.booleans()) else features
    labels = draw(st.none() | st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    named = labels is not None and draw(st.booleans())
    splits = draw(
        st.dictionaries(_SPLIT_NAMES, st.lists(st.integers(0, size - 1), unique=True), max_size=3).filter(
            lambda table: len({name.casefold() for name in table}) == len(table)
        )
    )
    return Graph(
        adjacency,
        features=features,
        labels=labels,
        splits=splits,
        node_ids=node_ids,
        label_names=draw(st.lists(_NAMES, min_size=4, max_size=4, unique=True)) if named else None,
        name=draw(st.none() | _NAMES),
    )


def assert_same_array(left: np.ndarray | None, right: np.ndarray | None) -> None:
    """Check two arrays for equal values and kinds."""
    assert (left is None) == (right is None)
    if left is not None and right is not None:
        assert left.dtype.kind == right.dtype.kind
        np.testing.assert_array_equal(left, right)


def assert_same_adjacency(left: Graph, right: Graph) -> None:
    """Check that the stored entries agree to the last bit."""
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(left.adjacency, part), getattr(right.adjacency, part))


def assert_same_features(left: Graph, right: Graph) -> None:
    """Check features for equal values, be they sparse or dense."""
    assert (left.features is None) == (right.features is None)
    if left.features is not None:
        dense = [g.features.toarray() if sp.issparse(g.features) else g.features for g in (left, right)]
        assert_same_array(*dense)


def assert_same(left: Graph, right: Graph) -> None:
    """Check that two graphs agree in everything."""
    assert_same_adjacency(left, right)
    assert sp.issparse(left.features) == sp.issparse(right.features)
    assert_same_features(left, right)
    assert_same_array(left.labels, right.labels)
    assert_same_array(left.node_ids, right.node_ids)
    assert_same_array(left.label_names, right.label_names)
    assert left.name == right.name
    assert left.splits.keys() == right.splits.keys()
    for name, nodes in left.splits.items():
        assert_same_array(nodes, right.splits[name])


def triples(graph: Graph) -> list[tuple[object, ...]]:
    """The edges under the nodes' own names, with i before j by name."""
    names = range(graph.num_nodes) if graph.node_ids is None else graph.node_ids.tolist()
    edges, weights = graph.to_edges()
    pairs = [tuple(sorted((names[i], names[j]))) for i, j in edges.tolist()]
    return sorted((*pair, weight) for pair, weight in zip(pairs, weights.tolist(), strict=True))


def entries(folder: Path) -> list[str]:
    """Return what a folder holds, by name."""
    return sorted(os.listdir(folder))
