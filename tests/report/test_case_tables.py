"""The case study's tables say what its files hold."""

from __future__ import annotations

import json

import pytest

from spco.errors import FileFormatError
from spco.report.case_files import read_case_files
from spco.report.case_tables import case_study_markdown


def row(name, mean, seeds=(0, 1, 2), paper=None):
    return {
        "name": name,
        "seeds": list(seeds),
        "mean": mean,
        "std": None if len(seeds) == 1 else 0.02,
        "paper_mean": paper,
        "paper_std": None if paper is None else 0.01,
    }


def write(folder, stem, experiment, graph, rows, **more):
    cases = {entry["name"]: entry.pop("about", "A & V") for entry in rows}
    about = {"experiment": experiment, "graph": graph, "settings": {}, "cases": cases}
    (folder / "case_study").mkdir(exist_ok=True)
    document = {"description": about, "runs": [], "summary": rows, **more}
    (folder / "case_study" / f"{stem}.json").write_text(json.dumps(document))


def tables(folder):
    return case_study_markdown(read_case_files(folder))


def test_views_stand_down_and_graphs_across(tmp_path):
    for graph, scores in {"citeseer": (0.4, 0.5), "cora": (0.3, 0.6)}.items():
        rows = [row("ppr", scores[0], paper=0.35), row("heat", scores[1])]
        found = {"correlation": 0.7, "p_value": 0.03}
        write(tmp_path, f"table1-{graph}", "table1", graph, rows, game_scores={"ppr": 0.9}, spearman=found)
    text = tables(tmp_path)
    assert "| views | Cora | paper | GAME score | Citeseer | paper | GAME score |" in text
    assert "| ppr | 30.0 ± 2.0 (3) | 35.0 ± 1.0 | 0.90 | 40.0 ± 2.0 (3) | 35.0 ± 1.0 | 0.90 |" in text
    assert "| heat | 60.0 ± 2.0 (3) | – | – | 50.0 ± 2.0 (3) | – | – |" in text
    assert "GAME score on Citeseer: 0.70 (p = 0.03)." in text


def test_pairs_stand_across(tmp_path):
    rows = [row("A & A", 0.5, seeds=(0,)), row("A & A²", 0.6, paper=0.537)]
    write(tmp_path, "pairs-flickr", "pairs", "flickr", rows)
    assert "| Flickr | 50.0 (1) | – | 60.0 ± 2.0 (3) | 53.7 ± 1.0 |" in tables(tmp_path)


def test_both_orders_of_bands_are_told_apart(tmp_path):
    for order, low in {"low-to-high": 0.6, "high-to-low": 0.2}.items():
        rows = [row(f"{part} {share}", low) for part in ("low", "high") for share in ("0%", "100%")]
        rows[0]["about"] = f"A & BandPass(rate=0, part='low', order={order!r})"
        write(tmp_path, f"any name {low}", "fig4", "cora", rows)
    text = tables(tmp_path)
    assert "| graph | first kept | thinned out | 0% | 100% |" in text
    assert "| Cora | lowest | F_L, low frequencies | 60.0 ± 2.0 (3) | 60.0 ± 2.0 (3) |" in text
    assert "| Cora | highest | F_H, high frequencies | 20.0 ± 2.0 (3) | 20.0 ± 2.0 (3) |" in text


def test_graphs_may_have_other_rows(tmp_path):
    write(tmp_path, "pairs-cora", "pairs", "cora", [row("A & A", 0.5)])
    write(tmp_path, "pairs-wine", "pairs", "wine", [row("A & A²", 0.6)])
    text = tables(tmp_path)
    assert "| Cora | 50.0 ± 2.0 (3) | – | – | – |" in text
    assert "| wine | – | – | 60.0 ± 2.0 (3) | – |" in text


def test_what_is_under_way_is_left_out(tmp_path):
    write(tmp_path, "pairs-cora", "pairs", "cora", [])
    assert tables(tmp_path) == ""


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "case_study").mkdir()
    (tmp_path / "case_study" / "pairs-cora.json").write_text("[]")
    with pytest.raises(FileFormatError, match="pairs-cora"):
        tables(tmp_path)
