"""The examples run and find something; two of them are someone else's script but for three lines."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

import spco

FOLDER = Path(__file__).parents[2] / "examples"
LOOPS = ("bgrl", "deep_graph_infomax")
NOTEBOOKS = ("augmentation_spectrum", "own_csv", "own_method", "sklearn_pipeline")


def script(name):
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def names_of(source):
    """What a script defines."""
    names = {"__name__": "example"}
    exec(compile(source, "example", "exec"), names)
    return names


def test_every_script_is_tested_here():
    assert {path.stem for path in FOLDER.glob("*.py")} == {*LOOPS, *NOTEBOOKS}


@pytest.mark.parametrize("name", [*LOOPS, *NOTEBOOKS])
def test_a_script_is_short_has_cells_and_says_what_it_is(name):
    lines = script(name).splitlines()
    assert len(lines) < 80
    assert sum(line.startswith("# %%") for line in lines) >= 2
    assert f"python examples/{name}.py" in ast.get_docstring(ast.parse(script(name)))


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Return a function that runs a script whose temporary folders are below that of the test."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return lambda name: run_path(str(FOLDER / f"{name}.py"), run_name=name)


class TestNotebooks:
    def test_own_files_become_predictions(self, notebook, capsys):
        names = notebook("own_csv")
        assert names["accuracy"] > 0.8
        lines = (names["folder"] / "predicted.csv").read_text().splitlines()
        assert lines[0] == "article,kind,probability"
        assert len(lines) == 181
        assert f"{names['accuracy']:.1%} of the" in capsys.readouterr().out

    def test_the_spectrum_of_an_augmentation(self, notebook, capsys):
        names = notebook("augmentation_spectrum")
        scores = dict(zip(names["ranking"].names, names["ranking"].scores, strict=True))
        assert scores["A_ (SpCo)"] > 0.9 > scores["fewer hubs"]
        assert abs(names["estimated"].score - scores["fewer hubs"]) < 0.1
        assert {path.name for path in names["folder"].iterdir()} == {"spectrum.svg", "ranking.svg"}
        assert "fewer hubs, estimated" in capsys.readouterr().out

    def test_a_method_of_ones_own(self, notebook, capsys):
        names = notebook("own_method")
        assert names["losses"][-1] < names["losses"][0]
        means = {row.name: row.mean for row in names["found"].summary()}
        assert set(means) == {"barlow_twins", "barlow_twins+spco", "features", "sgc"}
        assert min(means.values()) > 0.8
        assert "SpCo" in capsys.readouterr().out.splitlines()[-1]

    def test_a_pipeline_of_scikit_learn(self, notebook):
        names = notebook("sklearn_pipeline")
        assert names["accuracy"] > 0.85
        assert names["best"].get_params()["embed__spectral__eta"] in names["grid"]["embed__spectral__eta"]


class TestLoops:
    """Scripts of torch-geometric's users."""

    @pytest.fixture(autouse=True)
    def _torch_geometric(self):
        pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")

    @pytest.fixture
    def data(self):
        return spco.load_dataset("wine").to_pyg()

    @pytest.mark.parametrize("name", LOOPS)
    def test_it_runs_and_learns(self, name, capsys):
        scores = names_of(script(name))["main"]("wine", epochs=25)
        assert set(scores) == {"plain", "with SpCo"}
        assert min(scores.values()) > 0.8
        assert f"with SpCo: micro-F1 {scores['with SpCo']:.3f}" in capsys.readouterr().out

    @pytest.mark.parametrize("name", LOOPS)
    def test_the_learnt_view_enters_training(self, name, data):
        """It does from the second refresh on: the first one has θ = 0, where A_ is A."""
        train = names_of(script(name))["train"]
        same, other = ([train(data, eta=eta, epochs=n, width=8) for eta in (0.0, 0.5)] for n in (20, 25))
        np.testing.assert_array_equal(*same)
        assert np.abs(other[0] - other[1]).max() > 1e-5

    @pytest.mark.parametrize("name", LOOPS)
    def test_the_docstring_shows_the_three_lines(self, name):
        marked = re.findall(r"^ *(.*?)  # SpCo, (\d) of 3$", script(name), flags=re.MULTILINE)
        assert [int(number) for _, number in marked] == [1, 2, 3]
        shown = re.findall(r"^ *\+ +(.*)$", ast.get_docstring(ast.parse(script(name))), flags=re.MULTILINE)
        assert shown == [line for line, _ in marked]

    @pytest.mark.parametrize("name", LOOPS)
    def test_without_these_lines_it_is_a_script_that_knows_nothing_of_spco(self, name, data):
        plain = re.sub(r"^.*# SpCo, \d of 3\n", "", script(name), flags=re.MULTILINE)
        inside = plain[plain.index("def train") : plain.index("def main")]
        assert "spco" not in inside.lower().replace('that say "spco"', "").replace("with spco", "")
        assert "SpectralView" not in plain.partition('"""')[2].partition('"""')[2]
        found = names_of(plain)["train"](data, epochs=3, width=8)
        assert found.shape == (178, 8)
        assert np.isfinite(found).all()
