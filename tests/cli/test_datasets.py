"""``spco datasets``: the table is whole, the JSON is readable, and both agree with the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner, Result

import spco
from spco.cli import datasets as command
from spco.datasets import DATASETS
from spco.datasets.download import parsed_folder

COLUMNS = ["name", "nodes", "edges", "features", "classes", "origin", "available"]


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SPCO_DATA", raising=False)
    monkeypatch.setenv("SPCO_CACHE", str(tmp_path / "cache"))


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command("datasets")(command.datasets)
    return CliRunner().invoke(app, list(arguments))


def store(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    spco.write_graph(spco.Graph([[0, 1], [1, 0]]), folder)


def assert_whole(table: str) -> None:
    head, *rows = table.splitlines()
    assert head.split() == COLUMNS
    assert "…" not in table
    for row, entry in zip(rows, DATASETS.values(), strict=True):
        numbers = [entry.num_nodes, entry.num_edges, entry.num_features, entry.num_classes]
        assert row.split()[:5] == [entry.name, *("–" if n is None else str(n) for n in numbers)]
        assert entry.origin in row


@pytest.mark.parametrize("columns", ["20", "80", "200"])
def test_table_into_a_pipe_is_whole(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = run()
    assert result.exit_code == 0
    assert result.stderr == ""
    assert_whole(result.stdout)


@pytest.mark.parametrize("width", [20, 80, 200])
def test_table_in_a_window_is_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    window = Console(force_terminal=True, color_system=None, width=width, soft_wrap=True)
    monkeypatch.setattr(command, "out", window)
    command.datasets()
    assert_whole(capsys.readouterr().out)


def test_table_fits_an_ordinary_window() -> None:
    assert max(map(len, run().stdout.splitlines())) <= 80


def test_json_states_the_catalogue() -> None:
    result = run("--json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == list(DATASETS)
    for row, entry in zip(rows, DATASETS.values(), strict=True):
        assert list(row) == [*COLUMNS, "description"]
        assert (row["nodes"], row["edges"]) == (entry.num_nodes, entry.num_edges)
        assert (row["features"], row["classes"]) == (entry.num_features, entry.num_classes)
        assert (row["origin"], row["description"]) == (entry.origin, entry.description)


def _available() -> dict[str, str]:
    by_json = {row["name"]: row["available"] for row in json.loads(run("--json").stdout)}
    by_table = {row.split()[0]: row.split()[-1] for row in run().stdout.splitlines()[1:]}
    assert by_json == by_table
    return by_json


def test_available_follows_folder_cache_and_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store(parsed_folder("citeseer"))
    store(tmp_path / "data" / "pubmed")
    monkeypatch.setenv("SPCO_DATA", str(tmp_path / "data"))
    found = _available()
    assert {found[name] for name in ("digits", "wine", "breast_cancer", "sbm", "hubs")} == {"embedded"}
    assert [found[name] for name in ("cora", "citeseer", "pubmed")] == ["download", "cached", "folder"]


def test_a_registered_graph_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DATASETS, "_entries", dict(DATASETS._entries))
    spco.register_dataset("mine", "/no/such/folder", description="a graph of my own")
    row = json.loads(run("--json").stdout)[-1]
    assert (row["name"], row["nodes"], row["available"]) == ("mine", None, "folder")
    assert run().stdout.splitlines()[-1].split() == ["mine", *"––––", "registered", "folder"]
