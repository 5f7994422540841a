"""The page of the reproduction as text: it says what the results say."""

from __future__ import annotations

import pytest

from spco.errors import MissingFileError
from spco.paper.cells import classification
from spco.paper.classification import specs
from spco.paper.contents import ITEMS
from spco.paper.control import control_specs
from spco.paper.pages.findings import as_printed_finding
from spco.paper.pages.html_page import reproduction_report
from spco.runs import Ledger

from ...made_runs import made_run
from ...report.document import Document, check_page
from ..made_up import HOSTILE, write_results

pytest.importorskip("plotly", reason="the page needs plotly")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_results(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def found(folder):
    return classification(Ledger(folder / "ledger.jsonl").runs())


@pytest.fixture(scope="module")
def page(folder):
    return reproduction_report(folder)


@pytest.fixture(scope="module")
def document(page):
    return Document(page)


def test_the_page_is_self_contained(page):
    check_page(page, HOSTILE)


def test_the_tables_say_what_the_ledger_says(document, found):
    assert found.summary() in document.text
    assert as_printed_finding(found) in document.text
    rows = {row[1]: row for row in document.table("graph", "method", "printed")}
    assert "GRACE + SpCo" in rows  # a sweep passes through the published settings
    macro, micro = (document.table("graph", "method", "printed", n=place) for place in (0, 1))
    rows = {row[1]: row for row in micro}
    assert rows["DGI"][2:9] == [
        "82.0 ± 0.5",
        "–",
        "82.1 ± 0.1 (3)",
        "+0.1 ●",
        "–",
        "77.1 ± 0.1 (3)",
        "82.1 ± 0.1 (3)",
    ]
    assert rows["DGI + SpCo"][6] == "+0.80"
    assert rows["DGI + SpCo"][9] == "+1.00"
    assert [rows[name][5][-1] for name in ("DGI", "CCA-SSG", "CCA-SSG + SpCo")] == ["●", "▲", "▼"]
    assert rows["GCN"][4:] == ["–", "–", "–", "–", "95.1 ± 0.1 (3)", "–"]
    assert [row[1] for row in macro] == [row[1] for row in micro]


def test_gains_of_the_two_families_stand_in_tables_of_their_own(document):
    first, second = (document.table("graph", "method", "labels", "difference", n=place) for place in (0, 1))
    assert [row[1] for row in first] == ["DGI", "CCA-SSG"] * 3
    assert [row[3] for row in second] == ["+1.00"] * 3


def test_costs_do_not_mix_settings(document):
    rows = document.table("graph", "method", "settings", "runs")
    assert ["cora", "gcn", "tuned", "3"] in [row[:4] for row in rows]
    assert ["cora", "dgi", "paper", "3"] in [row[:4] for row in rows]
    assert {row[2] for row in rows if row[1] == "grace+spco"} == {"paper", "varied"}


def test_everything_in_the_paper_is_listed(document):
    rows = {row[0]: row for row in document.table("in the paper", "section")}
    assert len(rows) == len(ITEMS)
    assert rows["Table 2"][4] == "in part"
    assert rows["Figure 9"][5] == "Not run yet"


def test_checks_say_what_is_outside(document):
    assert "Not met. Plain methods on Cora and Citeseer, 20 labels, micro-F1" in document.text
    assert "CCA-SSG on Cora, 20 per class, 90.1 (3 seeds) against 83.6 ± 0.9" in document.text
    rows = document.table("graph", "method", "labels", "metric")
    assert ["Cora", "CCA-SSG + SpCo", "20 per class", "micro-F1"] in [row[:4] for row in rows]


def test_sweeps_show_both_evaluators(document):
    swept = document.table("graph", "method", "seeds", "0.2")[0]
    assert (swept[2], swept[3], swept[5], swept[-1]) == (
        "1",
        "70.2 / 65.2",
        "70.5 / 65.5 ○",
        "71.2 / 66.2 ★",
    )


def test_the_case_study_has_its_tables_and_what_is_under_way(document):
    assert document.table("views", "Cora", "paper")[0][1:] == ["60.0 (1)", "58.0 ± 1.6", "0.97"]
    assert document.table("graph", "A & A")[0][1] == "51.0 ± 1.4 (2)"
    assert "pairs-flickr: in progress." in document.text
    assert "Spearman's correlation of accuracy and GAME score on Cora: 1.00" in document.text


def test_settings_are_those_of_the_tables_not_of_a_control_beside_them(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in (*control_specs(["cora"], ["dgi"], [0]), *specs(["cora"], ["dgi"], [0])):
        ledger.add(made_run(spec, 0.8))
    for spec in control_specs(["cora"], ["dgi"], [1]):
        ledger.add(made_run(spec, 0.8))
    document = Document(reproduction_report(tmp_path))
    rows = [row for table in document.tables for row in table if row[0] == "readout"]
    assert rows == [["readout", "['A']"]]


def test_cells_are_coloured_by_their_verdict(page, document, found):
    cells = document.figures()[3]["data"]
    for verdict, trace in zip(("within", "above", "below"), cells, strict=True):
        assert len(trace["x"]) == found.published.count(verdict) > 0
        assert trace["marker"]["color"] == f"var(--{verdict}-ink)"
        assert f'class="number {verdict}"' in page


def test_case_studies_have_the_figure_that_suits_them(document):
    curves, scores, pairs, *_, sweep = document.figures()
    assert [trace["x"] for trace in curves["data"]] == [[0, 50, 100]] * 2
    assert [trace["name"] for trace in pairs["data"]] == ["ours", "paper"]
    assert [trace["x"] for trace in scores["data"]] == [[0.97, 0.7, 0.5]]
    assert [note["text"] for note in scores["layout"]["annotations"]] == scores["data"][0]["text"]
    assert sweep["data"][0]["y"] == pytest.approx([70.2, 70.4, 70.5, 70.6, 70.8, 71.0, 71.2])


def test_an_empty_folder_has_a_page_and_no_folder_is_refused(tmp_path):
    document = Document(reproduction_report(tmp_path))
    assert "180 not run" in document.text
    assert len(document.tables) == 1  # the list of what the paper has
    with pytest.raises(MissingFileError, match="be a folder of results"):
        reproduction_report(tmp_path / "nothing")
