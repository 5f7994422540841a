"""``spco leaderboard``: what is run, resumed, skipped and refused."""

from __future__ import annotations

import json

import pytest

from spco.leaderboard import running
from spco.runs import Ledger, Outcome, carry_out

from ..leaderboard.made_board import runs, write_ledger
from ..made_runs import made_run

SHORT = ("leaderboard", "--graphs", "wine", "--methods", "cca_ssg,cca_ssg+spco", "--results", "results")


@pytest.fixture
def made_up(monkeypatch):
    """Make up every run in place of training it; return the specs that were asked for."""
    asked = []

    def fake(specs, store, *_, **options):
        left = [spec for spec, run in zip(specs, store.held(specs), strict=True) if run is None]
        asked.append((left, options))
        for spec in left:
            store.add(made_run(spec, 0.5 + 0.1 * spec.spectral))
        return Outcome(len(left), len(specs) - len(left), (), ())

    monkeypatch.setattr(running, "carry_out", fake)
    return asked


def test_runs_are_made_once(spco_command, made_up, tmp_path):
    done = spco_command(*SHORT, "--seeds", "0-1", "--jobs", "2")
    left, options = made_up[0]
    assert len(left) == 2 * 2 + 5 + 2
    assert options["jobs"] == 2
    assert "| cca_ssg+spco | with SpCo |" in done.stdout
    assert "11 made" in done.stderr
    assert len(Ledger(tmp_path / "results" / "leaderboard.jsonl").runs()) == 11
    again = spco_command(*SHORT, "--seeds", "0-2")
    assert len(made_up[1][0]) == 2 + 1  # the third seed of two methods and of the untrained encoder
    assert "11 runs were there, 3 made" in again.stderr


def test_a_real_board_of_free_baselines_goes_on_where_it_was_stopped(spco_command, monkeypatch):
    def in_this_process(*arguments, **options):
        return carry_out(*arguments, **{**options, "apart": False})

    monkeypatch.setattr(running, "carry_out", in_this_process)
    free = ("leaderboard", "--graphs", "wine", "--methods", "sgc", "--seeds", "0", "--json")
    found = json.loads(spco_command(*free).stdout)
    assert found["missing"] == 0
    assert all(0.8 < scores["wine"] <= 1 for scores in found["scores"].values())
    again = spco_command(*free)
    assert json.loads(again.stdout) == found
    assert "6 runs were there, 0 made" in again.stderr


def test_a_graph_that_is_not_there_is_skipped(spco_command, made_up, monkeypatch):
    monkeypatch.delenv("SPCO_GRAPHS", raising=False)
    done = spco_command("leaderboard", "--graphs", "actor,wine", "--methods", "dgi", "--seeds", "0")
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("skipped"))
    assert "actor" in line
    assert "SPCO_GRAPHS" in line
    assert {spec.graph for spec in made_up[0][0]} == {"wine"}


def test_failed_runs_fail_the_command_after_the_board_is_shown(spco_command, monkeypatch):
    def all_fail(specs, *_, **__):
        return Outcome(0, 0, (), tuple((spec, "no memory") for spec in specs))

    monkeypatch.setattr(running, "carry_out", all_fail)
    done = spco_command(*SHORT, "--seeds", "0", code=1)
    assert "failed: cca_ssg on wine, seed 0: no memory" in done.stderr
    assert "0 of 8 runs are there, 8 are missing." in done.stdout
    assert "left out of the tables: `cca_ssg`, `cca_ssg+spco`" in done.stdout


def test_without_a_budget_the_ledger_alone_makes_the_page_and_the_picture(spco_command, made_up, tmp_path):
    write_ledger(tmp_path / "results", runs())
    page = tmp_path / "page.md"
    page.write_text("<!-- results: leaderboard-scores -->\n<!-- end of results -->\n")
    done = spco_command("leaderboard", "--budget", "0", "--update", page)
    assert made_up == []
    assert "| dgi+spco |" in page.read_text()
    assert "drawn: " in done.stderr
    assert (tmp_path / "results" / "figures" / "leaderboard.svg").exists()


def test_the_list_says_what_is_there(spco_command, made_up, tmp_path):
    write_ledger(tmp_path / "results", runs())
    done = spco_command("leaderboard", "--list", "--graphs", "wine,flickr")
    assert made_up == []
    assert "| dgi | plain method | 2/5 | 0/5 |" in done.stdout
    assert "| edge-dropping | trained control | 0/20 | 0/20 |" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--graphs", "nosuch"], "The '--graphs' parameter of spco leaderboard must be one of"),
        (["--graphs", "corra"], "did you mean 'cora'?"),
        (["--graphs", ","], "must name at least one"),
        (["--methods", "graec"], "did you mean 'grace'?"),
        (["--methods", "gcn"], "The '--methods' parameter of spco leaderboard must be one of"),
        (["--budget", "-1"], "--budget"),
        (["--jobs", "0"], "--jobs"),
        (["--seeds", "x"], "must look like '0', '0-9' or '0,3,5'"),
        (["--update", "none.md"], "must be a file. Got no file 'none.md'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_refused_before_any_work(spco_command, made_up, tmp_path, arguments, message):
    done = spco_command("leaderboard", *arguments, code=2)
    assert message in done.stderr
    assert made_up == []
    assert list(tmp_path.iterdir()) == []
