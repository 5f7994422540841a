"""``spco demo`` on a short leash: what it says and what it leaves behind."""

from __future__ import annotations

import pytest

pytest.importorskip("plotly", reason="the report needs plotly")


def test_the_demo_compares_draws_and_reports(spco_command, tmp_path, monkeypatch):
    settings = {"method": {"widths": [8], "projection": 8}, "training": {"epochs": 2}}
    monkeypatch.setattr("spco.cli.demo._SETTINGS", {**settings, "spectral": {"refresh_every": 1}})
    monkeypatch.setattr("spco.cli.demo._SEEDS", (0,))
    said = spco_command("demo", "--out", "made").stdout
    assert "Three refreshes of the learnt view A_" in said
    assert "grace+spco − grace" in said
    assert "GAME score of (A, A_): " in said
    made = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert made == ["comparison.png", "report.html", "spectrum.png"]
    page = (tmp_path / "made" / "report.html").read_text(encoding="utf-8")
    assert "<title>grace on digits</title>" in page
    assert "A_ of grace+spco" in page
