"""The options that name a graph: one declaration for all commands, and ``--column``."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import spco
from spco.cli.graph_options import GraphOptions, takes_graph

EMBED = ("embed", "--edges", "friends.csv", "--features-from", "degree", "--epochs", "1", "--out", "z.npz")


@pytest.fixture
def friends(tmp_path):
    rows = [f"p{k:02},p{(k + step) % 12:02},{step}" for k in range(12) for step in (1, 2)]
    (tmp_path / "friends.csv").write_text("\n".join(["person,friend,strength", *rows]) + "\n")
    names = [f"p{k:02},{'ab'[k % 2]},19{k:02}" for k in reversed(range(12))]
    (tmp_path / "topics.csv").write_text("\n".join(["who,topic,year", *names]) + "\n")
    return tmp_path


@pytest.mark.parametrize("ends", [("person", "friend"), ("0", "1")], ids=["names", "places"])
def test_columns_by_name_or_place(spco_command, friends, ends):
    columns = (
        "--column",
        f"source={ends[0]}",
        "--column",
        f"target={ends[1]}",
        "--column",
        "weight=strength",
    )
    spco_command(*EMBED, *columns)
    ids = np.load(friends / "z.npz")["node_ids"].tolist()
    assert ids == [f"p{k:02}" for k in range(12)]


YEARS = "".join(f"p{k:02};p{(k + 1) % 12:02};{k};{2 * k + 1},5\n" for k in range(12))


@pytest.mark.parametrize(
    ("header", "names", "weight", "total"),
    [
        ("who;whom;2018;2019\n", ("who", "whom"), "2019", 144 + 6),
        ("who;whom;2018;2019\n", ("who", "whom"), "2", 66),
        ("who;whom;3;2\n", ("who", "whom"), "2", 144 + 6),
        ("who;whom;2018;2019\n", ("0", "1"), "2019", 144 + 6),
        ("", ("0", "1"), "3", 144 + 6),
    ],
)
def test_a_name_of_digits_in_the_header_wins_over_a_position(tmp_path, header, names, weight, total):
    (tmp_path / "e.csv").write_text(header + YEARS)
    columns = [f"source={names[0]}", f"target={names[1]}", f"weight={weight}"]
    graph = GraphOptions(edges=tmp_path / "e.csv", columns=columns).load("embed")
    assert graph.num_nodes == 12
    assert graph.adjacency.sum() / 2 == total


def test_columns_of_labels(spco_command, friends):
    edges = ("--edges", "friends.csv", "--column", "source=person", "--column", "target=friend")
    labels = ("--labels", "topics.csv", "--column", "node_id=who", "--column", "label=topic")
    sides = np.array([[1.0, 0.0], [0.0, 1.0]])[np.arange(12) % 2]
    np.savez(friends / "z.npz", embedding=sides, node_ids=[f"p{k:02}" for k in range(12)])
    done = spco_command("evaluate", "--embeddings", "z.npz", *edges, *labels, "--rates", "train1", "--json")
    assert [run["accuracy"] for run in json.loads(done.stdout)] == [1.0]


@pytest.mark.parametrize("column", ["person", "sauce=person", "source="])
def test_what_is_no_column_is_refused(spco_command, friends, column):
    refused = spco_command(*EMBED, "--column", column, code=2)
    roles = "source, target, weight, node_id, label, split"
    assert f"be ROLE=COLUMN, where the role is one of {roles}. Got '{column}'." in refused.stderr
    assert not (friends / "z.npz").exists()


def test_columns_go_with_files_of_ones_own(spco_command):
    refused = spco_command("embed", "--dataset", "wine", "--out", "z.npz", "--column", "source=0", code=2)
    assert "The '--column' parameter of spco embed must go with --edges" in refused.stderr


def test_a_command_gets_one_option_per_field_and_packs_them_again():
    seen = []

    @takes_graph(without=["labels", "splits", "dropped", "encoded", "fill", "features_from"])
    def command(first: int, source: GraphOptions, last: str = "z") -> None:
        """Do it."""
        seen.append((first, source, last))

    assert list(inspect.signature(command).parameters) == [
        "first", "dataset", "root", "edges", "features", "columns", "directed", "last",
    ]  # fmt: skip
    assert (command.__name__, command.__doc__) == ("command", "Do it.")
    command(first=1, edges=Path("e.csv"))
    command(first=2, dataset="wine", columns=["source=0"], last="y")
    assert seen == [
        (1, GraphOptions(edges=Path("e.csv")), "z"),
        (2, GraphOptions(dataset="wine", columns=["source=0"]), "y"),
    ]


@pytest.mark.parametrize(
    ("command", "left_out"),
    [
        ("train", []),
        ("tune", []),
        ("embed", []),
        ("evaluate", []),
        ("predict", ["--features-from"]),
        ("spectrum", ["--features ", "--labels", "--features-from"]),
    ],
)
def test_help_lists_what_a_command_takes_under_one_heading(spco_command, monkeypatch, command, left_out):
    monkeypatch.setenv("COLUMNS", "120")
    panel = spco_command(command, "--help").stdout.split("─ The graph ─")[1]
    for option in ("--dataset", "--root", "--edges", "--features ", "--labels", "--column", "--directed"):
        assert (option in panel) == (option not in left_out)
    assert ("--features-from" in panel) == ("--features-from" not in left_out)


def test_a_graph_of_ones_own(tmp_path):
    (tmp_path / "e.csv").write_text("who,whom\n0,1\n1,0\n")
    (tmp_path / "y.csv").write_text("0,a\n1,b\n")
    files = {"edges": tmp_path / "e.csv", "labels": tmp_path / "y.csv"}
    graph = GraphOptions(**files, columns=["source=0", "target=whom"], directed="union").load("train")
    assert (graph.num_edges, graph.label_names.tolist()) == (1, ["a", "b"])


@pytest.mark.parametrize("option", ["features", "labels", "directed"])
def test_options_of_files_do_not_go_with_a_dataset(option):
    options = GraphOptions(dataset="wine", **{option: Path("x")})
    with pytest.raises(
        spco.errors.InvalidParameterError, match=f"'--{option}' parameter of spco x must go with"
    ):
        options.load("x")
