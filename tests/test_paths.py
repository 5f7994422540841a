"""Paths that no file can have: whatever takes a path refuses them by name, and before any work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import spco
from spco._validation import check_file_place, check_folder_place
from spco.cli.embeddings import read_embedding, write_embedding
from spco.errors import InvalidParameterError, SpcoError
from spco.leaderboard.graphs import GRAPHS_VARIABLE, board_graph
from spco.presets import load_preset
from spco.runs import Ledger
from spco.runs.checking import check_results
from spco.runs.run_folder import FolderStore

IMPOSSIBLE = {
    "name too long": "x" * 300,
    "folder too long": "x" * 300 + "/a",
    "path too long": "y/" * 3000 + "a",
    "null character": "a\0b",
}
SETTINGS = {"method": {"widths": (4,)}}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("0,1\n1,2\n2,0\n")


def fit(*, callbacks=None, **how):
    emb = spco.Embedder("dgi", spectral=False, epochs=1, settings=SETTINGS, callbacks=callbacks)
    return emb.fit(spco.load_dataset("wine"), **how)


def compare(path):
    contenders = {"dgi": {"method": "dgi", "settings": {**SETTINGS, "training": {"epochs": 1}}}}
    return spco.compare(spco.load_dataset("wine"), contenders, seeds=[0], out=path)


READERS = {
    "graph": lambda path: spco.read_graph(path),
    "mapped graph": lambda path: spco.read_graph(path, mmap=True),
    "table": lambda path: spco.read_graph(path + ".csv"),
    "array": lambda path: spco.read_graph("edges.csv", labels=path + ".npy"),
    "archive": lambda path: spco.read_graph("edges.csv", features=path + ".npz"),
    "splits": lambda path: spco.read_graph("edges.csv", splits=path),
    "dataset": lambda path: spco.load_dataset("cora", root=path),
    "dataset by name": lambda path: spco.load_dataset(path, root="."),
    "model": spco.Embedder.load,
    "classifier": spco.NodeClassifier.load,
    "preset": lambda path: load_preset("grace", path + ".toml"),
    "runs": lambda path: FolderStore.read(Path(path)),
    "results": lambda path: check_results(Path(path)),
    "embedding": lambda path: read_embedding(Path(path + ".npy"), "evaluate"),
}
WRITERS = {
    "graph": lambda path: spco.write_graph(spco.load_dataset("wine"), path),
    "archive": lambda path: spco.write_graph(spco.load_dataset("wine"), path + ".npz"),
    "model": lambda path: fit().save(path),
    "checkpoint": lambda path: fit(checkpoint=path),
    "resumed": lambda path: fit(checkpoint=path, resume=True),
    "mapped embedding": lambda path: fit(out=path + ".npy"),
    "tracker": lambda path: fit(callbacks=[f"csv:{path}"]),
    "runs": compare,
    "embedding": lambda path: write_embedding(Path(path + ".npy"), np.ones((2, 2)), None),
}


@pytest.mark.parametrize("path", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@pytest.mark.parametrize("act", READERS.values(), ids=READERS)
def test_readers_refuse_impossible_paths_by_name(act, path):
    with pytest.raises(SpcoError):
        act(path)


@pytest.mark.parametrize("path", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@pytest.mark.parametrize("act", WRITERS.values(), ids=WRITERS)
def test_writers_refuse_impossible_paths_by_name(act, path):
    with pytest.raises(SpcoError):
        act(path)


@pytest.mark.parametrize("path", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_places_are_refused_before_any_work(path):
    for check in (check_file_place, check_folder_place):
        with pytest.raises(InvalidParameterError, match="The 'out' parameter of fit must be where files"):
            check(Path(path), "out", "fit")


def test_the_name_of_the_unfinished_file_must_be_possible_too():
    check_file_place(Path("x" * 240), "out", "fit")
    with pytest.raises(InvalidParameterError, match="too long"):
        check_file_place(Path("x" * 250), "out", "fit")


def test_a_folder_is_no_ledger_and_an_impossible_one_is_empty():
    with pytest.raises(InvalidParameterError, match="which is a folder"):
        Ledger(Path()).runs()
    assert Ledger(Path("x" * 300)).runs() == []


def test_the_folder_of_graphs_is_named(monkeypatch):
    monkeypatch.setenv(GRAPHS_VARIABLE, "x" * 300)
    with pytest.raises(SpcoError, match="hold a folder"):
        board_graph("amazon_photo")
