"""Trackers: the numbers of every epoch where other tools read them, also after an interruption."""

from __future__ import annotations

import csv
import json
import sys

import pytest

import spco
from spco.errors import CallbackError, MissingDependencyError, UnknownNameError
from spco.training import TRACKERS, Callback, tracker_of
from spco.training.callbacks import FAILED, FINISHED, INTERRUPTED, STOPPED_EARLY, Moment

SMALL = {"method": {"widths": [8]}, "spectral": {"refresh_every": 2}}


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


class StopAfter(Callback):
    def __init__(self, epoch):
        self.epoch = epoch

    def on_epoch(self, moment):
        if moment.epoch == self.epoch:
            raise ZeroDivisionError


def embedder(*callbacks, epochs=5):
    return spco.Embedder("dgi", epochs=epochs, settings=SMALL, callbacks=callbacks)


def rows_of(path):
    text = path.read_text()
    found = csv.DictReader(text.splitlines()) if path.suffix == ".csv" else map(json.loads, text.splitlines())
    return [{name: float(value) for name, value in row.items() if value != ""} for row in found]


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_files_have_a_row_per_epoch(graph, tmp_path, name):
    knn = spco.KNNScore.of(graph)
    knn.every = 2
    emb = embedder(f"{name}:{tmp_path}", knn).fit(graph)
    rows = rows_of(tmp_path / "dgi+spco" / f"seed-0.{name}")
    assert [row["epoch"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["loss"] for row in rows] == emb.history_.losses
    assert {row["epoch"]: row["knn_accuracy"] for row in rows if "knn_accuracy" in row} == knn.scores
    thetas = {record.epoch + 1: record.theta for record in emb.history_.refreshes}
    assert {row["epoch"]: row["theta"] for row in rows if "theta" in row} == thetas


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_a_resumed_training_continues_its_file_and_a_new_one_has_its_own(graph, tmp_path, name):
    place, text = tmp_path / "c.safetensors", f"{name}:{tmp_path}"
    with pytest.raises(CallbackError):
        embedder(text, StopAfter(3)).fit(graph, checkpoint=place)
    first = tmp_path / "dgi+spco" / f"seed-0.{name}"
    assert [row["epoch"] for row in rows_of(first)] == [1, 2, 3]
    whole = embedder(text).fit(graph, checkpoint=place, resume=True)
    assert [row["loss"] for row in rows_of(first)] == whole.history_.losses
    before = first.read_text()
    embedder(text, epochs=2).fit(graph)
    assert first.read_text() == before
    assert len(rows_of(first.with_stem("seed-0-2"))) == 2


def test_rows_after_the_checkpoint_are_replaced(tmp_path):
    for start, stop in ((0, 5), (3, 4)):
        tracker = tracker_of(f"csv:{tmp_path}", run="mine", owner="test")
        tracker.on_start(Moment("x", start, 5))
        for epoch in range(start + 1, stop + 1):
            tracker.on_epoch(Moment("x", epoch, 5, loss=float(start), seconds=1.0))
        tracker.on_end(Moment("x", stop, 5, ending=FINISHED))
    assert [row["loss"] for row in rows_of(tmp_path / "mine.csv")] == [0, 0, 0, 3]


def test_rows_are_on_disk_while_training_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("spco.training.trackers._SECONDS_BETWEEN_WRITES", 0.0)
    tracker = tracker_of(f"csv:{tmp_path}", owner="test")
    tracker.on_start(Moment("x", 0, 5))
    tracker.on_epoch(Moment("x", 1, 5, loss=1.0, seconds=1.0))
    assert len(rows_of(tmp_path / "x.csv")) == 1


def test_tensorboard_reads_what_was_written(graph, tmp_path):
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    place, text = tmp_path / "c.safetensors", f"tensorboard:{tmp_path / 'tb'}"
    with pytest.raises(CallbackError):
        embedder(text, StopAfter(3)).fit(graph, checkpoint=place)
    emb = embedder(text).fit(graph, checkpoint=place, resume=True)
    events = EventAccumulator(str(tmp_path / "tb" / "dgi+spco" / "seed-0"))
    events.Reload()
    losses = events.Scalars("loss")
    assert [event.step for event in losses] == [1, 2, 3, 4, 5]
    assert [event.value for event in losses] == pytest.approx(emb.history_.losses)
    assert len(events.Scalars("theta")) == 3
    assert "settings/text_summary" in events.Tags()["tensors"]


def test_mlflow_reads_what_was_written(graph, tmp_path):
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    from spco.training.trackers import _allowing_folders

    place, text = tmp_path / "c.safetensors", f"mlflow:{tmp_path / 'ml'}"
    with pytest.raises(CallbackError):
        embedder(text, StopAfter(3)).fit(graph, checkpoint=place)
    with _allowing_folders():
        client = mlflow.MlflowClient((tmp_path / "ml").as_uri())
    experiment = client.get_experiment_by_name("spco").experiment_id
    assert [run.info.status for run in client.search_runs([experiment])] == ["FAILED"]
    emb = embedder(text).fit(graph, checkpoint=place, resume=True)
    (run,) = client.search_runs([experiment])
    assert run.info.status == "FINISHED"
    assert run.info.run_name == "dgi+spco/seed-0"
    assert run.data.params["spectral.refresh_every"] == "2"
    found = client.get_metric_history(run.info.run_id, "loss")
    assert [(one.step, one.value) for one in found] == list(enumerate(emb.history_.losses, 1))
    embedder(text, epochs=1).fit(graph)
    assert len(client.search_runs([experiment])) == 2


class FakeClient:
    """As much of MlflowClient as the tracker calls; it writes down the calls."""

    calls: list

    def __init__(self, tracking_uri):
        self.calls.append(("client", tracking_uri))

    def __getattr__(self, name):
        def called(*values, **_):
            self.calls.append((name, *values))
            return None if name.startswith(("get", "log", "set")) else type("Run", (), {"info": self})()

        return called

    run_id = "7"

    def create_experiment(self, _):
        return 3


@pytest.mark.parametrize(
    ("ending", "status"),
    [(FINISHED, "FINISHED"), (STOPPED_EARLY, "FINISHED"), (INTERRUPTED, "KILLED"), (FAILED, "FAILED")],
)
def test_mlflow_is_told_how_a_run_ended_also_on_a_server(monkeypatch, ending, status):
    class Module:
        MlflowClient = FakeClient

    FakeClient.calls = []
    monkeypatch.setitem(sys.modules, "mlflow", Module)
    monkeypatch.setitem(sys.modules, "mlflow.exceptions", type("M", (), {"MlflowException": OSError}))
    tracker = tracker_of("mlflow:https://example.org/track", owner="test")
    tracker.on_end(Moment("x", 0, 3, ending=ending))  # never started
    tracker.on_start(Moment("x", 0, 3, settings={"training": {"epochs": 3}}))
    tracker.on_epoch(Moment("x", 1, 3, loss=0.5, seconds=2.0))
    tracker.on_end(Moment("x", 1, 3, ending=ending))
    calls = FakeClient.calls
    assert calls[0] == ("client", "https://example.org/track")
    assert ("log_param", "7", "training.epochs", 3) in calls
    assert ("log_metric", "7", "loss", 0.5) in calls
    assert calls[-1] == ("set_terminated", "7", status)


@pytest.mark.parametrize("name", ["tensorboard", "mlflow"])
def test_a_missing_package_is_named_with_the_extra(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingDependencyError, match=rf"{name}' needs .*\nhint: pip install 'spco\[{name}\]'"
    ):
        tracker_of(name, owner="test")


def test_names_and_places_are_checked(tmp_path):
    assert list(TRACKERS) == ["csv", "jsonl", "tensorboard", "mlflow"]
    with pytest.raises(UnknownNameError, match="did you mean 'jsonl'"):
        tracker_of("json", owner="test")
    with pytest.raises(ValueError, match="look like 'NAME' or 'NAME:FOLDER'"):
        tracker_of("csv:", owner="test")
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="where files can be written"):
        tracker_of(f"csv:{tmp_path / 'file'}", owner="test")
