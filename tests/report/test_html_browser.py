"""The reports in a browser: nothing goes wrong, nothing is asked for, everything is drawn and works."""

from __future__ import annotations

import pytest

from spco.paper.pages.html_page import reproduction_report
from spco.report.html import run_report, write_report

from ..paper.made_up import write_results
from .chromium import Chromium, find_chromium
from .html_contents import run_results

pytest.importorskip("plotly", reason="the reports need plotly")

PAGES = ("run", "reproduction")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Chromium(find_chromium(), tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    found = {name: folder / f"{name}.html" for name in PAGES}
    write_report(run_report(run_results()), found["run"])
    write_report(reproduction_report(write_results(folder)), found["reproduction"])
    return found


def column(browser, number, table=0):
    script = (
        f"[...document.querySelectorAll('table.sortable')[{table}].tBodies[0].rows]"
        f".map(row => row.cells[{number}].textContent)"
    )
    return browser.evaluate(script)


HEADING = "document.querySelectorAll('table.sortable')[0].tHead.rows[0].cells[{}]"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_complaints_no_requests_and_every_figure_has_its_traces(browser, pages, name, scheme):
    browser.open(pages[name], scheme=scheme)
    found = browser.evaluate(
        "[...document.querySelectorAll('figure.chart')].map(figure => ({"
        "drawn: figure.querySelectorAll('svg.main-svg').length,"
        "marks: figure.querySelectorAll('.trace path, .trace .point').length,"
        "traces: figure.querySelectorAll('.trace').length,"
        "data: JSON.parse(figure.querySelector('script').textContent).data.filter(t => t.y.length).length}))"
    )
    assert len(found) >= 4
    for figure in found:
        assert figure["drawn"] >= 1
        assert figure["traces"] == figure["data"] > 0
        assert figure["marks"] >= figure["data"]
    assert browser.complaints == []
    # plotly tries a picture that is part of its code; that is no request.
    asked = [address for address in browser.requests if not address.startswith("data:")]
    assert asked == [pages[name].as_uri()]
    assert browser.evaluate("document.querySelectorAll('img').length") == 0


def test_no_button_sends_a_figure_away(browser, pages):
    browser.open(pages["run"])
    script = "[...document.querySelectorAll('.modebar-btn')].map(button => button.dataset.title)"
    titles = {title.lower() for title in browser.evaluate(script)}
    assert titles == {"download plot as a png", "zoom", "pan", "zoom in", "zoom out", "reset axes"}


def test_a_heading_sorts_numbers_as_numbers_and_turns_round(browser, pages):
    browser.open(pages["run"])
    before = column(browser, 1)
    assert before == ["71.0 ± 2.5", "76.0 ± 2.5", "50.0"]
    browser.evaluate(HEADING.format(1) + ".querySelector('button').click()")
    assert column(browser, 1) == ["50.0", "71.0 ± 2.5", "76.0 ± 2.5"]
    assert browser.evaluate(HEADING.format(1) + ".ariaSort") == "ascending"
    browser.evaluate(HEADING.format(1) + ".querySelector('button').click()")
    assert column(browser, 1) == ["76.0 ± 2.5", "71.0 ± 2.5", "50.0"]
    assert browser.evaluate(HEADING.format(1) + ".ariaSort") == "descending"
    browser.evaluate(HEADING.format(0) + ".querySelector('button').click()")
    assert column(browser, 0) == sorted(column(browser, 0))
    assert browser.evaluate(HEADING.format(1) + ".ariaSort") == "none"


def test_the_keyboard_sorts(browser, pages):
    browser.open(pages["run"])
    browser.evaluate(HEADING.format(0) + ".querySelector('button').focus()")
    browser.press("Tab", 9)
    browser.press("Enter", 13)
    assert browser.evaluate(HEADING.format(1) + ".ariaSort") == "ascending"
    assert column(browser, 1)[0] == "50.0"


def test_cells_without_a_value_stay_last(browser, pages):
    browser.open(pages["reproduction"])
    captions = "[...document.querySelectorAll('table.sortable caption')].map(caption => caption.textContent)"
    table = browser.evaluate(captions).index("20 labels per class, micro-F1 in %")
    heading = f"document.querySelectorAll('table.sortable')[{table}].tHead.rows[0].cells"
    gain = browser.evaluate(f"{heading}.length") - 1
    for _ in range(2):
        browser.evaluate(f"{heading}[{gain}].querySelector('button').click()")
        values = column(browser, gain, table)
        assert values.count("–") == len(values) - 1
        assert values[0] != "–"


COLOURS = (
    "[getComputedStyle(document.body).backgroundColor, "
    "document.querySelector('figure.chart .xtitle').style.fill]"
)


def test_dark_follows_the_system_until_the_button_decides(browser, pages):
    browser.open(pages["run"], scheme="light")
    light = browser.evaluate(COLOURS)
    browser.choose_scheme("dark")
    dark = browser.evaluate(f"new Promise(done => setTimeout(() => done({COLOURS}), 500))")
    assert light[0] == "rgb(255, 255, 255)"
    assert dark[0] == "rgb(18, 22, 28)"
    assert dark[1] != light[1]
    browser.evaluate("document.getElementById('theme').click()")
    assert browser.evaluate(COLOURS) == light
    browser.choose_scheme("light")
    browser.evaluate("document.getElementById('theme').click()")
    assert browser.evaluate(COLOURS) == dark
    assert browser.evaluate("document.getElementById('theme').textContent") == "Light"
    assert browser.complaints == []
    browser.open(pages["run"], scheme="light")
    assert browser.evaluate(COLOURS) == light


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_scrolls_tables_and_not_the_page(browser, pages, name):
    browser.open(pages[name], width=390, height=844)
    wide = browser.evaluate(
        "document.querySelectorAll('details').forEach(part => part.open = true);"
        "[document.documentElement.scrollWidth, innerWidth]"
    )
    assert wide == [390, 390]
    assert browser.evaluate(
        "[...document.querySelectorAll('.scroll')].some(frame => frame.scrollWidth > frame.clientWidth)"
    )
    charts = browser.evaluate(
        "[...document.querySelectorAll('figure.chart svg.main-svg')].map(chart => chart.clientWidth)"
    )
    assert max(charts) <= 390


TITLES = """[...document.querySelectorAll('figure.chart')].map(chart => {
    const box = part => part.getBoundingClientRect();
    const title = chart.querySelector('.xtitle'), ticks = [...chart.querySelectorAll('.xtick text')];
    const numbers = Math.max(0, ...ticks.map(tick => box(tick).bottom));
    return [title.textContent, box(title).right, box(title).top, numbers];
})"""


def test_titles_of_axes_fit_a_phone_and_lie_below_the_numbers(browser, tmp_path):
    write_report(run_report(run_results("cca_ssg+spco")), tmp_path / "run.html")
    browser.open(tmp_path / "run.html", width=390, height=844)
    for title, right, top, numbers in browser.evaluate(TITLES):
        assert right <= 390, title
        assert top >= numbers - 2, title  # the boxes of texts have a little air


SHOWN = (
    "['.plot', '.still', 'nav'].map(kind => "
    "[...document.querySelectorAll(kind)].some(part => part.getClientRects().length > 0))"
)


def test_paper_has_drawings_and_is_light(browser, pages):
    browser.open(pages["run"], scheme="dark")
    assert browser.evaluate(SHOWN) == [True, False, True]
    browser.choose_media("print", scheme="dark")
    assert browser.evaluate(SHOWN) == [False, True, False]
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.choose_media("", scheme="light")


def test_without_scripts_the_drawings_are_there(browser, pages):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(pages["run"])
    browser.call("Emulation.setScriptExecutionDisabled", value=False)  # the page has been read without them
    assert browser.evaluate("document.querySelectorAll('svg.main-svg').length") == 0
    assert browser.evaluate(
        "[...document.querySelectorAll('figure.chart')].every(figure => "
        "figure.querySelector('.still svg').getBoundingClientRect().height > 100)"
    )


def test_names_are_shown_as_they_are(browser, pages):
    browser.open(pages["run"])
    assert "</script><img src=x" in browser.evaluate("document.querySelector('h1').textContent")
    ticks = browser.evaluate("[...document.querySelectorAll('.ytick text')].map(text => text.textContent)")
    assert "</script><img src=x onerror=alert(1)>" in ticks
