"""The protocols that learners follow: contrastive methods, none of which knows of SpCo, and classifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from .._validation import invalid
from ..nn import FeatureMatrix, GCNEncoder, Projection
from ..structures import Batch, Structure
from ..views import View

SettingsT = TypeVar("SettingsT")


class Learner(nn.Module, ABC):
    """Whatever the trainer can train: a name, the type of its settings, and the loss of a batch."""

    name: ClassVar[str]
    settings_type: ClassVar[type[Any]]
    #: Whether it propagates with Â, and so with self loops of any weight.
    has_operator: ClassVar[bool] = True

    @classmethod
    def require_packages(cls) -> None:
        """Raise :class:`MissingDependencyError` if an optional package is missing; most need none."""

    @abstractmethod
    def forward(self, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""


class Method(Learner, Generic[SettingsT]):
    """A contrastive method: embeddings of a batch, what they are contrasted by, and an encoder.

    A subclass names itself and its settings (a frozen dataclass) and defines ``build``, which makes
    ``encoder`` and whatever else learns from an explicit generator, ``encode`` and ``contrast``. Between
    these two the rows that do not count are left out, so that a method need not know which they are.
    """

    encoder: GCNEncoder
    #: Whether ``contrast`` is a mean over rows that need no others but by ``batch.mean``. Processes that
    #: share a step then contrast their own rows; otherwise each of them gets the rows of all.
    contrasts_row_by_row: ClassVar[bool] = False

    def __init__(self, num_features: int, settings: SettingsT, *, generator: torch.Generator) -> None:
        super().__init__()
        self.num_features = num_features
        self.settings = settings
        self.build(num_features, settings, generator)

    @abstractmethod
    def build(self, num_features: int, settings: SettingsT, generator: torch.Generator) -> None:
        """Make the networks."""

    @abstractmethod
    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return the embeddings to contrast: tensors with a row for each node of the batch that counts.

        Rows that do not count may follow.
        """

    @abstractmethod
    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:
        """Return the scalar to minimise, from those rows of each tensor that count."""

    @property
    def row_width(self) -> int | None:
        """How many numbers per node a step reads of one structure if it gets rows of precomputed products.

        None, the usual case, for a method that needs the structure itself in every step: several layers, or
        views that change edges. See :mod:`spco.structures.rows`.
        """
        return None

    def _width_of_features(self, *views: View) -> int | None:
        """Return the row width of one layer under views that mask columns at most."""
        exact = self.encoder.depth == 1 and all(view.only_masks for view in views)
        return self.num_features if exact else None

    def forward(self, batch: Batch) -> Tensor:
        embeddings = tuple(batch.counted(rows) for rows in self.encode(batch))
        if batch.rows_in_all is None:
            return self.contrast(embeddings, batch)
        # The losses of all processes add up to that of the step.
        if not self.contrasts_row_by_row:
            return self.contrast(tuple(map(batch.peers.gather, embeddings)), batch) / batch.peers.size
        loss = batch.share * self.contrast(embeddings, batch)
        return loss if batch.share else loss.nan_to_num()  # a mean over no rows

    def embed(self, features: FeatureMatrix, structure: Structure) -> Tensor:
        """Return the (N, d) embeddings under a structure as it is: the graph's own, or a plug-in's."""
        embedding: Tensor = self.encoder(features, structure.operator)
        return embedding

    def embed_view(
        self, batch: Batch, structure: Structure, view: View, *, projected: Projection | None = None
    ) -> Tensor:
        """Return the (N, d) embeddings of the batch under one draw of a view.

        ``projected`` is X·W of the encoder, if the caller has it: views that mask no columns share it.
        """
        drawn = batch.draw(view, structure)
        if projected is None or drawn.kept_columns is not None:
            projected = self.encoder.project(batch.features, drawn.kept_columns)
        if drawn.row_order is not None:
            projected = projected[torch.from_numpy(drawn.row_order).to(batch.features.device)]
        return self.encoder.propagate(projected, drawn.operator)


class Classifier(Learner, Generic[SettingsT]):
    """A supervised method: scores of the classes per node, fitted to the nodes in ``batch.targets``.

    It sees A alone, and of the labels only those that a batch hands in.
    """

    def __init__(
        self, num_features: int, num_classes: int, settings: SettingsT, *, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.num_classes = num_classes
        self.settings = settings
        self.build(num_features, num_classes, settings, generator)

    @abstractmethod
    def build(
        self, num_features: int, num_classes: int, settings: SettingsT, generator: torch.Generator
    ) -> None:
        """Make the networks."""

    @abstractmethod
    def logits(
        self, features: FeatureMatrix, structure: Structure, *, rng: np.random.Generator | None = None
    ) -> Tensor:
        """Return (N, C) scores; with ``rng`` as in training, where parts are dropped at random."""

    def forward(self, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of the nodes whose class is known."""
        if batch.targets is None:
            raise invalid("batch", type(self).__name__, "have targets", "none")
        scores = self.logits(batch.features, batch.anchor, rng=batch.rng)
        return nn.functional.cross_entropy(scores[batch.targets.rows], batch.targets.classes)
