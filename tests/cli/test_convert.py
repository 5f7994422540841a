"""``spco convert``: a folder that every other command takes as it takes the lists themselves."""

from __future__ import annotations

import json

import pytest

import spco


@pytest.mark.usefixtures("own_files")
def test_a_converted_graph_goes_into_every_command(spco_command, tmp_path):
    whole = (tmp_path / "edges.csv").read_text().splitlines(keepends=True)
    (tmp_path / "first.csv").write_text("".join(whole[:100]))
    (tmp_path / "second.csv").write_text(whole[0] + "".join(whole[100:]))
    tables = ["--features", "features.csv", "--labels", "labels.csv"]
    run = spco_command("convert", "first.csv", "second.csv", "graph", *tables, "--memory", "1MB")
    assert run.stdout == ""
    assert "written to graph" in run.stderr
    advice = [
        json.loads(spco_command("advise", "--edges", *source, "--json").stdout)
        for source in (["graph"], ["edges.csv", *tables])
    ]
    for each in advice:
        each.pop("seconds", None)
    assert advice[0].keys() == advice[1].keys()
    assert (
        spco.read_graph(tmp_path / "graph").node_ids.tolist()
        == spco.read_graph("edges.csv", features="features.csv").node_ids.tolist()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["edges.csv"], "at least one edge list"),
        (["edges.csv", "graph", "--memory", "much"], "such as 8GB"),
        (["edges.cvs", "graph"], "did you mean"),
        (["edges.csv", "no/such/folder"], "folder that exists"),
    ],
)
@pytest.mark.usefixtures("own_files")
def test_bad_usage(spco_command, tmp_path, arguments, message):
    before = sorted(tmp_path.iterdir())
    assert message in " ".join(spco_command("convert", *arguments, code=2).stderr.split())
    assert sorted(tmp_path.iterdir()) == before
