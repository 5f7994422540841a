"""The reports as text: what they say, that they ask for nothing, and that names cannot become markup."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from spco.errors import FileFormatError, InvalidParameterError, MissingDependencyError, MissingFileError
from spco.paper.classification import specs
from spco.paper.control import control_specs
from spco.report.html import (
    check_report,
    read_results,
    reproduction_report,
    run_report,
    write_report,
)
from spco.report.html.library import plotly_js
from spco.report.html.markup import Html, data_script, element
from spco.report.html.tables import NOTHING, number, sortable_table
from spco.runs import Ledger, RunResults, read_runs

from ..made_runs import made_run
from .html_contents import HOSTILE, comparison, history, run_results, write_results

pytest.importorskip("plotly", reason="the reports need plotly")


class Document(HTMLParser):
    """The tags of a page, its tables row by row, and its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.tables, self.scripts, self.text = [], [], [], ""
        self._in_script = self._in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if tag == "script":
            self.scripts.append("")
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._in_cell = True
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        self._in_script = self._in_script and tag != "script"
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self._in_script:
            self.scripts[-1] += data
            return
        self.text += data
        if self._in_cell:
            self.tables[-1][-1][-1] += data

    def table(self, *headings):
        """The first table that begins with these headings, without them."""
        for head, *rows in self.tables:
            if head[: len(headings)] == list(headings):
                return rows
        raise AssertionError(f"no table {headings}")

    def figures(self):
        data = [attrs for tag, attrs in self.tags if tag == "script"]
        held = zip(data, self.scripts, strict=True)
        return [json.loads(text) for attrs, text in held if attrs.get("type") == "application/json"]


@pytest.fixture(scope="module")
def run_page():
    return run_report(run_results())


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return read_results(write_results(tmp_path_factory.mktemp("results")))


@pytest.fixture(scope="module")
def reproduction_page(results):
    return reproduction_report(results)


@pytest.fixture(params=["run_page", "reproduction_page"])
def page(request):
    return request.getfixturevalue(request.param)


def test_a_page_asks_for_nothing(page):
    document = Document(page)
    for tag, attributes in document.tags:
        assert tag not in ("img", "link", "iframe", "object", "embed", "base", "form", "video", "audio")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    policy = next(attrs["content"] for tag, attrs in document.tags if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_plotly_is_in_it_once(page):
    assert page.count(plotly_js()) == 1
    scripts = [attrs for tag, attrs in Document(page).tags if tag == "script"]
    assert sum("type" not in attrs for attrs in scripts) == 2


def test_names_stay_text(page):
    document = Document(page)
    assert HOSTILE in document.text
    assert not [tag for tag, _ in document.tags if tag == "img"]
    without_library = page.replace(plotly_js(), "")
    assert "<img" not in without_library
    # Every script ends where it should: each piece of data is whole.
    assert len(document.figures()) >= 4


def test_links_lead_to_parts_of_the_page(page):
    tags = Document(page).tags
    places = {attrs.get("id") for _, attrs in tags}
    links = [attrs["href"] for tag, attrs in tags if tag == "a"]
    assert len(links) >= 4
    assert {link.removeprefix("#") for link in links} <= places


def test_data_cannot_end_its_script():
    found = data_script({"a": HOSTILE, "b": "<!--", "c": float("nan"), "d": (1.5, 2)})
    text = found.removeprefix('<script type="application/json">').removesuffix("</script>")
    assert "<" not in text
    assert json.loads(text) == {"a": HOSTILE, "b": "<!--", "c": None, "d": [1.5, 2]}


def test_elements_escape_text_and_attributes_and_keep_markup():
    found = element("p", "a<b", Html("<i>c</i>"), attributes={"title": '"><b>', "hidden": None})
    assert found == '<p title="&quot;&gt;&lt;b&gt;" hidden>a&lt;b<i>c</i></p>'


def test_cells_carry_what_they_are_sorted_by():
    table = sortable_table(["n", "x"], [["a", number(0.25, "{:.0%}")], ["b", NOTHING]], caption="c")
    assert re.findall(r'data-key="([^"]*)"', table) == ["0.25", ""]
    assert table.count('aria-sort="none"') == 2
    assert table.count('<button type="button">') == 2
    assert "25%" in table


def test_the_tables_of_a_run_say_what_the_comparison_says(run_page):
    document = Document(run_page)
    result = comparison()
    rows = document.table("method", "5 per class")
    summary = {(row.name, row.rate): row for row in result.summary()}
    for row in rows:
        for rate, text in zip(result.rates, row[1:3], strict=True):
            assert float(text.partition(" ")[0]) == pytest.approx(100 * summary[row[0], rate].mean, abs=0.051)
    assert [row[0] for row in rows] == ["grace", HOSTILE, "features"]
    differences = document.table("pair", "labels")
    assert [row[2] for row in differences] == ["+5.00", "+5.00"]
    assert document.table("view", "GAME score")[0][1] == "0.963"
    assert ["training.epochs", "4"] in [row for table in document.tables for row in table]
    refreshes = document.table("method", "run", "epoch", "θ")
    assert [row[2:4] for row in refreshes] == [["0", "0"], ["2", "1"]]
    assert "Splits were drawn with seed 7" in document.text


def test_the_figures_of_a_run_hold_the_data(run_page):
    scores, differences, *training, spectrum, contrast = Document(run_page).figures()
    assert [trace["x"] for trace in scores["data"]] == [[71, 76, 50], [81, 86, 50]]
    assert differences["data"][0]["x"] == pytest.approx([5.0])
    # The hostile name is a method of its own: two figures of losses.
    assert [trace["y"] for trace in training[0]["data"]] == [
        pytest.approx(history(scale).losses, rel=1e-5) for scale in (2, 3)
    ]
    assert training[1]["data"][1]["x"] == [0, 2]
    np.testing.assert_allclose(spectrum["data"][1]["y"], 1 - np.linspace(0, 2, 50) / 2, rtol=1e-5)
    np.testing.assert_allclose(contrast["data"][0]["y"], np.linspace(0, 2, 50) / 2, rtol=1e-5)
    assert all("<" not in trace["name"] for trace in spectrum["data"])


def test_the_reproduction_says_what_the_ledger_says(reproduction_page, results):
    document = Document(reproduction_page)
    assert results.found.summary() in document.text
    rows = {row[1]: row for row in document.table("graph", "method", "macro-F1")}
    assert rows["DGI"][5] == "82.1 ± 0.1 (3)"
    assert rows["DGI"][6] == "82.0 ± 0.5"
    assert [rows[name][7][-1] for name in ("DGI", "GCN", "CCA-SSG")] == ["●", "▲", "▼"]
    assert rows["DGI + SpCo"][8] == "+0.80"
    assert "pairs-flickr: under way, 1 runs are there." in document.text
    assert "Spearman's correlation of accuracy and GAME score: 0.80 (p = 0.01)." in document.text
    assert document.table("graph", "method", "0.2", "0.4")[0][-1] == "71.2 (1) ★"
    assert ["cora", "gcn", "3"] in [row[:3] for row in document.table("graph", "method", "runs")]


def test_the_reproduction_has_the_scores_of_the_papers_evaluators(reproduction_page):
    document = Document(reproduction_page)
    assert "None chooses anything by test nodes." in document.text
    assert document.table("graph", "method", "labels", "printed") == [
        ["Cora", "CCA-SSG", "20 per class", "83.6 ± 0.9", "83.0", "82.0", "1"],
        ["Cora", "CCA-SSG + SpCo", "20 per class", "84.3 ± 0.4", "84.5 ± 0.7", "82.5 ± 0.7", "2"],
    ]


def test_settings_are_those_of_the_tables_not_of_a_control_beside_them(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in (*control_specs(["cora"], ["dgi"], [0]), *specs(["cora"], ["dgi"], [0])):
        ledger.add(made_run(spec, 0.8))
    for spec in control_specs(["cora"], ["dgi"], [1]):
        ledger.add(made_run(spec, 0.8))
    document = Document(reproduction_report(read_results(tmp_path)))
    rows = [row for table in document.tables for row in table if row[0] == "readout"]
    assert rows == [["readout", "['A']"]]


def test_cells_are_coloured_by_their_verdict(reproduction_page, results):
    cells = Document(reproduction_page).figures()[0]["data"]
    for verdict, trace in zip(("within", "above", "below"), cells, strict=True):
        assert len(trace["x"]) == results.found.count(verdict) > 0
        assert trace["marker"]["color"] == f"var(--{verdict}-ink)"
        assert f'class="number {verdict}"' in reproduction_page


def test_case_studies_have_the_figure_that_suits_them(reproduction_page):
    _, _, curves, pairs, scores, sweep = Document(reproduction_page).figures()
    assert [trace["x"] for trace in curves["data"]] == [[0, 50, 100]] * 2
    assert [trace["name"] for trace in pairs["data"]] == ["ours", "paper"]
    assert [trace["x"] for trace in scores["data"]] == [[0.97], [0.5]]
    assert sweep["data"][0]["y"] == pytest.approx([70.2, 70.4, 70.6, 70.8, 71.0, 71.2])


def test_an_empty_folder_of_results_has_a_page(tmp_path):
    document = Document(reproduction_report(read_results(tmp_path)))
    assert "330 not run" in document.text
    assert document.tables == []


def test_a_run_without_labels_has_a_page():
    document = Document(
        run_report(RunResults({"graph": "g", "method": "dgi"}, histories={"dgi": {"seed 0": history(1)}}))
    )
    assert "Nothing is scored" in document.text
    assert len(document.figures()) == 1


def test_without_labels_the_game_scores_come_first_all_the_same():
    about = {"graph": "g", "method": "dgi"}
    document = Document(run_report(RunResults(about, spectra=run_results().spectra)))
    assert "0.96GAME score: A_ of " in document.text
    assert sum(attrs.get("class") == "tile" for _, attrs in document.tags) == 1
    without = Document(run_report(RunResults(about)))
    assert not [attrs for _, attrs in without.tags if "tiles" in attrs.get("class", "")]


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(MissingFileError, match=r"run\.json"):
        read_runs(tmp_path)
    with pytest.raises(MissingFileError, match="be a folder of results"):
        read_results(tmp_path / "nothing")
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "summary.json").write_text('{"graph": "g"}')
    with pytest.raises(FileFormatError, match=r"summary\.json"):
        read_runs(tmp_path)


def test_a_report_is_refused_before_any_work(tmp_path, monkeypatch):
    with pytest.raises(InvalidParameterError, match=r"end.* in \.html"):
        check_report(tmp_path, "spco train")
    with pytest.raises(InvalidParameterError, match=r"report\.pdf"):
        check_report(tmp_path / "report.pdf", "spco train")
    check_report(tmp_path / "report.html", "spco train")
    plotly_js.cache_clear()
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(MissingDependencyError, match=r"spco\[report\]"):
        check_report(tmp_path / "report.html", "spco train")
    with pytest.raises(MissingDependencyError, match=r"spco\[report\]"):
        run_report(run_results())


def test_a_page_is_written_whole(tmp_path):
    write_report("<p>…</p>", tmp_path / "new" / "report.html")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["report.html"]
    assert (tmp_path / "new" / "report.html").read_text(encoding="utf-8") == "<p>…</p>"
