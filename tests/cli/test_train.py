"""The folder of ``spco train --out``: what may be deleted, what may be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import spco
from spco.errors import TrainingInterrupted
from spco.evaluation import STRENGTHS
from spco.runs import FolderStore
from spco.training import Trainer

SMALL = ["--set", "method.widths=[8,4]", "--epochs", "2"]
TRAIN = ["train", "--dataset", "wine", "--method", "cca_ssg", "--rates", "train5", "--out", "runs", *SMALL]
UNUSABLE = [
    (["--set", "spectral.hops=0"], "hops"),
    (["--set", "spectral.target=lapalcian"], "laplacian"),
    (["--set", "method.activation=reluu"], "did you mean 'relu'?"),
    (["--device", "foo"], "The '--device' parameter of spco train must be a device that torch can use"),
    (["--device", "meta"], "The '--device' parameter of spco train must be a device that torch can use"),
]


@pytest.fixture
def wine_files(tmp_path):
    """wine as one's own files; a function writes them anew with some part changed."""
    graph = spco.load_dataset("wine")

    def write(*, drop_edge=False, change_feature=False, change_label=False):
        edges, _ = graph.to_edges()
        features, labels = graph.features.copy(), graph.labels.copy()
        features[0, 0] += change_feature
        labels[0] = (labels[0] + change_label) % 3
        edges = edges[1:] if drop_edge else edges
        (tmp_path / "edges.csv").write_text("".join(f"{i},{j}\n" for i, j in edges))
        np.save(tmp_path / "features.npy", features)
        np.save(tmp_path / "labels.npy", labels)

    write()
    return write


OWN = ["train", "--edges", "edges.csv", "--features", "features.npy", "--labels", "labels.npy", *TRAIN[3:]]


@pytest.mark.parametrize(("change", "message"), UNUSABLE, ids=lambda value: str(value)[:40])
def test_what_cannot_be_trained_deletes_and_writes_nothing(spco_command, tmp_path, change, message):
    refused = spco_command(*TRAIN, *change, code=2)
    assert message in refused.stderr
    assert not (tmp_path / "runs").exists()
    spco_command(*TRAIN)
    before = sorted(tmp_path.rglob("*"))
    spco_command(*TRAIN, *change, "--overwrite", code=2)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_classifiers_settings_are_checked_first_as_well(spco_command, tmp_path):
    command = ["train", "--dataset", "wine", "--method", "gcn", "--out", "runs", "--epochs", "2"]
    done = spco_command(*command, "--set", "method.activation=reluu", code=2)
    assert "did you mean 'relu'?" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_resume_and_overwrite_exclude_each_other(spco_command, tmp_path):
    spco_command(*TRAIN)
    before = sorted(tmp_path.rglob("*"))
    refused = spco_command(*TRAIN, "--resume", "--overwrite", code=2)
    assert "must come without --overwrite. Got both." in refused.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("option", ["--resume", "--overwrite"])
def test_what_is_about_a_folder_needs_one(spco_command, option):
    refused = spco_command("train", "--dataset", "wine", "--epochs", "1", option, code=2)
    assert f"{option}" in refused.stderr
    assert "must come with --out" in refused.stderr


def test_overwrite_replaces_runs_and_nothing_else(spco_command, tmp_path):
    command = ["train", "--dataset", "wine", "--method", "cca_ssg,gcn", "--rates", "train5", "--out", "runs"]
    short = ["--epochs", "2"]
    spco_command(*command, *short, "--seeds", "0-1")
    runs = tmp_path / "runs"
    (runs / ".summary.0123456789ab.json").write_text("{")  # as a killed process leaves it
    first = sorted(place.relative_to(runs) for place in runs.rglob("[!.]*") if place.is_file())
    for name in ("notes.txt", "cca_ssg+spco/seed-1/plot.png", "gcn/seed-0/train5/model.safetensors"):
        (runs / name).write_text("precious")
        refused = spco_command(*command, *short, "--overwrite", code=2)
        assert f"must hold nothing but runs to overwrite. Got 'runs' with '{name}'." in refused.stderr
        assert (runs / name).read_text() == "precious"
        assert all((runs / place).exists() for place in first)
        (runs / name).unlink()
    (runs / "empty").mkdir()
    spco_command(*command, *short, "--overwrite")
    left = sorted(place.relative_to(runs) for place in runs.rglob("*") if place.is_file())
    assert left == [Path(".lock"), *(place for place in first if "seed-1" not in place.parts)]
    assert sorted(path.name for path in runs.iterdir() if path.is_dir()) == ["cca_ssg+spco", "empty", "gcn"]
    assert not (runs / "gcn" / "seed-1").exists()


def test_a_link_is_not_followed_when_runs_are_overwritten(spco_command, tmp_path):
    spco_command(*TRAIN)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "seed-0").mkdir(parents=True)
    (elsewhere / "seed-0" / "history.json").write_text("precious")
    (tmp_path / "runs" / "dgi").symlink_to(elsewhere)
    assert "with 'dgi'." in spco_command(*TRAIN, "--overwrite", code=2).stderr
    assert (elsewhere / "seed-0" / "history.json").read_text() == "precious"


def test_the_report_of_a_folder_may_be_in_it(spco_command, tmp_path):
    pytest.importorskip("plotly", reason="the reports need plotly")
    spco_command(*TRAIN, "--report", "runs/report.html")
    spco_command(*TRAIN, "--report", "runs/report.html", "--overwrite")
    assert (tmp_path / "runs" / "report.html").exists()
    assert "with 'report.html'." in spco_command(*TRAIN, "--overwrite", code=2).stderr


def test_label_rates_of_a_graph_without_labels_are_refused(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,a\n")
    own = [
        "train",
        "--edges",
        "edges.csv",
        "--features-from",
        "degree",
        "--method",
        "cca_ssg",
        "--out",
        "runs",
    ]
    refused = spco_command(*own, "--rates", "train5", code=2)
    assert "The '--rates' parameter of spco train must be left out" in refused.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [("drop_edge", "edges"), ("change_feature", "features"), ("change_label", "labels")],
)
def test_runs_of_other_inputs_are_not_resumed(spco_command, wine_files, change, named):
    spco_command(*OWN)
    spco_command(*OWN, "--resume")
    wine_files(**{change: True})
    refused = spco_command(*OWN, "--resume", code=2)
    assert f"must hold runs with the same inputs to resume them. Got other {named}." in refused.stderr


def test_runs_of_other_stand_ins_for_features_are_not_resumed(spco_command):
    spco_command(*TRAIN, "--features-from", "degree")
    refused = spco_command(*TRAIN, "--features-from", "one-hot", "--resume", code=2)
    assert "same features_from to resume them. Got features_from = 'degree', not 'one-hot'." in refused.stderr


def test_only_the_settings_that_differ_are_named(spco_command):
    spco_command(*TRAIN)
    refused = spco_command(*TRAIN, "--set", "spectral.eta=0.125", "--epochs", "5", "--resume", code=2)
    assert "must hold runs with the same settings to resume them." in refused.stderr
    assert "settings.training.epochs = 2, not 5; settings.spectral.eta = " in refused.stderr
    assert "widths" not in refused.stderr


def test_more_epochs_extend_finished_runs_as_if_there_had_been_more_from_the_start(spco_command, tmp_path):
    often = ("--set", "spectral.refresh_every=2", "--compare")
    spco_command(*TRAIN, *often)
    spco_command(*TRAIN, *often, "--epochs", "6", "--resume")
    spco_command(*TRAIN, *often, "--epochs", "6", "--out", "whole")
    places = sorted(path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").glob("*/*/*.npy"))
    assert len(places) >= 2
    for place in places:
        assert np.array_equal(np.load(tmp_path / "runs" / place), np.load(tmp_path / "whole" / place))
    summaries = [json.loads((tmp_path / name / "summary.json").read_text()) for name in ("runs", "whole")]
    scores = [[run["micro_f1"] for run in summary["runs"]] for summary in summaries]
    assert scores[0] == scores[1]
    refused = spco_command(*TRAIN, *often, "--epochs", "3", "--resume", code=2)
    assert "settings.training.epochs = 6, not 3" in refused.stderr
    linear = ("--set", "spectral.theta=linear", "--out", str(tmp_path / "linear"))
    spco_command(*TRAIN, *linear)
    spco_command(*TRAIN, *linear, "--epochs", "6", "--resume", code=2)
    assert (tmp_path / "linear" / "summary.json").exists()


def test_a_damaged_description_is_named(spco_command, tmp_path):
    spco_command(*TRAIN)
    (tmp_path / "runs" / "run.json").write_text("{")
    assert "must hold what its runs wrote" in spco_command(*TRAIN, "--resume", code=2).stderr


def test_runs_of_a_version_that_kept_no_inputs_are_not_resumed(spco_command, tmp_path):
    spco_command(*TRAIN)
    path = tmp_path / "runs" / "run.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "inputs"}))
    assert "runs with the same inputs to resume them" in spco_command(*TRAIN, "--resume", code=2).stderr


@pytest.mark.parametrize(
    ("stop", "message"),
    [
        (TrainingInterrupted("Interrupted after epoch 3; nothing was saved."), "Interrupted after epoch 3"),
        (KeyboardInterrupt(), "Interrupted."),
    ],
)
def test_without_a_folder_ctrl_c_does_not_promise_to_go_on(spco_command, monkeypatch, stop, message):
    def interrupted(_):
        raise stop

    monkeypatch.setattr(Trainer, "train_epoch", interrupted)
    command = [word for word in TRAIN if word not in ("--out", "runs")]
    said = spco_command(*command, code=130).stderr
    assert message in said
    assert "hint: with --out finished runs are kept, and --resume continues them" in said


def test_ctrl_c_outside_of_training_is_said_as_well(spco_command, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("spco.cli.graph_options.GraphOptions.load", interrupted)
    assert "interrupted" in spco_command("spectrum", "--dataset", "wine", code=130).stderr


def test_without_labels_stdout_is_one_json_document(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,a\n")
    done = spco_command(
        "train", "--edges", "edges.csv", "--features-from", "degree", "--method", "cca_ssg", "--json", *SMALL
    )
    found = json.loads(done.stdout)
    assert (found["names"], found["seeds"], found["runs"]) == (["cca_ssg+spco"], [0], [])
    assert "nothing was scored; --out keeps the embeddings" in done.stderr


@pytest.mark.parametrize("method", ["cca_ssg", "gcn"])
def test_the_first_run_is_not_charged_with_the_beginnings_of_the_process(spco_command, monkeypatch, method):
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now)
    fit, begun = Trainer.fit, []

    def slow_at_first(trainer):
        clock.now += 1 if begun else 1000
        begun.append(trainer.loader.features.num_nodes)
        return fit(trainer)

    monkeypatch.setattr(Trainer, "fit", slow_at_first)
    monkeypatch.setattr("spco.runs.performing.time", clock)
    monkeypatch.setattr("spco.runs.cost._warm", set())
    done = spco_command(
        "train", "--dataset", "wine", "--method", method, "--seeds", "0-1", "--rates", "train5",
        "--epochs", "2", "--json",
    )  # fmt: skip
    assert begun[1:] == [178, 178]
    runs = [run for run in json.loads(done.stdout)["runs"] if run["name"].startswith(method)]
    assert [run["seconds"] < 1000 for run in runs] == [True, True]


def test_warming_up_changes_no_result(spco_command, tmp_path):
    spco_command(*TRAIN)
    settings = {"method": {"widths": [8, 4]}}
    expected = spco.Embedder("cca_ssg", epochs=2, settings=settings).fit_transform(spco.load_dataset("wine"))
    found = np.load(tmp_path / "runs" / "cca_ssg+spco" / "seed-0" / "embedding.npy")
    np.testing.assert_array_equal(found, expected)


def test_the_folder_is_that_of_compare_with_any_number_of_jobs(spco_command, tmp_path, monkeypatch):
    monkeypatch.setattr("spco.evaluation.probe.STRENGTHS", STRENGTHS)  # as in the processes of the jobs
    wine = spco.load_dataset("wine")
    methods = {
        name: spco.Embedder("cca_ssg", spectral=spectral, epochs=2, settings={"method": {"widths": [8, 4]}})
        for name, spectral in (("cca_ssg", False), ("cca_ssg+spco", True))
    }
    spco_command(*TRAIN, "--compare", "--jobs", "2")
    mine, theirs = tmp_path / "mine", tmp_path / "runs"
    found = spco.compare(wine, methods, seeds=[0], rates=["train5"], out=mine)
    files = sorted(path.relative_to(mine) for path in mine.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file())
    same = [path for path in files if path.name == "embedding.npy"]
    assert len(same) == 2
    assert all((mine / path).read_bytes() == (theirs / path).read_bytes() for path in same)
    assert FolderStore.read(mine).description == FolderStore.read(theirs).description
    more = spco.compare(wine, methods, seeds=[0, 1], rates=["train5"], out=theirs, resume=True)
    assert [run.micro_f1 for run in more.runs if run.seed != 1] == [run.micro_f1 for run in found.runs]
    assert FolderStore.read(theirs).comparison == more
