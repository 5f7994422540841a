"""Where load_dataset looks, in which order, and what it says when it finds nothing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.datasets import DATASETS, availability, download, load, planetoid
from spco.errors import (
    DatasetUnavailableError,
    HashMismatchError,
    InvalidParameterError,
    MissingFileError,
    UnknownNameError,
)

from .conftest import Site

PAPER = ("cora", "citeseer", "pubmed", "blogcatalog", "flickr")


def store(folder: Path, num_nodes: int) -> None:
    """Write a path graph; its number of nodes tells the tests where a graph came from."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    ends = np.ones(num_nodes - 1)
    spco.write_graph(spco.Graph(sp.diags_array([ends, ends], offsets=[-1, 1])), folder)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("asked the network")

    monkeypatch.setattr(load, "fetch", refuse)


def assert_equal_graphs(first: spco.Graph, second: spco.Graph) -> None:
    for one, other in ((first.adjacency, second.adjacency), (first.features, second.features)):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        np.testing.assert_array_equal(one.indptr, other.indptr)
        np.testing.assert_array_equal(one.indices, other.indices)
        np.testing.assert_array_equal(one.data, other.data)
    np.testing.assert_array_equal(first.labels, second.labels)
    assert set(first.splits) == set(second.splits)
    for name, nodes in first.splits.items():
        np.testing.assert_array_equal(nodes, second.splits[name])
    assert first.name == second.name


@pytest.mark.parametrize("name", PAPER)
def test_download_equals_the_ready_graph(
    name: str, raw_site: Site, data_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert availability(name) == "download"
    ready = spco.load_dataset(name, root=data_root)
    downloaded = spco.load_dataset(name, mirror=raw_site.address)
    assert_equal_graphs(downloaded, ready)
    assert availability(name) == "cached"

    # The second time nothing is asked for and nothing is unpickled, not even with the published files gone.
    raw_site.requests.clear()
    shutil.rmtree(download.raw_folder())
    monkeypatch.setattr(planetoid, "unpickled", None)
    assert_equal_graphs(spco.load_dataset(name, mirror=raw_site.address), ready)
    assert raw_site.requests == []


def test_mirror_variable_reaches_the_download(raw_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPCO_MIRROR", raw_site.address)
    assert spco.load_dataset("cora", progress=False).num_edges == 5278
    assert len(raw_site.requests) == 7


def test_wrong_file_leaves_nothing_in_the_cache(site: Site, tmp_path: Path) -> None:
    (site.folder / "BlogCatalog.edge").write_bytes(b"#Nodes\t2\n")
    with pytest.raises(HashMismatchError, match=r"BlogCatalog\.edge"):
        spco.load_dataset("blogcatalog", mirror=site.address)
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
    assert availability("blogcatalog") == "download"


@pytest.mark.parametrize("name", ["cora", "flickr"])
def test_offline_is_a_named_error_with_advice(name: str, closed_address: str) -> None:
    with pytest.raises(DatasetUnavailableError, match=rf"'{name}'(.|\n)*hint: (.|\n)*root=(.|\n)*SPCO_DATA"):
        spco.load_dataset(name, mirror=closed_address)


@pytest.mark.usefixtures("no_network")
def test_order_root_then_data_folder_then_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(download.parsed_folder("cora"), 3)
    assert availability("cora") == "cached"
    assert spco.load_dataset("cora").num_nodes == 3

    store(tmp_path / "data" / "cora", 4)
    monkeypatch.setenv("SPCO_DATA", str(tmp_path / "data"))
    assert availability("cora") == "folder"
    assert spco.load_dataset("cora").num_nodes == 4

    store(tmp_path / "root" / "cora", 5)
    assert spco.load_dataset("cora", root=tmp_path / "root").num_nodes == 5
    assert spco.load_dataset("cora", root=str(tmp_path / "root")).name == "cora"


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("folder", ["nothing", "there/is/no/such/folder", ""])
def test_data_folder_without_the_graph_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (tmp_path / "nothing").mkdir()
    monkeypatch.setenv("SPCO_DATA", str(tmp_path / folder) if folder else "")
    store(download.parsed_folder("flickr"), 3)
    assert spco.load_dataset("flickr").num_nodes == 3


@pytest.mark.usefixtures("no_network")
def test_root_must_hold_the_graph(tmp_path: Path) -> None:
    store(download.parsed_folder("cora"), 3)
    with pytest.raises(
        MissingFileError, match="The 'root' parameter of load_dataset must be a folder that exists"
    ):
        spco.load_dataset("cora", root=tmp_path / "absent")
    store(tmp_path / "root" / "pubmed", 3)
    with pytest.raises(MissingFileError, match=r"must hold a folder 'cora'.*with 'pubmed'"):
        spco.load_dataset("cora", root=tmp_path / "root")


@pytest.mark.usefixtures("no_network")
def test_own_graphs_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path / "friends-2024", 6)
    graph = spco.load_dataset("friends-2024", root=tmp_path)
    assert (graph.num_nodes, graph.name) == (6, "friends-2024")
    monkeypatch.setenv("SPCO_DATA", str(tmp_path))
    assert spco.load_dataset("friends-2024").num_nodes == 6
    with pytest.raises(UnknownNameError, match=r"hint: did you mean 'friends-2024'\?"):
        spco.load_dataset("friends-2042")


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("coar", "cora"),
        ("Cora", "cora"),
        ("pubmd", "pubmed"),
        ("breast-cancer", "breast_cancer"),
        ("digit", "digits"),
    ],
)
def test_unknown_name_has_the_closest_as_a_hint(name: str, near: str, tmp_path: Path) -> None:
    with pytest.raises(
        UnknownNameError, match=rf"'name' parameter of load_dataset(.|\n)*did you mean '{near}'\?"
    ):
        spco.load_dataset(name)
    with pytest.raises(UnknownNameError, match=near):
        spco.load_dataset(name, root=tmp_path)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", ["../graph", "..", ".", "", "a/b", ".hidden", None, 3, ["cora"]])
def test_name_cannot_lead_out_of_the_folder(
    name: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path / "graph", 3)
    store(tmp_path / "root" / "a" / "b", 3)
    store(tmp_path / "root" / ".hidden", 3)
    with pytest.raises(UnknownNameError):
        spco.load_dataset(name, root=tmp_path / "root")
    monkeypatch.setenv("SPCO_DATA", str(tmp_path / "root"))
    with pytest.raises(UnknownNameError):
        spco.load_dataset(name)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", ["digits", "wine", "breast_cancer", "sbm", "hubs"])
def test_embedded_graphs_need_nothing(name: str, tmp_path: Path) -> None:
    assert availability(name) == "embedded"
    first, again, other = (spco.load_dataset(name, random_state=seed) for seed in (0, 0, 1))
    for split, nodes in first.splits.items():
        np.testing.assert_array_equal(nodes, again.splits[split])
    assert not np.array_equal(first.splits["train5"], other.splits["train5"])
    assert not (tmp_path / "cache").exists()


def test_bad_seed_is_a_named_error() -> None:
    with pytest.raises(InvalidParameterError, match="'random_state' parameter of load_dataset"):
        spco.load_dataset("digits", random_state=-1)


def test_availability_of_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cora'"):
        availability("kora")


def test_graph_stored_by_another_process_meanwhile_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = spco.Graph([[0, 1], [1, 0]])

    def slow_parse(*_: object, **__: object) -> dict[str, Path]:
        store(download.parsed_folder("cora"), 7)
        return {}

    monkeypatch.setattr(load, "fetch", slow_parse)
    entry = replace(DATASETS["cora"], read=lambda _files, _name: graph)
    monkeypatch.setitem(DATASETS._entries, "cora", entry)
    assert spco.load_dataset("cora").num_nodes == 7


def test_cache_is_the_users_own_unless_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert download.cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("SPCO_CACHE")
    assert download.cache_folder().name == "spco"
