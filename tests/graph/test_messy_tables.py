"""Tables as people have them: words, gaps, decimal commas, repeats, splits; and what is said about them."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest

from spco import errors, read_graph

EDGES = """who;whom;times;channel
a;b;1,5;web
b;a;2;shop
b;c;1;web
b;c;4;web
c;c;3;shop
"""
ITEMS = """item;title;price;colour;rating;category
b;Big ball;3,5;red;;toys
a;A bear;1,25;blue;4;
c;Cactus;2;red;NA;garden
d;Dice;,5;;3;toys
"""


@pytest.fixture
def shop(write):
    return {
        "path": write("edges.csv.gz", gzip.compress(EDGES.encode())),
        "features": write("items.csv", ITEMS),
        "source": "who",
        "target": "whom",
        "weight": "times",
    }


RULES = {"drop": "title", "encode": ["colour"], "fill": "mean", "label": "category"}


def test_a_shop_becomes_a_graph(shop):
    graph = read_graph(**shop, **RULES)
    assert graph.node_ids.tolist() == ["b", "a", "c", "d"]
    weights = defaultdict(float)
    for who, whom, times, _ in list(csv.reader(EDGES.splitlines(), delimiter=";"))[1:]:
        weights[frozenset((who, whom))] += float(times.replace(",", "."))
    edges, found = graph.to_edges()
    assert {frozenset(graph.node_ids[edge]): w for edge, w in zip(edges, found, strict=True)} == weights
    np.testing.assert_allclose(
        graph.features,  # price, rating with gaps at the mean of 4 and 3, blue, red
        [[3.5, 3.5, 0, 1], [1.25, 4, 1, 0], [2, 3.5, 0, 1], [0.5, 3, 0, 0]],
    )
    assert graph.labels.tolist() == [1, -1, 0, 1]


def test_what_was_understood_is_told(shop):
    said = []
    read_graph(**shop, **RULES, tell=said.append)
    assert said == [
        "edges.csv.gz: 5 rows, source 'who', target 'whom', weight 'times', "
        "ignored: 'channel', decimal commas",
        "3 edges, 1 repeat (weights summed), 1 listed as a,b and b,a (weights summed), 1 self loop",
        "items.csv: 4 rows, ids 'item', labels 'category', 2 numeric columns, 'colour' as 2 columns, "
        "2 empty cells filled (mean), decimal commas, left out: 'title'",
        "4 nodes, 1 without edges, 3 with labels (garden 1, toys 2)",
    ]


def test_an_edge_written_both_ways_with_one_weight_counts_once(write):
    said = []
    graph = read_graph(write("e.csv", "a,b,2\nb,a,2\nb,c,1\n"), tell=said.append)
    assert graph.adjacency.toarray().tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert said[1] == "2 edges, 1 listed as a,b and b,a (counted once), no self loops"


def test_words_are_refused_all_at_once_with_the_ways_out(shop):
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(**shop, fill="mean")
    assert "with words in 'title' ('Big ball'), 'colour' ('red'), 'category' ('toys')" in str(caught.value)
    for way in ("drop=['title', 'colour', 'category']", "encode='title'", "label='title'"):
        assert way in str(caught.value)


def test_all_columns_that_are_no_features_are_named_at_once(shop, write):
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(**shop, drop="title")
    assert (
        "with words in 'colour' ('red'), 'category' ('toys') and cells without a number in "
        "'rating' (nothing in line 2)."
    ) in str(caught.value)
    flawed = {**shop, "features": write("x.csv", "id,f,g,h\na,1,?,2\nb,2,3,4\nc,,5,6\n")}
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(**flawed)
    assert "cells without a number in 'f' (nothing in line 4), 'g' ('?' in line 2)." in str(caught.value)
    assert "drop=['f', 'g'] leaves them out, fill='mean' fills empty cells" in str(caught.value)


def test_empty_columns_and_those_of_too_many_words_are_named_at_once(shop, write):
    rows = "".join(f"{node},,,w{node},1\n" for node in ["a", "b", "c", *range(200)])
    flawed = {**shop, "features": write("x.csv", "id,f,g,h,k\n" + rows)}
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(**flawed, encode="h", fill="mean")
    assert "no number at all in 'f', 'g' and too many words in 'h' (203 values)" in str(caught.value)
    assert "drop=['f', 'g', 'h'] leaves them out" in str(caught.value)


def test_a_year_may_be_the_name_of_a_column(shop, write):
    """A first row with a word above numbers is a header although some names are years."""
    of_years = write("x.csv", "customer;age;2019;2020\na;30;1,5;3\nb;31;2;3\nc;40;2;4\n")
    graph = read_graph(**{**shop, "features": of_years})
    assert graph.features.tolist() == [[30, 1.5, 3], [31, 2, 3], [40, 2, 4]]
    first_is_a_node = write("x.csv", "a;unknown;3\nb;31;3\nc;40;4\n")
    with pytest.raises(errors.FileFormatError, match=r"is 'unknown'\.\nhint: if the first line is"):
        read_graph(**{**shop, "features": first_is_a_node})


def test_columns_to_drop_by_name_need_a_header(shop, write):
    words = write("x.csv", "customer;town;2019\na;Bern;1\nb;Bern;1\nc;Bern;2\n")
    graph = read_graph(**{**shop, "features": words}, drop="town")
    assert graph.features.tolist() == [[1], [1], [2]]


def test_gaps_are_refused_with_the_way_out(shop):
    with pytest.raises(errors.FileFormatError, match=r"'rating'. Got .*line 2, where it is ''.\nhint: fill="):
        read_graph(**shop, **{**RULES, "fill": None})


def test_nodes_without_features_are_filled_on_request(write):
    files = {"path": write("e.csv", "a,b\nb,c\n"), "features": write("x.csv", "id,f,g\nb,1,2\na,3,6\n")}
    with pytest.raises(errors.InvalidFeaturesError, match="hint: fill='mean'"):
        read_graph(**files)
    graph = read_graph(**files, fill="mean")
    assert graph.node_ids.tolist() == ["b", "a", "c"]
    assert graph.features.tolist() == [[1, 2], [3, 6], [2, 4]]
    assert read_graph(**files, fill="zero").features[2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fill": "median"}, "'fill' parameter of read_graph must be one of 'mean', 'zero'"),
        ({"drop": "titel"}, "hint: did you mean 'title'?"),
        ({"features": None, "drop": "x"}, "'drop' parameter of read_graph must be None for a graph without"),
        ({"encode": ["colour", "title"]}, None),
    ],
)
def test_rules_about_columns_are_checked(shop, changes, message):
    if message is None:
        assert read_graph(**shop, **{**RULES, "drop": (), **changes}).num_features == 2 + 2 + 4
        return
    with pytest.raises(errors.InvalidInputError) as caught:
        read_graph(**{**shop, **RULES, "label": None, **changes})
    assert message in str(caught.value)


def test_parquet_tables_follow_the_same_rules(tmp_path, shop):
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"item": ["b", "a", "c"], "colour": ["x", None, "y"], "price": [1.0, None, float("nan")]}
    pq.write_table(pa.table(columns), tmp_path / "items.parquet")
    files = {**shop, "features": tmp_path / "items.parquet"}
    with pytest.raises(errors.FileFormatError, match=r"words in 'colour' \('string'\)"):
        read_graph(**files, fill="zero")
    graph = read_graph(**files, encode="colour", fill="zero")
    assert graph.features.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_splits_are_joined_by_id(write):
    edges = write("e.csv", "a,b\nb,c\nc,d\n")
    splits = write("s.csv", "node,split\nd,test\na,train5\nc,val\na,train10\nb,train10\n")
    graph = read_graph(edges, splits=splits)
    assert {name: nodes.tolist() for name, nodes in graph.splits.items()} == {
        "test": [3], "train5": [0], "val": [2], "train10": [0, 1]
    }  # fmt: skip
    with pytest.raises(errors.InvalidSplitError, match=r"Got 'e' in .*line 2, which is none"):
        read_graph(edges, splits=write("s.csv", "id,part\ne,test\n"))
    with pytest.raises(errors.UnknownNameError, match="name the column of splits"):
        read_graph(edges, splits=write("s.csv", "id,x,y\na,test,1\n"))
    assert read_graph(edges, splits=write("s.csv", "id,x,y\na,test,1\n"), split="x").splits["test"] == [0]


def test_a_header_of_unusual_names_is_no_node(tmp_path):
    """Without a table of features the labels may name new nodes: their header must not become one."""
    edges, labels = tmp_path / "e.csv", tmp_path / "y.csv"
    edges.write_text("source,target\nann,bob\nbob,cid\n")
    labels.write_text("customer,group\nann,red\nbob,red\n")
    with pytest.raises(errors.InvalidLabelsError, match=r"node_id='customer' and label='group'; .*node_id=0"):
        read_graph(edges, labels=labels)
    assert read_graph(edges, labels=labels, node_id="customer").num_nodes == 3
    assert read_graph(edges, labels=labels, node_id=0).num_nodes == 4
    labels.write_text("dan,red\nann,red\n")  # a node without edges of a known class
    assert read_graph(edges, labels=labels).num_nodes == 4


def test_the_hint_shows_how_to_name_a_header(tmp_path):
    edges, features, labels = (tmp_path / name for name in ("e.csv", "x.csv", "y.csv"))
    edges.write_text("person_a,person_b,amount,note\nann,bob,1,x\nbob,ann,2,y\n")
    with pytest.raises(errors.UnknownNameError, match="source='person_a' and target='person_b'"):
        read_graph(edges)
    features.write_text("id,age\nann,3\nbob,4\n")
    labels.write_text("customer,group\nann,red\n")
    with pytest.raises(errors.InvalidLabelsError, match="columns: node_id='customer' and label='group'"):
        read_graph(edges, source="person_a", target="person_b", features=features, labels=labels)


def test_what_is_wrong_in_several_files_is_said_at_once(write):
    files = {
        "path": write("e.csv", "who,whom,when\na,b,1\nb,c,2\n"),
        "features": write("x.csv", "id,town,size\na,Bern,1\nb,Bern,2\nc,Bern,3\n"),
        "labels": write("y.csv", "id,kind,colour\na,x,red\nb,y,red\n"),
    }
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(**files)
    said = str(caught.value).splitlines()
    assert [line.split(" must ")[0] for line in said if not line.startswith("hint: ")] == [
        "The 'features' parameter of read_graph",
        "The 'label' parameter of read_graph",
        "The 'source' parameter of read_graph",
    ]
    assert [other.complaint.parameter for other in caught.value.others] == ["label", "source"]
    with pytest.raises(errors.MissingFileError) as missing:
        read_graph(files["path"], source=0, target=1, features="x.npy", labels="y.npy")
    assert [other.complaint.parameter for other in missing.value.others] == ["labels"]


def test_columns_without_a_known_header_are_listed_by_their_first_cells(write):
    labels = write("y.csv", "customer,kind,colour\nb,x,red\nc,y,red\n")
    with pytest.raises(errors.UnknownNameError, match=r"with the columns 'customer', 'kind', 'colour' in"):
        read_graph(write("e.csv", "b,c\n"), labels=labels)
    assert read_graph(write("e.csv", "b,c\n"), labels=labels, label="kind").label_names.tolist() == ["x", "y"]


@pytest.mark.parametrize("number", ["inf", "1e39", "nan"])
def test_numbers_that_are_none_are_named_by_column_and_line(write, number):
    features = write("x.csv", f"id,f,g\na,1,2\nb,2,{number}\n")
    with pytest.raises(errors.InvalidFeaturesError, match=r"in column 'g' of '.*x.csv', line 3\."):
        read_graph(write("e.csv", "a,b\n"), features=features)
