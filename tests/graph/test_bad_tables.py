"""Tables that cannot be read: the error names the file, the line and the value."""

from __future__ import annotations

import numpy as np
import pytest

from spco import errors, read_graph

EDGES = "source,target,weight\na,b,1\nb,c,2\n"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            EDGES + "c,d,heavy\n",
            errors.FileFormatError,
            "number in every cell of column 'weight'. Got '{path}', line 4, where it is 'heavy'.",
        ),
        ("# note\n\n" + EDGES + "\nc,d,\n", errors.FileFormatError, "Got '{path}', line 7, where it is ''."),
        (
            EDGES + "c,d\n",
            errors.FileFormatError,
            "3 cells in every row. Got '{path}', line 4, which has 2: 'c,d'",
        ),
        (EDGES + "c,d,1,2\n", errors.FileFormatError, "line 4, which has 4: 'c,d,1,2'"),
        (
            "1 2\n3 4\n5\n",
            errors.FileFormatError,
            "2 cells in every row. Got '{path}', line 3, which has 1: '5'",
        ),
        ("5\n1 2\n3 4\n", errors.FileFormatError, "line 1, which has 1: '5'"),
        (
            EDGES + ",d,1\n",
            errors.FileFormatError,
            "id in every cell of column 'source'. Got '{path}', line 4",
        ),
        (
            EDGES + "c, ,1\n",
            errors.FileFormatError,
            "id in every cell of column 'target'. Got '{path}', line 4",
        ),
        (EDGES + "c,d,-1\n", errors.InvalidGraphError, "finite and >= 0. Got -1 in '{path}', line 4."),
        (EDGES + "c,d,nan\n", errors.InvalidGraphError, "Got nan in '{path}', line 4."),
        (EDGES + "c,d,inf\n", errors.InvalidGraphError, "Got inf in '{path}', line 4."),
        (EDGES + "b,a,3\n", errors.DirectedGraphError, "Got 1 from node 'a' to 'b' but 3 back."),
        ("", errors.FileFormatError, "which is empty"),
        (" \n\n", errors.FileFormatError, "which is empty"),
        ("# only\n# comments\n", errors.FileFormatError, "which has no rows"),
        ("source,target\n", errors.InvalidGraphError, "at least one node"),
        (b"\x00\x01\x02binary", errors.FileFormatError, "which is a binary file"),
        ("a,b\nb,c\n".encode("utf-16"), errors.FileFormatError, "hint: save it as UTF-8"),
        (
            "a,b\nb,J\u00fcrgen\n".encode("latin-1"),
            errors.FileFormatError,
            "line 2, where the byte 0xfc is not UTF-8",
        ),
        ("a\nb\n", errors.UnknownNameError, "name the column of an edge's first node"),
        ("1,2,3,4\n5,6,7,8\n", errors.UnknownNameError, "columns '0', '1', '2', '3'"),
        ("person,friend,since\na,b,1999\nb,c,2000\n", errors.UnknownNameError, "'person', 'friend', 'since'"),
    ],
)
def test_bad_edge_lists(write, text, error, message):
    path = write("edges.csv", text)
    with pytest.raises(error) as caught:
        read_graph(path)
    assert isinstance(caught.value, ValueError)
    assert message.format(path=path) in str(caught.value)
    assert str(caught.value).startswith(
        ("The 'path' parameter of read_graph must ", "The 'source' parameter of")
    )


def test_a_bad_row_far_down_is_found(write):
    lines = [f"{k},{k + 1},0.5" for k in range(5000)]
    lines[4321] = "1,2,o.5"
    path = write("edges.csv", "# c\n" + "\n".join(lines))
    with pytest.raises(errors.FileFormatError, match=r"line 4323, where it is 'o\.5'"):
        read_graph(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"source": "sorce"},
            "must be one of 'source', 'target', 'weight'. Got 'sorce'.\nhint: did you mean 'source'?",
        ),
        ({"target": "Targets"}, "did you mean 'target'?"),
        ({"weight": "wieght"}, "did you mean 'weight'?"),
        ({"weight": 3}, "position in [0, 3). Got 3."),
        ({"source": -1}, "position in [0, 3). Got -1."),
        ({"source": True}, "Got True."),
    ],
)
def test_unknown_columns(write, options, message):
    with pytest.raises(errors.UnknownNameError) as caught:
        read_graph(write("edges.csv", EDGES), **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("options", [{"source": 1}, {"weight": "source"}, {"source": 0, "target": 0}])
def test_one_column_for_two_things(write, options):
    with pytest.raises(errors.InvalidParameterError, match="be another column"):
        read_graph(write("edges.csv", EDGES), **options)


def test_a_name_that_two_columns_have(write):
    path = write("edges.csv", "a,a,b\n1,2,3\n")
    with pytest.raises(errors.FileFormatError, match="which 2 columns are called"):
        read_graph(path, source="a", target="b")


def test_unknown_columns_of_other_tables(write):
    edges, nodes = write("e.csv", "a,b\n"), write("x.csv", "id,f,group\na,1,0\nb,2,1\n")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'id'"):
        read_graph(edges, features=nodes, node_id="idd")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'group'"):
        read_graph(edges, features=nodes, label="gruop")
    with pytest.raises(errors.UnknownNameError, match="name the column of labels"):
        read_graph(edges, labels=nodes)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "id,f\na,1\n",
            errors.InvalidFeaturesError,
            "row for every node of the edges. Got none for 'b', which is in '{edges}', line 1.",
        ),
        (
            "id,f\na,1\nb,2\na,3\n",
            errors.InvalidFeaturesError,
            "one row for each node. Got 'a' a second time in '{path}', line 4.",
        ),
        (
            "id,f\na,1\nb,two\n",
            errors.FileFormatError,
            "column 'f'. Got '{path}', line 3, where it is 'two'.",
        ),
        (
            "id,f,g\na,1,2\nb,3,\n",
            errors.FileFormatError,
            "column 'g'. Got '{path}', line 3, where it is ''.",
        ),
        ("a,1,x\nb,2,3\n", errors.FileFormatError, "line 1, where it is 'x'."),
        ("id,f\na,1\nb,nan\n", errors.InvalidFeaturesError, "nan for node 1 in column 0"),
        ("id,f\na,1\nb,1e300\n", errors.InvalidFeaturesError, "finite in float32"),
        ("id,label\na,1\nb,2\n", errors.FileFormatError, "columns of numbers"),
        ("id,f\na,1\nb\n", errors.FileFormatError, "line 3, which has 1: 'b'"),
        ("id,f\na,1\n,2\n", errors.FileFormatError, "id in every cell of column 'id'"),
        ("", errors.FileFormatError, "which is empty"),
    ],
)
def test_bad_tables_of_features(write, text, error, message):
    edges, path = write("e.csv", "a,b\n"), write("x.csv", text)
    with pytest.raises(error) as caught:
        read_graph(edges, features=path)
    assert message.format(path=path, edges=edges) in str(caught.value)
    assert str(caught.value).startswith("The 'features' parameter of ")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("id,label\na,0\na,1\n", errors.InvalidLabelsError, "'a' a second time in '{path}', line 3."),
        (
            "id,label\na,0.5\nb,1\n",
            errors.InvalidLabelsError,
            "classes, not measurements. Got 0.5 in '{path}', line 2.",
        ),
        ("id,label\na,1e300\n", errors.InvalidLabelsError, "classes, not measurements"),
        ("id,label\na,-7\nb,1\n", errors.InvalidLabelsError, "-7 for node 0"),
        ("a\nb\nc\n", errors.InvalidLabelsError, "row for every node of the edges"),
    ],
)
def test_bad_tables_of_labels(write, text, error, message):
    path = write("y.csv", text)
    with pytest.raises(error) as caught:
        read_graph(write("e.csv", "a,b\n"), labels=path)
    assert message.format(path=path) in str(caught.value)


def test_a_label_for_nobody(write):
    with pytest.raises(errors.InvalidLabelsError, match=r"'z' in '.*y\.csv', line 2, which is none"):
        read_graph(
            write("e.csv", "a,b\n"),
            features=write("x.csv", "id,f\na,1\nb,2\n"),
            labels=write("y.csv", "id,label\nz,1\n"),
        )


def test_arrays_need_row_numbers(write, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((2, 1)))
    for text, node in (("1,2\n", "2"), ("a,b\n", "'a'")):
        with pytest.raises(errors.InvalidFeaturesError, match=f"none for {node}, which is in") as caught:
            read_graph(write("e.csv", text), features=tmp_path / "x.npy")
        assert "hint: the rows of x.npy are the nodes 0 to 1" in str(caught.value)


def test_sides_that_do_not_fit(write, tmp_path):
    edges = write("e.csv", "0,1\n")
    np.save(tmp_path / "x.npy", np.ones((2, 1)))
    np.save(tmp_path / "y.npy", np.zeros(3, int))
    with pytest.raises(errors.InvalidLabelsError, match=r"\(2\). Got 3 entries"):
        read_graph(edges, features=tmp_path / "x.npy", labels=tmp_path / "y.npy")
    np.save(tmp_path / "x.npy", np.ones(2))
    with pytest.raises(errors.InvalidFeaturesError, match=r"shape \(2,\)"):
        read_graph(edges, features=tmp_path / "x.npy")
    np.savez(tmp_path / "two.npz", a=[1], b=[2])
    with pytest.raises(errors.FileFormatError, match="which has the arrays a, b"):
        read_graph(edges, features=tmp_path / "two.npz")
    np.save(tmp_path / "scalar.npy", np.float64(3))
    with pytest.raises(ValueError, match="The '"):
        read_graph(edges, features=tmp_path / "scalar.npy")
    with pytest.raises(errors.InvalidParameterError, match="another file than features"):
        read_graph(edges, features=tmp_path / "y.npy", labels=tmp_path / "y.npy")


def test_missing_sides_have_the_closest_name_as_a_hint(write, tmp_path):
    edges = write("edges.csv", "0,1\n")
    write("features.csv", "0,1\n1,2\n")
    for option in ("features", "labels"):
        with pytest.raises(errors.MissingFileError, match=rf"'{option}'.*\n.*did you mean '.*features\.csv'"):
            read_graph(edges, **{option: tmp_path / "featurs.csv"})
    with pytest.raises(errors.FileFormatError, match="which is a folder"):
        read_graph(edges, features=tmp_path)


def test_options_without_effect_are_refused(write):
    for option in ("node_id", "label"):
        with pytest.raises(errors.InvalidParameterError, match=f"'{option}'.*be None"):
            read_graph(write("e.csv", "a,b\n"), **{option: "x"})
