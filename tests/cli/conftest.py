"""Run the command line as a user does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.fixture
def spco_command(tmp_path):
    """Return a function that runs ``spco ARGS`` in an empty folder."""

    def run(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, "-c", "from spco.cli import main; main()", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
        )
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run
