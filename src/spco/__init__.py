"""Spectral graph contrastive learning: SpCo exactly, in O(edges).

Public names load on first use, so ``import spco`` itself is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Graph": "graph",
    "read_graph": "graph",
    "write_graph": "graph",
    "load_dataset": "datasets",
    "SpectralPair": "spectral",
}

if TYPE_CHECKING:
    from .datasets import load_dataset as load_dataset
    from .graph import Graph as Graph
    from .graph import read_graph as read_graph
    from .graph import write_graph as write_graph
    from .spectral import SpectralPair as SpectralPair

__all__ = ["Graph", "SpectralPair", "__version__", "load_dataset", "read_graph", "write_graph"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'spco' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
