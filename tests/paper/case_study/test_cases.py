"""The runners on a small graph, and what they leave on disk."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import stats

import spco
from spco.errors import InvalidParameterError, UnknownNameError
from spco.paper.case_study import CaseResult, CaseSettings, case_accuracy, fig4, table1, table_pairs
from spco.paper.case_study.cases import view_rng
from spco.paper.case_study.experiments import PAIR_GRAPHS, VIEWS, rows_of_sum_one
from spco.paper.printed import Printed, printed
from spco.views import BandPass

QUICK = CaseSettings(epochs=3, probe_steps=5, probe_restarts=2)


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def test_a_result_is_mean_and_spread_over_seeds_beside_the_printed_number():
    result = CaseResult("ppr", (0, 1), (0.5, 0.6), Printed(0.58, 0.016))
    assert (result.mean, result.std) == (0.55, pytest.approx(np.std([0.5, 0.6], ddof=1)))
    assert str(result).split() == ["ppr", "55.0", "±", "7.1", "paper:", "58.0", "±", "1.6"]
    assert CaseResult("x", (0,), (0.5,)).std is None
    with pytest.raises(FrozenInstanceError):
        result.scores = ()


def test_table1_runs_every_augmentation_with_its_own_draw(graph, tmp_path):
    path, told = tmp_path / "table1.json", []
    table = table1(graph, seeds=[0, 3], settings=QUICK, path=path, tell=told.append)
    assert [row.name for row in table.rows] == list(VIEWS)
    assert len(told) == 19
    drawn = VIEWS["node dropping"](graph, rng=view_rng(3)).matrix
    assert table["node dropping"].scores[1] == case_accuracy(
        graph, graph.adjacency, drawn, seed=3, settings=QUICK
    )
    distance = rows_of_sum_one(VIEWS["distance"](graph, rng=view_rng(0)).matrix)
    assert table["distance"].scores[0] == case_accuracy(
        graph, graph.adjacency, distance, seed=0, settings=QUICK
    )
    expected = np.mean(
        [spco.game_score(graph, VIEWS["node dropping"], rng=view_rng(seed)).score for seed in (0, 3)]
    )
    assert table.game_scores["node dropping"] == pytest.approx(expected)
    assert table.game_scores["ppr"] == pytest.approx(spco.game_score(graph, VIEWS["ppr"]).score)
    spearman = stats.spearmanr([row.mean for row in table.rows], list(table.game_scores.values()))
    assert table.correlation == (spearman.statistic, spearman.pvalue)
    assert f"{spearman.statistic:.3f} (p = " in str(table)
    held = json.loads(path.read_text())
    assert held["game_scores"]["ppr"] == table.game_scores["ppr"]
    assert held["description"]["settings"]["epochs"] == 3
    assert "rows of sum one" in held["description"]["cases"]["distance"]

    whole, told = path.read_text(), []
    assert table1(graph, seeds=[0, 3], settings=QUICK, path=path, tell=told.append) == table
    assert told == []  # all was there, GAME scores too
    assert table1(graph, seeds=[3], settings=QUICK, path=path).game_scores != table.game_scores
    assert path.read_text() == whole


def test_finished_runs_are_not_repeated(graph, tmp_path, monkeypatch):
    path = tmp_path / "pairs.json"
    first = table_pairs(graph, seeds=[0], settings=QUICK, path=path)
    calls = []

    def counted(*arguments, seed, settings):
        calls.append(seed)
        return case_accuracy(*arguments, seed=seed, settings=settings)

    monkeypatch.setattr("spco.paper.case_study.cases.case_accuracy", counted)
    both = table_pairs(graph, seeds=[0, 1], settings=QUICK, path=path)
    assert calls == [1, 1, 1]
    assert [row.scores[0] for row in both.rows] == [row.scores[0] for row in first.rows]
    again = table_pairs(graph, seeds=[0, 1], settings=QUICK, path=path)
    assert len(calls) == 3
    assert again == both
    with pytest.raises(InvalidParameterError, match="differs in settings"):
        table_pairs(graph, seeds=[0], settings=CaseSettings(epochs=2), path=path)


def test_runs_of_another_graph_are_not_returned_as_those_of_this_one(graph, tmp_path):
    path = tmp_path / "pairs.json"
    labels = np.where(graph.labels == 0, 1, graph.labels)
    first, *rest = graph.splits["test"]
    moved = {**graph.splits, "train20": [*graph.splits["train20"], first], "test": rest}
    own = spco.Graph(graph.adjacency, graph.features, graph.labels, dict(graph.splits))
    others = [
        spco.Graph(graph.adjacency * 2.0, graph.features, graph.labels, dict(graph.splits)),
        spco.Graph(graph.adjacency, graph.features * 2, graph.labels, dict(graph.splits)),
        spco.Graph(graph.adjacency, graph.features, labels, dict(graph.splits)),
        spco.Graph(graph.adjacency, graph.features, graph.labels, moved),
    ]
    table = table_pairs(own, seeds=[0], settings=QUICK, path=path)
    whole = path.read_text()
    for other in others:
        with pytest.raises(InvalidParameterError, match="differs in data"):
            table_pairs(other, seeds=[0], settings=QUICK, path=path)
    assert path.read_text() == whole
    assert table_pairs(own, seeds=[0], settings=QUICK, path=path) == table


def test_a_file_from_before_graphs_were_told_apart_is_gone_on_with(graph, tmp_path):
    path = tmp_path / "pairs.json"
    table = table_pairs(graph, seeds=[0], settings=QUICK, path=path)
    held = json.loads(path.read_text())
    del held["description"]["data"]
    path.write_text(json.dumps(held))
    assert table_pairs(graph, seeds=[0], settings=QUICK, path=path) == table
    both = table_pairs(graph, seeds=[0, 1], settings=QUICK, path=path)
    assert [row.scores[0] for row in both.rows] == [row.scores[0] for row in table.rows]


def test_the_pairs_are_tested_by_their_first_view(graph):
    table = table_pairs(graph, seeds=[2], settings=QUICK)
    adjacency, square = graph.adjacency, graph.adjacency @ graph.adjacency
    pairs = [(adjacency, adjacency), (adjacency, square), (square, square)]
    for row, pair in zip(table.rows, pairs, strict=True):
        assert row.scores == (case_accuracy(graph, *pair, seed=2, settings=QUICK),)
    assert table["A & A²"] == table.rows[1]


@pytest.mark.parametrize("order", ["low-to-high", "high-to-low"])
def test_the_curves_keep_the_rates_of_the_band_view(graph, order):
    curves = fig4(graph, order=order, rates=[0.2, 1], seeds=[0], settings=QUICK)
    assert [result.name for result in curves.half("low").values()] == ["low 20%", "low 100%"]
    assert (curves.name, list(curves.half("high"))) == (f"fig4-wine-{order}", [20.0, 100.0])
    for part in ("low", "high"):
        view = BandPass(0.2, part=part, order=order)(graph, rng=np.random.default_rng(0)).matrix
        expected = case_accuracy(graph, graph.adjacency, view, seed=0, settings=QUICK)
        assert curves[f"{part} 20%"].scores == (pytest.approx(expected, abs=0.05),)
    # With everything kept, both are the identity.
    assert curves["low 100%"].scores == curves["high 100%"].scores


def test_bad_arguments(graph):
    with pytest.raises(UnknownNameError, match="'order' parameter of fig4"):
        fig4(graph, order="up", settings=QUICK)
    with pytest.raises(InvalidParameterError, match="differ by a per cent"):
        fig4(graph, rates=[0.2, 0.2001], settings=QUICK)
    with pytest.raises(InvalidParameterError, match="'rates' parameter of fig4 must be >= 0 and <= 1"):
        fig4(graph, rates=[1.2], settings=QUICK)
    for seeds in ([], [0, 0], [-1], 3):
        with pytest.raises(InvalidParameterError, match="'seeds' parameter"):
            table_pairs(graph, seeds=seeds, settings=QUICK)


def test_the_paper_prints_a_number_for_every_row():
    assert set(printed("table1", "cora")) == set(VIEWS)
    for graph in PAIR_GRAPHS:
        rows = printed("pairs", graph)
        assert max(rows, key=lambda name: rows[name].mean) == "A & A²"
    assert printed("pairs", "flickr")["A² & A²"] == Printed(0.282, 0.016)
    assert printed("fig4", "cora") == {}
