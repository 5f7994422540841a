"""What one training step sees."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor

from ..linalg import Part
from ..nn import NO_PEERS, FeatureMatrix, Peers
from ..objectives import Scratch
from ..views import View
from .partial import pair_between
from .structure import Drawn, Structure


@dataclass(frozen=True, eq=False)
class Targets:
    """The rows of a batch whose class a classifier may know, and their class numbers, both (M,) int64."""

    rows: Tensor
    classes: Tensor


@dataclass(frozen=True, eq=False)
class Batch:
    """Features and the pair of structures to contrast, for all nodes of a graph or for some.

    Attributes
    ----------
    features : FeatureMatrix
        A row per node of the batch.
    anchor, partner : Structure
        The two sides of the contrast; the same in plain training, where a plug-in hands in another partner.
    rng : numpy.random.Generator
        The source of everything random in the step.
    targets : Targets, optional
        For classifiers alone.
    nodes : (R,) int64, optional
        Which nodes of the graph the rows are; None for all of them in their order.
    seeds : (S,) int64, optional
        The rows that count in the loss; the others are there for their neighbours. None if all do.
    scratch : Scratch
        Memory that the loss of the next step uses again.
    peers : Peers
        The processes that share the step, each with a batch of its own rows.
    rows_in_all : int, optional
        How many rows count in all of them together; None if there are no others.
    """

    features: FeatureMatrix
    anchor: Structure
    partner: Structure
    rng: np.random.Generator
    targets: Targets | None = None
    nodes: np.ndarray | None = None
    seeds: np.ndarray | None = None
    scratch: Scratch = field(default_factory=Scratch)
    peers: Peers = NO_PEERS
    rows_in_all: int | None = None

    @property
    def num_nodes(self) -> int:
        """Number of nodes in the batch, whether they count or not."""
        return self.features.num_nodes

    def counted(self, rows: Tensor) -> Tensor:
        """Return those of a tensor's rows, one per node of the batch, that count in the loss."""
        return rows if self.seeds is None else rows[torch.from_numpy(self.seeds).to(rows.device)]

    @property
    def share(self) -> float:
        """How many of the rows of the step that count are in this batch: 1 for all of them."""
        if self.rows_in_all is None:
            return 1.0
        own = self.num_nodes if self.seeds is None else len(self.seeds)
        return own / max(1, self.rows_in_all)

    def mean(self, rows: Tensor) -> Tensor:
        """Return the mean of a tensor's rows over all of the step: of those that count, in all processes."""
        if self.rows_in_all is None:
            return rows.mean(0)
        return self.peers.sum(rows.sum(0) / self.rows_in_all)

    def sampled(self, size: int) -> Batch:
        """Return a batch of so many counting nodes, picked at random, or this one if it has no more."""
        counting = np.arange(self.num_nodes) if self.seeds is None else self.seeds
        if size >= len(counting):
            return self
        rows = np.sort(self.rng.choice(counting, size, replace=False))
        anchor, partner = pair_between(self.anchor, self.partner, Part.of(rows))
        return replace(
            self,
            features=self.features.rows(rows),
            anchor=anchor,
            partner=partner,
            targets=None,
            nodes=rows if self.nodes is None else self.nodes[rows],
            seeds=None,
        )

    def draw(self, view: View, structure: Structure) -> Drawn:
        """Draw a view, prepared for the anchor, of one of the two structures."""
        prepared = self.anchor.prepared(view, self.features)
        return structure.draw(prepared, num_features=self.features.num_features, rng=self.rng)

    def random_order(self) -> Tensor:
        """Return a random permutation of the nodes."""
        return torch.from_numpy(self.rng.permutation(self.num_nodes)).to(self.features.device)
