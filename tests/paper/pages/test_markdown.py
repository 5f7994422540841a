"""The pages in this repository say what its results say."""

from __future__ import annotations

from pathlib import Path

import pytest

from spco.errors import FileFormatError
from spco.paper.pages.markdown import updated_page

from ..made_up import write_evaluated

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


def test_the_page_of_searches_stays_short():
    assert len((ROOT / "docs/searches.md").read_text(encoding="utf-8").splitlines()) <= 120


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


EVALUATORS = "<!-- results: evaluators -->\n<!-- end of results -->"


def test_the_evaluators_of_the_paper_stand_beside_its_numbers_and_our_probe(tmp_path):
    write_evaluated(tmp_path, "cca_ssg+spco", "cora", [(0.84, 0.83), (0.85, 0.82)])
    write_evaluated(tmp_path, "cca_ssg", "cora", [(0.835, 0.82)])
    write_evaluated(tmp_path, "dgi", "mine", [(0.8, 0.81)])
    assert updated_page(EVALUATORS, tmp_path).splitlines()[2:7] == [
        "| graph | method | labels | printed | its evaluator | our probe | seeds |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
        "| mine | DGI | 20 per class | – | 80.0 | 81.0 | 1 |",
        "| Cora | CCA-SSG | 20 per class | 83.6 ± 0.9 | 83.5 | 82.0 | 1 |",
        "| Cora | CCA-SSG + SpCo | 20 per class | 84.3 ± 0.4 | 84.5 ± 0.7 | 82.5 ± 0.7 | 2 |",
    ]


def test_evaluators_without_a_run_are_named(tmp_path):
    write_evaluated(tmp_path, "dgi", "cora", [])
    with pytest.raises(FileFormatError, match="dgi-cora"):
        updated_page(EVALUATORS, tmp_path)
