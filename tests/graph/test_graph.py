"""The constructor of Graph: what it makes of good input, and how it refuses bad input."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

import spco
from spco import Graph, errors

from .strategies import QUICK, adjacencies, assert_same, graphs

PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array])
def test_every_sparse_format_is_the_same_graph(form, kind):
    g = Graph(kind(PATH).asformat(form))
    assert isinstance(g.adjacency, sp.csr_array)
    assert g.adjacency.has_canonical_format
    assert g.adjacency.dtype == np.float64
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", "g"])
def test_every_numeric_dtype_is_taken(dtype):
    np.testing.assert_array_equal(Graph(PATH.astype(dtype)).adjacency.toarray(), PATH)


def test_booleans_are_ones():
    np.testing.assert_array_equal(Graph(PATH > 0).adjacency.toarray(), PATH > 0)


def test_lists_and_matrices_are_taken():
    np.testing.assert_array_equal(Graph(PATH.tolist()).adjacency.toarray(), PATH)
    np.testing.assert_array_equal(Graph(sp.csr_matrix(PATH).todense()).adjacency.toarray(), PATH)


def test_duplicates_are_summed_without_overflow():
    rows, columns = [0, 0, 1, 1], [1, 1, 0, 0]
    g = Graph(sp.coo_array((np.full(4, 100, dtype=np.int8), (rows, columns)), shape=(2, 2)))
    np.testing.assert_array_equal(g.adjacency.toarray(), [[0, 200], [200, 0]])


def test_boolean_duplicates_stay_one_edge():
    pattern = sp.coo_array((np.ones(4, dtype=bool), ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    np.testing.assert_array_equal(Graph(pattern).adjacency.toarray(), [[0, 1], [1, 0]])


def test_stored_zeros_are_no_edges():
    g = Graph(sp.coo_array(([0.0, 0.0], ([0, 1], [1, 0])), shape=(2, 2)))
    assert (g.adjacency.nnz, g.num_edges) == (0, 0)


def test_indices_are_sorted_and_narrow():
    messy = sp.csr_array(PATH.astype(float))
    messy.indices = messy.indices[[0, 2, 1, 3]].astype(np.int64)
    messy.data = messy.data[[0, 2, 1, 3]]
    messy.indptr = messy.indptr.astype(np.int64)
    messy.has_sorted_indices = False
    g = Graph(messy)
    assert g.adjacency.indices.tolist() == [1, 0, 2, 1]
    assert g.adjacency.indices.dtype == g.adjacency.indptr.dtype == np.int32


def test_rounding_is_averaged_out_and_more_is_refused():
    nearly = PATH.astype(float)
    nearly[0, 1] += 1e-12
    g = Graph(nearly)
    assert (g.adjacency != g.adjacency.T).nnz == 0
    assert g.adjacency[0, 1] == pytest.approx(1, abs=1e-11)
    nearly[0, 1] += 1e-8
    with pytest.raises(errors.DirectedGraphError):
        Graph(nearly)


def test_a_tiny_edge_one_way_is_directed_even_beside_heavy_ones():
    with pytest.raises(errors.DirectedGraphError):
        Graph([[0, 1e-14, 0], [0, 0, 1e6], [0, 1e6, 0]])


def test_nothing_is_shared_with_the_input_and_nothing_can_be_written():
    adjacency, features = sp.csr_array(PATH.astype(float)), np.ones((3, 2), dtype=np.float32)
    labels, train = np.array([0, 1, 0]), np.array([2, 0])
    g = Graph(adjacency, features, labels, {"train": train})
    adjacency.data[:] = 9
    features[:] = labels[:] = train[:] = 9
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)
    assert (g.features == 1).all()
    assert g.labels.tolist() == [0, 1, 0]
    assert g.splits["train"].tolist() == [2, 0]
    for array in (g.adjacency.data, g.adjacency.indices, g.features, g.labels, g.splits["train"], g.degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(FrozenInstanceError):
        g.name = "other"
    with pytest.raises(TypeError):
        g.splits["new"] = train


def test_what_somebody_could_have_written_to_since_is_checked_again():
    g = Graph(PATH, features=np.ones((3, 2)), labels=[0, 1, 0])
    g.features.flags.writeable = g.labels.flags.writeable = g.adjacency.data.flags.writeable = True
    g.features[1, 0], g.labels[2], g.adjacency.data[0] = np.nan, -5, 7.0
    with pytest.raises(errors.InvalidFeaturesError, match="finite"):
        Graph(PATH, features=g.features)
    with pytest.raises(errors.InvalidLabelsError, match="-5 for node 2"):
        Graph(PATH, labels=g.labels)
    with pytest.raises(errors.DirectedGraphError):
        Graph(g.adjacency)


def test_features_stay_in_kind():
    sparse = Graph(PATH, sp.coo_matrix(np.eye(3)))
    assert isinstance(sparse.features, sp.csr_array)
    assert sparse.features.dtype == np.float32
    dense = Graph(PATH, np.eye(3, dtype=np.int64))
    assert isinstance(dense.features, np.ndarray)
    assert dense.features.dtype == np.float32
    np.testing.assert_array_equal(sparse.features.toarray(), dense.features)


def test_counts():
    g = Graph([[5, 1, 0], [1, 0, 0], [0, 0, 0]], labels=[1, -1, 0], name="tiny")
    assert (g.num_nodes, g.num_edges, g.num_features, g.num_classes) == (3, 2, 0, 2)
    assert g.degrees.tolist() == [6, 1, 0]
    assert repr(g) == "Graph(tiny: 3 nodes, 2 edges, 2 classes)"
    assert (Graph([[0]]).num_edges, Graph([[3]]).num_edges) == (0, 1)


def test_classes_without_nodes_may_have_names():
    g = Graph(PATH, labels=[0, 0, -1], label_names=["a", "b", "c"])
    assert g.num_classes == 3


def test_splits_come_as_indices_masks_or_whole_floats():
    g = Graph(
        PATH, splits={"mask": [True, False, True], "floats": np.array([2.0, 1.0]), "none": [], "ints": [1]}
    )
    assert {name: nodes.tolist() for name, nodes in g.splits.items()} == {
        "mask": [0, 2],
        "floats": [2, 1],
        "none": [],
        "ints": [1],
    }
    assert all(nodes.dtype == np.int64 for nodes in g.splits.values())


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["x", "é", "z"], ["x", "é", "z"]),
        (np.array([7, 3, 9], dtype=np.uint16), [7, 3, 9]),
        ([(0, 1), (1, 0), (1, 1)], ["(0, 1)", "(1, 0)", "(1, 1)"]),
        ([(0,), (1, 0), (1, 1)], ["(0,)", "(1, 0)", "(1, 1)"]),
        (np.array([b"x", b"y", b"z"]), ["x", "y", "z"]),
        (iter("xyz"), ["x", "y", "z"]),
    ],
)
def test_node_ids_are_integers_or_strings(names, kept):
    assert Graph(PATH, node_ids=names).node_ids.tolist() == kept


@QUICK
@given(graphs())
def test_copies_and_pickles_are_the_same_graph(graph):
    assert_same(graph, copy.deepcopy(graph))
    assert_same(graph, pickle.loads(pickle.dumps(graph)))
    assert_same(graph, replace(graph))


@QUICK
@given(adjacencies())
def test_the_adjacency_is_what_was_given(matrix):
    np.testing.assert_array_equal(Graph(matrix).adjacency.toarray(), matrix)
    np.testing.assert_array_equal(Graph(sp.coo_array(matrix)).adjacency.toarray(), matrix)


@pytest.mark.parametrize(
    ("how", "expected"),
    [("union", [[0, 3, 0], [3, 1, 2], [0, 2, 0]]), ("mean", [[0, 2, 0], [2, 1, 1], [0, 1, 0]])],
)
def test_directed_edges_become_undirected(how, expected):
    g = Graph.from_directed([[0, 1, 0], [3, 1, 2], [0, 0, 0]], how=how, labels=[0, 1, 2], name="d")
    np.testing.assert_array_equal(g.adjacency.toarray(), expected)
    assert (g.labels.tolist(), g.name) == ([0, 1, 2], "d")


def test_how_is_one_of_two():
    with pytest.raises(errors.UnknownNameError, match="did you mean 'union'"):
        Graph.from_directed(PATH, how="unoin")


def changed(value, at=(0, 1)):
    """The path graph with one edge changed both ways."""
    matrix = PATH.astype(float)
    matrix[at] = matrix[at[::-1]] = value
    return matrix


def broken_csr():
    matrix = sp.csr_array(PATH.astype(float))
    matrix.indices[0] = 10**6
    return matrix


BAD = {
    "not square": ({"adjacency": np.ones((2, 3))}, errors.InvalidGraphError, "be square. Got shape (2, 3)."),
    "one-dimensional": ({"adjacency": [0, 1]}, errors.InvalidGraphError, "be square"),
    "no nodes": ({"adjacency": np.empty((0, 0))}, errors.InvalidGraphError, "at least one node"),
    "words": ({"adjacency": [["a"]]}, errors.InvalidGraphError, "real numbers"),
    "ragged": ({"adjacency": [[0, 1], [1]]}, errors.InvalidGraphError, "real numbers"),
    "complex": ({"adjacency": PATH * 1j}, errors.InvalidGraphError, "real numbers"),
    "complex sparse": ({"adjacency": sp.csr_array(PATH * 1j)}, errors.InvalidGraphError, "real numbers"),
    "NaN weight": ({"adjacency": changed(np.nan)}, errors.InvalidGraphError, "nan between nodes 0 and 1"),
    "infinite weight": (
        {"adjacency": changed(np.inf)},
        errors.InvalidGraphError,
        "inf between nodes 0 and 1",
    ),
    "negative weight": (
        {"adjacency": changed(-2, (1, 2))},
        errors.InvalidGraphError,
        "-2.0 between nodes 1 and 2",
    ),
    "directed": ({"adjacency": np.triu(PATH)}, errors.DirectedGraphError, "2 from node 1 to 2 but 0 back"),
    "indices outside": ({"adjacency": broken_csr()}, errors.InvalidGraphError, "sound sparse matrix"),
    "feature rows": (
        {"features": np.ones((4, 2))},
        errors.InvalidFeaturesError,
        "(3 rows). Got shape (4, 2).",
    ),
    "sparse feature rows": (
        {"features": sp.eye_array(2)},
        errors.InvalidFeaturesError,
        "(3 rows). Got shape (2, 2).",
    ),
    "feature vector": ({"features": np.ones(3)}, errors.InvalidFeaturesError, "(3 rows). Got shape (3,)."),
    "NaN features": (
        {"features": [[0, 1], [0, np.nan], [0, 0]]},
        errors.InvalidFeaturesError,
        "nan for node 1 in column 1",
    ),
    "NaN sparse features": (
        {"features": sp.csr_array([[0, 1], [0, 0], [np.nan, 0]])},
        errors.InvalidFeaturesError,
        "nan for node 2 in column 0",
    ),
    "features beyond float32": (
        {"features": np.full((3, 1), 1e300)},
        errors.InvalidFeaturesError,
        "finite in float32",
    ),
    "sparse features beyond float32": (
        {"features": sp.csr_array(np.full((3, 1), 1e300))},
        errors.InvalidFeaturesError,
        "finite in float32",
    ),
    "complex features": ({"features": sp.eye_array(3) * 1j}, errors.InvalidFeaturesError, "real numbers"),
    "word features": ({"features": [["a"], ["b"], ["c"]]}, errors.InvalidFeaturesError, "real numbers"),
    "label length": ({"labels": [0, 1]}, errors.InvalidLabelsError, "one entry per node (3). Got 2 entries."),
    "one-hot labels": ({"labels": np.eye(3)}, errors.InvalidLabelsError, "one-dimensional"),
    "fractional labels": ({"labels": [0, 0.5, 1]}, errors.InvalidLabelsError, "whole numbers. Got 0.5."),
    "NaN labels": ({"labels": [0, np.nan, 1]}, errors.InvalidLabelsError, "whole numbers. Got nan."),
    "negative labels": ({"labels": [0, -2, 1]}, errors.InvalidLabelsError, "-2 for node 1"),
    "word labels": ({"labels": ["a", "b", "c"]}, errors.InvalidLabelsError, "return_inverse=True"),
    "huge labels": ({"labels": [0, 1e300, 1]}, errors.InvalidLabelsError, "64-bit"),
    "unsigned labels": (
        {"labels": np.array([0, 1, 2**64 - 1], dtype="u8")},
        errors.InvalidLabelsError,
        "64-bit",
    ),
    "split too large": (
        {"splits": {"train": [0, 3]}},
        errors.InvalidSplitError,
        "splits['train']' parameter of Graph must be in [0, 3). Got 3.",
    ),
    "split negative": ({"splits": {"train": [-1]}}, errors.InvalidSplitError, "Got -1."),
    "split repeated": ({"splits": {"train": [0, 2, 2, 1, 2]}}, errors.InvalidSplitError, "node 2 3 times"),
    "split fraction": ({"splits": {"train": [0.5]}}, errors.InvalidSplitError, "whole numbers"),
    "split words": ({"splits": {"train": ["a"]}}, errors.InvalidSplitError, "real numbers"),
    "split ragged": ({"splits": {"train": [[0], [1, 2]]}}, errors.InvalidSplitError, "real numbers"),
    "split matrix": ({"splits": {"train": [[0, 1]]}}, errors.InvalidSplitError, "one-dimensional"),
    "mask length": ({"splits": {"train": [True, False]}}, errors.InvalidSplitError, "one entry per node (3)"),
    "split name": ({"splits": {1: [0]}}, errors.InvalidSplitError, "strings for names"),
    "splits list": ({"splits": [[0], [1]]}, errors.InvalidSplitError, "map names to node indices"),
    "ids too few": ({"node_ids": ["a", "b"]}, errors.InvalidParameterError, "3 entries"),
    "ids twice": ({"node_ids": ["a", "b", "a"]}, errors.InvalidParameterError, "'a' more than once"),
    "ids that look alike": ({"node_ids": [1, "1", "b"]}, errors.InvalidParameterError, "'1' more than once"),
    "ids too large": (
        {"node_ids": np.array([1, 2, 2**64 - 1], dtype="u8")},
        errors.InvalidParameterError,
        "64-bit",
    ),
    "an id for all": ({"node_ids": 5}, errors.InvalidParameterError, "3 entries"),
    "label names too few": (
        {"labels": [0, 1, 2], "label_names": ["a", "b"]},
        errors.InvalidParameterError,
        "3 entries",
    ),
    "name": ({"name": 3}, errors.InvalidParameterError, "be a string"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_a_named_error(case):
    arguments, error, message = BAD[case]
    with pytest.raises(error) as caught:
        Graph(**({"adjacency": PATH} | arguments))
    assert isinstance(caught.value, ValueError)
    assert message in str(caught.value)
    (parameter,) = set(arguments) - {"labels"} or {"labels"}
    assert str(caught.value).startswith(f"The '{parameter}")


def test_directed_input_is_told_the_remedy():
    with pytest.raises(errors.DirectedGraphError, match=r"hint: Graph.from_directed\(adjacency, how='union'"):
        spco.Graph(np.triu(PATH))
