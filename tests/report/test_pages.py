"""The pages in this repository say what its results say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spco.errors import FileFormatError
from spco.report.pages import updated_page

from .html_contents import write_evaluated

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/results.md", "docs/searches.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_up_to_date(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "<!-- results: " in text
    command = " ".join(["spco reproduce table2 --budget 0", *(f"--update {name}" for name in PAGES)])
    assert text == updated_page(text, ROOT / "results"), f"run: {command}"


def test_only_marked_parts_change(tmp_path):
    text = "before\n<!-- results: summary -->\nold\n<!-- end of results -->\nafter\n"
    new = updated_page(text, tmp_path)
    assert new.startswith("before\n<!-- results: summary -->\n\n330 cells")
    assert new.endswith("not run.\n\n<!-- end of results -->\nafter\n")
    assert "old" not in new
    assert updated_page(new, tmp_path) == new


def test_an_unknown_part_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match="table9"):
        updated_page("<!-- results: table9 -->\n<!-- end of results -->", tmp_path)


def search(column, graph, *, trials):
    method, _, plug_in = column.partition("+")
    return {
        "graph": graph,
        "method": method,
        "spco": bool(plug_in),
        "seeds": [100, 101],
        "score": max(score for score, _ in trials if score is not None),
        "trials": [{"score": score, "settings": settings} for score, settings in trials],
    }


def page_of_searches(folder, part, held):
    """The lines of a page's part that is made from these searches."""
    (folder / "searches").mkdir()
    for name, document in held.items():
        (folder / "searches" / f"{name}.json").write_text(json.dumps(document))
    return updated_page(f"<!-- results: {part} -->\n<!-- end of results -->", folder).splitlines()


def test_searches_say_how_far_they_went_and_what_was_best(tmp_path):
    held = {
        "grace+spco-cora": search("grace+spco", "cora", trials=[(0.75, {"spectral.eta": 1.0})]),
        "grace-cora-wide": search(
            "grace",
            "cora",
            trials=[(0.7, {"scaling": "rows"}), (0.7312, {"scaling": "none"}), (None, {"scaling": "rows"})],
        ),
        "dgi-mine": search("dgi", "mine", trials=[(0.5, {"training.learning_rate": 0.00012345})]),
    }
    lines = page_of_searches(tmp_path, "searches", held)
    assert lines[4:7] == [
        "| DGI | mine |  | 100–101 | 1 (1 different) | 50.0 | learning_rate 0.000123 |",
        "| GRACE + SpCo | Cora |  | 100–101 | 1 (1 different) | 75.0 | eta 1 |",
        "| GRACE | Cora | wide | 100–101 | 3 (2 different) | 73.1 | scaling none |",
    ]


def test_both_sides_of_a_search_stand_in_one_row(tmp_path):
    fixed = {"spectral.hops": 2}
    etas = [(0.75, {**fixed, "spectral.eta": 1.5}), (0.8312, {**fixed, "spectral.eta": 0.5})]
    loops = [(None, {"self_loops": 2.0}), (0.8, {"self_loops": 0.5})]
    held = {
        "dgi-cora-even": search("dgi", "cora", trials=loops),
        "dgi+spco-cora-even": search("dgi+spco", "cora", trials=etas),
        "dgi-cora": search("dgi", "cora", trials=[(0.9, {"scaling": "rows"})]),  # another search
        "grace-cora-even": search("grace", "cora", trials=loops),  # its other side is not made yet
    }
    steps = [(0.81, {"readout": "A^2"}), (0.8, {"readout": "A"})]
    held["dgi-cora-steps"] = search("dgi", "cora", trials=steps)  # the control of the same other side
    lines = page_of_searches(tmp_path, "even-search", held)
    assert lines[2:6] == [
        "| method | graph | seeds | self_loops 0.5 | self_loops 2 | eta 0.5 | eta 1.5 | SpCo leads by |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
        "| DGI | Cora | 100–101 | 80.0 | – | 83.1 | 75.0 | +3.1 |",
        "",
    ]
    control = updated_page("<!-- results: steps-search -->\n<!-- end of results -->", tmp_path)
    assert control.splitlines()[4:6] == ["| DGI | Cora | 100–101 | 80.0 | 81.0 | 83.1 | 75.0 | +2.1 |", ""]


def test_readings_are_means_over_seeds_and_label_rates(tmp_path):
    def training(column, seed, *, settings, **validation):
        method, _, plug_in = column.partition("+")
        scores = {name: {"train5": few, "train20": many} for name, (few, many) in validation.items()}
        who = {"graph": "flickr", "method": method, "spco": bool(plug_in), "seed": seed}
        return {**who, "settings": settings, "validation": scores}

    learnt = {"spectral.eta": 1.5, "spectral.self_loops": 1.0}
    trainings = [
        training("dgi+spco", 101, settings=learnt, anchor=(0.4, 0.5), partner=(0.6, 0.8), both=(0.5, 0.7)),
        training("dgi+spco", 100, settings=learnt, anchor=(0.4, 0.5), partner=(0.6, 0.7), both=(0.5, 0.7)),
        training("dgi", 100, settings={"self_loops": 8}, anchor=(0.5, 0.55)),
        training("dgi", 100, settings={}, anchor=(0.4, 0.5)),
    ]
    (tmp_path / "readings.json").write_text(json.dumps({"trainings": trainings}))
    lines = updated_page("<!-- results: readings -->\n<!-- end of results -->", tmp_path).splitlines()
    assert lines[2:7] == [
        "| method | graph | changed | seeds | from A | from A_ | from both |",
        "| --- | --- | --- | --- | ---: | ---: | ---: |",
        "| DGI | Flickr |  | 100 | 45.0 |  |  |",
        "| DGI | Flickr | self_loops 8 | 100 | 52.5 |  |  |",
        "| DGI + SpCo | Flickr | eta 1.5, self_loops 1 | 100–101 | 45.0 | 67.5 | 60.0 |",
    ]


def test_the_evaluators_of_the_paper_stand_beside_its_numbers_and_our_probe(tmp_path):
    write_evaluated(tmp_path, "cca_ssg+spco", "cora", [(0.84, 0.83), (0.85, 0.82)])
    write_evaluated(tmp_path, "cca_ssg", "cora", [(0.835, 0.82)])
    write_evaluated(tmp_path, "dgi", "mine", [(0.8, 0.81)])
    lines = updated_page("<!-- results: evaluators -->\n<!-- end of results -->", tmp_path).splitlines()
    assert lines[2:7] == [
        "| method | graph | printed, 20 labels per class | its evaluator | our probe |",
        "| --- | --- | ---: | ---: | ---: |",
        "| DGI | mine | – | 80.0 (1) | 81.0 (1) |",
        "| CCA-SSG | Cora | 83.6 ± 0.9 | 83.5 (1) | 82.0 (1) |",
        "| CCA-SSG + SpCo | Cora | 84.3 ± 0.4 | 84.5 ± 0.7 (2) | 82.5 ± 0.7 (2) |",
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"seeds": [100, 102]},
        {"draws": 10},
        {"trials": [{"score": 0.8, "settings": {"spectral.eta": 1.0}}]},
    ],
)
def test_sides_that_were_scored_otherwise_are_not_set_side_by_side(tmp_path, other):
    loops = [(0.7, {"self_loops": 2.0}), (0.8, {"self_loops": 0.5})]
    etas = [(0.75, {"spectral.eta": 1.5}), (0.8, {"spectral.eta": 0.5})]
    held = {
        f"{method}{plug_in}-cora-even": search(f"{method}{plug_in}", "cora", trials=trials)
        for method in ("dgi", "grace")
        for plug_in, trials in (("", loops), ("+spco", etas))
    }
    held["grace+spco-cora-even"] |= other
    with pytest.raises(FileFormatError, match=r"Got grace \(even\) and grace\+spco \(even\) on cora"):
        page_of_searches(tmp_path, "even-search", held)


def test_evaluators_without_a_run_are_named(tmp_path):
    write_evaluated(tmp_path, "dgi", "cora", [])
    with pytest.raises(FileFormatError, match="dgi-cora"):
        updated_page("<!-- results: evaluators -->\n<!-- end of results -->", tmp_path)


def test_a_damaged_search_is_named(tmp_path):
    (tmp_path / "searches").mkdir()
    (tmp_path / "searches" / "dgi-cora.json").write_text('{"method": "dgi"}')
    with pytest.raises(FileFormatError, match="dgi-cora"):
        updated_page("<!-- results: searches -->\n<!-- end of results -->", tmp_path)
