"""Imports go down the layers only, and the light part stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
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
    "_locking": 0,
    "_memory": 0,
    "_budget": 0,
    "_arrays": 0,
    "_documents": 0,
    "_threads": 0,
    "_ranks": 0,
    "_warning": 0,
    "graph": 1,
    "linalg": 1,
    "transport": 2,
    "datasets": 2,
    "spectral": 3,
    "views": 3,
    "dense": 4,
    "nn": 4,
    "objectives": 4,
    "pyg": 4,
    "structures": 5,
    "methods": 5,
    "training": 6,
    "evaluation": 6,
    "features": 7,
    "advice": 7,
    "presets": 7,
    "estimators": 7,
    "runs": 8,
    "tuning": 8,
    "bench": 8,
    "report": 9,
    "leaderboard": 9,
    "paper": 9,
    "cli": 10,
    "__main__": 10,
}
APART = [{"views", "nn"}, {"views", "objectives"}, {"nn", "objectives"}]
LIGHT_LAYERS = range(4)
HEAVY = {"torch", "torch_geometric", "matplotlib", "plotly", "typer", "optuna"}
HEAVY |= {"networkx", "igraph", "pandas", "polars"}


def modules():
    return sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def home(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports_within(path: Path):
    """The modules of spco that a module imports, anywhere in it: (parts after spco, where)."""
    package = ["spco", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = [*base, *(node.module.split(".") if node.module else [])]
            if full[:1] == ["spco"]:
                yield from (((*full[1:], alias.name), where) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                if parts[0] == "spco" and len(parts) > 1:
                    yield tuple(parts[1:]), where


def arrows():
    """Every import from one part of spco of another: (own, other, the parts of the name, where)."""
    for path in modules():
        for parts, where in imports_within(path):
            if parts != ("__version__",) and parts[0] != home(path):
                yield home(path), parts[0], parts, where


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


def test_imports_go_down_and_keep_apart():
    wrong = [
        f"{where}: {own} imports {other}"
        for own, other, _, where in arrows()
        if other not in LAYERS or LAYERS[other] > LAYERS[own] or {own, other} in APART
    ]
    assert wrong == []


def test_packages_of_one_layer_form_no_cycle():
    below = defaultdict(set)
    for own, other, _, _ in arrows():
        if LAYERS[own] == LAYERS[other]:
            below[own].add(other)
    try:
        tuple(TopologicalSorter(below).static_order())
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_private_modules_stay_in_their_package():
    """``_name`` below another package; the modules ``spco._name`` are everybody's."""
    wrong = [
        f"{where}: {'.'.join(parts)}"
        for _, other, parts, where in arrows()
        if not other.startswith("_") and any(part.startswith("_") for part in parts[1:])
    ]
    assert wrong == []


def test_light_layers_import_nothing_heavy_at_module_level():
    wrong = []
    for path in modules():
        if LAYERS[home(path)] not in LIGHT_LAYERS:
            continue
        for node in ast.parse(path.read_text()).body:
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            wrong += [f"{path.relative_to(ROOT)}: {name}" for name in names if name.split(".")[0] in HEAVY]
    assert wrong == []


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
