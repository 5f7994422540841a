"""Runs are made once, within the budget, and kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spco.experiments.classification import missing, specs
from spco.experiments.ledger import Ledger
from spco.experiments.schedule import make_runs

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
