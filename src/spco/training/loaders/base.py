"""What a training epoch iterates over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from ...nn import FeatureMatrix
from ...structures import Batch
from ..schedule import ScheduledPair


class Loader(Protocol):
    """Cuts an epoch's pair of structures into batches of the graph that ``features`` belong to.

    A batch may hold all nodes or some: it says which they are (``nodes``) and which of its rows count in the
    loss (``seeds``).
    """

    features: FeatureMatrix

    def batches(self, pair: ScheduledPair, rng: np.random.Generator) -> Iterator[Batch]:
        """Yield the batches of one epoch."""
