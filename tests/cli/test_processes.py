"""The command line as a process of its own: both ways to start it, its streams and its exit codes."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import spco

WAYS = [[sys.executable, "-m", "spco"], [str(Path(sys.executable).with_name("spco"))]]


def started(way, *arguments, folder):
    return subprocess.run([*way, *arguments], capture_output=True, text=True, cwd=folder)


@pytest.mark.parametrize("way", WAYS, ids=["module", "script"])
def test_both_ways_start_it(tmp_path, way):
    if not Path(way[0]).exists():
        pytest.skip(f"{way[0]} is not there: the package is on the path, not installed")
    done = started(way, "--version", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"spco {spco.__version__}\n", "")


def test_results_go_to_stdout_and_the_rest_to_stderr(tmp_path):
    command = ["train", "--dataset", "wine", "--method", "cca_ssg", "--epochs", "2", "--json"]
    done = started(WAYS[0], *command, folder=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout)["seeds"] == [0]
    assert "cca_ssg" in done.stderr


def test_bad_usage_leaves_with_2_and_no_traceback(tmp_path):
    done = started(WAYS[0], "train", "--dataset", "wyne", "--out", "runs", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'wine'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def interrupted(*arguments, folder, when, by=signal.SIGINT, start=None):
    """Start it, send Ctrl-C or another signal as soon as ``when()`` holds, and return what it says."""
    process = subprocess.Popen(
        [*WAYS[0], *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        preexec_fn=start,
    )  # fmt: skip
    until = time.monotonic() + 120
    while not when() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(by)
    _, said = process.communicate(timeout=120)
    return process.returncode, said


LONG = [
    "train",
    "--dataset",
    "wine",
    "--method",
    "cca_ssg",
    "--epochs",
    "1000000",
    "--checkpoint-seconds",
    "0",
]


def test_ctrl_c_says_where_the_checkpoint_is_and_how_to_go_on(tmp_path):
    checkpoint = tmp_path / "runs" / "cca_ssg+spco" / "seed-0" / "checkpoint.safetensors"
    code, said = interrupted(*LONG, "--out", "runs", folder=tmp_path, when=checkpoint.exists)
    assert code == 130
    assert "Interrupted after epoch" in said
    assert "the checkpoint is at runs/cca_ssg+spco/seed-0/checkpoint.safetensors" in said
    assert "hint: run the same command with --resume to continue from there" in said
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize("in_background", [False, True])
def test_sigterm_counts_as_ctrl_c_and_ends_the_other_processes_too(tmp_path, in_background):
    folders = [tmp_path / "runs" / "cca_ssg+spco" / f"seed-{seed}" for seed in (0, 1)]

    def both_train():
        return all((folder / "checkpoint.safetensors").exists() for folder in folders)

    more = ("--seeds", "0-1", "--jobs", "2", "--out", "runs")
    start = _ignore_ctrl_c if in_background else None
    code, said = interrupted(*LONG, *more, folder=tmp_path, when=both_train, by=signal.SIGTERM, start=start)
    assert code == 130
    assert "--resume" in said
    assert "Traceback" not in said
    assert not _left_from(tmp_path)


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="other processes cannot be looked at here")
def test_a_process_that_is_killed_leaves_no_others(tmp_path):
    checkpoint = tmp_path / "runs" / "cca_ssg+spco" / "seed-0" / "checkpoint.safetensors"
    more = ("--seeds", "0-1", "--jobs", "2", "--out", "runs")
    code, _ = interrupted(*LONG, *more, folder=tmp_path, when=checkpoint.exists, by=signal.SIGKILL)
    assert code == -signal.SIGKILL
    until = time.monotonic() + 30
    while _left_from(tmp_path) and time.monotonic() < until:
        time.sleep(0.2)
    assert not _left_from(tmp_path)


def _ignore_ctrl_c():
    """As shells do for what a script starts with &."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _left_from(folder):
    """The processes that work in a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if place.readlink() == folder:
                found.append(place.parent.name)
        except OSError:
            continue
    return found


def test_ctrl_c_ends_a_search_and_keeps_its_trials(tmp_path):
    storage = tmp_path / "tuning.db"
    command = [
        "tune",
        "--dataset",
        "wine",
        "--method",
        "cca_ssg",
        "--plain",
        "--epochs",
        "3",
        "--trials",
        "9999",
    ]
    code, said = interrupted(*command, "--seeds", "0", folder=tmp_path, when=lambda: _trials(storage) > 1)
    assert code == 130
    assert "the same command continues the search" in said
    assert "Traceback" not in said
    with sqlite3.connect(storage) as held:
        states = {state for (state,) in held.execute("select state from trials")}
    assert "RUNNING" not in states


def _trials(storage):
    if not storage.exists():
        return 0
    try:
        with sqlite3.connect(storage) as held:
            return held.execute("select count(*) from trials where state = 'COMPLETE'").fetchone()[0]
    except sqlite3.Error:
        return 0
