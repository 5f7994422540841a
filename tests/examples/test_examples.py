"""The examples run, learn something, and need three lines for SpCo."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import spco

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py"))


def load(name):
    if name == "deep_graph_infomax":
        pytest.importorskip("torch_geometric")
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_both_are_there():
    assert set(EXAMPLES) >= {"bgrl", "deep_graph_infomax"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_and_learns(name, capsys):
    scores = load(name).main("wine", epochs=25)
    assert set(scores) == {"plain", "with SpCo"}
    assert min(scores.values()) > 0.8
    assert f"with SpCo: micro-F1 {scores['with SpCo']:.3f}" in capsys.readouterr().out


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_learnt_view_enters_training(name):
    """It does from the second refresh on: the first one has θ = 0, where A_ is A."""
    train, graph = load(name).train, spco.load_dataset("wine")
    same, other = (
        [train(graph, spectral=spectral, epochs=n, width=8) for spectral in (True, False)] for n in (20, 25)
    )
    assert np.allclose(*same, rtol=1e-3, atol=1e-4)
    assert np.abs(other[0] - other[1]).max() > 1e-5


@pytest.mark.parametrize("name", EXAMPLES)
def test_spco_takes_three_lines_of_a_short_script(name):
    lines = (FOLDER / f"{name}.py").read_text().splitlines()
    assert [int(n) for line in lines for n in re.findall(r"# SpCo, (\d) of 3", line)] == [1, 2, 3]
    assert len([line for line in lines if line.strip()]) < 85
