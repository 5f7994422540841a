"""``spco predict``: labels of some nodes in, classes and probabilities of the others out."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import spco
from spco.evaluation import predict_labels

WINE = spco.load_dataset("wine")
ROWS = (WINE.features - WINE.features.mean(axis=0)) / WINE.features.std(axis=0)
NAMES = np.array([f"bottle-{i}" for i in range(WINE.num_nodes)])
KNOWN = np.arange(178) % 3 == 0


@pytest.fixture
def files(tmp_path):
    order = np.random.default_rng(0).permutation(178)
    np.savez(tmp_path / "z.npz", embedding=ROWS[order], node_ids=NAMES[order])
    lines = "".join(f"{NAMES[i]},kind {WINE.labels[i]}\n" for i in np.flatnonzero(KNOWN))
    (tmp_path / "labels.csv").write_text(f"id,label\n{lines}bottle-1,\n")
    return tmp_path


def read(path):
    table = pyarrow.csv.read_csv(path) if path.suffix == ".csv" else pyarrow.parquet.read_table(path)
    return table.to_pydict()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_nodes_without_a_label_get_a_class_and_its_probability(spco_command, files, suffix):
    done = spco_command(
        "predict", "--embeddings", "z.npz", "--labels", "labels.csv", "--all-classes", "--json",
        "--out", f"p{suffix}",
    )  # fmt: skip
    found = read(files / f"p{suffix}")
    assert list(found) == ["node_id", "label", "probability", "p_kind 0", "p_kind 1", "p_kind 2"]
    assert sorted(found["node_id"]) == sorted(NAMES[~KNOWN])
    rows = [int(name.removeprefix("bottle-")) for name in found["node_id"]]
    right = [label == f"kind {WINE.labels[row]}" for label, row in zip(found["label"], rows, strict=True)]
    assert np.mean(right) > 0.9
    of_classes = np.column_stack([found[f"p_kind {k}"] for k in range(3)])
    np.testing.assert_allclose(of_classes.sum(axis=1), 1)
    np.testing.assert_allclose(of_classes.max(axis=1), found["probability"])
    summary = json.loads(done.stdout)
    assert summary["predicted"] == len(rows) == sum(summary["classes"].values())
    assert summary["labelled"] == KNOWN.sum()
    most = np.bincount(WINE.labels[KNOWN]).max() / KNOWN.sum()
    assert summary["most_frequent"] == pytest.approx(most)
    said = (
        f"% are predicted right when they are held out; the most frequent class alone has {100 * most:.1f}%."
    )
    assert said in " ".join(done.stderr.split())


def test_it_is_the_function_on_rows_matched_by_id(spco_command, files):
    stored = np.load(files / "z.npz")
    rows = np.array([int(name.removeprefix("bottle-")) for name in stored["node_ids"]])
    expected = predict_labels(stored["embedding"], np.where(KNOWN, WINE.labels, -1)[rows])
    spco_command("predict", "--embeddings", "z.npz", "--labels", "labels.csv", "--out", "p.csv")
    found = read(files / "p.csv")
    assert list(found) == ["node_id", "label", "probability"]
    np.testing.assert_allclose(found["probability"], expected.probabilities[~KNOWN[rows]].max(axis=1))


def test_labels_of_a_graph_and_numbers_as_classes(spco_command, tmp_path):
    np.save(tmp_path / "z.npy", ROWS)
    edges, _ = WINE.to_edges()
    (tmp_path / "edges.csv").write_text("".join(f"{i},{j}\n" for i, j in edges))
    lines = "".join(f"{i},{WINE.labels[i]}\n" for i in np.flatnonzero(KNOWN))
    (tmp_path / "labels.csv").write_text(f"id,label\n{lines}")
    spco_command(
        "predict", "--embeddings", "z.npy", "--edges", "edges.csv", "--labels", "labels.csv", "--out", "p.csv"
    )
    found = read(tmp_path / "p.csv")
    assert set(found["label"]) == {0, 1, 2}
    assert min(found["node_id"]) == 1


BAD_LABELS = {
    "none": (None, "The '--labels' parameter of spco predict must name a file of node labels"),
    "one class": ([f"bottle-{k},a" for k in range(4)], "at least two classes. Got 4 nodes of 1 class."),
    "few": (["bottle-0,a", "bottle-1,b"], "give the class of at least 4 nodes, of at least two classes."),
    "strange": (
        ["zoe,a"],
        "must name nodes with an embedding. Got 'zoe' in 'few.csv', line 2",
    ),
    "all": ([f"{name},{k % 2}" for k, name in enumerate(NAMES)], "must leave a node without a label."),
}


@pytest.mark.parametrize(("lines", "message"), BAD_LABELS.values(), ids=BAD_LABELS)
def test_labels_that_do_not_do_are_refused(spco_command, files, lines, message):
    given = []
    if lines is not None:
        (files / "few.csv").write_text("\n".join(["id,label", *lines, ""]))
        given = ["--labels", "few.csv"]
    done = spco_command("predict", "--embeddings", "z.npz", *given, "--out", "p.csv", code=2)
    assert message in done.stderr
    assert "parameter of spco predict" in done.stderr
    assert not (files / "p.csv").exists()


def test_a_file_that_exists_or_has_another_suffix_is_refused(spco_command, files):
    (files / "p.csv").write_text("mine")
    command = ["predict", "--embeddings", "z.npz", "--labels", "labels.csv", "--out"]
    assert "--overwrite replaces the file" in spco_command(*command, "p.csv", code=2).stderr
    assert "must end in .parquet, .csv" in spco_command(*command, "p.npy", code=2).stderr
    assert (files / "p.csv").read_text() == "mine"
    spco_command(*command, "p.csv", "--overwrite")
    assert (files / "p.csv").read_text() != "mine"
