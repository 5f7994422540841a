"""The whole graph in one step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...nn import FeatureMatrix
from ...objectives import Scratch
from ...structures import Batch, Targets
from ..schedule import ScheduledPair


class FullGraph:
    """The whole graph as one batch in which all rows count; ``targets`` are what a classifier may know.

    >>> import spco
    >>> from spco.training import PlainPair
    >>> graph = spco.load_dataset("wine")
    >>> loader = FullGraph(FeatureMatrix(graph.features))
    >>> [batch.num_nodes for batch in loader.batches(PlainPair(graph).at(0), np.random.default_rng(0))]
    [178]
    """

    def __init__(self, features: FeatureMatrix, *, targets: Targets | None = None) -> None:
        self.features = features
        self.targets = targets
        self._scratch = Scratch()

    def batches(self, pair: ScheduledPair, rng: np.random.Generator) -> Iterator[Batch]:
        yield Batch(self.features, pair.anchor, pair.partner, rng, self.targets, scratch=self._scratch)
