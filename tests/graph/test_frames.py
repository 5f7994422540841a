"""Frames of pandas, polars and Arrow: nodes are joined by id, never by order."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import spco
from spco import Graph, errors

EDGES = {"source": ["ann", "bob", "bob"], "target": ["bob", "cid", "ann"], "weight": [2.0, 1.0, 2.0]}
PEOPLE = {"person_id": ["cid", "ann", "bob", "dan"], "age": [40, 25, 31, 55], "tall": [1.5, 2.5, 3.5, 4.5]}
CLASSES = {"id": ["bob", "ann"], "label": ["x", "y"]}


def as_pandas(columns):
    return pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(columns)


def as_polars(columns):
    return pytest.importorskip("polars", reason="polars is not installed").DataFrame(columns)


KINDS = {"pandas": as_pandas, "polars": as_polars, "arrow": pa.table}


@pytest.fixture(params=KINDS)
def frame(request):
    return KINDS[request.param]


def shuffled(columns, order):
    return {name: [values[k] for k in order] for name, values in columns.items()}


def by_id(graph):
    """A graph as plain values that do not depend on the order of its nodes."""
    ids = graph.node_ids.tolist()
    edges, weights = graph.to_edges()
    named = {frozenset({ids[i], ids[j]}): w for (i, j), w in zip(edges, weights.tolist(), strict=True)}
    rows = {} if graph.features is None else dict(zip(ids, graph.features.tolist(), strict=True))
    classes = {}
    if graph.labels is not None:
        classes = {name: graph.label_names[k] for name, k in zip(ids, graph.labels, strict=True) if k >= 0}
    return ids, named, rows, classes


def test_a_frame_of_edges_is_a_graph(frame):
    for graph in (Graph.coerce(frame(EDGES)), Graph.from_frames(frame(EDGES))):
        ids, edges, _, _ = by_id(graph)
        assert ids == ["ann", "bob", "cid"]
        assert edges == {frozenset({"ann", "bob"}): 2.0, frozenset({"bob", "cid"}): 1.0}


def test_it_is_the_graph_that_the_same_files_hold(frame, tmp_path):
    import pyarrow.csv

    for name, columns in (("edges", EDGES), ("people", PEOPLE), ("classes", CLASSES)):
        pyarrow.csv.write_csv(pa.table(columns), tmp_path / f"{name}.csv")
    read = spco.read_graph(
        tmp_path / "edges.csv", features=tmp_path / "people.csv", labels=tmp_path / "classes.csv"
    )
    found = Graph.from_frames(frame(EDGES), features=frame(PEOPLE), labels=frame(CLASSES))
    assert by_id(found) == by_id(read)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])
def test_the_order_of_a_node_table_does_not_matter(frame, order):
    nodes = frame(shuffled(PEOPLE, order))
    _, edges, rows, classes = by_id(Graph.coerce(frame(EDGES), features=nodes, labels=frame(CLASSES)))
    assert edges == {frozenset({"ann", "bob"}): 2.0, frozenset({"bob", "cid"}): 1.0}
    assert rows == {"ann": [25, 2.5], "bob": [31, 3.5], "cid": [40, 1.5], "dan": [55, 4.5]}
    assert classes == {"ann": "y", "bob": "x"}


def test_a_column_of_the_node_table_may_be_the_labels(frame):
    teams = {**PEOPLE, "team": ["red", None, "blue", "red"]}
    plain = Graph.coerce(frame(EDGES), features=frame(PEOPLE))
    for graph in (
        Graph.coerce(frame(EDGES), features=frame(teams), labels="team"),
        Graph.coerce(plain, features=frame(teams), labels="team"),
        Graph.coerce(frame(EDGES), features=frame({**PEOPLE, "label": teams["team"]})),
    ):
        _, _, rows, classes = by_id(graph)
        assert classes == {"cid": "red", "bob": "blue", "dan": "red"}
        assert rows["ann"] == [25, 2.5]


def test_columns_are_named_where_they_are_unusual(frame):
    edges = frame({"when": [1, 2], "who": ["a", "b"], "whom": ["b", "c"], "often": [3.0, 4.0]})
    with pytest.raises(errors.UnknownNameError, match=r"'source' parameter of Graph\.from_frames must name"):
        Graph.coerce(edges)
    found = Graph.from_frames(edges, source="who", target="whom", weight="often")
    assert by_id(found)[1] == {frozenset("ab"): 3.0, frozenset("bc"): 4.0}
    with pytest.raises(errors.UnknownNameError, match="did you mean 'whom'"):
        Graph.from_frames(edges, source="who", target="whm")


@pytest.mark.parametrize("ids", [["a", "b", "c"], [5, 3, 9]])
def test_new_features_are_joined_to_any_graph_by_id(frame, ids):
    graph = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], features=np.zeros((3, 1)), node_ids=ids)
    new = frame({"node": [ids[2], ids[0], ids[1]], "x": [30.0, 10.0, 20.0]})
    assert Graph.coerce(graph, features=new).features.ravel().tolist() == [10, 20, 30]
    plain = Graph(graph.adjacency)  # whose ids are the row numbers
    new = frame({"node": [2, 0, 1], "x": [30.0, 10.0, 20.0]})
    assert Graph.coerce(plain, features=new).features.ravel().tolist() == [10, 20, 30]


THREE = ["ann", "bob", "cid"]
BAD_NODES = {
    "missing": ({"id": THREE[:2], "x": [1, 2]}, "have a row for every node.* Got none for 'cid'"),
    "twice": ({"id": [*THREE, "cid"], "x": [1, 2, 3, 4]}, r"Got 'cid' a second time in the frame, row 4"),
    "no id": ({"id": ["ann", None, "cid"], "x": [1, 2, 3]}, "have an id in every row.* row 2, where it is"),
    "gap": ({"id": THREE, "x": [1, None, 3]}, "have a number in every row.* row 2, where it is empty"),
    "words": ({"id": THREE, "x": list("uvw")}, "hold numbers in the columns.* with words in 'x'"),
}


@pytest.mark.parametrize(("nodes", "message"), BAD_NODES.values(), ids=BAD_NODES)
def test_node_tables_that_do_not_fit_are_refused(frame, nodes, message):
    error = errors.InvalidInputError
    with pytest.raises(error, match=rf"'features' parameter of Graph\.from_frames must .*{message}"):
        Graph.coerce(frame(EDGES), features=frame(nodes))
    graph = Graph.coerce(frame(EDGES))
    with pytest.raises(error, match=rf"'features' parameter of me must .*{message}") as caught:
        spco.graph.as_graph(graph, "me", features=frame(nodes))
    assert "fill=" not in str(caught.value)  # an option that this caller does not have


def test_unknown_ids_are_refused_where_the_nodes_are_given(frame):
    graph = Graph.coerce(frame(EDGES))
    strange = frame({"id": ["ann", "bob", "cid", "zoe"], "x": [1, 2, 3, 4]})
    with pytest.raises(
        errors.InvalidFeaturesError, match=r"name nodes of the graph\. Got 'zoe' in the frame, row 4"
    ):
        Graph.coerce(graph, features=strange)
    labels = frame({"id": ["zoe"], "label": [1]})
    with pytest.raises(errors.InvalidLabelsError, match=r"'labels' parameter of Graph\.coerce must name"):
        Graph.coerce(graph, labels=labels)


def test_gaps_and_words_are_filled_and_encoded_on_request(frame):
    nodes = frame({"id": ["ann", "bob"], "x": [1.0, None], "colour": ["red", "blue"], "note": ["u", "v"]})
    found = Graph.from_frames(frame(EDGES), features=nodes, drop="note", encode="colour", fill="zero")
    assert by_id(found)[2] == {"ann": [1, 0, 1], "bob": [0, 1, 0], "cid": [0, 0, 0]}
    with pytest.raises(errors.UnknownNameError, match=r"'fill' parameter of Graph\.from_frames"):
        Graph.from_frames(frame(EDGES), features=nodes, fill="median")


def test_arrays_need_row_numbers_as_ids(frame):
    edges = frame({"source": [0, 1], "target": [1, 3]})
    rows = np.arange(8.0).reshape(4, 2)
    found = Graph.coerce(edges, features=rows, labels=[0, 1, 0, 1])
    assert found.node_ids is None
    np.testing.assert_array_equal(found.features, rows)
    with pytest.raises(errors.InvalidInputError, match=r"for every node of the edges\. Got none for 'ann'"):
        Graph.coerce(frame(EDGES), features=rows)
    with pytest.raises(errors.InvalidParameterError, match="be a frame with ids, or an array"):
        Graph.coerce(edges, features=np.arange(4))


def test_directed_weights_and_negative_ones(frame):
    edges = {"source": ["a", "b"], "target": ["b", "a"], "weight": [1.0, 3.0]}
    assert by_id(Graph.coerce(frame(edges)))[1] == {frozenset("ab"): 4.0}  # repeats of one edge
    assert by_id(Graph.coerce(frame(edges), how="mean"))[1] == {frozenset("ab"): 2.0}
    edges["weight"][1] = -3.0
    with pytest.raises(errors.InvalidGraphError, match=r"'edges' parameter of .* Got -3 in the frame, row 2"):
        Graph.coerce(frame(edges))


def test_pandas_has_its_ids_in_the_index():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    edges, nodes = as_pandas(EDGES), as_pandas(PEOPLE)
    expected = by_id(Graph.coerce(edges, features=nodes))
    index = nodes.set_index("person_id")
    for given in (index, index.rename_axis(None), index.sample(frac=1, random_state=0)):
        assert by_id(Graph.coerce(edges, features=given))[2] == expected[2]
    # A column of ids comes before an index that is left over from a filter.
    assert by_id(Graph.coerce(edges[edges.weight > 0], features=nodes.sort_values("age")))[2] == expected[2]
    series = pandas.Series({"bob": "x", "ann": "y"}, name="kind")
    assert by_id(Graph.coerce(edges, labels=series))[3] == {"bob": "x", "ann": "y"}
    assert Graph.from_frames(edges, features=nodes, node_id="person_id").num_nodes == 4
    two = index.set_index("age", append=True)
    with pytest.raises(errors.InvalidParameterError, match=r"an index of one level\. Got 2 levels"):
        Graph.coerce(edges, features=two)
    numbered = pandas.DataFrame([[0, 1], [1, 2]])  # columns without names
    assert Graph.coerce(numbered).num_edges == 2
    mixed = pandas.DataFrame({"source": ["a", 1], "target": ["b", "c"]})
    with pytest.raises(errors.InvalidParameterError, match="hold values of one kind in column 'source'"):
        Graph.coerce(mixed)
    for kind in ("category", "string"):
        assert by_id(Graph.coerce(edges.astype({"source": kind})))[1] == by_id(Graph.coerce(edges))[1]


def test_frames_without_ids_or_of_other_kinds_are_refused():
    nodes = pa.table({"x": [1.0, 2.0, 3.0]})
    with pytest.raises(errors.InvalidParameterError, match=r"have a column of ids\. Got the columns 'x'"):
        Graph.coerce(pa.table(EDGES), features=nodes)
    with pytest.raises(errors.InvalidParameterError, match=r"'edges' parameter of .*from_frames .* Got list"):
        Graph.from_frames([[0, 1]])
    lazy = as_polars(EDGES).lazy()
    with pytest.raises(errors.InvalidParameterError, match=r"hint: collect\(\) makes it a frame"):
        Graph.coerce(lazy)
    empty = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())})
    with pytest.raises(errors.InvalidGraphError, match=r"at least one node\. Got none in the frame"):
        Graph.coerce(empty)


def test_nodes_that_only_their_table_names_have_no_edges(frame):
    found = Graph.coerce(frame(EDGES), features=frame(PEOPLE))
    assert found.degrees[found.node_ids.tolist().index("dan")] == 0


def test_arrow_needs_neither_pandas_nor_polars():
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name in ('pandas', 'polars'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import pyarrow as pa, spco\n"
        "nodes = pa.table({'id': ['b', 'a'], 'x': [1, 2]})\n"
        "graph = spco.Graph.coerce(pa.table({'source': ['a'], 'target': ['b']}), features=nodes)\n"
        "print(graph.node_ids.tolist(), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['b', 'a'] False"
