"""The package as others get it: built, installed where the source tree is not, used in an empty folder."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import spco

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "spco"


def run(*command, cwd, **environment):
    """Run a command without the paths that lead to this source tree, and return what it printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SPCO_"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd, env={**clean, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the sdist, and the wheel that was built from it."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


def test_the_wheel_has_every_file_of_the_source(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("spco/")}
    assert packed == {
        f"spco/{path.relative_to(SOURCE).as_posix()}"
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_sdist_can_be_tested_and_cited(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"Makefile", "constraints.txt", "CITATION.cff", "LICENSE", ".ci/run", "results/ledger.jsonl"}
    assert needed <= packed
    assert {f"tests/{path.name}" for path in (ROOT / "tests").glob("*.py")} <= packed


def test_one_version_is_written_everywhere(built):
    assert [path.name for path in sorted(built.iterdir())] == [
        f"spco-{spco.__version__}-py3-none-any.whl",
        f"spco-{spco.__version__}.tar.gz",
    ]
    assert f"\nversion: {spco.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## [{spco.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def write_shop(folder):
    """Write a graph as a shop would export it: text ids, semicolons, gzip, spare columns, labels missing."""
    rng = np.random.default_rng(0)
    kinds = np.repeat(["book", "tool", "toy"], 30)
    names = [f"item-{1000 + 7 * number}" for number in range(90)]
    near = kinds[:, None] == kinds[None, :]
    first, second = np.nonzero(np.triu(rng.random((90, 90)) < np.where(near, 0.2, 0.02), 1))
    edges = [f"{names[a]};{names[b]};{index}" for index, (a, b) in enumerate(zip(first, second, strict=True))]
    with gzip.open(folder / "bought.csv.gz", "wt") as file:
        file.write("\n".join(["item;together with;receipt", *edges]))
    values = np.eye(3)[np.searchsorted(["book", "tool", "toy"], kinds)] + rng.normal(0, 0.7, (90, 3))
    rows = [f"{name};{';'.join(f'{x:.3f}' for x in row)}" for name, row in zip(names, values, strict=True)]
    (folder / "items.csv").write_text("\n".join(["item;price;weight;rating", *rows]))
    known = [f"{name};{kind}" for name, kind in zip(names, kinds, strict=True) if rng.random() < 0.9]
    (folder / "kinds.csv").write_text("\n".join(["node;label", *known]))


COLUMNS = ("--column", "source=item", "--column", "target=together with")
GRAPH = ("--edges", "bought.csv.gz", *COLUMNS, "--features", "items.csv")


def embed(python, folder, **environment):
    """Go from the shop's files to embeddings; return the command line for more."""
    folder.mkdir()
    write_shop(folder)

    def command(*arguments):
        return run(python, "-m", "spco", *arguments, cwd=folder, **environment)

    home = run(python, "-c", "import spco; print(spco.__file__)", cwd=folder, **environment).strip()
    assert not Path(home).is_relative_to(ROOT)
    assert command("--version") == f"spco {spco.__version__}\n"
    command("embed", *GRAPH, "--method", "dgi", "--epochs", "5", "--out", "embeddings.npy")
    assert len(np.load(folder / "embeddings.npy")) == 90
    return command


def test_the_wheel_works_where_the_source_is_not(built, tmp_path):
    """Installed beside the packages that are here already: quick, and enough to miss a missing file."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
    run(*pip, "--target", tmp_path / "site", next(built.glob("*.whl")), cwd=tmp_path)
    embed(sys.executable, tmp_path / "empty", PYTHONPATH=str(tmp_path / "site"))


@pytest.mark.empty_environment
@pytest.mark.parametrize("extra", ["", "[report]"])
def test_the_wheel_brings_all_it_needs(built, tmp_path, extra):
    """In an environment of its own, with what pip installs for it and nothing else."""
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = next(path for path in tmp_path.glob("venv/*/python*") if path.stem == "python")
    wheel = f"{next(built.glob('*.whl'))}{extra}"
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path)
    command = embed(python, tmp_path / "empty")
    assert json.loads(command("advise", *GRAPH, "--json"))["method"] in {"dgi", "cca_ssg"}
    page = ("--report", "report.html") if extra else ()
    training = ("--method", "dgi", "--compare", "--epochs", "5", "--seeds", "0-1", "--out", "runs", *page)
    found = json.loads(command("train", *GRAPH, "--labels", "kinds.csv", *training, "--json"))
    assert {"dgi", "dgi+spco"} <= set(found["names"])
    assert (tmp_path / "empty" / "report.html").exists() == bool(extra)
