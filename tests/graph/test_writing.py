"""Files are written whole or not at all, and nothing is lost or replaced unasked."""

from __future__ import annotations

import os
import zipfile

import numpy as np
import pytest

from spco import Graph, errors, read_graph, write_graph

from .strategies import FULL, PATH, assert_same, assert_same_array, entries


@pytest.mark.parametrize("name", ["g", "g.npz", "g.csv", "g.tsv", "g.parquet"])
def test_what_is_there_is_replaced_only_on_demand(tmp_path, name):
    old, new = Graph([[1]]), Graph([[0, 1], [1, 0]])
    write_graph(old, tmp_path / name)
    with pytest.raises(errors.InvalidParameterError, match="hint: overwrite=True replaces it"):
        write_graph(new, tmp_path / name)
    np.testing.assert_array_equal(read_graph(tmp_path / name).adjacency.toarray(), [[1]])
    write_graph(new, tmp_path / name, overwrite=True)
    np.testing.assert_array_equal(read_graph(tmp_path / name).adjacency.toarray(), [[0, 1], [1, 0]])
    assert entries(tmp_path) == [name]


def test_a_replaced_folder_keeps_nothing_of_the_old_one(tmp_path):
    write_graph(FULL, tmp_path / "g")
    write_graph(Graph([[1]]), tmp_path / "g", overwrite=True)
    assert entries(tmp_path / "g") == ["adj.npz", "graph.json"]


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "g").mkdir()
    write_graph(FULL, tmp_path / "g")
    assert_same(FULL, read_graph(tmp_path / "g"))
    assert entries(tmp_path) == ["g"]


@pytest.mark.parametrize("extra", ["thesis.tex", "photos"])
def test_a_folder_with_other_things_is_never_replaced(tmp_path, extra):
    write_graph(FULL, tmp_path / "g")
    (tmp_path / "g" / extra).mkdir() if extra == "photos" else (tmp_path / "g" / extra).write_text("mine")
    with pytest.raises(errors.InvalidParameterError, match="holds other files"):
        write_graph(Graph([[1]]), tmp_path / "g", overwrite=True)
    assert extra in entries(tmp_path / "g")


def test_files_and_folders_do_not_replace_each_other(tmp_path):
    (tmp_path / "g").write_text("a file")
    (tmp_path / "h.npz").mkdir()
    for path in ("g", "h.npz"):
        with pytest.raises(errors.InvalidParameterError, match="exists already"):
            write_graph(FULL, tmp_path / path, overwrite=True)
    assert (tmp_path / "g").read_text() == "a file"
    assert (tmp_path / "h.npz").is_dir()


@pytest.mark.parametrize("name", ["g", "g.npz", "g.csv", "g.parquet"])
@pytest.mark.parametrize("before", [False, True])
def test_a_failure_leaves_things_as_they_were(tmp_path, monkeypatch, name, before):
    graph = Graph([[0, 2], [2, 0]], node_ids=["a", "b"])
    if before:
        write_graph(graph, tmp_path / name)

    def fail(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        write_graph(Graph([[1]]), tmp_path / name, overwrite=True)
    monkeypatch.undo()
    assert entries(tmp_path) == ([name] if before else [])
    if before:
        assert_same_array(read_graph(tmp_path / name).adjacency.toarray(), graph.adjacency.toarray())


def test_a_failed_swap_puts_the_old_folder_back(tmp_path, monkeypatch):
    write_graph(FULL, tmp_path / "g")
    real, calls = os.replace, []

    def fail_second(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError("interrupted")
        real(source, target)

    monkeypatch.setattr(os, "replace", fail_second)
    with pytest.raises(OSError, match="interrupted"):
        write_graph(Graph([[1]]), tmp_path / "g", overwrite=True)
    monkeypatch.undo()
    assert_same(FULL, read_graph(tmp_path / "g"))
    assert entries(tmp_path) == ["g"]


def test_a_failure_half_way_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np, "save", fail)
    with pytest.raises(OSError, match="disk full"):
        write_graph(FULL, tmp_path / "g")
    assert entries(tmp_path) == []


def test_others_may_read_what_is_written(tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain.txt").write_text("")
    write_graph(FULL, tmp_path / "g")
    write_graph(FULL, tmp_path / "g.npz")
    assert (tmp_path / "g").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "g.npz").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


@pytest.mark.parametrize("name", ["adj", "Feat", "label", "node_ids", "a/b", "..", "", " x", "a\nb", "c:d"])
@pytest.mark.parametrize("suffix", ["", ".npz"])
def test_split_names_that_cannot_be_files(tmp_path, name, suffix):
    with pytest.raises(errors.InvalidSplitError):
        write_graph(Graph(PATH, splits={name: [0]}), tmp_path / f"g{suffix}")
    assert entries(tmp_path) == []


def test_split_names_that_differ_in_case_only(tmp_path):
    with pytest.raises(errors.InvalidSplitError, match="upper and lower case"):
        write_graph(Graph(PATH, splits={"val": [0], "VAL": [1]}), tmp_path / "g")


def test_unknown_suffixes_missing_folders_and_other_objects(tmp_path):
    with pytest.raises(errors.InvalidParameterError, match=r"end in \.npz, \.csv, \.tsv or \.parquet"):
        write_graph(FULL, tmp_path / "g.pkl")
    with pytest.raises(errors.MissingFileError, match="folder that exists"):
        write_graph(FULL, tmp_path / "no" / "g.npz")
    with pytest.raises(errors.InvalidParameterError, match="be a Graph"):
        write_graph(PATH, tmp_path / "g.npz")


@pytest.mark.parametrize("name", ["g.csv", "g.tsv", "g.parquet"])
def test_an_edge_list_does_not_lose_things_silently(tmp_path, name):
    with pytest.raises(errors.InvalidParameterError, match="with features and labels and splits"):
        write_graph(FULL, tmp_path / name)
    assert entries(tmp_path) == []
    write_graph(FULL, tmp_path / name, edges_only=True)
    back = read_graph(tmp_path / name)
    np.testing.assert_array_equal(back.adjacency.toarray(), PATH)
    assert back.node_ids.tolist() == ["x", "y", "z"]


def test_the_same_graph_gives_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        write_graph(FULL, tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert zipfile.is_zipfile(tmp_path / "a.npz")
