"""The pages in this repository say what its results say."""

from __future__ import annotations

from pathlib import Path

import pytest

from spco.errors import FileFormatError
from spco.report.pages import updated_page

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
def test_the_page_is_up_to_date(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "<!-- results: " in text
    assert text == updated_page(text, ROOT / "results"), (
        "run: spco reproduce table2 --budget 0 --update docs/results.md --update README.md"
    )


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
