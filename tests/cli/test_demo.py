"""``spco demo`` on a short leash: what it says and what it leaves behind."""

from __future__ import annotations

import pytest

from spco.cli.demo import _FREE, _gains, _verdict
from spco.evaluation import Comparison, RunScores

NOISE = {0: -0.01, 1: 0.0, 2: 0.01}


def test_the_demo_compares_draws_and_reports(spco_command, tmp_path, monkeypatch):
    pytest.importorskip("plotly", reason="the report needs plotly")
    settings = {"method": {"widths": [8]}, "training": {"epochs": 2}}
    monkeypatch.setattr("spco.cli.demo._SETTINGS", {**settings, "spectral": {"refresh_every": 1}})
    monkeypatch.setattr("spco.cli.demo._SEEDS", (0,))
    said = spco_command("demo", "--out", "made").stdout
    assert "The graph is generated" in said
    assert "Three refreshes of the learnt view A_" in said
    for free in ("features", "sgc1", "sgc", "sgc3", "filters", "untrained"):
        assert f"dgi+spco − {free} " in said
    assert "dgi+spco − dgi " in said
    assert "GAME score of (A, A_): " in said
    made = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert made == ["demo.png", "report.html"]
    page = (tmp_path / "made" / "report.html").read_text(encoding="utf-8")
    assert "<title>dgi on hubs</title>" in page
    assert "A_ of dgi+spco" in page


def made_up(means):
    """Scores with known differences; a free baseline other than the untrained encoder has one run."""
    runs = [
        RunScores(
            name, seed, rate, mean, mean + (NOISE[seed] if seed is not None else 0), mean, mean, 1.0, 0.1
        )
        for (name, rate), mean in means.items()
        for seed in ([None] if name in _FREE and name != "untrained" else NOISE)
    ]
    names, rates = (tuple(dict.fromkeys(column)) for column in zip(*means, strict=True))
    return Comparison("hubs", names, rates, tuple(NOISE), (("dgi", "dgi+spco"),), tuple(runs))


def scores(**trained):
    free = {(name, rate): 0.5 for name in _FREE for rate in ("train5", "train20")}
    own = {(name, rate): value for name, values in trained.items() for rate, value in values.items()}
    return _gains(made_up({**own, **free}))


def test_the_verdict_names_the_smallest_lead_and_what_spco_adds():
    said = _verdict(
        scores(**{"dgi": {"train5": 0.7, "train20": 0.6}, "dgi+spco": {"train5": 0.8, "train20": 0.62}})
    )
    # The standard error of noise (-1, 0, 1) over three seeds is 1/√3 points.
    assert said == (
        "Verdict: dgi and dgi+spco lead every free baseline by more than two standard errors at every label "
        "rate, by +10.0 ± 0.6 points at least (dgi over features, 20 per class); "
        "SpCo adds +10.0 ± 0.0, +2.0 ± 0.0 points at the 2 label rates."
    )


def test_a_lead_within_two_errors_is_none():
    # 1.1 points are less than two errors of 0.58 points each, 2 points are more.
    said = _verdict(
        scores(**{"dgi": {"train5": 0.511, "train20": 0.52}, "dgi+spco": {"train5": 0.52, "train20": 0.52}})
    )
    assert "lead by more than two standard errors in 19 of 24 cases, but not dgi over features, 5 per" in said
    assert "20 per class" not in said
    # Paired by seed, the untrained encoder has the same noise, and the difference is exact.
    assert "untrained" not in said
