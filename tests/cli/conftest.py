"""Run the command line as a user does: arguments in, the two streams, the exit code and files out."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import spco
from spco.cli import main


@pytest.fixture(autouse=True, scope="package")
def quick_probe():
    """Choose between two strengths only: these tests are about commands, not about scores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spco.evaluation.probe.STRENGTHS", (1.0, 100.0))
        yield


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


@pytest.fixture
def own_files(tmp_path):
    """A graph with string ids as edges, features and labels in CSV files."""
    graph = spco.load_dataset("wine")
    names = [f"bottle-{i}" for i in range(graph.num_nodes)]
    edges, _ = graph.to_edges()
    (tmp_path / "edges.csv").write_text(
        "source,target\n" + "".join(f"{names[i]},{names[j]}\n" for i, j in edges)
    )
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    columns = ",".join(f"f{k}" for k in range(graph.num_features))
    (tmp_path / "features.csv").write_text(
        f"id,{columns}\n" + "".join(f"{names[i]},{','.join(map(str, graph.features[i]))}\n" for i in order)
    )
    (tmp_path / "labels.csv").write_text(
        "id,label\n" + "".join(f"{names[i]},kind {graph.labels[i]}\n" for i in range(graph.num_nodes))
    )
    return [names[i] for i in order]
