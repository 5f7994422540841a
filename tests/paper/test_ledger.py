"""The ledger survives several writers and killed ones."""

from __future__ import annotations

import json
import multiprocessing

import pytest

from spco.errors import FileFormatError
from spco.paper.ledger import Ledger, LedgerRun


def run(seed, *, spectral=False, settings=None, score=0.5):
    return LedgerRun(
        "dgi",
        "cora",
        spectral,
        seed,
        settings or {"training": {"epochs": 3}, "spectral": {"eta": 0.1}},
        {"train20": {"micro_f1": score, "macro_f1": score}},
        3,
        1.5,
        1e8,
        {"spco": "0"},
    )


def test_what_goes_in_comes_out(tmp_path):
    ledger = Ledger(tmp_path / "results" / "ledger.jsonl")
    assert ledger.runs() == []
    ledger.add(run(0))
    ledger.add(run(1, spectral=True))
    assert ledger.runs() == [run(0), run(1, spectral=True)]
    assert [entry.name for entry in ledger.runs()] == ["dgi", "dgi+spco"]


def test_the_last_of_equal_runs_counts(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(run(0, score=0.1))
    ledger.add(run(0, score=0.9))
    assert [entry.scores["train20"]["micro_f1"] for entry in ledger.runs()] == [0.9]


def test_settings_of_spco_tell_runs_apart_only_with_spco():
    changed = {"training": {"epochs": 3}, "spectral": {"eta": 0.9}}
    assert run(0).key == run(0, settings=changed).key
    assert run(0, spectral=True).key != run(0, spectral=True, settings=changed).key
    assert run(0).key != run(1).key
    assert run(0).key != run(0, settings={"training": {"epochs": 4}}).key


def test_a_line_cut_off_is_passed_over_and_the_next_run_still_fits(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(run(0))
    with ledger.path.open("a") as file:
        file.write(json.dumps({"method": "dgi"})[:9])  # killed while writing
    with pytest.warns(UserWarning, match="line 2 of .* was cut off"):
        assert ledger.runs() == [run(0)]
    ledger.add(run(1))
    with pytest.warns(UserWarning, match="cut off"):
        assert ledger.runs() == [run(0), run(1)]


def test_something_else_is_refused(tmp_path):
    path = tmp_path / "ledger.jsonl"
    path.write_text('{"colour": "blue"}\n')
    with pytest.raises(FileFormatError, match="line 1"):
        Ledger(path).runs()


def _add_many(path, first):
    for seed in range(first, first + 30):
        Ledger(path).add(run(seed))


def test_two_processes_at_once_lose_nothing(tmp_path):
    path = tmp_path / "ledger.jsonl"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_add_many, args=(path, first)) for first in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert {entry.seed for entry in Ledger(path).runs()} == {*range(30), *range(100, 130)}
