"""A folder of results is read once, and again when it has changed."""

from __future__ import annotations

from spco.paper.classification import specs
from spco.paper.results_folder import ledger_runs, read_classification
from spco.runs import Ledger

from ..made_runs import made_run


def test_a_ledger_is_read_once_until_it_changes(tmp_path):
    assert ledger_runs(tmp_path) == ()
    first, second = specs(["cora"], ["gcn"], [0, 1])
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(made_run(first, 0.8))
    held = ledger_runs(tmp_path)
    assert [run.key for run in held] == [first.key]
    assert ledger_runs(tmp_path) is held
    assert read_classification(tmp_path) is read_classification(tmp_path)
    ledger.add(made_run(second, 0.8))
    assert len(ledger_runs(tmp_path)) == 2
    counts = {cell.n for cell in read_classification(tmp_path).tuned.cells if cell.graph == "cora"}
    assert counts == {0, 2}


def test_two_folders_are_told_apart(tmp_path):
    (spec,) = specs(["cora"], ["gcn"], [0])
    for name, score in {"one": 0.7, "two": 0.8}.items():
        Ledger(tmp_path / name / "ledger.jsonl").add(made_run(spec, score))
    scores = [ledger_runs(tmp_path / name)[0].scores["train20"].micro_f1 for name in ("one", "two")]
    assert scores == [0.7, 0.8]
