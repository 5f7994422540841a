"""Spectral graph contrastive learning: SpCo exactly, in O(edges).

Public names and subpackages load on first use, so ``import spco`` itself is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Embedder": "embedder",
    "Graph": "graph",
    "NodeClassifier": "classifier",
    "GameReport": "spectral",
    "SpectralPair": "spectral",
    "SpectralResponse": "spectral",
    "game_score": "spectral",
    "linear_probe": "evaluation",
    "load_dataset": "datasets",
    "rank_views": "spectral",
    "read_graph": "graph",
    "spectral_density": "spectral",
    "spectral_response": "spectral",
    "write_graph": "graph",
}
_SUBPACKAGES = {
    "datasets",
    "errors",
    "evaluation",
    "experiments",
    "graph",
    "linalg",
    "methods",
    "nn",
    "objectives",
    "presets",
    "spectral",
    "training",
    "transport",
    "views",
}

if TYPE_CHECKING:
    from .classifier import NodeClassifier as NodeClassifier
    from .datasets import load_dataset as load_dataset
    from .embedder import Embedder as Embedder
    from .evaluation import linear_probe as linear_probe
    from .graph import Graph as Graph
    from .graph import read_graph as read_graph
    from .graph import write_graph as write_graph
    from .spectral import GameReport as GameReport
    from .spectral import SpectralPair as SpectralPair
    from .spectral import SpectralResponse as SpectralResponse
    from .spectral import game_score as game_score
    from .spectral import rank_views as rank_views
    from .spectral import spectral_density as spectral_density
    from .spectral import spectral_response as spectral_response

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'spco' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBPACKAGES})
