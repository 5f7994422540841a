"""Runs are made once, within the budget, and kept."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from spco.errors import InvalidParameterError
from spco.paper.classification import missing, specs
from spco.paper.ledger import Ledger, LedgerRun
from spco.paper.schedule import make_runs

needs_data = pytest.mark.skipif("SPCO_DATA" not in os.environ, reason="SPCO_DATA names no folder of graphs")
WANTED = specs(["citeseer"], ["cca_ssg"], [0, 1])


def test_without_time_nothing_is_begun(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = make_runs(WANTED, ledger, budget_minutes=0)
    assert (outcome.made, outcome.held, outcome.left) == (0, 0, tuple(WANTED))
    assert ledger.runs() == []


def test_a_failed_run_is_told_and_not_kept(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = make_runs(WANTED[:1], ledger, root=tmp_path / "nothing here")
    ((spec, error),) = outcome.failed
    assert spec == WANTED[0]
    assert "nothing here" in error
    assert missing(WANTED, ledger) == WANTED


def killed_at_seed_0(spec, *, root):
    """Stand in for a run: tell the process and its threads, or be killed."""
    del root
    if spec.seed == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    scores = {"train20": {"micro_f1": 0.5}}
    told = {"process": str(os.getpid()), "threads": os.environ["MKL_NUM_THREADS"]}
    return LedgerRun(spec.method, spec.graph, False, spec.seed, spec.settings, scores, 1, 1.0, None, told)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing is killed like that here")
def test_each_run_has_its_own_process_and_one_that_is_killed_is_one_failed_run(tmp_path, monkeypatch):
    monkeypatch.setattr("spco.paper.schedule.perform", killed_at_seed_0)
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    wanted, before = specs(["citeseer"], ["cca_ssg"], [1, 0, 2]), dict(os.environ)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = make_runs(wanted, ledger, jobs=2)
    assert (outcome.made, outcome.left) == (2, ())
    ((spec, error),) = outcome.failed
    assert (spec.seed, error) == (0, "its process was killed; did the memory run out?")
    runs = ledger.runs()
    assert {run.seed for run in runs} == {1, 2}
    assert len({run.versions["process"] for run in runs} | {str(os.getpid())}) == 3
    assert {run.versions["threads"] for run in runs} == {str(max(1, (os.cpu_count() or 1) // 2))}
    assert dict(os.environ) == before


def test_some_run_must_be_made_at_a_time(tmp_path):
    with pytest.raises(InvalidParameterError, match="'jobs' parameter of make_runs must be an integer >= 1"):
        make_runs(WANTED, Ledger(tmp_path / "ledger.jsonl"), jobs=0)


@needs_data
def test_a_run_is_scored_kept_and_not_repeated(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    first = make_runs(WANTED[:1], ledger, root=Path(os.environ["SPCO_DATA"]))
    assert (first.made, first.held, first.failed) == (1, 0, ())
    (run,) = ledger.runs()
    assert run.key == WANTED[0].key
    assert set(run.scores) == {"train5", "train10", "train20"}
    assert 0.68 < run.scores["train20"]["micro_f1"] < 0.78
    assert run.epochs == run.settings["training"]["epochs"]
    assert run.peak_bytes > 1e8
    assert run.versions["torch"]
    again = make_runs(WANTED[:1], ledger)
    assert (again.made, again.held) == (0, 1)
