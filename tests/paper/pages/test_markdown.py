"""The pages in this repository say what its results say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spco.errors import FileFormatError
from spco.paper.classification import specs
from spco.paper.contents import ITEMS
from spco.paper.pages.markdown import PARTS, updated_page
from spco.runs import Ledger

from ..made_up import evaluated_run, write_case

ROOT = Path(__file__).parents[3]
PAGES = ["README.md", "docs/results.md", "docs/searches.md", "docs/fidelity.md"]
COMMAND = " ".join(["spco reproduce table2 --budget 0", *(f"--update {name}" for name in PAGES)])


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_up_to_date(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "<!-- results: " in text
    assert text == updated_page(text, ROOT / "results"), f"run: {COMMAND}"


def test_the_page_of_results_names_the_command_that_makes_it():
    assert COMMAND in (ROOT / "docs/results.md").read_text(encoding="utf-8")


def test_the_page_of_results_follows_the_paper():
    text = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### ((?:Figure|Table) \d+)", text, flags=re.MULTILINE)
    places = {item.name: place for place, item in enumerate(ITEMS)}
    assert headings
    assert [places[name] for name in headings] == sorted(places[name] for name in headings)


def test_the_page_of_searches_stays_short():
    assert len((ROOT / "docs/searches.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_only_marked_parts_change(tmp_path):
    text = "before\n<!-- results: table2 -->\nold\n<!-- end of results -->\nafter\n"
    new = updated_page(text, tmp_path)
    assert new.startswith("before\n<!-- results: table2 -->\n\nMean ± standard deviation")
    assert new.endswith("in print in 15 of 15.\n\n<!-- end of results -->\nafter\n")
    assert "old" not in new
    assert updated_page(new, tmp_path) == new


def test_an_unknown_part_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match="table9"):
        updated_page("<!-- results: table9 -->\n<!-- end of results -->", tmp_path)


def test_numbers_in_sentences_come_from_the_runs(tmp_path):
    page = "<!-- results: found -->\n<!-- end of results -->"
    assert "Published settings have not been run yet." in updated_page(page, tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in specs(["cora"], ["dgi", "dgi+spco"], [0], family="paper"):
        ledger.add(evaluated_run(spec, 0.83 if spec.spectral else 0.82))
    text = updated_page(page, tmp_path)
    assert "in 3 of 3 combinations" in text
    assert "The differences are +1.0 to +1.0 points" in text


def test_the_case_study_has_a_part_for_each_place_in_the_paper(tmp_path):
    for order, score in {"low-to-high": 0.6, "high-to-low": 0.2}.items():
        rows = {f"{part} {share}": (score,) for part in ("low", "high") for share in ("0%", "100%")}
        write_case(tmp_path, "fig4", "cora", rows, order=order)
    parts = {
        name: updated_page(f"<!-- results: {name} -->\n<!-- end of results -->", tmp_path)
        for name in ("fig4", "fig12", "table1")
    }
    assert "60.0 (1)" in parts["fig4"]
    assert "20.0 (1)" not in parts["fig4"]
    assert "20.0 (1)" in parts["fig12"]
    assert "Not run yet." in parts["table1"]


def test_every_part_copes_with_a_folder_without_results(tmp_path):
    for name in PARTS:
        assert "<!-- end of results -->" in updated_page(
            f"<!-- results: {name} -->\n<!-- end of results -->", tmp_path
        )
