"""Settings per method and graph, as TOML data, and a sensible choice for every other graph."""

from ..features import SCALINGS
from .batches import for_batches
from .preset import (
    TABLES,
    Preset,
    completed,
    load_preset,
    preset_from,
    preset_names,
    suggested_preset,
)

__all__ = [
    "SCALINGS",
    "TABLES",
    "Preset",
    "completed",
    "for_batches",
    "load_preset",
    "preset_from",
    "preset_names",
    "suggested_preset",
]
