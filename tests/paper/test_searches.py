"""Searches: what is read from their file, and the tables made from it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from spco.errors import FileFormatError
from spco.paper.searches import SearchTrial, even_search_table, read_searches, searches_table
from spco.presets import load_preset
from spco.tuning.space import nested

RESULTS = Path(__file__).parents[2] / "results"


def trial(search, method, settings, score, *, spectral=False, graph="cora", draws=None):
    return SearchTrial(search, graph, method, spectral, [100, 101], draws, settings, score)


def lines(table):
    return table.markdown().splitlines()


def test_both_sides_say_how_many_settings_they_tried_and_their_best():
    held = [
        trial("first", "grace", {"spectral.eta": 1.0}, 0.75, spectral=True),
        trial("wide", "grace", {"scaling": "rows"}, 0.7),
        trial("wide", "grace", {"scaling": "none"}, 0.7312),
        trial("later", "grace", {"scaling": "rows"}, None),
        trial("even", "grace", {"scaling": "rows"}, 0.99, draws=10),  # other nodes: not to be compared
        trial("first", "dgi", {"training.learning_rate": 0.00012345}, 0.5, graph="mine"),
    ]
    assert lines(searches_table(held))[2:] == [
        "| DGI | mine | 1 | 50.0 | 0 | – | learning_rate 0.000123 |",
        "| GRACE | Cora | 2 | 73.1 | 1 | 75.0 | eta 1 |",
    ]


def even(method):
    etas = {0.5: 0.8312, 1.5: 0.75}
    loops, steps = {0.5: 0.8, 2.0: None}, {1: 0.8, 2: 0.81}
    return [
        *(trial("even", method, {"self_loops": weight}, score) for weight, score in loops.items()),
        *(
            trial("steps", method, {"readout": f"A^{count}" if count > 1 else "A"}, score)
            for count, score in steps.items()
        ),
        *(
            trial("even", method, {"spectral.hops": 2, "spectral.eta": eta}, score, spectral=True)
            for eta, score in etas.items()
        ),
    ]


def test_both_sides_of_the_even_search_stand_in_one_row():
    other = [trial("first", "dgi", {"scaling": "rows"}, 0.9), trial("even", "grace", {"self_loops": 1}, 0.9)]
    titles = "self_loops 0.5 | self_loops 2 | readout A | readout A^2 | eta 0.5 | eta 1.5"
    assert lines(even_search_table([*even("dgi"), *other])) == [
        f"| method | graph | {titles} | lead | lead with steps |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| DGI | Cora | 80.0 | – | 80.0 | 81.0 | 83.1 | 75.0 | +3.1 | +2.1 |",
    ]


@pytest.mark.parametrize("other", [{"seeds": [100, 102]}, {"draws": 10}])
def test_sides_that_were_scored_otherwise_are_not_set_side_by_side(other):
    held = even("dgi")
    with pytest.raises(FileFormatError, match=r"Got dgi\+spco on cora"):
        even_search_table([*held[:-1], replace(held[-1], **other)])


@pytest.mark.parametrize("line", ["{", "[]", '{"method": "dgi"}'])
def test_a_damaged_line_is_named(tmp_path, line):
    whole = json.dumps(vars(trial("even", "dgi", {}, 0.5)))
    (tmp_path / "searches.jsonl").write_text(f"{whole}\n{line}\n")
    with pytest.raises(FileFormatError, match="line 2 of"):
        read_searches(tmp_path)


def test_seeds_of_the_searches_are_in_no_table():
    assert min(seed for one in read_searches(RESULTS) for seed in one.seeds) >= 100


@pytest.mark.parametrize("graph", ["cora", "citeseer", "pubmed"])
@pytest.mark.parametrize("method", ["dgi", "grace", "cca_ssg"])
def test_presets_of_the_citation_graphs_are_the_best_of_the_even_search(method, graph):
    preset = load_preset(method, graph)
    for spectral in (False, True):
        held = [
            one
            for one in read_searches(RESULTS)
            if (one.search, one.method, one.graph, one.spectral) == ("even", method, graph, spectral)
        ]
        assert len(held) == 4
        best = max(held, key=lambda one: one.score).settings
        assert preset.with_changes(nested(best), owner="test") == preset
