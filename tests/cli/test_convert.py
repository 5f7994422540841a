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


MESSY = """\
src;dst;weight;note
a;b;1,5;x
b;a;{back};x
b;c;2;y
b;c;3;y
c;c;1;z
d;e;0;u
"""


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (MESSY.format(back="1,5"), []),
        (MESSY.format(back="4"), []),
        (MESSY.format(back="4"), ["--directed", "mean"]),
        ("a b\nb a\na b\nc c\nc c\nb c\n", []),
    ],
)
def test_it_tells_what_it_understood_in_the_words_of_the_other_commands(spco_command, tmp_path, text, more):
    (tmp_path / "edges.csv").write_text(text)
    (tmp_path / "people.csv").write_text("id,label\na,x\nb,\nc,y\n")
    given = ["--labels", "people.csv", *more]
    told = spco_command("convert", "edges.csv", "graph", *given).stderr.splitlines()
    read = spco_command(
        "advise", "--edges", "edges.csv", "--features-from", "degree", *given
    ).stderr.splitlines()
    assert told[:-1] == read[: len(told) - 1]
    assert [line.partition(":")[0] for line in told[:3:2]] == ["edges.csv", "people.csv"]
