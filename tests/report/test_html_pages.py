"""The reports as text: what they say, that they ask for nothing, and that names cannot become markup."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

from spco.errors import FileFormatError, InvalidParameterError, MissingDependencyError, MissingFileError
from spco.report.html import check_report, run_report, write_report
from spco.report.html.charts import mark, plotly_js
from spco.report.html.markup import Html, data_script, element
from spco.report.html.run_figures import contrast_figure
from spco.report.html.tables import NOTHING, Table, number
from spco.runs import RunResults, read_runs
from spco.spectral import SpectralResponse

from .document import Document, check_page
from .html_contents import HOSTILE, comparison, history, run_results

pytest.importorskip("plotly", reason="the reports need plotly")


@pytest.fixture(scope="module")
def run_page():
    return run_report(run_results())


def test_the_page_of_a_run_is_self_contained(run_page):
    check_page(run_page, HOSTILE)


def test_data_cannot_end_its_script():
    found = data_script({"a": HOSTILE, "b": "<!--", "c": float("nan"), "d": (1.5, 2)})
    text = found.removeprefix('<script type="application/json">').removesuffix("</script>")
    assert "<" not in text
    assert json.loads(text) == {"a": HOSTILE, "b": "<!--", "c": None, "d": [1.5, 2]}


def test_elements_escape_text_and_attributes_and_keep_markup():
    found = element("p", "a<b", Html("<i>c</i>"), attributes={"title": '"><b>', "hidden": None})
    assert found == '<p title="&quot;&gt;&lt;b&gt;" hidden>a&lt;b<i>c</i></p>'


def test_cells_carry_what_they_are_sorted_by():
    table = Table(["n", "x"], [["a", number(0.25, "{:.0%}")], ["b", NOTHING]], "c").html()
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
    scores, differences, first, _, classes, spectrum, contrast, *training = Document(run_page).figures()
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
    unknown, cats, _ = first["data"]
    assert (unknown["name"], cats["name"]) == ("unknown", "cats")
    np.testing.assert_allclose(cats["x"], run_results().maps[0].points[:10, 0], rtol=1e-5)
    assert [trace["x"] for trace in classes["data"]] == [[75, 90]] * 2


def test_the_first_screen_says_what_came_out_and_whether_to_believe_it(run_page):
    said = [text for tag, text in re.findall(r'<p class="(answer)">(.*?)</p>', run_page)]
    assert said[0].startswith("grace and &lt;/script&gt;")
    assert "a graph of 30 nodes, 60 edges and 2 classes, with 3 seeds each." in said[0]
    assert "right about 86.0% of the test nodes" in said[1]
    assert "features, is right about 50.0%" in said[1]
    assert said[2].startswith("SpCo helps here: +5.0 points, +5.0 to +5.0 with 95% confidence over 3 seeds;")
    assert said[2].endswith("training is worth it: 36.0 points ahead of features, more than the seeds vary.")


def test_every_figure_is_a_drawing_too(run_page):
    stills = re.findall(r'<div class="still">(<svg.*?</svg>)</div>', run_page, flags=re.DOTALL)
    assert len(stills) == len(Document(run_page).figures())
    assert "<script" not in "".join(stills)
    assert "low frequencies" in stills[5]
    assert ">5 per class<" in stills[0]


def test_no_two_series_look_alike():
    looks = [(mark(index)["color"], mark(index)["symbol"]) for index in range(64)]
    assert len(set(looks)) == 64


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


def test_errors_of_floating_point_are_no_difference():
    """A view that is A throughout would otherwise be drawn as a range of mountains, 1e-16 high."""
    frequencies = np.linspace(0, 2, 50)
    ones, zeros = np.ones(50), np.zeros(50)
    first, second = (
        SpectralResponse("rayleigh", frequencies, 1 - frequencies + error, ones, zeros)
        for error in (0, 1e-15)
    )
    figure = contrast_figure({"A": first, "A_": second}, reference="A")
    assert set(figure.data[0].y) == {0.0}
