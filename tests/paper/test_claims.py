"""Claims of the paper's figures as sentences: what they conclude, and what they say of missing runs."""

from __future__ import annotations

import pytest

from spco.paper.claims import (
    epsilon_claim,
    eta_claim,
    learnt_claim,
    nine_views_claim,
    target_claim,
    two_hop_claim,
)
from spco.paper.sensitivity import SETTINGS, sweep_specs
from spco.paper.spectra import PairFit, ViewFigure
from spco.runs import Ledger

from .made_up import evaluated_run


def write_sweep(folder, name, score_of, *, graph="cora", methods=("dgi",), seeds=(0, 1)):
    """Runs of a sweep; the score depends on the value."""
    ledger = Ledger(folder / "ledger.jsonl")
    for spec in sweep_specs(SETTINGS[name], graphs=[graph], methods=methods, seeds=seeds):
        ledger.add(evaluated_run(spec, score_of(spec.settings["spectral"][name])))


def write_figure(folder, name, graph, **pairs):
    """A figure of spectra without lines; pairs are given as (score, low, high)."""
    fits = {pair.replace("_and_", " & "): PairFit(*fit) for pair, fit in pairs.items()}
    ViewFigure(name, graph, {}, fits).write(folder)


ALL = (nine_views_claim, two_hop_claim, target_claim, epsilon_claim, eta_claim)


@pytest.mark.parametrize("claim", [*ALL, lambda folder: learnt_claim(folder, "cora")])
def test_without_results_nothing_is_claimed(claim, tmp_path):
    assert claim(tmp_path) in ("Not run yet.", "Not drawn yet.")


def test_c_holds_where_l_is_best_and_the_others_are_named(tmp_path):
    write_sweep(tmp_path, "target", lambda name: 0.8 if name == "laplacian" else 0.79)
    assert target_claim(tmp_path) == (
        "The claim that L is the best C holds; the three C are 1.0 (DGI + SpCo on Cora, seeds ±0.0) points "
        "apart; not run yet: GRACE + SpCo on Cora, CCA-SSG + SpCo on Cora, DGI + SpCo on BlogCatalog, "
        "GRACE + SpCo on BlogCatalog and CCA-SSG + SpCo on BlogCatalog."
    )
    score = {"laplacian": 0.7, "identity+laplacian": 0.712}
    write_sweep(tmp_path, "target", lambda name: score.get(name, 0.6), methods=["grace"], graph="blogcatalog")
    assert target_claim(tmp_path).startswith(
        "The claim that L is the best C holds for 1 of 2 sweeps; ahead of it: I + L with GRACE + SpCo on "
        "BlogCatalog by 1.2 points; the three C are 1.0 ("
    )


def test_an_unfinished_sweep_concludes_nothing(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for spec in sweep_specs(SETTINGS["eta"], graphs=["cora"], methods=["dgi"], seeds=[0])[:-1]:
        ledger.add(evaluated_run(spec, 0.8))
    assert eta_claim(tmp_path) == "Not run yet."


def test_epsilon_is_sensitive_where_a_point_is_between_the_best_and_the_worst(tmp_path):
    write_sweep(tmp_path, "epsilon", lambda value: 0.82 if value == 1.0 else 0.805)
    write_sweep(tmp_path, "epsilon", lambda _: 0.7, methods=["cca_ssg"], seeds=[0])
    text = epsilon_claim(tmp_path, graphs=["cora"])
    assert text == (
        "The claim that ε is a sensitive setting holds for 1 of 2 sweeps: from the best to the worst ε there "
        "are 1.5 (DGI + SpCo on Cora, seeds ±0.0) and 0.0 (CCA-SSG + SpCo on Cora, one seed) points; the "
        "printed ε is the best in 1 of 2; not run yet: GRACE + SpCo on Cora."
    )


def test_eta_is_judged_from_0_2_to_1_2_alone(tmp_path):
    """DGI's printed value on Cora is 0.1, which is outside of the range."""
    write_sweep(tmp_path, "eta", lambda value: 0.9 if value == 0.1 else 0.8 - value / 200)
    text = eta_claim(tmp_path)
    assert text.startswith("The claim that results are stable for η from 0.2 to 1.2 holds: from the best to")
    assert "0.5 (DGI + SpCo on Cora, seeds ±0.0)" in text


def test_the_learnt_views_of_all_methods_are_in_one_sentence_each(tmp_path):
    write_figure(tmp_path, "learnt-dgi-citeseer", "citeseer", A_and_A_=(0.9, 0.1, 0.3))
    write_figure(
        tmp_path,
        "learnt-grace-citeseer",
        "citeseer",
        A_and_A_=(0.6, 0.2, 0.21),
        V1_and_V2=(0.8, 0.1, 0.2),
        A_and_V1=(0.5, 0.0, 0.0),
    )
    assert learnt_claim(tmp_path, "citeseer") == (
        "On Citeseer the claim that A and A_ follow the GAME rule holds for 1 of 2 methods (GAME scores: DGI "
        "0.90, GRACE 0.60); their mean difference is 0.10 and 0.20 in F_L, 0.30 and 0.21 in F_H. The claim "
        "that V1 and V2 then follow it, too, holds (GAME scores: GRACE 0.80); V1 of GRACE is A itself."
    )
    assert learnt_claim(tmp_path, "cora") == "Not drawn yet."


def test_two_hops_and_nine_views(tmp_path):
    ViewFigure("two-hop-cora", "cora", {}, {"A & Â²": PairFit(0.8, 0.1, 0.6)}).write(tmp_path)
    assert two_hop_claim(tmp_path) == (
        "The claim that A and A² meet the GAME rule holds, though not at every pair of frequencies: GAME "
        "score 0.80 on Cora; their mean difference is 0.10 in F_L, 0.60 in F_H."
    )
    scores = {"degree": 0.5, "subgraph": 0.45, "ppr": 0.9, "heat": 0.52, "distance": 0.7}
    pairs = {f"A & {view}": PairFit(score, 0.1, 0.1) for view, score in scores.items()}
    ViewFigure("spectra-cora", "cora", {}, pairs).write(tmp_path)
    assert nine_views_claim(tmp_path).endswith(
        "holds for 2 of 3 of them on Cora: ppr 0.90, heat 0.52, distance 0.70, the others 0.45 to 0.50 (GAME "
        "scores with A)."
    )
