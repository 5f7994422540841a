"""Tables that cannot be read: the error names the file, the line and the value."""

from __future__ import annotations

import time

import numpy as np
import pytest

from spco import errors, read_graph
from spco.errors import (
    FileFormatError,
    InvalidFeaturesError,
    InvalidGraphError,
    InvalidLabelsError,
    UnknownNameError,
)

EDGES = "source,target,weight\na,b,1\nb,c,2\n"
PARAMETERS = {"e": "path", "x": "features", "y": "labels"}
BAD = [
    (
        "e",
        FileFormatError,
        EDGES + "c,d,heavy\n",
        "column 'weight'. Got '{path}', line 4, where it is 'heavy'.",
    ),
    ("e", FileFormatError, "# note\n\n" + EDGES + "\nc,d,\n", "Got '{path}', line 7, where it is ''."),
    ("e", FileFormatError, EDGES + "c,d\n", "3 cells in every row. Got '{path}', line 4, which has 2: 'c,d'"),
    ("e", FileFormatError, EDGES + "c,d,1,2\n", "line 4, which has 4: 'c,d,1,2'"),
    ("e", FileFormatError, "1 2\n3 4\n5\n", "2 cells in every row. Got '{path}', line 3, which has 1: '5'"),
    ("e", FileFormatError, "5\n1 2\n3 4\n", "line 1, which has 1: '5'"),
    ("e", FileFormatError, EDGES + ",d,1\n", "id in every cell of column 'source'. Got '{path}', line 4"),
    ("e", FileFormatError, EDGES + "c, ,1\n", "id in every cell of column 'target'. Got '{path}', line 4"),
    ("e", InvalidGraphError, EDGES + "c,d,-1\n", "finite and >= 0. Got -1 in '{path}', line 4."),
    ("e", InvalidGraphError, EDGES + "c,d,nan\n", "Got nan in '{path}', line 4."),
    ("e", InvalidGraphError, EDGES + "c,d,inf\n", "Got inf in '{path}', line 4."),
    ("e", FileFormatError, "", "which is empty"),
    ("e", FileFormatError, " \n\n", "which is empty"),
    ("e", FileFormatError, "# only\n# comments\n", "which has no rows"),
    ("e", InvalidGraphError, "source,target\n", "at least one node"),
    ("e", FileFormatError, b"\x00\x01\x02binary", "which is a binary file"),
    ("e", FileFormatError, "a,b\nb,c\n".encode("utf-16"), "hint: save it as UTF-8"),
    ("e", FileFormatError, "a,b\nb,J\u00fcrgen\n".encode("latin-1"), "the byte 0xfc is not UTF-8"),
    ("e", FileFormatError, "a\nb\n", "have two columns, the ends of each edge"),
    ("e", UnknownNameError, "1,2,3,4\n5,6,7,8\n", "columns '0', '1', '2', '3'"),
    ("e", UnknownNameError, "person,friend,since\na,b,1999\nb,c,2000\n", "'person', 'friend', 'since'"),
    ("x", InvalidFeaturesError, "id,f\na,1\n", "Got none for 'b', which is in '{edges}', line 1."),
    ("x", InvalidFeaturesError, "id,f\na,1\nb,2\na,3\n", "Got 'a' a second time in '{path}', line 4."),
    ("x", FileFormatError, "id,f\na,1\nb,two\n", "column 'f'. Got '{path}', line 3, where it is 'two'."),
    ("x", FileFormatError, "id,f,g\na,1,2\nb,3,\n", "column 'g'. Got '{path}', line 3, where it is ''."),
    ("x", FileFormatError, "a,1,x\nb,2,3\n", "line 1, where it is 'x'."),
    ("x", InvalidFeaturesError, "id,f\na,1\nb,nan\n", "nan in column 'f' of '{path}', line 3"),
    ("x", InvalidFeaturesError, "id,f\na,1\nb,1e300\n", "finite in float32"),
    ("x", FileFormatError, "id,label\na,1\nb,2\n", "columns of numbers"),
    ("x", FileFormatError, "id,f\na,1\nb\n", "line 3, which has 1: 'b'"),
    ("x", FileFormatError, "id,f\na,1\n,2\n", "id in every cell of column 'id'"),
    ("x", FileFormatError, "", "which is empty"),
    ("y", InvalidLabelsError, "id,label\na,0\na,1\n", "'a' a second time in '{path}', line 3."),
    ("y", InvalidLabelsError, "id,label\na,0.5\nb,1\n", "not measurements. Got 0.5 in '{path}', line 2."),
    ("y", InvalidLabelsError, "id,label\na,1e300\n", "classes, not measurements"),
    ("y", InvalidLabelsError, "id,label\na,-7\nb,1\n", "-7 for node 0"),
    ("y", InvalidLabelsError, "a\nb\nc\n", "row for every node of the edges"),
]


@pytest.mark.parametrize(("file", "error", "text", "message"), BAD)
def test_bad_tables(write, file, error, text, message):
    parameter, edges, bad = PARAMETERS[file], write("edges.csv", "a,b\n"), write(f"{file}.csv", text)
    with pytest.raises(error) as caught:
        read_graph(bad) if file == "e" else read_graph(edges, **{parameter: bad})
    assert isinstance(caught.value, ValueError)
    assert message.format(path=bad, edges=edges) in str(caught.value)
    assert str(caught.value).startswith((f"The '{parameter}' parameter of ", "The 'source' parameter of "))


def test_a_bad_row_far_down_is_found(write):
    lines = [f"{k},{k + 1},0.5" for k in range(5000)]
    lines[4321] = "1,2,o.5"
    path = write("edges.csv", "# c\n" + "\n".join(lines))
    with pytest.raises(errors.FileFormatError, match=r"line 4323, where it is 'o\.5'"):
        read_graph(path)


@pytest.mark.parametrize("cell", ["1" * 20_000 + "x", "1." + "1" * 20_000 + "x", "1e" + "1" * 20_000 + "x"])
def test_a_long_cell_that_is_no_number_takes_no_time(write, cell):
    path = write("edges.csv", f"{cell},b\nb,c\n")
    read_graph(path)  # loads what it needs
    start = time.process_time()
    assert read_graph(path).num_nodes == 3
    assert time.process_time() - start < 0.5


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
    with pytest.raises(errors.FileFormatError, match="the name of 2 columns"):
        read_graph(path, source="a", target="b")


def test_unknown_columns_of_other_tables(write):
    edges, nodes = write("e.csv", "a,b\n"), write("x.csv", "id,f,group\na,1,0\nb,2,1\n")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'id'"):
        read_graph(edges, features=nodes, node_id="idd")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'group'"):
        read_graph(edges, features=nodes, label="gruop")
    with pytest.raises(errors.UnknownNameError, match="name the column of labels"):
        read_graph(edges, labels=nodes)


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


def test_arrays_that_do_not_fit(write, tmp_path):
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


def test_missing_node_tables_have_the_closest_name_as_a_hint(write, tmp_path):
    edges = write("edges.csv", "0,1\n")
    write("features.csv", "0,1\n1,2\n")
    for option in ("features", "labels"):
        with pytest.raises(errors.MissingFileError, match=rf"'{option}'.*\n.*did you mean '.*features\.csv'"):
            read_graph(edges, **{option: tmp_path / "featurs.csv"})
    with pytest.raises(errors.FileFormatError, match="which is a folder"):
        read_graph(edges, features=tmp_path)


def test_a_file_that_is_another_one_is_no_hint(write, tmp_path):
    edges = write("edges.csv", "0,1\n")
    for missing in ("nodes.csv", "labels.csv", "ages.csv"):
        with pytest.raises(errors.MissingFileError) as caught:
            read_graph(edges, features=tmp_path / missing)
        assert "hint" not in str(caught.value)
    write("labels.csv.gz", "")
    with pytest.raises(errors.MissingFileError, match=r"did you mean '.*labels\.csv\.gz'"):
        read_graph(edges, labels=tmp_path / "labels.csv")


def test_options_without_effect_are_refused(write):
    for option in ("node_id", "label"):
        with pytest.raises(errors.InvalidParameterError, match=f"'{option}'.*be None"):
            read_graph(write("e.csv", "a,b\n"), **{option: "x"})
