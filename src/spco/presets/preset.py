"""Read presets, override single settings, and suggest settings for an unknown graph."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import scipy.sparse as sp

from .._validation import check_choice, unknown_name
from ..graph import Graph
from ..methods import METHODS
from ..training import SpectralSettings, TrainingSettings, settings_from

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCALINGS = ("none", "rows", "columns")
_SECTIONS = ("scaling", "method", "training", "spectral")

# Beyond this InfoNCE against all nodes takes minutes an epoch; a sample of negatives does as well.
_ALL_NEGATIVES_UP_TO = 20_000
_SAMPLED_NEGATIVES = 1024


@dataclass(frozen=True)
class Preset:
    """Everything a run needs besides the graph and a seed.

    Attributes
    ----------
    scaling : "none", "rows" or "columns"
        What happens to the features first: nothing, rows of sum one, or columns of mean 0 and deviation 1.
    method : the method's own settings
    training : TrainingSettings
    spectral : SpectralSettings
    """

    scaling: str
    method: Any
    training: TrainingSettings
    spectral: SpectralSettings

    def with_changes(self, changes: Mapping[str, Any], *, owner: str) -> Preset:
        """Return a preset with single settings exchanged, e.g. ``{"training": {"epochs": 10}}``."""
        for section in changes:
            if section not in _SECTIONS:
                raise unknown_name("settings", owner, section, _SECTIONS)
        parts = {}
        for section in ("method", "training", "spectral"):
            current = getattr(self, section)
            values = {**asdict(current), **changes.get(section, {})}
            parts[section] = settings_from(type(current), values, owner=f"{owner}'s {section} settings")
        scaling = check_choice(changes.get("scaling", self.scaling), "scaling", owner, SCALINGS)
        return replace(self, scaling=scaling, **parts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON or TOML."""
        return {
            "scaling": self.scaling,
            "method": asdict(self.method),
            "training": asdict(self.training),
            "spectral": asdict(self.spectral),
        }


@cache
def _table(method: str) -> dict[str, Any]:
    METHODS.resolve(method, owner="Embedder")
    text = resources.files(__package__).joinpath(f"{method}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def preset_names(method: str) -> tuple[str, ...]:
    """Return the graphs that a method has a preset for."""
    return tuple(_table(method))


def load_preset(method: str, name: str) -> Preset:
    """Return a method's settings for one of the paper's graphs.

    >>> load_preset("grace", "cora").training.epochs
    300
    """
    table = _table(method)
    if name not in table:
        raise unknown_name("preset", "Embedder", name, [*table, "auto"])
    return preset_from(method, table[name], owner=f"preset {method}/{name}")


def preset_from(method: str, values: Mapping[str, Any], *, owner: str) -> Preset:
    """Build a preset of plain data, checking every key."""
    base = Preset("none", METHODS[method].settings_type(), TrainingSettings(), SpectralSettings())
    return base.with_changes(values, owner=owner)


def suggested_preset(method: str, graph: Graph) -> Preset:
    """Choose settings for a graph that has no preset, by its size and density.

    Dense graphs get a gentler change: a learnt weight is spread over many edges there, and the paper's own
    settings shrink η and ε with density. Large graphs get narrower layers and sampled negatives.
    """
    small, dense = graph.num_nodes <= 20_000, graph.degrees.mean() > 30
    width = 512 if small else 256
    changes: dict[str, Any] = {
        "scaling": _suggested_scaling(graph),
        "spectral": {"epsilon": 1e-2 if dense else 1.0, "eta": 0.3 if dense else 0.5},
    }
    if method == "dgi":
        changes["method"] = {"widths": [width]}
        changes["training"] = {"epochs": 500, "patience": 30}
        changes["spectral"] |= {"entry": "operator", "eta": 0.3}
    elif method == "grace":
        changes["method"] = {"widths": [width, width // 2], "projection": width // 2}
        if graph.num_nodes > _ALL_NEGATIVES_UP_TO:
            changes["method"]["num_negatives"] = _SAMPLED_NEGATIVES
        changes["training"] = {"epochs": 200, "weight_decay": 1e-5}
    else:
        changes["method"] = {"widths": [width, width]}
        changes["training"] = {"epochs": 60}
    return preset_from(method, changes, owner="suggested preset")


def _suggested_scaling(graph: Graph) -> str:
    """Counts and bags of words are scaled by rows, measurements by columns."""
    if graph.features is None:
        return "none"
    if sp.issparse(graph.features):
        return "rows" if graph.features.data.min(initial=0.0) >= 0 else "none"
    return "columns"
