"""Imports go down the layers only, and the light part stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spco

ROOT = Path(spco.__file__).parent
PROJECT = Path(__file__).parents[1]

LAYERS = {
    "errors": 0,
    "_validation": 0,
    "_random": 0,
    "_lazy": 0,
    "_registry": 0,
    "_atomic": 0,
    "graph": 1,
    "linalg": 1,
    "transport": 2,
    "datasets": 2,
    "spectral": 3,
    "views": 3,
    "nn": 4,
    "objectives": 4,
    "methods": 5,
    "training": 6,
    "evaluation": 6,
    "features": 7,
    "presets": 7,
    "estimator": 7,
    "embedder": 7,
    "classifier": 7,
    "runs": 8,
    "tuning": 8,
    "bench": 8,
    "report": 9,
    "paper": 9,
    "cli": 10,
    "__main__": 10,
}
APART = [{"views", "nn"}, {"views", "objectives"}, {"nn", "objectives"}]
LIGHT_LAYERS = range(4)
HEAVY = {"torch", "torch_geometric", "matplotlib", "plotly", "typer", "optuna"}


def modules():
    return sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def home(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_homes(path: Path):
    """The parts of spco that a module imports, anywhere in it, with the line."""
    package = ["spco", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = [*base, *(node.module.split(".") if node.module else [])]
            if full[:1] != ["spco"]:
                continue
            names = [full[1]] if len(full) > 1 else [alias.name for alias in node.names]
            yield from ((name, node.lineno) for name in names if name != "__version__")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                if parts[0] == "spco" and len(parts) > 1:
                    yield parts[1], node.lineno


def test_every_module_has_a_layer():
    assert {home(path) for path in modules()} <= set(LAYERS)


def test_contributing_names_the_layers():
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", (PROJECT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    named = {name: int(layer) for layer, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert named == {name: layer for name, layer in LAYERS.items() if name != "__main__"}


def test_modules_that_the_type_checker_is_told_of_are_there():
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["mypy"]
    named = [name for override in settings["overrides"] for name in override["module"]]
    own = {".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in modules()}
    assert {name for name in named if name.startswith("spco.")} <= own


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down(path):
    own = home(path)
    for other, line in imported_homes(path):
        assert other in LAYERS, f"{path}:{line} imports unknown part {other}"
        assert LAYERS[other] <= LAYERS[own], f"{path}:{line}: {own} imports {other}, which is above it"
        assert {own, other} not in APART, f"{path}:{line}: {own} and {other} must not know each other"


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if LAYERS[home(path)] in LIGHT_LAYERS],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_light_layers_import_nothing_heavy_at_module_level(path):
    for node in ast.parse(path.read_text()).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        assert not {name.split(".")[0] for name in names} & HEAVY


def test_import_spco_loads_neither_torch_nor_numba():
    code = "import sys, spco; print([m for m in ('torch', 'numba', 'scipy', 'sklearn') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_spectral_tools_do_not_load_torch():
    code = (
        "import sys, spco; spco.SpectralPair; spco.load_dataset; spco.read_graph;"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_public_name_is_there():
    for name in spco.__all__:
        assert getattr(spco, name) is not None
    for name in (home(path) for path in modules()):
        if not name.startswith("_"):
            assert getattr(spco, name).__name__ == f"spco.{name}"
            assert name in dir(spco)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = spco.nothing
