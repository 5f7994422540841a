"""``spco evaluate`` scores each node's own row, whichever side has ids and in whatever order."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

import spco

WINE = spco.load_dataset("wine")
SIZE = WINE.num_nodes
SHUFFLED = np.random.default_rng(0).permutation(SIZE)
NAMES = np.array([f"bottle-{i}" for i in range(SIZE)])
ROWS = (WINE.features - WINE.features.mean(axis=0)) / WINE.features.std(axis=0)
SMALL = ["--method", "cca_ssg", "--set", "method.widths=[8,4]", "--epochs", "2"]
CHANCE, GOOD = 0.6, 0.85


@pytest.fixture
def files(tmp_path):
    """A graph with ids 0..N-1, and one with names, as edges and labels; a table's rows give the order."""

    def write(stem, names, order):
        edges, _ = WINE.to_edges()
        lines = "".join(f"{names[i]},{names[j]}\n" for i, j in edges)
        (tmp_path / f"{stem}.csv").write_text(f"source,target\n{lines}")
        lines = "".join(f"{names[i]},{WINE.labels[i]}\n" for i in order)
        (tmp_path / f"{stem}-labels.csv").write_text(f"id,label\n{lines}")

    write("numbers", np.arange(SIZE), range(SIZE))
    write("shuffled", np.arange(SIZE), SHUFFLED)
    write("named", NAMES, SHUFFLED)
    return tmp_path


@pytest.fixture
def score(spco_command):
    """Return the micro-F1 at 20 labels per class, or what is wrong."""

    def run(stem, path, *more, code=0):
        done = spco_command(
            "evaluate", "--embeddings", path, "--edges", f"{stem}.csv", "--labels", f"{stem}-labels.csv",
            "--json", "--rates", "train20", *more, code=code,
        )  # fmt: skip
        if code:
            return done.stderr
        (found,) = json.loads(done.stdout)
        assert found["rate"] == "train20"
        return SimpleNamespace(value=found["micro_f1"], said=done.stderr)

    return run


def write_rows(path, rows, ids):
    if path.suffix == ".npz":
        np.savez(path, embedding=rows, node_ids=ids)
    elif path.suffix == ".npy":
        np.save(path, rows)
        np.save(path.with_suffix(".ids.npy"), ids)
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(
            pa.table({"node_id": ids.tolist(), **{f"z{k}": c for k, c in enumerate(rows.T)}}), path
        )


def test_misaligned_rows_would_show(files, score):
    np.save(files / "z.npy", ROWS[SHUFFLED])
    assert score("numbers", "z.npy").value < CHANCE


@pytest.mark.parametrize("suffix", [".npz", ".parquet", ".npy"])
@pytest.mark.parametrize("stem", ["numbers", "shuffled"])
def test_ids_of_the_file_count_where_the_graph_has_row_numbers(files, score, suffix, stem):
    write_rows(files / f"z{suffix}", ROWS[SHUFFLED], SHUFFLED)
    assert score(stem, f"z{suffix}").value > GOOD


def test_ids_of_the_graph_count_where_the_file_has_none(files, score):
    np.save(files / "z.npy", ROWS)
    assert score("shuffled", "z.npy").value > GOOD


def test_ids_that_a_training_run_wrote_count(files, score):
    run = files / "runs" / "cca_ssg" / "seed-0"
    run.mkdir(parents=True)
    order = np.random.default_rng(1).permutation(SIZE)
    np.save(run / "embedding.npy", ROWS[order])
    np.save(run / "node_ids.npy", NAMES[order])
    assert score("named", run / "embedding.npy").value > GOOD


def test_the_folder_of_a_real_run_has_the_graphs_order(files, score, spco_command):
    spco_command("train", "--edges", "named.csv", "--features-from", "one-hot", "--out", "runs", *SMALL)
    run = files / "runs" / "cca_ssg+spco" / "seed-0"
    ids = np.load(run / "node_ids.npy")
    np.save(run / "embedding.npy", ROWS[[int(name.removeprefix("bottle-")) for name in ids]])
    assert score("named", run / "embedding.npy").value > GOOD


def test_overwriting_removes_ids_that_no_longer_hold(files, spco_command):
    command = ["embed", "--features-from", "one-hot", "--out", "z.npy", *SMALL]
    spco_command(*command, "--edges", "named.csv")
    assert (files / "z.ids.npy").exists()
    spco_command(*command, "--edges", "numbers.csv", "--overwrite")
    assert not (files / "z.ids.npy").exists()


def test_an_id_of_two_rows_is_an_error(files, score):
    twice = np.arange(SIZE)
    twice[1] = 0
    np.savez(files / "z.npz", embedding=ROWS, node_ids=twice)
    assert "must have one row per node id. Got two rows or more for '0'." in score("numbers", "z.npz", code=2)


def test_nodes_without_a_row_are_named(files, score):
    np.savez(files / "z.npz", embedding=ROWS[8:], node_ids=NAMES[8:])
    said = score("named", "z.npz", code=2)
    assert "must have a row for every node of the graph. Got none for 'bottle-" in said
    assert "and 3 more." in said
    np.save(files / "z.npy", ROWS)
    said = score("named", "z.npy", code=2)
    assert "the file has no ids, so its rows are the nodes 0 to 177" in said


def test_rows_of_other_nodes_are_left_out_and_that_is_said(files, score):
    order = np.random.default_rng(1).permutation(SIZE)
    rows, ids = np.vstack([ROWS[:2], ROWS[order]]), np.concatenate([["x", "y"], NAMES[order]])
    np.savez(files / "z.npz", embedding=rows, node_ids=ids)
    found = score("named", "z.npz")
    assert found.value > GOOD
    assert "2 embeddings of nodes that are not in the graph are left out" in found.said


def test_row_numbers_of_another_graph_are_refused(files, score):
    rows = np.vstack([ROWS, ROWS])
    np.savez(files / "z.npz", embedding=rows, node_ids=np.arange(2 * SIZE))
    assert "must have as many rows as the graph has nodes (178). Got 356 rows." in score(
        "numbers", "z.npz", code=2
    )


def test_ids_and_rows_must_be_as_many(files, score):
    np.savez(files / "z.npz", embedding=ROWS, node_ids=NAMES[1:])
    assert "must have one id per row. Got 178 rows and ids of shape (177,)" in score("named", "z.npz", code=2)


@pytest.mark.parametrize("name", ["z.npy", "z.npz", "z.parquet"])
def test_damaged_files_are_named(files, score, name):
    path = files / name
    path.write_bytes(b"")
    said = score("named", name, code=2)
    assert "The '--embeddings' parameter of spco evaluate must be a readable" in said
    assert f"Got '{name}', which is empty." in said
    write_rows(path, ROWS, NAMES)
    path.write_bytes(path.read_bytes()[:-300])
    assert "damaged, cut short or of another kind" in score("named", name, code=2)


def test_directed_edges_can_be_told_how_to_be_read(files, score):
    edges, _ = WINE.to_edges()
    lines = "".join(f"{i},{j},1\n{j},{i},2\n" for i, j in edges)
    (files / "numbers.csv").write_text(f"source,target,weight\n{lines}")
    np.save(files / "z.npy", ROWS)
    for how in ((), ("--directed", "union")):
        assert score("numbers", "z.npy", *how).value > GOOD


def test_unknown_rates_are_refused(spco_command, files):
    np.save(files / "z.npy", ROWS)
    done = spco_command("evaluate", "--embeddings", "z.npy", "--dataset", "wine", "--rates", "train6", code=2)
    assert "The '--rates' parameter of spco evaluate must" in done.stderr


@pytest.mark.usefixtures("own_files")
def test_evaluate_matches_rows_by_id(spco_command, tmp_path):
    graph = spco.read_graph(tmp_path / "edges.csv", features=tmp_path / "features.csv")
    order = np.random.default_rng(1).permutation(178)
    np.savez(tmp_path / "a.npz", embedding=graph.features, node_ids=graph.node_ids)
    np.savez(tmp_path / "b.npz", embedding=graph.features[order], node_ids=graph.node_ids[order])
    results = [
        spco_command(
            "evaluate", "--embeddings", name, "--edges", "edges.csv", "--labels", "labels.csv", "--json"
        ).stdout
        for name in ("a.npz", "b.npz")
    ]
    first, second = ([row["micro_f1"] for row in json.loads(text)] for text in results)
    assert first == second
    assert min(first) > 0.8


def test_evaluate_without_labels(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("0,1\n1,2\n")
    np.save(tmp_path / "z.npy", np.eye(3))
    done = spco_command("evaluate", "--embeddings", "z.npy", "--edges", "edges.csv", code=2)
    assert "must name a file of node labels" in done.stderr
