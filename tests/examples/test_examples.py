"""The examples run, learn something, and are someone else's script but for three lines."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import spco

pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py"))
DATA = spco.load_dataset("wine").to_pyg()


def names_of(source):
    """What a script defines."""
    names = {"__name__": "example"}
    exec(compile(source, "example", "exec"), names)
    return names


def script(name):
    return (FOLDER / f"{name}.py").read_text()


def without_spco(name):
    """The script as it was before SpCo: whole lines less, nothing else changed."""
    return re.sub(r"^.*# SpCo, \d of 3\n", "", script(name), flags=re.MULTILINE)


def test_both_are_there():
    assert set(EXAMPLES) >= {"bgrl", "deep_graph_infomax"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_and_learns(name, capsys):
    scores = names_of(script(name))["main"]("wine", epochs=25)
    assert set(scores) == {"plain", "with SpCo"}
    assert min(scores.values()) > 0.8
    assert f"with SpCo: micro-F1 {scores['with SpCo']:.3f}" in capsys.readouterr().out


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_learnt_view_enters_training(name):
    """It does from the second refresh on: the first one has θ = 0, where A_ is A."""
    train = names_of(script(name))["train"]
    same, other = ([train(DATA, eta=eta, epochs=n, width=8) for eta in (0.0, 0.5)] for n in (20, 25))
    np.testing.assert_array_equal(*same)
    assert np.abs(other[0] - other[1]).max() > 1e-5


@pytest.mark.parametrize("name", EXAMPLES)
def test_spco_takes_three_lines_of_a_short_script(name):
    lines = script(name).splitlines()
    assert [int(n) for line in lines for n in re.findall(r"# SpCo, (\d) of 3$", line)] == [1, 2, 3]
    assert len([line for line in lines if line.strip()]) < 65


@pytest.mark.parametrize("name", EXAMPLES)
def test_without_these_lines_it_is_a_script_that_knows_nothing_of_spco(name):
    plain = without_spco(name)
    inside = plain[plain.index("def train") : plain.index("def main")]
    assert "spco" not in inside.lower().replace("spectral", "")
    assert "SpectralView" not in plain
    found = names_of(plain)["train"](DATA, epochs=3, width=8)
    assert found.shape == (178, 8)
    assert np.isfinite(found).all()
