"""What a training epoch iterates over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from ..methods import Batch, Structure, Targets
from ..nn import FeatureMatrix
from ..objectives import Scratch


class Loader(Protocol):
    """Cuts an epoch's pair of structures into batches of the graph that ``features`` belong to."""

    features: FeatureMatrix

    def batches(self, anchor: Structure, partner: Structure, rng: np.random.Generator) -> Iterator[Batch]:
        """Yield the batches of one epoch."""


class FullGraph:
    """The whole graph as one batch; ``targets`` are what a classifier may know."""

    def __init__(self, features: FeatureMatrix, *, targets: Targets | None = None) -> None:
        self.features = features
        self.targets = targets
        self._scratch = Scratch()

    def batches(self, anchor: Structure, partner: Structure, rng: np.random.Generator) -> Iterator[Batch]:
        yield Batch(self.features, anchor, partner, rng, self.targets, self._scratch)
