"""What a trained embedder does: read embeddings from a graph, of any size, and go into a file and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from .._memory import bytes_of, free_bytes
from .._validation import check_file_place, invalid, shown
from ..graph import Graph, GraphLike, GraphNodes
from ..linalg.row_store import RowStore
from ..nn import FeatureMatrix, TallMatrix
from ..presets import Preset
from ..spectral import ImplicitView
from ..training import PlainPair, ScheduledPair, SpectralState
from ..training.checkpoint import Checkpoint
from ..training.file_checks import checked_csr
from ..training.loaders.plan import FULL_UP_TO
from ..training.reader import Reader, kept
from ..training.readout import check_readout, names_learnt, require_learnt
from .batched import BatchedEstimator
from .frames import FramedEmbeddings, ids_of_tensors, tensors_of_ids

_SHARE = 8  # of the memory that may be used, for products that a readout needs at the same time


@dataclass(eq=False, repr=False, kw_only=True)
class TrainedEmbedder(BatchedEstimator, FramedEmbeddings):
    """Base of :class:`spco.Embedder`, which says what the fitted attributes are."""

    @property
    def view_(self) -> sp.csr_array:
        """The learnt A_, or A without SpCo; formed when it is asked for, if training did without."""
        if isinstance(self._view_, ImplicitView):
            self._view_: sp.csr_array | ImplicitView = self._view_.matrix()
        return self._view_

    def transform(
        self,
        graph: GraphLike,
        *,
        features: Any = None,
        readout: str | Sequence[str] | None = None,
        out: str | Path | None = None,
    ) -> np.ndarray:
        """Return the embeddings of a graph, this one or a new one with the same features.

        They are read by the channels of ``readout``, e.g. ["own", "A_^2"], see :class:`spco.presets.Preset`;
        None takes those of the settings, and ``embedding_size`` is kept to with these alone. A_ is learnt by
        the refreshes that training made; a plain method has A alone. Features are scaled by the mean and
        deviation of the graph that it was fitted on.

        Graphs of more than 20,000 nodes are read layer by layer in row blocks. With ``out``, a .npy file, the
        rows go straight there, and what is returned is mapped from it.
        """
        self._require_fitted()
        owner = "Embedder.transform"
        names = self._fitted_readout if readout is None else check_readout(readout, "readout", owner)
        if self.spectral_state_ is None:
            require_learnt(names, owner)
        place = checked_place(out, owner)
        nodes = GraphNodes.of(graph, owner, features=features)
        rows = self._rows(nodes.graph, names, owner)
        return nodes.of_these(kept(rows, place))

    def channel(self, graph: Graph, name: str, nodes: np.ndarray) -> np.ndarray:
        """Return some nodes' rows of a single channel of a readout, as :meth:`transform` reads it."""
        rows = self._rows(graph, (name,), "Embedder.transform")
        some: np.ndarray = rows.take(nodes).cpu().numpy() if isinstance(rows, TallMatrix) else rows[nodes]
        return some

    def _rows(self, graph: Graph, names: tuple[str, ...], owner: str) -> np.ndarray | TallMatrix:
        """Return the embeddings of a graph, or, of a large one, what computes them."""
        features = FeatureMatrix(self._features_like_fitted(graph, owner), device=self.device)
        pair = self._pair_like_fitted(graph, with_partner=names_learnt(names))
        store = self._store(graph)
        return self.reader_.with_readout(names, owner).read(self.model_, features, pair, store=store)

    def _read(self, features: FeatureMatrix, pair: ScheduledPair, out: Path | None) -> None:
        """Read the embedding of the graph that the model was trained on."""
        reader, rows = Reader.fitted(
            self.model_,
            features,
            pair,
            readout=self._fitted_readout,
            size=self.preset_.embedding_size,
            store=self._store(features),
        )
        self.reader_: Reader = reader
        self.embedding_: np.ndarray = kept(rows, out)

    def _read_anew(self, graph: Graph, readout: Sequence[str], out: Path | None = None) -> None:
        """Exchange the readout, without training again."""
        spectral = self.spectral_state_ is not None
        changes = {"spectral": {"readout": readout}} if spectral else {"readout": readout}
        self.preset_: Preset = self.preset_.with_changes(changes, owner="Embedder")
        features = FeatureMatrix(self._features_like_fitted(graph, "Embedder"), device=self.device)
        self._read(features, self._pair_like_fitted(graph, with_partner=names_learnt(readout)), out)

    def _store(self, sized: Graph | FeatureMatrix) -> RowStore | None:
        """Return where a readout keeps its products; None for a graph that is small enough to need none."""
        if sized.num_nodes <= FULL_UP_TO:
            return None
        limit = free_bytes() if self.memory is None else bytes_of(str(self.memory), "memory", self._owner)
        return RowStore(limit / _SHARE)

    @property
    def _fitted_readout(self) -> tuple[str, ...]:
        return self.preset_.readout_of(spectral=self.spectral_state_ is not None)

    def _pair_like_fitted(self, graph: Graph, *, with_partner: bool) -> ScheduledPair:
        """Return A and, if embeddings are read from it, A_ by the refreshes that training made."""
        state = self.spectral_state_
        rule = self.preset_.propagation_of(spectral=state is not None)
        # A method that trains on rows of products needs no matrix to be read, either.
        implicit = self.model_.row_width is not None and graph.num_nodes > FULL_UP_TO
        if state is None or not with_partner:
            return PlainPair(graph, propagation=rule, device=self.device, implicit=implicit).current
        learnt = state.replay(graph, propagation=rule, device=self.device, implicit=implicit)
        return ScheduledPair(learnt.anchor, learnt.partner)

    def _fitted_parts(self) -> Checkpoint:
        view = {name: getattr(self.view_, name) for name in ("data", "indices", "indptr")}
        tensors = {f"view.{name}": torch.from_numpy(np.array(array)) for name, array in view.items()}
        directions = self.reader_.directions.items()
        tensors |= {f"directions.{name}": torch.from_numpy(array) for name, array in directions}
        tensors["embedding"] = torch.from_numpy(np.array(self.embedding_))
        tensors |= tensors_of_ids(self.node_ids_)
        document = {"sizes": [self.model_.num_features], "spectral_state": self.spectral_state_}
        return Checkpoint(tensors, document)

    def _restore(self, saved: Checkpoint) -> None:
        state = saved.document["spectral_state"]
        self.spectral_state_: SpectralState | None = None
        if state is not None:
            self.spectral_state_ = SpectralState.from_dict(state)
        self.embedding_ = saved.tensors["embedding"].numpy()
        self.node_ids_ = ids_of_tensors(saved.tensors, len(self.embedding_))
        directions = {name: tensor.numpy() for name, tensor in saved.part("directions").items()}
        self.reader_ = Reader(self._fitted_readout, self.preset_.embedding_size, directions)
        self.reader_.require_fitting(self.model_.num_features, self.embedding_)
        self._view_ = checked_csr(saved.part("view"), len(self.embedding_))


def checked_place(out: str | Path | None, owner: str) -> Path | None:
    """Return where embeddings are to be written, if anywhere: a .npy file in a folder that can be made."""
    if out is None:
        return None
    place = Path(out)
    if place.suffix != ".npy":
        raise invalid("out", owner, "be the path of a .npy file", shown(str(out)))
    check_file_place(place, "out", owner)
    return place
