"""``spco reproduce``: what its options mean, whatever the target, and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from spco._registry import Registry
from spco.paper import targets
from spco.paper.contents import ITEMS
from spco.paper.evaluators import published_scores
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

    def spectra(_, method, *, seed, tell):
        tell("measuring")
        measured.append((method, seed))
        return ViewFigure(f"learnt-{method}-cora", "cora", {}, {})

    monkeypatch.setattr(targets, "load_dataset", lambda *_, **__: None)
    monkeypatch.setattr(targets, "learnt_spectra", spectra)
    monkeypatch.setattr(targets, "save_figure", lambda *_: None)
    monkeypatch.setattr(targets, "ViewFigureDisplay", lambda *_: SimpleNamespace(plot=lambda: None))
    wanted = ("reproduce", "fig-learnt", "--methods", methods, "--datasets", "cora", "--seeds", "0")
    done = spco_command(*wanted)
    assert measured == [("dgi", 0)]
    assert "measuring" in done.stderr
    assert "learnt-dgi-cora.svg" in done.stderr
    again = spco_command(*wanted, "--budget", "0")  # what was kept is drawn
    assert measured == [("dgi", 0)]
    assert "learnt-dgi-cora.svg" in again.stderr


@pytest.mark.parametrize(
    "target", ["fig-spectra", "fig-two-hop", "fig-learnt", "theorems", "fig-eta", "fig-target"]
)
def test_without_time_nothing_is_measured_and_no_figure_drawn(spco_command, tmp_path, target):
    done = spco_command("reproduce", target, *NOTHING_RUN)
    assert "the time is up" in done.stderr or "left" in done.stderr
    assert not list(tmp_path.rglob("*.svg"))
    assert not list(tmp_path.rglob("spectra"))


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
    (tmp_path / "results").mkdir()
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
    assert done.stderr.count("1 left") == 2  # of published settings and of tuned ones
    assert not list(tmp_path.iterdir())


def test_both_families_are_made_and_only_published_settings_meet_the_authors_evaluators(
    spco_command, monkeypatch
):
    made = []

    def noted(wanted, _, __, options, **___):
        made.append(([spec.name for spec in wanted], options is not None and options.evaluate))
        return Outcome(0, 0, (), ())

    monkeypatch.setattr(targets, "carry_out", noted)
    asked = ("--methods", "dgi,gcn", *NOTHING_RUN)
    spco_command("reproduce", "table2", *asked)
    assert made == [(["dgi"], published_scores), (["dgi", "gcn"], False)]
    made.clear()
    spco_command("reproduce", "table-rates", "--family", "tuned", *asked)
    spco_command("reproduce", "table2", "--family", "paper", *asked)
    assert made == [(["dgi", "gcn"], False), (["dgi"], published_scores)]


def test_an_unknown_family_and_one_without_a_method_are_refused(spco_command, tmp_path):
    done = spco_command("reproduce", "table2", "--family", "papers", *NOTHING_RUN, code=2)
    assert "The '--family' parameter of spco reproduce must be one of" in done.stderr
    more = ("--family", "paper", "--methods", "gcn,mvgrl", *NOTHING_RUN)
    done = spco_command("reproduce", "table2", *more, code=2)
    assert "must name at least one of dgi, dgi+spco" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_list_names_everything_in_the_paper_with_its_verdict(spco_command, tmp_path):
    done = spco_command("reproduce", "--list", "--results", tmp_path)
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["name", "title", "target", "committed", "verdict"]
    assert len(rows) == len(ITEMS)
    (table2,) = (row for row in rows if row.startswith("Table 2 "))
    assert table2.split()[-4:] == ["table2", "no", "not", "run"]
    found = json.loads(spco_command("reproduce", "--list", "--json", "--results", tmp_path).stdout)
    assert [one["name"] for one in found] == [item.name for item in ITEMS]
    assert found[0].keys() == {"name", "section", "title", "target", "where", "committed", "verdict"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "must be the name of a target"),
        (("table2", "--list"), "must be left out with --list"),
        (("table2", "--json"), "must go with --list"),
    ],
)
def test_a_target_or_the_list_is_asked_for(spco_command, given, said):
    assert said in spco_command("reproduce", *given, code=2).stderr


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


def test_the_help_says_what_every_target_makes(spco_command):
    text = " ".join(spco_command("reproduce", "--help").stdout.replace("│", " ").split())
    for name in targets.TARGETS:
        assert f"{name} (" in text.replace("- ", "-")


@pytest.mark.parametrize("target", ["table2", "table-rates"])
def test_no_table_is_written_for_which_there_are_no_runs(spco_command, tmp_path, target):
    done = spco_command("reproduce", target, *NOTHING_RUN)
    assert "there are no runs yet, so no file is written" in done.stderr
    assert not list(tmp_path.iterdir())
