"""The library does not need the paper: a copy without ``spco/paper`` imports, trains and tunes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spco

IMPORT_ALL = """
import importlib, pkgutil, sys, spco
found = pkgutil.walk_packages(spco.__path__, "spco.")
names = [module.name for module in found if module.name != "spco.__main__"]
for name in names:
    importlib.import_module(name)
assert not [name for name in sys.modules if name.startswith("spco.paper")]
print(len(names))
"""


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """Return a function that runs Python in a copy without the paper."""
    folder = tmp_path_factory.mktemp("without")
    # With the compiled passes beside the sources, whose times are kept: they need not be compiled again.
    source = Path(spco.__file__).parent
    shutil.copytree(source, folder / "src" / "spco", ignore=shutil.ignore_patterns("paper"))
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}

    def run(*arguments):
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_every_other_module_can_be_imported(without):
    done = without("-c", IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_the_commands_work_and_reproduce_is_not_among_them(without):
    done = without("-m", "spco", "--help")
    assert done.returncode == 0, done.stderr
    assert "train" in done.stdout
    assert "reproduce" not in done.stdout
    assert without("-m", "spco", "reproduce", "table2").returncode == 2


def test_a_method_can_be_trained_and_tuned(without):
    pytest.importorskip("optuna")
    short = ("--dataset", "wine", "--method", "dgi", "--epochs", 2, "--rates", "train20")
    done = without("-m", "spco", "train", *short, "--seeds", 0, "--out", "runs")
    assert done.returncode == 0, done.stderr
    done = without("-m", "spco", "tune", *short, "--seeds", 0, "--trials", 1)
    assert done.returncode == 0, done.stderr
    assert "[wine]" in done.stdout
