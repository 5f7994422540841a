"""The ledger survives several writers and killed ones."""

from __future__ import annotations

import json
import multiprocessing

import pytest

import spco
from spco.errors import FileFormatError
from spco.evaluation import score_runs
from spco.features import scaled
from spco.runs import Ledger, RunOptions, RunSpec, carry_out

from ..made_runs import made_run


def run(seed):
    return made_run(RunSpec("dgi", "cora", seed, settings={"training": {"epochs": 3}}))


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


def test_runs_with_equal_settings_and_other_labels_are_two(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    plain, labelled = RunSpec("dgi", "cora", 0), RunSpec("dgi", "cora", 0, label="other")
    ledger.add(made_run(plain, 0.5))
    ledger.add(made_run(labelled, 0.6))
    assert [run.name for run in ledger.runs()] == ["dgi", "other"]
    assert [run.scores["train5"].micro_f1 for run in ledger.held([labelled, plain])] == [0.6, 0.5]
    assert "label" not in json.loads(ledger.path.read_text().splitlines()[0])


def test_a_baseline_is_a_run(tmp_path):
    wine = spco.load_dataset("wine")
    ledger = Ledger(tmp_path / "ledger.jsonl")
    specs = [RunSpec("untrained", "wine", seed, settings={"scaling": "columns"}) for seed in (0, 1)]
    outcome = carry_out(specs, ledger, wine, RunOptions(rates=["train5"]))
    assert outcome.made == 2
    inputs = scaled(wine.features, "columns")
    expected = score_runs(wine, {}, seeds=[0, 1], rates=["train5"], baselines=["untrained"], inputs=inputs)
    found = [run.scores["train5"] for run in ledger.held(specs)]
    assert [run.micro_f1 for run in found] == [run.micro_f1 for run in expected.runs]
    assert [run.seed for run in found] == [0, 1]
    assert carry_out(specs, ledger, wine, RunOptions(rates=["train5"])).held == 2


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
    assert {entry.spec.seed for entry in Ledger(path).runs()} == {*range(30), *range(100, 130)}


def _count_rows(spec, graph, embedding):
    return {
        "train20": {"rows": float(len(embedding)), "seed": float(spec.seed), "nodes": float(graph.num_nodes)}
    }


def test_scores_of_a_second_evaluator_are_kept_beside_our_own(tmp_path):
    spec = RunSpec("dgi", "wine", 4, settings={"method": {"widths": [4]}}, epochs=1)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    options = RunOptions(rates=["train20"], evaluate=_count_rows)
    carry_out([spec], ledger, spco.load_dataset("wine"), options)
    (found,) = ledger.runs()
    assert found.evaluations == {"train20": {"rows": 178.0, "seed": 4.0, "nodes": 178.0}}
    assert set(found.scores) == {"train20"}
    assert run(0).evaluations == {}
