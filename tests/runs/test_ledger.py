"""The ledger survives several writers and killed ones."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from filelock import FileLock, Timeout

import spco
from spco.errors import DiskFullError, FileFormatError
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
    with pytest.warns(UserWarning, match="line 2 of .* holds no run: JSONDecodeError: .*; it is skipped"):
        assert ledger.runs() == [run(0)]
    ledger.add(run(1))
    with pytest.warns(UserWarning, match="line 2"):
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


def test_damage_costs_the_damaged_lines_and_no_other(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for seed in range(5):
        ledger.add(run(seed))
    lines = ledger.path.read_bytes().splitlines()
    lines[1] = lines[1].replace(b"cora", b"c\xffra")
    lines[3] = lines[3].replace(b'"seed"', b'"sead"')
    ledger.path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.warns(UserWarning, match="line") as told:
        assert [entry.spec.seed for entry in ledger.runs()] == [0, 2, 4]
    said = [str(warning.message) for warning in told]
    assert [text.partition("; ")[2] for text in said] == ["it is skipped"] * 2
    assert ("line 2 of" in said[0], "UnicodeDecodeError" in said[0]) == (True, True)
    assert ("line 4 of" in said[1], "KeyError" in said[1]) == (True, True)


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\r", "\x0b", "\x1c"])
def test_a_name_may_contain_what_ends_a_line_elsewhere(tmp_path, end):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    odd = made_run(RunSpec("dgi", f"a{end}b", 0))
    ledger.add(odd)
    ledger.add(run(1))
    assert ledger.runs() == [odd, run(1)]


def test_a_run_is_on_the_disk_and_under_the_lock_when_it_is_added(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    synced = []

    def fsync(handle):
        if os.path.samestat(os.fstat(handle), ledger.path.stat()):
            with pytest.raises(Timeout):
                FileLock(tmp_path / ".ledger.jsonl.lock", timeout=0).acquire()
            synced.append(ledger.path.read_bytes())

    monkeypatch.setattr(os, "fsync", fsync)
    ledger.add(run(0))
    assert synced == [ledger.path.read_bytes()]  # the whole line was there when the disk was waited for


def test_a_writer_waits_until_another_has_written(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    with ThreadPoolExecutor(max_workers=1) as apart:
        with FileLock(tmp_path / ".ledger.jsonl.lock"):
            adding = apart.submit(ledger.add, run(0))
            with pytest.raises(TimeoutError):
                adding.result(timeout=0.5)
            assert not ledger.path.exists()
        adding.result(timeout=60)
    assert ledger.runs() == [run(0)]


def test_the_name_of_a_new_ledger_is_on_the_disk_too(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(run(0))
    ledger.add(run(1))
    file, folder = ledger.path.stat().st_ino, tmp_path.stat().st_ino
    assert synced == [file, folder, file]  # its name is new but once


def test_a_full_disk_leaves_the_ledger_as_it_was(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(run(0))
    before = ledger.path.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(DiskFullError, match=r"no room for .*ledger.jsonl"):
            ledger.add(run(1))
    assert ledger.path.read_bytes() == before
    ledger.add(run(1))
    assert ledger.runs() == [run(0), run(1)]


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
