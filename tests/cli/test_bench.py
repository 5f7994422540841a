"""``spco bench``: ratios, and one unit of memory."""

from __future__ import annotations

import json

import pytest


def test_bench_pair_prints_ratios(spco_command):
    command = ["bench", "pair", "--sizes", "2000,8000", "--rounds", "1"]
    result = json.loads(spco_command(*command, "--dense", "wine", "--shapes", "", "--json").stdout)
    assert len(result["sparse"]) == 2
    assert result["growth"] is not None
    assert result["dense"][0]["largest_difference"] < 1e-6
    text = spco_command(*command, "--dense", "").stdout
    assert "log-log slope" in text
    assert "refresh / matvec" in text
    assert text.count("laplacian2-laplacian") == 1


def test_memory_has_one_unit_everywhere(spco_command, monkeypatch):
    from spco.bench.timing import Case
    from spco.cli.tables import megabytes_text

    facts = {
        "method": "dgi",
        "peak_mb": 123.0,
        "baseline_peak_mb": None,
        "leaner": None,
        "refresh_share": 0.1,
    }
    case = Case("cora's shape", 9, 9, 0.01, 0.02, facts)
    monkeypatch.setattr("spco.bench.train.bench_train", lambda **_: (case,))
    monkeypatch.setenv("COLUMNS", "200")
    text = spco_command("bench", "train").stdout
    assert "peak MB" in text
    assert {"123", "–"} <= set(text.split())
    assert megabytes_text(123e6) == "123"


def test_bench_spectrum_prints_ratios(spco_command):
    command = ["bench", "spectrum", "--graphs", "wine", "--sizes", "2000", "--rounds", "1"]
    found = json.loads(spco_command(*command, "--json").stdout)
    (exact,), (large,) = found["exact"], found["large"]
    assert exact["graph"] == "wine"
    assert exact["ratio"] > 0
    assert (large["nonzeros"], large["views"]) == (2000, 3)
    assert large["matvecs_per_term"] > 0
    done = spco_command(*command)
    assert "probes / eigh" in done.stdout
    assert "matvecs per probe and moment" in done.stdout
    assert "eigendecomposition of wine" in done.stderr


def test_bench_views_prints_how_many_times_faster(spco_command):
    pytest.importorskip("torch_geometric")
    command = ["bench", "views", "--graphs", "wine", "--sizes", "", "--roots", "20", "--rounds", "1"]
    (case,) = json.loads(spco_command(*command, "--json").stdout)
    assert case["ratio"] > 0
    assert case["roots"] == 20
    text = spco_command(*command).stdout
    assert "faster" in text
    assert "wine" in text


def test_bench_flips_prints_ratios(spco_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    command = ["bench", "flips", "--graphs", "wine", "--sizes", "2000", "--rounds", "1"]
    cases = json.loads(spco_command(*command, "--json").stdout)
    assert [case["nonzeros"] for case in cases[3:]] == [2000] * 3
    assert all(case["ratio"] > 0 for case in cases)
    text = spco_command(*command).stdout
    assert "first / drop-edges" in text
    assert text.count("epagcl") == 2


def test_bench_subgraphs_prints_how_many_times_faster(spco_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    command = ["bench", "subgraphs", "--graphs", "wine", "--sizes", "", "--seeds", "20", "--rounds", "1"]
    (case,) = json.loads(spco_command(*command, "--json").stdout)
    assert case["ratio"] > 0
    assert case["seeds"] == 20
    text = spco_command(*command).stdout
    assert "faster" in text
    assert "wine" in text


@pytest.mark.parametrize("name", ["spectrum", "views", "flips", "subgraphs"])
def test_bad_sizes(spco_command, name):
    done = spco_command("bench", name, "--graphs", "", "--sizes", "3,many", code=2)
    assert f"'--sizes' parameter of spco bench {name} must be numbers >= 100" in done.stderr


def test_the_command_prints_a_table_and_json(spco_command, monkeypatch):
    from spco.bench.scale import StageCost

    costs = [StageCost("refresh", 10**k, 10 ** (k + 1), 0.5, 10**k / 1e5, 10 ** (k / 2)) for k in (5, 6)]
    costs.append(StageCost("gcn", 10**6, 10**7, note="The messages of a layer take 20.5 GB."))
    monkeypatch.setattr("spco.bench.scale.bench_scale", lambda **_: costs)
    monkeypatch.setenv("COLUMNS", "200")
    done = spco_command("bench", "scale")
    assert "log-log slope over nonzeros of CPU time 1.00, of the peak 0.50" in done.stdout
    assert "The messages of a layer take 20.5 GB." in done.stderr
    found = json.loads(spco_command("bench", "scale", "--json").stdout)
    assert found["growth"]["refresh"]["time"] == 1.0
    assert found["stages"][2]["seconds"] is None
