"""Run the command line as a user does: arguments in, the two streams, the exit code and files out."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from spco.cli import main


@pytest.fixture
def spco_command(tmp_path, monkeypatch, capsys):
    """Return a function that runs ``spco ARGS`` in an empty folder.

    It does so in this process, which has torch loaded already; ``test_processes.py`` starts real ones.
    """

    def run(*arguments, code=0):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["spco", *map(str, arguments)])
        capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as leaving:
            status = leaving.code or 0
        streams = capsys.readouterr()
        assert status == code, f"exit {status}\n{streams.out}\n{streams.err}"
        return SimpleNamespace(stdout=streams.out, stderr=streams.err)

    return run
