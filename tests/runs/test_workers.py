"""Runs are made once, within the budget, and kept; here or in processes of their own."""

from __future__ import annotations

import os
import signal
import warnings
from dataclasses import replace
from functools import partial

import pytest

import spco
from spco.errors import IneffectiveSettingsWarning, InvalidParameterError, NonFiniteLossError
from spco.paper.classification import dataset_of, specs
from spco.runs import Ledger, MemoryStore, RunSpec, carry_out
from spco.runs.performing import RunOptions
from spco.runs.workers import missing

from ..made_runs import made_run

WANTED = specs(["citeseer"], ["cca_ssg"], [0, 1])
SMALL = {"method": {"widths": [8]}}


@pytest.mark.parametrize("apart", [False, True])
def test_without_time_nothing_is_begun(tmp_path, apart):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = carry_out(WANTED, ledger, dataset_of, apart=apart, budget_minutes=0)
    assert (outcome.made, outcome.held, outcome.left) == (0, 0, tuple(WANTED))
    assert ledger.runs() == []


def test_a_failed_run_is_told_and_not_kept(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = carry_out(WANTED[:1], ledger, partial(dataset_of, root=tmp_path / "nothing here"), apart=True)
    ((spec, error),) = outcome.failed
    assert spec == WANTED[0]
    assert "nothing here" in error
    assert missing(WANTED, ledger) == WANTED


def killed_at_seed_0(spec, *_):
    """Stand in for a run: tell the process and its threads, or be killed."""
    if spec.seed == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    told = {"process": str(os.getpid()), "threads": os.environ["MKL_NUM_THREADS"]}
    return made_run(spec, versions=told)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing is killed like that here")
def test_each_run_has_its_own_process_and_one_that_is_killed_is_one_failed_run(tmp_path, monkeypatch):
    monkeypatch.setattr("spco.runs.workers.perform", killed_at_seed_0)
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    wanted, before = specs(["citeseer"], ["cca_ssg"], [1, 0, 2]), dict(os.environ)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    outcome = carry_out(wanted, ledger, dataset_of, jobs=2)
    assert (outcome.made, outcome.left) == (2, ())
    ((spec, error),) = outcome.failed
    assert (spec.seed, error) == (0, "its process was killed; did the memory run out?")
    runs = ledger.runs()
    assert {run.spec.seed for run in runs} == {1, 2}
    assert len({run.versions["process"] for run in runs} | {str(os.getpid())}) == 3
    assert {run.versions["threads"] for run in runs} == {str(max(1, (os.cpu_count() or 1) // 2))}
    assert dict(os.environ) == before


def warned(spec, *_):
    """Stand in for a run that warns."""
    warnings.warn("a remark", IneffectiveSettingsWarning, stacklevel=1)
    return made_run(spec)


def test_warnings_of_other_processes_are_this_ones(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("spco.runs.workers.perform", warned)
    with pytest.warns(IneffectiveSettingsWarning, match="a remark"):
        carry_out(WANTED[:1], Ledger(tmp_path / "ledger.jsonl"), dataset_of, apart=True)
    assert "a remark" not in capfd.readouterr().err


def test_some_run_must_be_made_at_a_time():
    with pytest.raises(InvalidParameterError, match="'jobs' parameter of carry_out must be an integer >= 1"):
        carry_out(WANTED, MemoryStore(), dataset_of, jobs=0)


def test_in_this_process_an_error_ends_all(monkeypatch):
    def diverges(*_):
        raise NonFiniteLossError("nan")

    monkeypatch.setattr("spco.runs.workers.perform", diverges)
    with pytest.raises(NonFiniteLossError):
        carry_out(WANTED, MemoryStore(), dataset_of)


def test_a_run_that_lacks_a_label_rate_is_made_again():
    store, graph = MemoryStore(), spco.load_dataset("wine")
    wanted = [RunSpec("cca_ssg", "wine", seed, settings=SMALL, epochs=2) for seed in (0, 1)]
    seen = []
    first = RunOptions(["train5"])
    outcome = carry_out(wanted, store, graph, first, tell=lambda spec, _, left: seen.append((spec, left)))
    assert (outcome.made, outcome.held, outcome.left, outcome.failed) == (2, 0, (), ())
    assert seen == [(wanted[0], 1), (wanted[1], 0)]
    assert missing(wanted, store, ["train5"]) == []
    assert missing(wanted, store, ["train5", "train20"]) == wanted
    assert carry_out(wanted, store, graph, RunOptions(["train20"])).made == 2


def test_a_run_without_the_second_evaluator_is_made_again_unless_it_has_no_embedding():
    store = MemoryStore()
    wanted = [RunSpec(method, "wine", 0) for method in ("cca_ssg", "gcn")]
    for spec in wanted:
        store.add(made_run(spec))
    assert missing(wanted, store) == []
    assert missing(wanted, store, evaluated=True) == wanted[:1]
    store.add(replace(made_run(wanted[0]), evaluations={"train20": {"micro_f1": 0.5}}))
    assert missing(wanted, store, evaluated=True) == []


def test_a_run_is_scored_kept_and_not_repeated(tmp_path):
    ledger, graph = Ledger(tmp_path / "ledger.jsonl"), spco.load_dataset("wine")
    wanted = [RunSpec("cca_ssg", "wine", 0, settings={**SMALL, "training": {"epochs": 20}})]
    first = carry_out(wanted, ledger, graph, apart=True)
    assert (first.made, first.held, first.failed) == (1, 0, ())
    (run,) = ledger.runs()
    assert run.key == wanted[0].key
    assert set(run.scores) == {"train5", "train10", "train20"}
    assert run.scores["train20"].micro_f1 > 0.8
    assert run.epochs == 20
    assert run.peak_bytes > 1e8
    assert run.versions["torch"]
    again = carry_out(wanted, ledger, graph)
    assert (again.made, again.held) == (0, 1)
