"""Features and labels in files beside an edge list: whose they are, in which order."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco import errors, read_graph

from .strategies import assert_same_array, triples


def test_the_table_of_features_gives_the_order_and_the_isolated_nodes(write):
    edges = write("e.csv", "a,b\nb,c\n")
    features = write("x.csv", "name,f1,f2\nc,1,2\nlone,3,4\na,5,6\nb,7,8\n")
    g = read_graph(edges, features=features)
    assert g.node_ids.tolist() == ["c", "lone", "a", "b"]
    assert g.features.dtype == np.float32
    assert g.features.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert g.degrees.tolist() == [1, 0, 1, 2]
    assert triples(g) == [("a", "b", 1), ("b", "c", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "id,f\n2,0.5\n0,1\n1,2\n",
        "f,id\n0.5,2\n1,0\n2,1\n",
        ",f\n2,0.5\n0,1\n1,2\n",
        "Unnamed: 0,f\n2,0.5\n0,1\n1,2\n",
        "id,0\n2,0.5\n0,1\n1,2\n",
        "2,0.5\n0,1\n1,2\n",
        "2\t0.5\n0\t1\n1\t2\n",
    ],
)
def test_layouts_of_a_table_of_features(write, text):
    g = read_graph(write("e.csv", "0,1\n1,2\n"), features=write("x.csv", text))
    assert (g.node_ids.tolist(), g.features.tolist()) == ([2, 0, 1], [[0.5], [1], [2]])


def test_a_named_column_of_ids(write):
    table = write("x.csv", "f,who,id\n1,a,9\n2,b,8\n")
    g = read_graph(write("e.csv", "a,b\n"), features=table, node_id="who")
    assert (g.node_ids.tolist(), g.features.tolist()) == (["a", "b"], [[1, 9], [2, 8]])


def test_ids_that_are_numbers_here_and_words_there(write):
    g = read_graph(write("e.csv", "1,2\n"), features=write("x.csv", "id,f\n2,0\nextra,1\n1,2\n"))
    assert g.node_ids.tolist() == ["2", "extra", "1"]
    assert triples(g) == [("1", "2", 1)]


@pytest.mark.parametrize("form", ["npy", "sparse", "dense npz"])
def test_arrays_go_by_row_number(write, tmp_path, form):
    matrix = np.arange(8, dtype=np.float64).reshape(4, 2)
    path = tmp_path / ("x.npy" if form == "npy" else "x.npz")
    if form == "npy":
        np.save(path, matrix)
    elif form == "sparse":
        sp.save_npz(path, sp.csc_matrix(matrix))
    else:
        np.savez(path, anything=matrix)
    np.save(tmp_path / "y.npy", np.array([3, 2, 1, 0]))
    g = read_graph(write("e.csv", "2,1\n"), features=path, labels=tmp_path / "y.npy")
    assert g.node_ids is None
    assert sp.issparse(g.features) == (form == "sparse")
    np.testing.assert_array_equal(g.features.toarray() if form == "sparse" else g.features, matrix)
    assert g.labels.tolist() == [3, 2, 1, 0]
    assert triples(g) == [(1, 2, 1)]


def test_a_table_of_some_labels(write):
    edges = write("e.csv", "d,c\nc,b\n")
    g = read_graph(edges, labels=write("y.csv", "id,label\nc,yes\nz,no\nb,\n"))
    assert g.node_ids.tolist() == ["c", "z", "b", "d"]
    assert (g.labels.tolist(), g.label_names.tolist()) == ([1, 0, -1, -1], ["no", "yes"])
    assert triples(g) == [("b", "c", 1), ("c", "d", 1)]


@pytest.mark.parametrize("header", ["id,label", "author,label", "paper_id,field", "node,y", ""])
def test_headers_of_a_table_of_labels(write, header):
    g = read_graph(write("e.csv", "a,b\n"), labels=write("y.csv", header + "\na,x\nb,y\n"))
    assert (g.node_ids.tolist(), g.labels.tolist(), g.label_names.tolist()) == (
        ["a", "b"],
        [0, 1],
        ["x", "y"],
    )


def test_labels_are_put_in_the_order_of_the_features(write):
    g = read_graph(
        write("e.csv", "a,b\n"),
        features=write("x.csv", "id,f\nb,1\na,2\nc,3\n"),
        labels=write("y.csv", "a,1\nb,0\n"),
    )
    assert (g.node_ids.tolist(), g.labels.tolist(), g.label_names) == (["b", "a", "c"], [0, 1, -1], None)


@pytest.mark.parametrize(
    ("column", "numbers", "names"),
    [
        (["0", "2", ""], [0, 2, -1], None),
        (["0.0", "2.0", ""], [0, 2, -1], None),
        (["-1", "5", "5"], [-1, 5, 5], None),
        (["x", "10", "9"], [2, 0, 1], ["10", "9", "x"]),
        (["", "", "b"], [-1, -1, 0], ["b"]),
        (["", "", ""], [-1, -1, -1], None),
    ],
)
def test_kinds_of_labels(write, column, numbers, names):
    table = "id,label\n" + "".join(f"{k},{cell}\n" for k, cell in enumerate(column))
    g = read_graph(write("e.csv", "0,1\n1,2\n"), labels=write("y.csv", table))
    assert g.labels.tolist() == numbers
    assert (None if g.label_names is None else g.label_names.tolist()) == names


def test_labels_as_one_column_or_an_array_of_words(write, tmp_path):
    edges = write("e.csv", "0,1\n1,2\n")
    for text in ("label\nb\na\nb\n", "b\na\nb\n"):
        g = read_graph(edges, labels=write("y.txt", text))
        assert (g.labels.tolist(), g.label_names.tolist()) == ([1, 0, 1], ["a", "b"])
    np.save(tmp_path / "y.npy", np.array(["b", "a", ""]))
    assert read_graph(edges, labels=tmp_path / "y.npy").labels.tolist() == [1, 0, -1]


def test_features_and_labels_in_one_table(write):
    edges = write("e.csv", "a,b\n")
    nodes = write("n.csv", "id,f,label,g\nb,1,x,2\na,3,y,4\n")
    for options in (
        {"features": nodes},
        {"features": nodes, "labels": nodes},
        {"features": nodes, "label": "label"},
    ):
        g = read_graph(edges, **options)
        assert g.features.tolist() == [[1, 2], [3, 4]]
        assert (g.labels.tolist(), g.label_names.tolist()) == ([0, 1], ["x", "y"])
    other = write("m.csv", "id,f,group\nb,1,0\na,3,1\n")
    assert read_graph(edges, features=other).num_features == 2
    g = read_graph(edges, features=other, label="group")
    assert (g.num_features, g.labels.tolist()) == (1, [0, 1])


def test_a_label_never_becomes_a_feature(write):
    nodes = write("n.csv", "id,f,class\nb,1,0\na,3,1\n")
    with pytest.raises(errors.FileFormatError, match="a label must not become a feature"):
        read_graph(write("e.csv", "a,b\n"), features=nodes, labels=write("y.csv", "a,0\nb,1\n"))


def test_coordinates_are_features(write):
    g = read_graph(write("e.csv", "a,b\n"), features=write("n.csv", "id,x,y\na,1,2\nb,3,4\n"))
    assert (g.num_features, g.labels) == (2, None)


def test_no_edges_but_nodes(write):
    g = read_graph(write("e.csv", "source,target\n"), features=write("x.csv", "id,f\na,1\nb,2\n"))
    assert (g.num_nodes, g.num_edges) == (2, 0)


def test_wide_rows(write, monkeypatch):
    monkeypatch.setattr("spco.graph.files._text._SMALLEST_BLOCK", 1)  # Arrow needs a row to fit into a block
    rows = np.arange(4000, dtype=np.float64).reshape(2, -1) / 7
    text = "".join(f"{k}," + ",".join(map(repr, row)) + "\n" for k, row in enumerate(rows.tolist()))
    g = read_graph(write("e.csv", "0,1\n"), features=write("x.csv", text))
    assert_same_array(g.features, rows.astype(np.float32))
