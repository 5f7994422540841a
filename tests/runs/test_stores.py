"""What every store does, whatever it keeps; and what a folder alone has."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import spco
from spco.errors import FileFormatError, InUseError, InvalidParameterError
from spco.runs import FolderStore, Ledger, MemoryStore, RunSpec, destination
from spco.runs.destination import Destination
from spco.runs.performing import Fit
from spco.runs.run_folder import is_ours, remove_runs
from spco.training import History

from ..made_runs import made_run

SPEC = RunSpec("cca_ssg", "wine", 0, settings={"training": {"epochs": 4}})
ABOUT = {"graph": "wine", "method": "cca_ssg"}


def put(store, run):
    """Add a run as the engine does: its outputs to its files first, if the store has one."""
    files = store.files(run.spec)
    if files is not None:
        history = History(losses=[1.0] * run.epochs, seconds=[0.1] * run.epochs)
        fit = Fit(np.ones((2, 2)), history, run.seconds, run.peak_bytes)
        files.keep("train5" if run.spec.is_supervised else "", fit, _Saved(), spco.load_dataset("wine"))
    store.add(run)


def open_folder(destination, about=ABOUT):
    """Open a folder of runs and let go of its lock."""
    with destination.opened(about) as store:
        return store


class _Saved:
    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").touch()


@pytest.fixture(params=["folder", "ledger", "memory"])
def opened(request, tmp_path):
    """A function that opens the same store again."""
    memory = MemoryStore()

    def folder():
        return open_folder(Destination(tmp_path / "runs", resume=True))

    return {"folder": folder, "ledger": lambda: Ledger(tmp_path / "l.jsonl"), "memory": lambda: memory}[
        request.param
    ]


def told(run):
    return run.name, run.spec.seed, run.scores, run.epochs, run.seconds, run.peak_bytes


def test_what_goes_in_comes_out(opened):
    store = opened()
    assert store.runs() == []
    assert store.held([SPEC]) == [None]
    runs = [
        made_run(replace(SPEC, seed=seed, spectral=spectral)) for spectral in (False, True) for seed in (0, 1)
    ]
    for run in runs:
        put(store, run)
    again = opened()
    assert list(map(told, again.runs())) == list(map(told, runs))
    wanted = [runs[2].spec, replace(SPEC, seed=7), runs[0].spec]
    first, nothing, second = again.held(wanted)
    assert (told(first), nothing, told(second)) == (told(runs[2]), None, told(runs[0]))
    assert first.spec.key == wanted[0].key


def test_the_last_of_equal_runs_counts(opened):
    for score in (0.1, 0.9):
        put(opened(), made_run(SPEC, score))
    (run,) = opened().runs()
    assert run.scores["train20"].micro_f1 == 0.9


def test_a_run_without_scores_is_kept_too(opened):
    put(opened(), made_run(SPEC, {}))
    assert [told(run) for run in opened().held([SPEC])] == [told(made_run(SPEC, {}))]


def test_in_a_folder_a_run_counts_once_its_output_is_there(tmp_path):
    store = open_folder(Destination(tmp_path / "runs"))
    put(store, made_run(SPEC))
    (store.files(SPEC).folder / "embedding.npy").unlink()
    assert store.held([SPEC]) == [None]
    gcn = RunSpec("gcn", "wine", 0)
    put(store, made_run(gcn))
    (run,) = store.held([gcn])
    assert set(run.scores) == set(run.histories) == {"train5"}  # the others have no classes


@pytest.mark.parametrize("spec", [SPEC, RunSpec("gcn", "wine", 0)], ids=["embedding", "classes"])
def test_the_output_is_written_when_all_else_of_a_run_is_there(tmp_path, monkeypatch, spec):
    store = open_folder(Destination(tmp_path / "runs"))
    order, replace_file = [], os.replace

    def noting(old, new):
        order.append(Path(new).name)
        replace_file(old, new)

    monkeypatch.setattr(os, "replace", noting)
    put(store, made_run(spec))
    output = "classes.npy" if spec.is_supervised else "embedding.npy"
    assert order == ["history.json", "cost.json", output, "metrics.json"]


def test_names_of_a_folder_are_its_own():
    ours = ["run.json", ".run.0123456789ab.json", "a/seed-3/embedding.npy", "gcn/seed-0/train5/classes.npy"]
    others = [
        "notes.txt",
        "a/run.json",
        "a/seed-x/embedding.npy",
        "a/seed-0/plot.png",
        "a/seed-0/b/c/cost.json",
    ]
    assert all(is_ours(Path(place)) for place in ours)
    assert not any(is_ours(Path(place)) for place in others)


def test_what_is_in_a_folder_already_is_refused_in_the_words_of_who_asks(tmp_path):
    open_folder(Destination(tmp_path / "runs"))
    with pytest.raises(
        InvalidParameterError, match="'out' parameter of compare must be a new or empty folder"
    ) as e:
        open_folder(Destination(tmp_path / "runs"))
    assert "hint: resume=True continues its runs, overwrite=True replaces them" in str(e.value)
    with pytest.raises(InvalidParameterError, match="same graph to resume them"):
        open_folder(Destination(tmp_path / "runs", resume=True), {**ABOUT, "graph": "b"})
    assert FolderStore.read(tmp_path / "runs").description == ABOUT
    (tmp_path / "runs" / "run.json").write_text("[]")
    with pytest.raises(FileFormatError, match=r"hold what its runs wrote"):
        open_folder(Destination(tmp_path / "runs", resume=True))


def test_two_writers_of_a_folder_are_one_too_many(tmp_path):
    path = tmp_path / "runs"
    with Destination(path).opened(ABOUT):
        before = (path / "run.json").read_bytes()
        for second in (Destination(path, overwrite=True), Destination(path, resume=True)):
            with pytest.raises(InUseError, match=f"Another process is writing to the folder {path}"):
                open_folder(second)
        assert (path / "run.json").read_bytes() == before
    open_folder(Destination(path, resume=True))


def test_a_folder_that_is_refused_gets_no_lock_file(tmp_path):
    (tmp_path / "precious").write_text("mine")
    with pytest.raises(InvalidParameterError, match="new or empty"):
        open_folder(Destination(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_runs_that_another_process_ended_while_we_waited_are_not_written_over(tmp_path, monkeypatch):
    path = tmp_path / "runs"

    @contextmanager
    def won_by_another(*_, **__):
        with monkeypatch.context() as undone:
            undone.setattr(destination, "only_writer", only_writer)
            put(open_folder(Destination(path)), made_run(SPEC))
        yield

    only_writer = destination.only_writer
    monkeypatch.setattr(destination, "only_writer", won_by_another)
    with pytest.raises(InvalidParameterError, match="new or empty folder"):
        open_folder(Destination(path), {**ABOUT, "method": "dgi"})
    store = FolderStore.read(path)
    assert store.description == ABOUT
    assert store.held([SPEC]) != [None]


def test_overwritten_runs_have_another_id_and_resumed_ones_the_same(tmp_path):
    path = tmp_path / "runs"
    first = open_folder(Destination(path)).run_id
    assert open_folder(Destination(path, resume=True)).run_id == FolderStore.read(path).run_id == first
    assert open_folder(Destination(path, overwrite=True)).run_id not in (None, first)


@pytest.mark.parametrize("name", ["cost.json", "history.json", "metrics.json", "embedding.npy"])
def test_a_file_of_other_runs_is_refused_on_resume(tmp_path, name):
    stores = [open_folder(Destination(tmp_path / folder)) for folder in ("one", "two")]
    for store, value in zip(stores, (0.1, 0.2), strict=True):
        put(store, made_run(SPEC, value))
    one, two = (store.files(SPEC).folder / name for store in stores)
    if name == "embedding.npy":
        np.save(two, np.full((2, 2), 7.0))
    one.write_bytes(two.read_bytes())
    store = open_folder(Destination(tmp_path / "one", resume=True))
    read = store.files(SPEC).finished if name == "embedding.npy" else lambda _: store.held([SPEC])
    with pytest.raises(FileFormatError, match=f"hold what its runs wrote. Got .*{name}"):
        read("")


def test_a_folder_of_before_has_no_ids_and_is_resumed(tmp_path):
    store = open_folder(Destination(tmp_path / "runs"))
    put(store, made_run(SPEC))
    for path in store.path.rglob("*.json"):
        document = json.loads(path.read_text())
        document.pop("output", None)
        del document["run_id"]
        path.write_text(json.dumps(document))
    again = open_folder(Destination(tmp_path / "runs", resume=True))
    assert told(again.held([SPEC])[0]) == told(made_run(SPEC))
    assert again.files(SPEC).finished("") is not None


@pytest.mark.parametrize(
    "document",
    ["[]", "{", '"a"', "null", '{"seconds": "x"}', '{"train5": 3}', '{"losses": 0, "refreshes": 1}'],
)
@pytest.mark.parametrize("name", ["cost.json", "history.json", "metrics.json"])
def test_a_damaged_document_is_named(tmp_path, name, document):
    store = open_folder(Destination(tmp_path / "runs"))
    put(store, made_run(SPEC))
    (store.files(SPEC).folder / name).write_text(document)
    with pytest.raises(FileFormatError, match=f"Got .*{name}"):
        store.runs()


def test_runs_that_are_removed_never_look_finished(tmp_path, monkeypatch):
    store = open_folder(Destination(tmp_path / "runs"))
    for seed in (0, 1):
        put(store, made_run(replace(SPEC, seed=seed)))
    removed, unlink = [], Path.unlink
    monkeypatch.setattr(Path, "unlink", lambda path, **how: (removed.append(path.name), unlink(path, **how)))
    remove_runs(store.path)
    assert [name == "embedding.npy" for name in removed] == [True, True] + [False] * (len(removed) - 2)
