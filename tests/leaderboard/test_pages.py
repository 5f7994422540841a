"""The board as tables, on its page, and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spco.leaderboard.pages import (
    PARTS,
    board_document,
    gains_table,
    rank_display,
    scores_table,
    state_line,
    updated_page,
)
from spco.leaderboard.pages import test_line as line_about_the_test
from spco.leaderboard.scores import read_board
from spco.report import save_figure

from .made_board import GRAPHS, entries, runs, write_ledger

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "leaderboard.md"
COMMAND = "spco leaderboard --budget 0 --update docs/leaderboard.md"


def board(made=None):
    return read_board(runs() if made is None else made, entries(), graphs=GRAPHS, seeds=(0, 1))


@pytest.mark.skipif(not (ROOT / "results").is_dir(), reason="the results are not part of this distribution")
def test_the_page_is_up_to_date():
    text = PAGE.read_text(encoding="utf-8")
    assert text == updated_page(text, ROOT / "results"), f"run: {COMMAND}"


def test_the_page_has_every_part_and_names_its_command():
    text = PAGE.read_text(encoding="utf-8")
    assert COMMAND in text
    for name in PARTS:
        assert f"<!-- results: {name} -->" in text


def test_a_page_is_stale_as_soon_as_the_ledger_has_another_run(tmp_path):
    page = updated_page(PAGE.read_text(encoding="utf-8"), tmp_path)
    assert updated_page(page, tmp_path) == page
    write_ledger(tmp_path, runs()[:1])
    assert updated_page(page, tmp_path) != page


def test_the_best_of_a_graph_is_bold_and_missing_runs_are_dashes():
    made = [run for run in runs() if (run.name, run.spec.graph) != ("dgi", "digits")]
    rows = scores_table(board(made)).markdown().splitlines()
    assert rows[2] == "| dgi | 80.0 | – | 60.0 |"
    assert rows[3] == "| dgi+spco | **82.0** | 69.0 | **66.0** |"
    assert rows[-1] == "| best free | 79.0 | 71.0 | 62.0 |"
    assert state_line(board(made)).startswith(
        "37 of 39 runs are there, 2 are missing. Ranks are over the complete graphs, "
    )


def test_gains_are_those_of_one_method():
    assert gains_table(board()).markdown().splitlines()[2:] == [
        "| dgi | +2.33 | 2 of 3 | +2.00 | −1.00 | +6.00 |"
    ]


def test_the_line_about_the_test_says_who_cannot_be_told_apart():
    line = line_about_the_test(board())
    assert "over 3 graphs and 9 entries" in line
    assert "dgi+spco ranks first; not told apart from it: " in line
    assert line_about_the_test(board([])) == "There are too few complete graphs for a test of the ranks."


def test_the_document_is_plain_data():
    document = json.loads(json.dumps(board_document(board())))
    assert document["complete"] == list(GRAPHS)
    assert document["scores"]["dgi+spco"]["cora"] == pytest.approx(0.66)
    assert document["standings"][0]["name"] == "dgi+spco"
    assert document["test"]["num_entries"] == 9
    assert document["missing"] == 0


def test_the_picture_shows_all_ranks_with_their_bars(tmp_path):
    found = board()
    axes = rank_display(found).plot()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[0].startswith("dgi+spco  2.0")
    assert len(labels) == 9
    assert f"{found.test.critical_difference:.1f}" in axes.get_xlabel()
    bars = [container for container in axes.containers if container.get_label() == "free"]
    assert len(bars[0].lines[0].get_xdata()) == 6
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    save_figure(axes, first)
    save_figure(rank_display(board()).plot(), second)
    assert first.read_bytes() == second.read_bytes()
    assert rank_display(board([])) is None
