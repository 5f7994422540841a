"""``spco reproduce``: what its options mean, whatever the target, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from spco._registry import Registry
from spco.paper import targets
from spco.paper.spectra import ViewFigure
from spco.runs import Outcome

NOTHING_RUN = ("--datasets", "cora", "--seeds", "0", "--budget", "0", "--results", "results")


@pytest.mark.parametrize("methods", ["dgi", "dgi+spco", "dgi+spco,dgi,gcn"])
def test_a_method_has_one_name_with_and_without_spco_in_the_sweeps(spco_command, methods):
    done = spco_command("reproduce", "fig-eta", "--methods", methods, *NOTHING_RUN)
    (line,) = done.stdout.splitlines()
    assert line.startswith("dgi+spco on cora, η:")
    assert "7 left" in done.stderr  # six values and the printed one


@pytest.mark.parametrize("methods", ["dgi", "dgi+spco"])
def test_a_method_has_one_name_with_and_without_spco_in_its_spectra(spco_command, monkeypatch, methods):
    measured = []

    def spectra(_, method, *, seed):
        measured.append((method, seed))
        return ViewFigure(f"learnt-{method}-cora", "cora", {}, {})

    monkeypatch.setattr(targets, "load_dataset", lambda *_, **__: None)
    monkeypatch.setattr(targets, "learnt_spectra", spectra)
    monkeypatch.setattr(targets, "save_figure", lambda *_: None)
    monkeypatch.setattr(targets, "ViewFigureDisplay", lambda *_: SimpleNamespace(plot=lambda: None))
    done = spco_command("reproduce", "fig-learnt", "--methods", methods, *NOTHING_RUN)
    assert measured == [("dgi", 0)]
    assert "learnt-dgi-cora.svg" in done.stderr


def test_the_evaluators_are_asked_for_those_columns_that_have_one(spco_command, monkeypatch):
    asked = []

    def scored(graph, column, *, preset, seeds, path, **_):
        asked.append((graph, column, preset, seeds, str(path)))
        return f"{column} scored"

    monkeypatch.setattr(targets, "load_dataset", lambda name, **_: name.upper())
    monkeypatch.setattr(targets, "evaluated", scored)
    done = spco_command("reproduce", "evaluators", "--methods", "dgi+spco,gcn", *NOTHING_RUN)
    path = "results/evaluators/dgi+spco-cora.json"
    assert asked == [("CORA", "dgi+spco", "cora", (0,), path)]
    assert "dgi+spco scored" in done.stdout
    spco_command("reproduce", "evaluators", *NOTHING_RUN)
    assert len(asked) == 1 + 6
    done = spco_command("reproduce", "evaluators", "--methods", "gcn", *NOTHING_RUN, code=2)
    assert "must name at least one of dgi, grace, cca_ssg for evaluators" in done.stderr


@pytest.mark.parametrize("target", ["table2", "fig-eta", "fig-learnt", "all"])
def test_an_unknown_method_is_refused_before_any_work(spco_command, tmp_path, target):
    done = spco_command("reproduce", target, "--methods", "dgi,graec", *NOTHING_RUN, code=2)
    assert "The '--methods' parameter of spco reproduce must be one of" in done.stderr
    assert "did you mean 'grace'?" in done.stderr
    assert not list(tmp_path.iterdir())


def test_no_method_at_all_is_refused(spco_command):
    done = spco_command("reproduce", "table2", "--methods", ",", *NOTHING_RUN, code=2)
    assert "must name at least one column" in done.stderr


def test_a_figure_of_spco_needs_a_method_with_it(spco_command, tmp_path):
    done = spco_command("reproduce", "fig-target", "--methods", "gcn,mvgrl", *NOTHING_RUN, code=2)
    assert "The '--methods' parameter of spco reproduce must name at least one of dgi, grace" in done.stderr
    assert not list(tmp_path.iterdir())


def test_after_a_failed_run_the_rest_is_made_and_the_command_has_failed(spco_command, tmp_path, monkeypatch):
    def all_fail(wanted, *_, **__):
        return Outcome(0, 0, (), tuple((spec, "no memory") for spec in wanted))

    seen = []
    two = {"table2": targets.TARGETS["table2"], "later": targets.Target(seen.append)}
    monkeypatch.setattr(targets, "TARGETS", Registry("target", two))
    monkeypatch.setattr(targets, "carry_out", all_fail)
    page = tmp_path / "page.md"
    page.write_text("nothing marked\n")
    more = ("--methods", "dgi", "--update", page, "--report", "r.html")
    done = spco_command("reproduce", "all", *more, *NOTHING_RUN, code=1)
    assert "failed: dgi on cora, seed 0: no memory" in done.stderr
    assert "updated: " in done.stderr
    assert (tmp_path / "r.html").exists()
    assert len(seen) == 1


def test_among_all_targets_the_theorems_keep_a_graph_that_is_small_enough(spco_command, monkeypatch):
    seen = {}
    two = {
        name: replace(targets.TARGETS[name], make=lambda plan, name=name: seen.update({name: plan.graphs}))
        for name in ("theorems", "table2")
    }
    monkeypatch.setattr(targets, "TARGETS", Registry("target", two))
    spco_command("reproduce", "all", *NOTHING_RUN)
    assert seen == {"theorems": None, "table2": ("cora",)}
    spco_command("reproduce", "theorems", *NOTHING_RUN)
    assert seen["theorems"] == ("cora",)


def test_reproduce_shows_what_the_results_hold(spco_command, tmp_path):
    done = spco_command("reproduce", "table2", "--methods", "dgi", *NOTHING_RUN)
    assert "2 cells against the paper's mean ± 2σ: 0 within, 0 above, 0 below, 2 not run." in done.stdout
    assert "1 left" in done.stderr
    assert "110 cells against" in (tmp_path / "results" / "table2.md").read_text()


def test_reproduce_checks_the_pages_first(spco_command, tmp_path):
    wanted = ("reproduce", "table2", "--budget", "0", "--results", tmp_path, "--update", tmp_path / "no.md")
    assert "no file" in spco_command(*wanted, code=2).stderr
    assert not list(tmp_path.iterdir())


def test_reproduce_trains_nothing_without_time(spco_command, tmp_path):
    wanted = ("--datasets", "wine", "--seeds", "0-1", "--results", tmp_path)
    none = spco_command("reproduce", "table-pairs", *wanted, "--budget", "0")
    assert "pairs-wine: the time is up" in none.stderr
    assert none.stdout.strip() == ""
    assert not (tmp_path / "case_study").exists()


def test_reproduce_hints_at_the_closest_target(spco_command):
    assert "table2" in spco_command("reproduce", "tabel2", code=2).stderr


def test_the_help_names_every_target(spco_command):
    text = " ".join(spco_command("reproduce", "--help").stdout.replace("│", " ").split())
    assert f"{', '.join(targets.TARGETS)}, or all." in text.replace("- ", "-")
