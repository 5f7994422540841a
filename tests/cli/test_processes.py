"""The command line as a process of its own: both ways to start it, its streams and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
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
