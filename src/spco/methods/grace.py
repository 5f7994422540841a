"""GRACE: the same node in two randomly augmented views against all others."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_integer, check_sequence
from ..nn import ProjectionHead
from ..objectives import check_temperature, infonce, sampled_infonce
from ..views import Compose, DropEdges, MaskFeatures, View
from .base import Method
from .batch import Batch
from .settings import EncoderSettings, check_edge_drop, check_feature_drop, new_encoder


@dataclass(frozen=True)
class GRACESettings(EncoderSettings):
    """Settings of GRACE; pairs hold one value per view."""

    widths: tuple[int, ...] = (512, 256)
    activation: str = "relu"
    projection: int = 256
    edge_drop: tuple[float, float] = (0.2, 0.4)
    feature_drop: tuple[float, float] = (0.3, 0.4)
    temperature: float = 0.5
    num_negatives: int | None = None

    def __post_init__(self) -> None:
        owner = type(self).__name__
        super().__post_init__()
        check_integer(self.projection, "projection", owner, minimum=1)
        for name, check in (("edge_drop", check_edge_drop), ("feature_drop", check_feature_drop)):
            rates = getattr(self, name)
            check_sequence(rates, name, owner, "two probabilities", length=2)
            for rate in rates:
                check(rate, owner)
        check_temperature(self.temperature, owner)
        if self.num_negatives is not None:
            check_integer(self.num_negatives, "num_negatives", owner, minimum=1)


class GRACE(Method[GRACESettings]):
    """Edges and feature columns are dropped at random, at one rate per view; InfoNCE on projected embeddings.

    References
    ----------
    Zhu et al., *Deep graph contrastive representation learning*, ICML workshop 2020.
    """

    name = "grace"
    settings_type = GRACESettings

    def build(self, num_features: int, settings: GRACESettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator)
        self.projection = ProjectionHead(self.encoder.width, settings.projection, generator=generator)
        self.augmentations = [
            self.augmentation(edges, columns)
            for edges, columns in zip(settings.edge_drop, settings.feature_drop, strict=True)
        ]

    def augmentation(self, edge_drop: float, feature_drop: float) -> View:
        """Return the view that drops at these rates."""
        return Compose((DropEdges(edge_drop), MaskFeatures(feature_drop)))

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        sides = zip((batch.anchor, batch.partner), self.augmentations, strict=True)
        return tuple(self.embed_view(batch, structure, view) for structure, view in sides)

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:
        first, second = (self.projection(nodes) for nodes in embeddings)
        temperature = self.settings.temperature
        count = self.settings.num_negatives
        if count is None or count >= len(first):
            return infonce(first, second, temperature=temperature, scratch=batch.scratch)
        chosen = torch.from_numpy(batch.rng.choice(len(first), count, replace=False))
        return sampled_infonce(first, second, temperature=temperature, negatives=chosen.to(first.device))
