"""``--column`` names the columns of one's own files where usual names do not."""

from __future__ import annotations

import json

import numpy as np
import pytest

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
    assert (
        f"be ROLE=COLUMN, with one of source, target, weight, node_id, label. Got '{column}'."
        in refused.stderr
    )
    assert not (friends / "z.npz").exists()


def test_columns_go_with_files_of_ones_own(spco_command):
    refused = spco_command("embed", "--dataset", "wine", "--out", "z.npz", "--column", "source=0", code=2)
    assert "The '--column' parameter of spco embed must go with --edges" in refused.stderr
