"""Edge lists as tables: how they are understood, and how they come back."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from spco import Graph, errors, read_graph, write_graph

from .strategies import QUICK, graphs, triples

PATH = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
@QUICK
@given(graph=graphs(edges_only=True))
def test_there_and_back(tmp_path, suffix, graph):
    path = tmp_path / f"edges{suffix}"
    write_graph(graph, path, overwrite=True)
    back = read_graph(path)
    ids = np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    back_ids = np.arange(back.num_nodes) if back.node_ids is None else back.node_ids
    if suffix != ".parquet" and back_ids.dtype.kind == "i":
        back_ids = back_ids.astype(ids.dtype)  # text cannot tell the name "7" from the number 7
    order = [ids.tolist().index(name) for name in back_ids.tolist()]
    assert sorted(order) == list(range(graph.num_nodes))
    expected = graph.adjacency.toarray()[np.ix_(order, order)]
    np.testing.assert_array_equal(back.adjacency.toarray(), expected)


def test_what_is_written(tmp_path):
    write_graph(Graph(PATH, node_ids=["x", "#y", 'z"']), tmp_path / "e.csv")
    assert (tmp_path / "e.csv").read_text() == '"source","target"\n"x","#y"\n"#y","z"""\n'
    write_graph(Graph([[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]), tmp_path / "e.tsv")
    assert (tmp_path / "e.tsv").read_text().splitlines()[1:] == ["0\t1\t0.5", "2\t2\t0"]


@pytest.mark.parametrize("name", ["", " x", "x ", "a\nb", "\u00a0x"])
def test_names_that_text_would_change_are_refused(tmp_path, name):
    graph = Graph(PATH, node_ids=["a", "b", name])
    with pytest.raises(errors.InvalidParameterError, match=r"end in \.parquet or \.npz"):
        write_graph(graph, tmp_path / "e.csv")
    write_graph(graph, tmp_path / "e.parquet")
    assert set(read_graph(tmp_path / "e.parquet").node_ids.tolist()) == {"a", "b", name}


# How a list is laid out


@pytest.mark.parametrize(
    "text",
    [
        "source,target\na,b\nb,c\n",
        "Source;Target\na;b\nb;c\n",
        "src\tdst\na\tb\nb\tc\n",
        "from|to\na|b\nb|c\n",
        "u v\na b\nb c\n",
        "a,b\nb,c\n",
        "a, b\n b ,c",
        "a,b\r\nb,c\r\n",
        "a,b\rb,c\r",
        "\ufeffa,b\nb,c\n",
        "\ufeffsource,target\na,b\nb,c\n",
        "\n\na,b\n\n   \nb,c\n\n",
        "# people\na,b\n  # in the middle\n% konect\nb,c\n#end",
        "a   b\n  b \t c  \n",
        '"a","b"\n"b","c"\n',
        "Node_1,Node 2\na,b\nb,c\n",
        "FromNodeId\tToNodeId\na\tb\nb\tc\n",
        "target,since,source\nb,1999,a\nc,2001,b\n",
        "weight,u,v\n1,a,b\n1,b,c\n",
        "person,friend,weight\na,b,1\nb,c,1.0\n",
        "a,b,1\nb,c,1\n",
        "a, b, 1\nb, c, 1\n",
        "paper_id,cited_id\na,b\nb,c\n",
        "userId,friendId\na,b\nb,c\n",
        "a b 1e0\nb c 1\n",
    ],
)
def test_every_layout_is_the_same_graph(write, text):
    g = read_graph(write("edges.txt", text))
    assert g.node_ids.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)


def test_the_suffix_decides_nothing_but_parquet(write):
    for name in ("e.csv", "e.tsv", "e.edges", "e.txt", "edges"):
        assert triples(read_graph(write(name, "a;b\nb;c\n"))) == [("a", "b", 1), ("b", "c", 1)]


def test_gzip(write):
    path = write("e.txt.gz", gzip.compress(b"# snap\n0\t1\n1\t2\n"))
    np.testing.assert_array_equal(read_graph(path).adjacency.toarray(), PATH)


def test_snap_style(write):
    text = "# Directed graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n10\t30\n30\t20\n"
    g = read_graph(write("snap.txt", text))
    assert g.node_ids.tolist() == [10, 20, 30]
    assert triples(g) == [(10, 30, 1), (20, 30, 1)]


def test_names_with_delimiters_in_them(write):
    g = read_graph(write("e.tsv", "Smith, J\tDoe, K\nDoe, K\tLi; W\n"))
    assert g.node_ids.tolist() == ["Doe, K", "Li; W", "Smith, J"]
    g = read_graph(write("e.csv", 'source,target\n"Smith, J","say ""hi"""\n'))
    assert g.node_ids.tolist() == ["Smith, J", 'say "hi"']


def test_numbers_stay_integers_and_codes_stay_strings(write):
    assert read_graph(write("e.csv", "10,9\n9,-2\n")).node_ids.tolist() == [-2, 9, 10]
    assert read_graph(write("e.csv", "007,08\n08,9\n")).node_ids.tolist() == ["007", "08", "9"]
    assert read_graph(write("e.csv", "1.0,2\n2,3\n")).node_ids.tolist() == ["1.0", "2", "3"]
    assert read_graph(write("e.csv", "true,2020-01-01\nNA,null\n")).num_nodes == 4
    assert read_graph(write("e.csv", "0,1\n1,2\n")).node_ids is None


def test_words_above_numbers_are_a_header(write):
    g = read_graph(write("e.csv", "paper,cites\n1,2\n2,3\n"))
    assert g.node_ids.tolist() == [1, 2, 3]


def test_letters_are_a_header_unless_they_are_nodes(write):
    assert read_graph(write("e.csv", "u,v\na,b\n")).node_ids.tolist() == ["a", "b"]
    assert triples(read_graph(write("e.csv", "u,v\nv,w\n"))) == [("u", "v", 1), ("v", "w", 1)]
    assert read_graph(write("e.csv", "madrid,paris\nrome,oslo\n")).num_nodes == 4


def test_words_above_words_are_an_edge_unless_columns_are_named(write):
    path = write("e.csv", "person,friend\nann,bob\n")
    assert read_graph(path).num_nodes == 4
    for names in ({"source": "person", "target": "friend"}, {"source": "person"}, {"target": "friend"}):
        assert read_graph(path, **names).node_ids.tolist() == ["ann", "bob"]


def test_a_byte_order_mark_is_no_part_of_a_name(write):
    path = write("e.csv", "\ufeffperson,friend\nann,bob\n")
    assert read_graph(path, source="person", target="friend").node_ids.tolist() == ["ann", "bob"]


def test_columns_by_name_and_by_position(write):
    path = write("e.csv", "when,x,y,strength\n1999,a,b,2\n2000,b,c,3\n")
    for source, target, weight in (("x", "y", "strength"), (1, 2, 3), ("x", 2, "strength")):
        g = read_graph(path, source=source, target=target, weight=weight)
        assert triples(g) == [("a", "b", 2), ("b", "c", 3)]
    assert triples(read_graph(path, source="x", target="y")) == [("a", "b", 1), ("b", "c", 1)]
    headless = write("f.csv", "1999,a,b,2\n2000,b,c,3\n")
    assert triples(read_graph(headless, source=1, target=2, weight=3)) == [("a", "b", 2), ("b", "c", 3)]


def test_other_columns_are_left_alone(write):
    path = write("e.csv", "source,target,note\na,b,hello\nb,c,\n")
    np.testing.assert_array_equal(read_graph(path).adjacency.toarray(), PATH)


# What a list means


def test_edges_count_once_however_often_they_are_named(write):
    g = read_graph(write("e.csv", "a,b\na,b\nb,a\nc,c\n"))
    assert triples(g) == [("a", "b", 1), ("c", "c", 1)]


def test_repeats_are_summed_whichever_end_is_named_first(write):
    path = write("e.csv", "a,b,1\na,b,2\nb,a,3\nc,c,4\nc,c,1\n")
    assert triples(read_graph(path)) == [("a", "b", 3), ("c", "c", 5)]
    path = write("e.csv", "a,b,1\nb,a,3\n")
    assert triples(read_graph(path)) == [("a", "b", 4)]
    assert triples(read_graph(path, directed="union")) == [("a", "b", 3)]
    assert triples(read_graph(path, directed="mean")) == [("a", "b", 2)]


def test_weight_zero_is_no_edge_but_keeps_the_node(write):
    g = read_graph(write("e.csv", "source,target,weight\n0,1,2\n2,2,0\n"))
    np.testing.assert_array_equal(g.adjacency.toarray(), [[0, 2, 0], [2, 0, 0], [0, 0, 0]])


# Parquet


def test_parquet_types(tmp_path):
    path = tmp_path / "e.parquet"
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        columns = {"u": pa.array(["a", "b"]).cast(kind), "v": pa.array(["b", "c"]).cast(kind)}
        pq.write_table(pa.table(columns), path)
        assert triples(read_graph(path)) == [("a", "b", 1), ("b", "c", 1)]
    for kind in (pa.int8(), pa.uint32(), pa.int64(), pa.float64()):
        columns = {
            "x": pa.array([1, 2], kind),
            "y": pa.array([2, 3], kind),
            "weight": pa.array([5, 6], pa.int16()),
        }
        pq.write_table(pa.table(columns), path)
        assert triples(read_graph(path)) == [(1, 2, 5), (2, 3, 6)]
    mixed = {"u": ["1", "x"], "v": [2, 3]}
    pq.write_table(pa.table(mixed), path)
    assert triples(read_graph(path)) == [("1", "2", 1), ("3", "x", 1)]


def test_parquet_features_and_labels(tmp_path):
    pq.write_table(pa.table({"u": [5, 6], "v": [6, 7]}), tmp_path / "e.parquet")
    pq.write_table(
        pa.table({"f": [0.5, 1.5, 2.5], "node_id": [7, 5, 6], "g": [1, 2, 3]}), tmp_path / "x.parquet"
    )
    pq.write_table(pa.table({"node_id": [5, 6], "y": ["b", None]}), tmp_path / "y.parquet")
    g = read_graph(tmp_path / "e.parquet", features=tmp_path / "x.parquet", labels=tmp_path / "y.parquet")
    assert g.node_ids.tolist() == [7, 5, 6]
    assert g.features.tolist() == [[0.5, 1], [1.5, 2], [2.5, 3]]
    assert (g.labels.tolist(), g.label_names.tolist()) == ([-1, 0, -1], ["b"])
    pq.write_table(pa.table({"node_id": [5, 6, 7], "y": [1.0, None, 0.0]}), tmp_path / "y.parquet")
    g = read_graph(tmp_path / "e.parquet", labels=tmp_path / "y.parquet")
    assert (g.node_ids.tolist(), g.labels.tolist(), g.label_names) == ([5, 6, 7], [1, -1, 0], None)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"u": ["a", None], "v": ["b", "c"]}, "an id in every row of column 'u'. Got '{path}', row 2"),
        (
            {"u": ["a"], "v": ["b"], "weight": ["x"]},
            "numbers in column 'weight'. Got '{path}', row 1, where it is 'x'",
        ),
        (
            {"u": ["a"], "v": ["b"], "weight": pa.array([None], pa.float64())},
            "a number in every row of column 'weight'",
        ),
        ({"u": [0.5], "v": [1.0]}, "whole numbers or strings in column 'u'"),
        ({"u": [True], "v": [False]}, "whole numbers or strings in column 'u'"),
    ],
)
def test_parquet_bad_cells(tmp_path, columns, message):
    path = tmp_path / "e.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(path)
    assert message.format(path=path) in str(caught.value)


@pytest.mark.parametrize("damage", ["empty", "truncated", "binary", "text"])
def test_parquet_damaged(tmp_path, damage):
    path = tmp_path / "e.parquet"
    pq.write_table(pa.table({"u": list(range(999)), "v": list(range(999))}), path)
    whole = path.read_bytes()
    path.write_bytes(
        {"empty": b"", "truncated": whole[: len(whole) // 2], "binary": bytes(99), "text": b"a,b"}[damage]
    )
    with pytest.raises(errors.FileFormatError, match="be a readable Parquet file") as caught:
        read_graph(path)
    assert str(path) in str(caught.value)


def test_a_header_of_unknown_names_over_texts_is_asked_about(tmp_path):
    (tmp_path / "edges.csv").write_text("person;friend\na;b\n")
    (tmp_path / "x.csv").write_text("id,f\na,1\nb,2\n")
    with pytest.raises(errors.InvalidInputError, match=r"if that line is a header.*source='person'"):
        read_graph(tmp_path / "edges.csv", features=tmp_path / "x.csv")
    columns = {"source": "person", "target": "friend"}
    found = read_graph(tmp_path / "edges.csv", features=tmp_path / "x.csv", **columns)
    assert found.num_edges == 1
