"""Settings for epochs of many steps: those of the presets count whole-graph steps as epochs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .preset import Preset

_MOST_STEPS = 200  # in all, if that many passes are more than the fewest
_FEWEST_PASSES = 3
_REFRESHES = 3  # of A_, the first of which usually leaves it at A


def for_batches(preset: Preset, num_batches: int, given: Mapping[str, Any]) -> Preset:
    """Return settings for epochs of ``num_batches`` steps; those that were ``given`` by section stay.

    A few passes replace hundreds of whole-graph steps. Patience shrinks with them, and refreshes are spread
    over them.

    >>> from spco.presets import load_preset
    >>> changed = for_batches(load_preset("dgi", "pubmed"), 50, {})
    >>> changed.training.epochs, changed.training.patience, changed.spectral.refresh_every
    (4, 2, 1)
    """
    if num_batches <= 1:
        return preset
    training, spectral = preset.training, preset.spectral
    steps = min(training.epochs, _MOST_STEPS)
    epochs = min(training.epochs, max(_FEWEST_PASSES, math.ceil(steps / num_batches)))
    if "epochs" in given.get("training", {}):
        epochs = training.epochs
    changes: dict[str, dict[str, Any]] = {"training": {"epochs": epochs}, "spectral": {}}
    if training.patience is not None and "patience" not in given.get("training", {}):
        share = epochs / max(epochs, steps)
        changes["training"]["patience"] = max(2, math.ceil(training.patience * share))
    if "refresh_every" not in given.get("spectral", {}):
        changes["spectral"]["refresh_every"] = min(spectral.refresh_every, max(1, epochs // _REFRESHES))
    return preset.with_changes(changes, owner="for_batches")
