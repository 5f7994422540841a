"""The case study's tables say what its files hold, and a table is rendered once for all."""

from __future__ import annotations

import pytest

from spco.errors import FileFormatError
from spco.paper.case_study import read_case_tables
from spco.paper.pages.markdown import case_markdown
from spco.report.html.tables import NOTHING, Table, number

from ..made_up import write_case


def table(folder, experiment):
    return case_markdown(read_case_tables(folder), experiment)


def test_columns_of_numbers_are_aligned_to_the_right():
    made = Table(["name", "score"], [["a", number(0.5)], ["b", NOTHING]], "about")
    assert made.markdown().splitlines() == [
        "| name | score |",
        "| --- | ---: |",
        "| a | 0.5 |",
        "| b | – |",
    ]
    assert "<caption>about</caption>" in made.html()


def test_views_stand_down_and_graphs_across(tmp_path):
    for graph, last in {"citeseer": 0.7, "cora": 0.6}.items():
        rows = {"ppr": (0.3, 0.34), "heat": (0.5,) * 2, "subgraph": (last,) * 2}
        scores = {"ppr": 0.9, "heat": 0.8, "subgraph": 0.5}
        write_case(tmp_path, "table1", graph, rows, game_scores={"seeds": [0, 1], **scores})
    text = table(tmp_path, "table1")
    assert "| views | Cora | paper | GAME score | Citeseer | paper | GAME score |" in text
    assert "| ppr | 32.0 ± 2.8 (2) | 58.0 ± 1.6 | 0.90 | 32.0 ± 2.8 (2) | – | 0.90 |" in text
    assert "GAME score on Cora: -1.00" in text
    assert text.index("GAME score on Cora") < text.index("GAME score on Citeseer")


def test_pairs_stand_across_and_graphs_may_have_other_rows(tmp_path):
    write_case(tmp_path, "pairs", "flickr", {"A & A": (0.5,), "A & A²": (0.6,)})
    write_case(tmp_path, "pairs", "wine", {"A² & A²": (0.6,)})
    text = table(tmp_path, "pairs")
    assert "| Flickr | 50.0 (1) | 26.6 ± 2.6 | 60.0 (1) | 33.7 ± 2.3 | – | – |" in text
    assert "| wine | – | – | – | – | 60.0 (1) | – |" in text


def test_both_orders_of_bands_are_told_apart(tmp_path):
    for order, score in {"low-to-high": 0.6, "high-to-low": 0.2}.items():
        rows = {f"{part} {share}": (score,) for part in ("low", "high") for share in ("0%", "100%")}
        write_case(tmp_path, "fig4", "cora", rows, order=order)
    text = table(tmp_path, "fig4")
    assert "| graph | first kept | thinned out | 0% | 100% |" in text
    assert "| Cora | lowest | F_L, low frequencies | 60.0 (1) | 60.0 (1) |" in text
    assert "| Cora | highest | F_H, high frequencies | 20.0 (1) | 20.0 (1) |" in text


def test_only_seeds_with_all_their_runs_count(tmp_path):
    write_case(tmp_path, "pairs", "cora", {"A & A": (0.5, 0.9), "A & A²": (0.6,)})
    assert "| Cora | 50.0 (1) | 37.0 ± 6.1 | 60.0 (1) |" in table(tmp_path, "pairs")
    write_case(tmp_path, "pairs", "cora", {"A & A": (0.5,), "A & A²": ()})
    assert table(tmp_path, "pairs") == "Not run yet."


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "case_study").mkdir()
    (tmp_path / "case_study" / "pairs-cora.json").write_text("[]")
    with pytest.raises(FileFormatError, match="pairs-cora"):
        table(tmp_path, "pairs")
