"""``spco bench``: ratios, and one unit of memory."""

from __future__ import annotations

import json


def test_bench_pair_prints_ratios(spco_command):
    result = json.loads(
        spco_command(
            "bench", "pair", "--sizes", "2000,8000", "--dense", "wine", "--rounds", "2", "--json"
        ).stdout
    )
    assert len(result["sparse"]) == 2
    assert result["growth"] is not None
    assert result["dense"][0]["largest_difference"] < 1e-6
    text = spco_command("bench", "pair", "--sizes", "2000,8000", "--dense", "wine", "--rounds", "1").stdout
    assert "log-log slope" in text
    assert "refresh / matvec" in text


def test_memory_has_one_unit_everywhere(spco_command, monkeypatch):
    from spco.bench.train import TrainCase
    from spco.cli.tables import megabytes_text

    case = TrainCase("dgi", "cora", 0.01, 0.02, 123e6, None, 0.1)
    monkeypatch.setattr("spco.bench.train.bench_train", lambda **_: (case,))
    monkeypatch.setenv("COLUMNS", "200")
    text = spco_command("bench", "train").stdout
    assert "peak MB" in text
    assert {"123", "–"} <= set(text.split())
    assert megabytes_text(123e6) == "123"
