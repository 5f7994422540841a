"""Cells of the classification tables, and their Markdown and LaTeX."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spco.paper.cells import Cell, Classification, _cell, classification
from spco.paper.classification import printed_score, specs
from spco.paper.pages.latex import latex
from spco.paper.pages.markdown import classification_markdown
from spco.paper.printed import Printed

from ..made_runs import made_run


def runs(column, scores, graph="cora"):
    wanted = specs([graph], [column], range(len(scores)))
    return [made_run(spec, score) for spec, score in zip(wanted, scores, strict=True)]


def test_the_papers_numbers():
    assert printed_score("cora", "train20", "micro_f1", "grace+spco") == Printed(0.812, 0.009)
    assert printed_score("flickr", "train5", "macro_f1", "gcn") == Printed(0.324, 0.016)
    assert printed_score("pubmed", "train10", "micro_f1", "cca_ssg+spco") is not None
    assert printed_score("digits", "train20", "micro_f1", "gcn") is None


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [(0.82, "within"), (0.83, "within"), (0.809, "below"), (0.831, "above"), (None, "not run")],
)
def test_verdicts_are_by_two_deviations_of_the_paper(mean, verdict):
    cell = Cell("cora", "train20", "micro_f1", "dgi", mean, None, 1, Printed(0.82, 0.005))
    assert cell.verdict == verdict


def test_means_gains_and_the_summary():
    plain = [0.81, 0.82, 0.83, 0.82, 0.81, 0.82]
    better = [value + 0.01 * (1 + index / 10) for index, value in enumerate(plain)]
    found = classification(
        runs("dgi", plain) + runs("dgi+spco", better),
        graphs=["cora"],
        columns=["gcn", "dgi", "dgi+spco"],
        rates=["train20"],
    )
    cells = {(cell.column, cell.metric): cell for cell in found.cells}
    assert cells["dgi", "micro_f1"].mean == pytest.approx(sum(plain) / 6)
    assert cells["dgi", "micro_f1"].n == 6
    assert cells["gcn", "micro_f1"].verdict == "not run"
    (gain,) = found.gains
    assert gain.paired.mean == pytest.approx(0.0125)
    assert gain.paired.is_significant
    assert "at or above its plain method in 1 of 1 combinations (100%)" in found.summary()
    assert "2 not run" in found.summary()


@pytest.mark.parametrize(("last", "count"), [(0.719, 1), (0.718, 0)])
def test_equal_means_are_at_or_above_whatever_rounding_makes_of_them(last, count):
    plain = [0.845, 0.869, 0.735, 0.717, 0.872, 0.704]
    second = [0.845, 0.861, 0.731, 0.716, 0.87, last]  # with 0.719 the differences add up to −3e-19
    found = classification(runs("dgi", plain) + runs("dgi+spco", second), graphs=["cora"], rates=["train20"])
    assert f"in {count} of 1 combinations" in found.summary()


def test_runs_with_other_settings_are_left_out():
    old = [
        replace(run, spec=replace(run.spec, settings={**run.spec.settings, "scaling": "none"}))
        for run in runs("dgi", [0.1, 0.2])
    ]
    found = classification(old + runs("dgi", [0.8]), graphs=["cora"], columns=["dgi"], rates=["train20"])
    assert [cell.n for cell in found.cells] == [1, 1]


def test_markdown_and_latex_show_ours_beside_the_papers():
    found = classification(
        runs("dgi", [0.82, 0.83]) + runs("dgi+spco", [0.70, 0.71]),
        graphs=["cora"],
        columns=["dgi", "dgi+spco", "gcn"],
        rates=["train20"],
    )
    text = classification_markdown(found)
    assert (
        "| Cora | DGI | 81.5 ± 0.7 (2) | 80.4 ± 0.7 | +1.1 ● | 82.5 ± 0.7 (2) | 82.0 ± 0.5 | +0.5 ● | – |"
        in text
    )
    assert "▼ | -12.00 |" in text
    assert "GCN" not in text  # it was not run
    source = latex(found)
    assert r"\cellcolor{green!15}82.5$\pm$0.7" in source
    assert r"\cellcolor{orange!25}70.5$\pm$0.7" in source
    assert source.count(r"\begin{tabular}") == source.count(r"\end{tabular}") == 2


@pytest.mark.parametrize(("num_negatives", "mark"), [(None, ""), (256, "†")])
def test_sampled_negatives_are_marked(num_negatives, mark):
    (spec,) = specs(["cora"], ["grace"], [0])
    method = {**spec.settings["method"], "num_negatives": num_negatives}
    run = made_run(replace(spec, settings={**spec.settings, "method": method}), 0.8)
    cell = _cell({0: run}, "cora", "train20", "micro_f1", "grace", "tuned")
    assert cell.mark == mark
    text = classification_markdown(Classification((cell,), ()))
    assert f"| 80.0 (1){mark} |" in text


def test_published_runs_are_scored_by_the_authors_evaluators_and_apart_from_tuned_ones():
    evaluations = {"train20": {"macro_f1": 0.81, "micro_f1": 0.83}}
    published = [
        replace(made_run(spec, 0.5, rates=["train20"]), evaluations=evaluations)
        for spec in specs(["cora"], ["dgi", "dgi+spco"], [0, 1], family="paper")
    ]
    held = [*published, *runs("dgi", [0.7])]
    asked = {"graphs": ["cora"], "columns": ["dgi", "dgi+spco"], "rates": ["train20"]}
    found = classification(held, **asked, family="paper")
    assert {(cell.metric, cell.mean, cell.n) for cell in found.cells} == {
        ("macro_f1", 0.81, 2),
        ("micro_f1", 0.83, 2),
    }
    (gain,) = found.gains
    assert gain.paired.mean == 0
    tuned = {cell.column: cell for cell in classification(held, **asked).cells if cell.metric == "micro_f1"}
    assert (tuned["dgi"].mean, tuned["dgi+spco"].n) == (0.7, 0)
