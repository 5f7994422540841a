"""What is on the board, where its graphs come from, and in which order it is run."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

import spco
from spco import methods
from spco.errors import MissingFileError, UnknownNameError
from spco.evaluation import BASELINES
from spco.leaderboard.entries import DROP_RATES, Entry, board_entries
from spco.leaderboard.graphs import BOARD_GRAPHS, REAL_GRAPHS, board_graph
from spco.leaderboard.planning import in_order, planned_runs
from spco.methods import METHODS
from spco.presets import suggested_preset

WINE = spco.load_dataset("wine")


def test_every_contrastive_method_is_there_plain_and_with_spco():
    own = [name for name, method in METHODS.items() if method.__module__.startswith("spco.")]
    names = {entry.name: entry.kind for entry in board_entries()}
    assert {"dgi", "mvgrl", "grace", "gca", "graphcl", "cca_ssg"} <= set(own)
    for name in own:
        assert names[name] == "plain"
        assert names[f"{name}+spco"] == "spco"
    assert "gcn" not in names
    assert {name for name, kind in names.items() if kind == "free"} == set(BASELINES)
    assert names["edge-dropping"] == "control"


def test_auto_is_one_entry_that_runs_what_the_advice_names():
    names = [entry.name for entry in board_entries()]
    assert names.count("auto") == 1
    assert "auto+spco" not in names
    (spec,) = (run.spec for run in planned_runs(WINE, board_entries(["auto"])[:1], [3]))
    advice = spco.advise(WINE)
    assert (spec.name, spec.seed) == ("auto", 3)
    assert (spec.method, spec.spectral) == (advice.method, advice.spectral)
    assert spec.estimator().prepare(WINE).preset == spco.Embedder("auto").prepare(WINE).preset


def test_auto_by_labels_asks_for_the_labels_of_each_rate():
    (spec,) = (run.spec for run in planned_runs(WINE, board_entries(["auto+labels"])[:1], [3]))
    assert (spec.name, spec.method, spec.by_labels) == ("auto+labels", "auto", True)
    assert spec.key != replace(spec, by_labels=False).key


def test_a_strangers_method_is_on_the_board_only_by_name(monkeypatch):
    class Stranger(methods.METHODS["dgi"]):
        name = "stranger"

    Stranger.__module__ = "elsewhere"
    monkeypatch.setitem(methods.LEARNERS._entries, "stranger", Stranger)
    assert "stranger" not in [entry.name for entry in board_entries()]
    assert board_entries(["stranger+spco"])[0] == Entry("stranger+spco", "spco")


def test_unknown_entries_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'grace'"):
        board_entries(["graec"])


def test_runs_have_the_suggested_settings():
    entries = board_entries(["dgi", "dgi+spco", "edge-dropping"])
    specs = [run.spec for run in planned_runs(WINE, entries, [0, 1])]
    assert (
        len(specs) == len({(spec.name, spec.key) for spec in specs}) == sum(e.count([0, 1]) for e in entries)
    )
    suggested = suggested_preset("dgi", WINE).to_dict()
    assert [spec.settings for spec in specs if spec.name == "dgi+spco"] == [suggested] * 2
    dropping = [spec for spec in specs if spec.name.startswith("edge-dropping") and spec.seed == 0]
    assert [spec.method for spec in dropping] == ["grace"] * 4
    assert [spec.settings["method"]["edge_drop"] for spec in dropping] == [(r, r) for r in DROP_RATES]
    assert not any(spec.spectral for spec in dropping)
    for spec in specs:
        if not spec.is_baseline:
            spec.estimator().prepare(WINE)  # refuses settings that are not complete or not known
        else:
            assert spec.settings == {"scaling": "columns"}


def test_the_control_is_cca_ssg_on_larger_graphs():
    large = spco.datasets.sbm(10_001, average_degree=2, num_features=4)
    specs = [run.spec for run in planned_runs(large, board_entries(["edge-dropping"])[:1], [0])]
    assert {spec.method for spec in specs} == {"cca_ssg"}
    assert [spec.settings["method"]["edge_drop"] for spec in specs] == list(DROP_RATES)


def test_an_interrupted_board_has_whole_seeds_and_cheap_runs_first():
    entries = board_entries(["grace", "cca_ssg", "edge-dropping"])
    graphs = [spco.load_dataset("digits"), WINE]
    order = in_order(run for graph in graphs for run in planned_runs(graph, entries, [0, 1]))
    free = [spec.is_baseline for spec in order]
    assert free == sorted(free, reverse=True)
    trained = [spec for spec in order if not spec.is_baseline]
    assert [spec.seed for spec in trained] == sorted(spec.seed for spec in trained)
    first = [(spec.name, spec.graph) for spec in trained if spec.seed == 0]
    assert first.index(("cca_ssg", "wine")) < first.index(("cca_ssg", "digits"))
    assert first.index(("cca_ssg", "wine")) < first.index(("grace", "wine"))
    assert first.index(("grace", "digits")) < first.index(("edge-dropping-0.1", "digits"))


def test_generated_graphs_are_there_and_hold_all_label_rates():
    for name in BOARD_GRAPHS:
        if name not in REAL_GRAPHS:
            graph = board_graph(name)
            assert graph.name == name
            assert {"train5", "train10", "train20", "val", "test"} == set(graph.splits)


def test_the_block_models_are_what_their_names_say():
    for name, share in {"sbm-homo": 0.6, "sbm-hetero": 0.05}.items():
        graph = board_graph(name)
        edges, _ = graph.to_edges()
        assert (graph.labels[edges[:, 0]] == graph.labels[edges[:, 1]]).mean() == pytest.approx(share)


def test_graphs_of_the_folder_need_it(monkeypatch, tmp_path):
    monkeypatch.delenv("SPCO_GRAPHS", raising=False)
    with pytest.raises(MissingFileError, match="SPCO_GRAPHS' parameter of spco leaderboard must be set"):
        board_graph("actor")
    monkeypatch.setenv("SPCO_GRAPHS", str(tmp_path))
    with pytest.raises(MissingFileError, match="hold a folder 'actor'"):
        board_graph("actor")
    spco.write_graph(WINE, tmp_path / "actor")
    assert board_graph("actor").num_nodes == WINE.num_nodes
    assert board_graph("actor").name == "actor"


@pytest.mark.skipif("SPCO_GRAPHS" not in os.environ, reason="SPCO_GRAPHS names no folder of graphs")
def test_the_folder_holds_graphs_with_all_label_rates():
    graph = board_graph("chameleon_filtered")
    assert {"train5", "train10", "train20", "val", "test"} <= set(graph.splits)
