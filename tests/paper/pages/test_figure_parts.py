"""The generated parts about figures and fidelity."""

from __future__ import annotations

import pytest

from spco.paper.classification import specs
from spco.paper.fidelity import FACTS, fidelity_specs
from spco.paper.pages.figure_parts import FIGURE_PARTS
from spco.paper.sensitivity import SETTINGS, sweep_specs
from spco.runs import Ledger

from ..made_up import evaluated_run


@pytest.mark.parametrize("name", list(FIGURE_PARTS))
def test_every_part_copes_with_an_empty_folder(name, tmp_path):
    text = FIGURE_PARTS[name](tmp_path)
    assert "not run" in text or "Not run" in text or "Not drawn" in text or "run yet" in text


def rows(folder):
    lines = FIGURE_PARTS["fidelity"](folder).splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_the_table_has_a_row_per_fact_and_says_what_is_missing(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in fidelity_specs(methods=["dgi"], seeds=range(5)):
        published = spec.settings["method"]["discriminator_start"] == "tensor"
        usual_epochs = spec.settings["training"]["epochs"] == 200
        ledger.add(evaluated_run(spec, 0.8 if published else 0.79, probe=0.7 - 0.02 * usual_epochs))
    found = rows(tmp_path)
    assert [row[0].split(" (measured")[0] for row in found] == [fact.where for fact in FACTS]
    by_name = {row[0]: row[3:] for row in found}
    assert by_name["DGI, discriminator"] == [
        "`method.discriminator_start`",
        "−1.00 / +0.00",
        "−1.00 / +0.00",
        "5",
    ]
    assert by_name["DGI, end of training"][1:] == ["+0.00 / −2.00", "+0.00 / −2.00", "5"]
    assert by_name["DGI, refresh"][1:] == ["–", "+0.00 / +0.00", "5"]
    assert by_name["GRACE, edges"][1:] == ["not run", "not run", "–"]
    assert by_name["CCA-SSG, loss"] == ["–", "rounding alone", "rounding alone", "–"]
    assert FIGURE_PARTS["fidelity-summary"](tmp_path) == (
        "8 of 24 changes have been run. By the authors' evaluators 2 of them move the mean by more than 0.5 "
        "points; the largest is `method.discriminator_start` with DGI, −1.00."
    )


def test_runs_of_table_2_alone_are_no_sweep(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in specs(["cora"], ["dgi+spco"], range(3), family="paper"):
        ledger.add(evaluated_run(spec, 0.8))
    assert FIGURE_PARTS["fig-eta"](tmp_path) == "Not run yet."


def test_a_sweep_has_its_claim_its_table_and_its_figures(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in sweep_specs(SETTINGS["target"], graphs=["cora"], methods=["dgi"], seeds=[0]):
        better = spec.settings["spectral"]["target"] == "identity+laplacian"
        ledger.add(evaluated_run(spec, 0.82 if better else 0.8))
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "target-cora.svg").write_text("drawn")
    claim, caption, table, figure = FIGURE_PARTS["fig-target"](tmp_path).split("\n\n")
    assert claim.startswith("The claim that L is the best C fails; ahead of it: I + L with DGI + SpCo")
    assert "○ the printed value" in caption
    assert table.splitlines()[0] == "| graph | method | seeds | L | I + L | I + L + L² |"
    assert table.splitlines()[2] == (
        "| Cora | DGI + SpCo | 1 | 80.0 / 75.0 ○ | 82.0 / 77.0 ★ | 80.0 / 75.0 |"
    )
    assert figure == "![C on Cora](../results/figures/target-cora.svg)"
