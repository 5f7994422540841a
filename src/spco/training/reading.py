"""Read embeddings from a trained method: block by block, of bounded width, no labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._validation import invalid, shown
from ..linalg.directions import leading_directions
from ..linalg.normalize import unit_rows
from ..methods import Method
from ..nn import FeatureMatrix
from .readout import Channel, channels, names_features
from .schedule import ScheduledPair

_FEATURE_COLUMNS = 256  # of the channels of features, at most


@dataclass(frozen=True, eq=False)
class Reader:
    """Turns a trained method into rows, one per node, by the channels of a readout.

    A single channel is the embedding as it is. Of several, each has its rows scaled to length 1 times its
    weight, and they stand side by side.

    Attributes
    ----------
    readout : tuple of channels
    size : int, optional
        At most this many columns: wider embeddings are projected on their leading directions.
    directions : dict of name to array
        What was learnt from the graph that the method was trained on, without labels: "features", (F, 256),
        by which the channels of features are reduced, and "embedding", (width, size).
    """

    readout: tuple[str, ...]
    size: int | None = None
    directions: dict[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def fitted(
        cls,
        method: Method[Any],
        features: FeatureMatrix,
        pair: ScheduledPair,
        *,
        readout: Sequence[str],
        size: int | None,
    ) -> tuple[Reader, np.ndarray]:
        """Return the reader of a method that was trained on this graph, and the graph's embedding."""
        directions = {}
        if names_features(readout) and features.num_features > _FEATURE_COLUMNS:
            directions["features"] = leading_directions(unit_rows(features.matrix), _FEATURE_COLUMNS)
        reader = cls(tuple(readout), None, directions)
        rows = reader.read(method, features, pair)
        if size is None or size == rows.shape[1]:
            return reader, rows
        if size > min(rows.shape):
            must = f"be at most {min(rows.shape)}, the number of columns of this readout or of nodes"
            hint = "more channels in readout, or a wider encoder (method.widths)"
            raise invalid("embedding_size", "Embedder", must, str(size), hint=hint)
        directions["embedding"] = leading_directions(rows, size)
        reader = cls(tuple(readout), size, directions)
        return reader, reader._projected(rows)

    def read(self, method: Method[Any], features: FeatureMatrix, pair: ScheduledPair) -> np.ndarray:
        """Return the (N, d) float32 embedding of a graph."""
        found = channels(self.readout)
        with torch.no_grad():
            blocks = [self._block(channel, method, features, pair) for channel in found]
        if len(blocks) == 1:
            return self._projected(blocks[0])
        scaled = (one.weight * unit_rows(block) for one, block in zip(found, blocks, strict=True))
        return self._projected(np.hstack([block.astype(np.float32) for block in scaled]))

    def with_readout(self, readout: Sequence[str], owner: str) -> Reader:
        """Return the reader for other channels; its embeddings are as wide as these are."""
        if tuple(readout) == self.readout:
            return self
        if names_features(readout) and not names_features(self.readout):
            must = "name no features, which this model was fitted without"
            hint = "fit with a channel of features in the readout, e.g. settings={'readout': ['A', 'X^2']}"
            raise invalid("readout", owner, must, shown(list(readout)), hint=hint)
        return Reader(tuple(readout), None, {k: v for k, v in self.directions.items() if k == "features"})

    def _block(
        self, channel: Channel, method: Method[Any], features: FeatureMatrix, pair: ScheduledPair
    ) -> np.ndarray:
        structures = [term.structure(pair.anchor, pair.partner) for term in channel.terms]
        if channel.is_of_features:
            rows = torch.from_numpy(self._reduced(features)).to(features.device)
            block: Tensor = rows if channel.terms[0].steps == 0 else structures[0].operator @ rows
        else:
            block = torch.stack([method.embed(features, one) for one in structures]).mean(dim=0)
        found: np.ndarray = block.cpu().numpy()
        return found.astype(np.float32, copy=False)

    def _reduced(self, features: FeatureMatrix) -> np.ndarray:
        """Return the features with rows of length 1, in few enough columns."""
        rows: Any = unit_rows(features.matrix)
        if "features" in self.directions:
            rows = rows @ self.directions["features"]
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        return np.ascontiguousarray(dense, dtype=np.float32)

    def _projected(self, rows: np.ndarray) -> np.ndarray:
        if "embedding" not in self.directions:
            return rows
        return np.ascontiguousarray(rows @ self.directions["embedding"], dtype=np.float32)
