"""Names that others chose are shown as they are: not as markup, commands to the terminal or formulas."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest

import spco
from spco.cli import console
from spco.cli.console import visible
from spco.errors import InvalidParameterError
from spco.graph.files import write_graph

NAMES = ["[/]", "[bold]x", "\x1b[2Jx", "a\x07\r\x9b31m", "\u202egnp.exe", "[link=http://x]y[/link]"]


@pytest.mark.parametrize("command", ["train", "evaluate", "spectrum", "advise"])
def test_a_graph_may_have_any_name(spco_command, tmp_path, command):
    graph = replace(spco.load_dataset("wine"), name=" ".join(NAMES))
    write_graph(graph, tmp_path / "g", overwrite=True)
    np.save(tmp_path / "z.npy", graph.features)
    more = {
        "train": ["--method", "cca_ssg", "--epochs", "1", "--rates", "train20"],
        "evaluate": ["--embeddings", "z.npy"],
        "spectrum": ["--view", "ppr:0.2"],
        "advise": [],
    }[command]
    done = spco_command(command, "--edges", "g", *more)
    if command != "evaluate":  # which shows no name
        assert all(visible(name) in done.stdout + done.stderr for name in NAMES)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(done.stdout + done.stderr)


def test_errors_show_names_that_way_too(spco_command, tmp_path):
    (tmp_path / "e.csv").write_text("source,target,weight\na,b,\x1b[2J[/]\n")
    done = spco_command("spectrum", "--edges", "e.csv", code=2)
    assert "\x1b" not in done.stderr
    assert "[/]" in done.stderr


def test_json_stays_json(spco_command, tmp_path):
    write_graph(replace(spco.load_dataset("wine"), name="\x1b[/]"), tmp_path / "g")
    done = spco_command("advise", "--edges", "g", "--json")
    assert json.loads(done.stdout)


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "@SUM(1)", "-2+3|x", '+HYPERLINK("x")'])
def test_an_id_that_reads_as_a_formula_is_not_written_to_a_table_of_text(tmp_path, name):
    graph = spco.Graph.from_edges([[0, 1]], node_ids=[name, "b"])
    for suffix in (".csv", ".tsv"):
        with pytest.raises(InvalidParameterError, match="spreadsheets would run"):
            write_graph(graph, tmp_path / f"e{suffix}")
    write_graph(graph, tmp_path / "e.parquet")
    assert spco.read_graph(tmp_path / "e.parquet").node_ids.tolist() == sorted([name, "b"])


@pytest.mark.parametrize("name", ["@ann", "-5a", "+1", "=", "a=b(c)"])
def test_other_ids_are_written_as_they_are(tmp_path, name):
    graph = spco.Graph.from_edges([[0, 1]], node_ids=[name, "b"])
    write_graph(graph, tmp_path / "e.csv")
    assert set(spco.read_graph(tmp_path / "e.csv").node_ids) == {name, "b"}


def test_a_warning_is_given_once_for_all_seeds_of_a_command(capsys):
    for _ in range(2):
        console.set_level(console.USUAL)
        console.show_warning("nothing changes")
        console.show_warning("nothing changes")
    assert capsys.readouterr().err.count("nothing changes") == 2


@pytest.mark.parametrize("width", [24, 40, 50, 60, 80, 200])
def test_a_table_cuts_no_word_however_narrow_the_window_is(monkeypatch, width):
    cells = ("cca_ssg+spco − cca_ssg", "10 per class", "−24.74 … +17.42", "0.625")
    table = console.table_with("Gain", "pair", "labels", "difference", "Wilcoxon p", left=("pair", "labels"))
    table.add_row(*cells)
    with io.StringIO() as stream:
        monkeypatch.setattr(console, "out", console.PlainConsole(file=stream, width=width, soft_wrap=True))
        console.print_table(table)
        lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    assert set(" ".join(cells).split()) | {"difference", "Wilcoxon"} <= set(" ".join(lines).split())
    assert max(map(len, lines)) <= width
    assert any(all(cell in line for cell in cells) for line in lines) == (width >= 80)
