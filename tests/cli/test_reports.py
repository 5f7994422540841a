"""--report: one HTML file of what a command did."""

from __future__ import annotations

import pytest

pytest.importorskip("plotly", reason="the reports need plotly")

SMALL = ["--set", "method.widths=[8,4]", "--epochs", "4"]


def test_train_writes_a_report_and_keeps_nothing_else(spco_command, tmp_path):
    done = spco_command(
        "train", "--dataset", "wine", "--method", "cca_ssg", "--compare", "--seeds", "0-1", *SMALL,
        "--report", "pages/report.html",
    )  # fmt: skip
    assert "report: pages/report.html" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]
    text = (tmp_path / "pages" / "report.html").read_text(encoding="utf-8")
    assert "<title>cca_ssg on wine</title>" in text
    assert "cca_ssg+spco − cca_ssg" in text
    assert "A_ of cca_ssg+spco" in text
    assert "Training loss of cca_ssg, a line per run." in text
    assert "Training loss of cca_ssg+spco, a line per run. Diamonds mark refreshes of A_." in text


def test_reproduce_writes_a_report_of_what_is_there(spco_command, tmp_path):
    command = (
        "reproduce", "table2", "--datasets", "cora", "--budget", "0", "--results", "results",
        "--report", "report.html",
    )  # fmt: skip
    assert "no report: there are no results in results yet" in spco_command(*command).stderr
    assert not (tmp_path / "report.html").exists()
    (tmp_path / "results").mkdir()
    spco_command(*command)
    assert "180 not run" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [["train", "--dataset", "wine"], ["reproduce", "theorems"]])
def test_a_report_that_cannot_be_is_refused_first(spco_command, tmp_path, command):
    done = spco_command(*command, "--report", "report.txt", code=2)
    assert "must be a file that ends in .html. Got 'report.txt'" in done.stderr
    assert list(tmp_path.iterdir()) == []
