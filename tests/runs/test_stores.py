"""What every store does, whatever it keeps; and what a folder alone has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import spco
from spco.errors import FileFormatError, InvalidParameterError
from spco.runs import FolderStore, Ledger, MemoryStore, RunSpec
from spco.runs.destination import Destination
from spco.runs.folder import is_ours
from spco.runs.performing import Fit
from spco.training import History

from ..made_runs import made_run

SPEC = RunSpec("cca_ssg", "wine", 0, settings={"training": {"epochs": 4}})
ABOUT = {"graph": "wine", "method": "cca_ssg"}


def put(store, run):
    """Add a run as the engine does: its outputs to the desk first, if the store has one."""
    desk = store.desk(run.spec)
    if desk is not None:
        history = History(losses=[1.0] * run.epochs, seconds=[0.1] * run.epochs)
        fit = Fit(np.ones((2, 2)), history, run.seconds, run.peak_bytes)
        desk.keep("train5" if run.spec.is_supervised else "", fit, _Saved(), spco.load_dataset("wine"))
    store.add(run)


class _Saved:
    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").touch()


@pytest.fixture(params=["folder", "ledger", "memory"])
def opened(request, tmp_path):
    """A function that opens the same store again."""
    memory = MemoryStore()

    def folder():
        return Destination(tmp_path / "runs", resume=True).opened(ABOUT)

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
    store = Destination(tmp_path / "runs").opened(ABOUT)
    put(store, made_run(SPEC))
    (store.desk(SPEC).folder / "embedding.npy").unlink()
    assert store.held([SPEC]) == [None]
    gcn = RunSpec("gcn", "wine", 0)
    put(store, made_run(gcn))
    (run,) = store.held([gcn])
    assert set(run.scores) == set(run.histories) == {"train5"}  # the others have no classes


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
    Destination(tmp_path / "runs").opened(ABOUT)
    with pytest.raises(
        InvalidParameterError, match="'out' parameter of compare must be a new or empty folder"
    ) as e:
        Destination(tmp_path / "runs").opened(ABOUT)
    assert "hint: resume=True continues its runs, overwrite=True replaces them" in str(e.value)
    with pytest.raises(InvalidParameterError, match="same graph to resume them"):
        Destination(tmp_path / "runs", resume=True).opened({**ABOUT, "graph": "b"})
    assert FolderStore.read(tmp_path / "runs").description == ABOUT
    (tmp_path / "runs" / "run.json").write_text("[]")
    with pytest.raises(FileFormatError, match=r"hold results that spco wrote"):
        Destination(tmp_path / "runs", resume=True).opened(ABOUT)
