"""Read embeddings from a trained method: block by block, of bounded width, no labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._atomic import whole_file
from .._validation import invalid, shown
from ..errors import CheckpointError
from ..linalg.directions import leading_directions, sampled_rows
from ..linalg.normalize import unit_rows
from ..linalg.row_store import RowStore, blocks_of
from ..methods import Method
from ..nn import FeatureMatrix, NotRowByRow, Rows, TallMatrix
from ..structures import Structure, TallStructure
from .file_checks import require_shape
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
    def of(cls, features: FeatureMatrix, readout: Sequence[str]) -> Reader:
        """Return the reader of a method that was trained with these features."""
        directions = {}
        if names_features(readout) and features.num_features > _FEATURE_COLUMNS:
            sample = features.matrix[sampled_rows(features.num_nodes)]
            directions["features"] = leading_directions(unit_rows(sample), _FEATURE_COLUMNS)
        return cls(tuple(readout), None, directions)

    @classmethod
    def fitted(
        cls,
        method: Method[Any],
        features: FeatureMatrix,
        pair: ScheduledPair,
        *,
        readout: Sequence[str],
        size: int | None,
        store: RowStore | None = None,
    ) -> tuple[Reader, np.ndarray | TallMatrix]:
        """Return the reader of a method that was trained on this graph, and what :meth:`read` returns."""
        reader = cls.of(features, readout)
        rows = reader.read(method, features, pair, store=store)
        shape = (features.num_nodes, rows.width) if isinstance(rows, TallMatrix) else rows.shape
        if size is None or size == shape[1]:
            return reader, rows
        if size > min(shape):
            must = f"be at most {min(shape)}, the number of columns of this readout or of nodes"
            hint = "more channels in readout, or a wider encoder (method.widths)"
            raise invalid("embedding_size", "Embedder", must, str(size), hint=hint)
        some = rows.take(sampled_rows(len(rows))).cpu().numpy() if isinstance(rows, TallMatrix) else rows
        directions = {**reader.directions, "embedding": leading_directions(some, size)}
        reader = cls(reader.readout, size, directions)
        return reader, reader._projected(rows)

    def require_fitting(self, num_features: int, embedding: np.ndarray) -> None:
        """Refuse directions of a saved reader that do not fit the model and its embedding."""
        require_shape(embedding, (None, self.size), "the embedding")
        shapes = {"features": (num_features, None), "embedding": (None, embedding.shape[1])}
        for name, directions in self.directions.items():
            if name not in shapes:
                raise CheckpointError(f"A reader has no directions of {shown(name)}.")
            require_shape(directions, shapes[name], f"directions of the {name}")

    def read(
        self,
        method: Method[Any],
        features: FeatureMatrix,
        pair: ScheduledPair,
        *,
        store: RowStore | None = None,
    ) -> np.ndarray | TallMatrix:
        """Return the (N, d) float32 embedding of a graph.

        With a ``store`` it is a tall matrix, whose rows are computed when they are asked for; products with
        operators are kept there. A method whose :meth:`~spco.methods.Method.embed` needs all rows at once
        still gets them, and the embedding is an array.
        """
        found = channels(self.readout)
        with torch.no_grad():
            try:
                blocks = [self._block(channel, method, features, pair, store) for channel in found]
            except NotRowByRow:
                blocks = [self._block(channel, method, features, pair, None) for channel in found]
        if len(blocks) == 1:
            return self._projected(blocks[0])
        weights = [one.weight for one in found]
        if not isinstance(blocks[0], TallMatrix):
            return self._projected(_side_by_side(blocks, weights))
        return self._projected(
            TallMatrix(lambda rows: _tensor(_side_by_side(_taken(blocks, rows), weights)), len(blocks[0]))
        )

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
        self,
        channel: Channel,
        method: Method[Any],
        features: FeatureMatrix,
        pair: ScheduledPair,
        store: RowStore | None,
    ) -> Any:
        """Return the rows of one channel, as an array or, with a store, as a tall matrix."""
        structures: list[Structure] = [term.structure(pair.anchor, pair.partner) for term in channel.terms]
        if store is not None:
            structures = [TallStructure.of(one, store) for one in structures]
        if channel.is_of_features:
            block: Any = self._of_features(features, is_tall=store is not None)
            if channel.terms[0].steps:
                block = structures[0].operator @ block
        elif store is None:
            block = torch.stack([method.embed(features, one) for one in structures]).mean(dim=0)
        else:
            first, *others = (method.embed(features, one) for one in structures)
            block = sum(others, first) * (1.0 / len(structures)) if others else first
        return block if isinstance(block, TallMatrix) else _array(block)

    def _of_features(self, features: FeatureMatrix, *, is_tall: bool) -> Tensor | TallMatrix:
        """Return the features with rows of length 1, in few enough columns."""

        def take(rows: Rows) -> Tensor:
            some: Any = unit_rows(features.matrix[rows])
            if "features" in self.directions:
                some = some @ self.directions["features"]
            dense = some if isinstance(some, np.ndarray) else some.toarray()
            return _tensor(dense).to(features.device)

        return TallMatrix(take, features.num_nodes) if is_tall else take(slice(None))

    def _projected(self, rows: np.ndarray | TallMatrix) -> np.ndarray | TallMatrix:
        if "embedding" not in self.directions:
            return rows
        directions = self.directions["embedding"]
        width = rows.width if isinstance(rows, TallMatrix) else rows.shape[1]
        # How wide the rows of a method are shows when it is read; the directions may be from a forged file.
        require_shape(directions, (width, None), "directions of the embedding")
        if isinstance(rows, TallMatrix):
            return TallMatrix(lambda some: _tensor(_array(rows.take(some)) @ directions), len(rows))
        return np.ascontiguousarray(rows @ directions, dtype=np.float32)


def kept(rows: np.ndarray | TallMatrix, out: Path | None = None) -> np.ndarray:
    """Return an embedding as an array in memory; with ``out`` it is written there, and mapped.

    The file is a whole .npy file or not there at all.
    """
    if out is None and not isinstance(rows, TallMatrix):
        return rows
    tall = rows if isinstance(rows, TallMatrix) else TallMatrix(lambda some: _tensor(rows[some]), len(rows))
    shape = (len(tall), tall.width)
    if out is None:
        array = np.empty(shape, np.float32)
        for start, stop in blocks_of(len(tall)):
            array[start:stop] = _array(tall.take(slice(start, stop)))
        return array
    with whole_file(out) as part, part.open("wb") as file:
        header = {"descr": np.dtype(np.float32).str, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        for block in tall.blocks():
            file.write(_array(block).data)
    found: np.ndarray = np.load(out, mmap_mode="r")
    return found


def _side_by_side(blocks: Sequence[np.ndarray], weights: Sequence[float]) -> np.ndarray:
    """Return rows scaled to the length of their weight, block beside block."""
    scaled = (weight * unit_rows(block) for weight, block in zip(weights, blocks, strict=True))
    return np.hstack([block.astype(np.float32) for block in scaled])


def _taken(blocks: Sequence[TallMatrix], rows: Rows) -> list[np.ndarray]:
    return [_array(block.take(rows)) for block in blocks]


def _array(rows: Tensor) -> np.ndarray:
    found: np.ndarray = rows.cpu().numpy()
    return np.ascontiguousarray(found, dtype=np.float32)


def _tensor(rows: np.ndarray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(rows, dtype=np.float32))
