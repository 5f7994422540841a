"""``spco train``: what is printed, and what is kept."""

from __future__ import annotations

import json

import numpy as np

import spco
from spco.methods import CLASSIFIERS, METHODS

SMALL = ["--set", "method.widths=[8,4]", "--epochs", "4"]


def test_train_compares_and_keeps_everything(spco_command, tmp_path):
    command = [
        "train", "--dataset", "wine", "--method", "cca_ssg", "--compare", "--seeds", "0-1", "--out", "runs",
        *SMALL,
    ]  # fmt: skip
    done = spco_command(*command, "--json")
    result = json.loads(done.stdout)
    assert result["seeds"] == [0, 1]
    assert set(result["names"]) == {"cca_ssg", "cca_ssg+spco", "features", "untrained", "sgc"}
    assert len([row for row in result["differences"] if row["metric"] == "micro_f1"]) == 3
    for name in ("cca_ssg", "cca_ssg+spco"):
        for seed in range(2):
            folder = tmp_path / "runs" / name / f"seed-{seed}"
            assert np.load(folder / "embedding.npy").shape == (178, 4)
            assert len(json.loads((folder / "history.json").read_text())["losses"]) == 4
            scored = json.loads((folder / "metrics.json").read_text())
            assert set(scored) == {"train5", "train10", "train20", "run_id"}
            loaded = spco.Embedder.load(folder)
            assert np.array_equal(loaded.embedding_, np.load(folder / "embedding.npy"))
    summary = json.loads((tmp_path / "runs" / "summary.json").read_text())
    assert summary == {**result, "run_id": scored["run_id"]}
    refused = spco_command(*command, code=2)
    assert "--resume continues its runs, --overwrite replaces them" in refused.stderr
    again = spco_command(*command, "--resume", "--json")
    assert json.loads(again.stdout)["summary"] == result["summary"]
    other = spco_command(*command, "--set", "spectral.eta=0.125", "--resume", code=2)
    assert "hold runs with the same settings" in other.stderr


def test_train_scores_at_the_label_rates_asked_for(spco_command):
    done = spco_command(
        "train", "--dataset", "wine", "--method", "cca_ssg", "--rates", "train5", "--json", *SMALL
    )
    assert {run["rate"] for run in json.loads(done.stdout)["runs"]} == {"train5"}


def test_train_prints_a_table_with_intervals(spco_command):
    text = spco_command(
        "train", "--dataset", "wine", "--method", "dgi", "--compare", "--seeds", "0,1", "--epochs", "2",
        "--set", "method.widths=[4]", "--rates", "train20",
    ).stdout  # fmt: skip
    assert "dgi+spco − dgi" in text
    assert "95% interval" in text
    assert "20 per class" in text


def test_train_all_methods_prints_one_table_and_can_be_resumed(spco_command, tmp_path, monkeypatch):
    monkeypatch.setattr("spco.runs.performing.warm_up", lambda *_: None)  # every run would have one
    command = [
        "train", "--dataset", "wine", "--method", "all", "--compare", "--epochs", "2", "--out", "runs",
        "--rates", "train5,train10",
    ]  # fmt: skip
    text = spco_command(*command).stdout
    contrastive, supervised = list(METHODS), list(CLASSIFIERS)
    names = [*contrastive, *(f"{name}+spco" for name in contrastive), *supervised]
    assert max(len(line) for line in text.splitlines() if "SpCo" not in line) <= 80
    table = [line.split() for line in text.partition("Gain from SpCo")[0].splitlines() if line.strip()]
    rows = {cells[0]: cells for cells in table}
    assert set(rows) >= {*names, "features", "untrained", "sgc"}
    assert "seconds" in text
    assert "peak MB" in text
    for name in names:
        *scores, seconds, megabytes = rows[name][1:]
        assert all(20 < float(score) <= 100 for score in scores)
        assert float(seconds) >= 0  # tenths of a second, and two epochs take less
        assert float(megabytes.replace(",", "")) > 50
    summary = json.loads((tmp_path / "runs" / "summary.json").read_text())
    assert {run["rate"] for run in summary["runs"] if run["name"] == "gcn"} == {"train5", "train10"}
    # What is finished is taken as it is, with what it cost then; what is missing is trained.
    (tmp_path / "runs" / "gcn" / "seed-0" / "train10" / "classes.npy").unlink()
    (tmp_path / "runs" / "dgi" / "seed-0" / "embedding.npy").unlink()
    again = json.loads(spco_command(*command, "--resume", "--json").stdout)
    assert again["summary"] == summary["summary"]
    kept = [run for run in again["runs"] if run["name"] == "grace"]
    assert kept == [run for run in summary["runs"] if run["name"] == "grace"]


def test_train_a_supervised_method_alone(spco_command):
    result = json.loads(
        spco_command(
            "train",
            "--dataset",
            "wine",
            "--method",
            "gcn",
            "--rates",
            "train5,train20",
            "--json",
            "--epochs",
            "40",
        ).stdout
    )
    assert result["names"] == ["gcn", "features", "untrained", "sgc"]
    assert result["pairs"] == []
    runs = [run for run in result["runs"] if run["name"] == "gcn"]
    assert [(run["seed"], run["rate"]) for run in runs] == [
        (0, "train5"),
        (0, "train20"),
    ]
    assert all(run["micro_f1"] > 0.7 and run["C"] is None and run["peak_bytes"] > 0 for run in runs)


def test_a_supervised_method_needs_labels(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,a\n")
    done = spco_command(
        "train", "--edges", "edges.csv", "--features-from", "degree", "--method", "gcn,dgi", code=2
    )
    assert "must name methods that need no labels, because the graph has none. Got 'gcn,dgi'." in done.stderr


def test_overwrite_never_deletes_a_strangers_folder(spco_command, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    done = spco_command("train", "--dataset", "wine", "--out", "mine", "--overwrite", code=2)
    assert "holds other things" in done.stderr
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "precious"
