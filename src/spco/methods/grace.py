"""GRACE: the same node in two randomly augmented views against all others."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_choice, check_integer
from ..nn import ProjectionHead
from ..objectives import check_temperature, infonce, sampled_infonce
from ..structures import Batch
from ..views import Compose, DropArcs, DropEdges, MaskFeatures, View
from .base import Method
from .settings import EncoderSettings, check_drop_pairs, new_encoder


@dataclass(frozen=True)
class GRACESettings(EncoderSettings):
    """Settings of GRACE; pairs hold one value per view.

    Attributes
    ----------
    projection : int >= 1
        The width of the hidden layer between embeddings and loss.
    temperature : float >= 0.01
        τ of InfoNCE: small values weigh the closest negatives more.
    edge_drop, feature_drop : pairs of probabilities
        Rates of the first view, which is of A, and of the second, which is of the partner (of A_ with SpCo).
    partner_first : bool
        Whether the partner gets the first rates instead, as in SpCo's published code.
    directed_drop : bool
        Whether the two directions of an edge are dropped independently, as in the authors' code.
    shared_activation : bool
        Whether both layers have one activation, as in the authors' code. Only "prelu" learns one.
    num_negatives : int, optional
        Contrast with a random sample of so many nodes; None contrasts with all.
    """

    widths: tuple[int, ...] = (512, 256)
    activation: str = "relu"
    projection: int = 256
    edge_drop: tuple[float, float] = (0.2, 0.4)
    feature_drop: tuple[float, float] = (0.3, 0.4)
    temperature: float = 0.5
    num_negatives: int | None = None
    partner_first: bool = False
    directed_drop: bool = False
    shared_activation: bool = False

    def __post_init__(self) -> None:
        owner = type(self).__name__
        super().__post_init__()
        check_integer(self.projection, "projection", owner, minimum=1)
        check_drop_pairs(self.edge_drop, self.feature_drop, owner)
        check_temperature(self.temperature, owner)
        for name in ("partner_first", "directed_drop", "shared_activation"):
            check_choice(getattr(self, name), name, owner, (True, False))
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
        self.encoder = new_encoder(
            num_features, settings, generator, shared_activation=settings.shared_activation
        )
        self.projection = ProjectionHead(self.encoder.width, settings.projection, generator=generator)
        self.augmentations = [
            self.augmentation(edges, columns)
            for edges, columns in zip(settings.edge_drop, settings.feature_drop, strict=True)
        ]

    def augmentation(self, edge_drop: float, feature_drop: float) -> View:
        """Return the view that drops at these rates."""
        drop = DropArcs if self.settings.directed_drop else DropEdges
        return Compose((drop(edge_drop), MaskFeatures(feature_drop)))

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        sides = (batch.anchor, batch.partner)
        if self.settings.partner_first:
            sides = sides[::-1]
        return tuple(
            self.embed_view(batch, structure, view)
            for structure, view in zip(sides, self.augmentations, strict=True)
        )

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:
        first, second = (self.projection(nodes) for nodes in embeddings)
        temperature = self.settings.temperature
        count = self.settings.num_negatives
        if count is None or count >= len(first):
            return infonce(first, second, temperature=temperature, scratch=batch.scratch)
        chosen = torch.from_numpy(batch.rng.choice(len(first), count, replace=False))
        return sampled_infonce(first, second, temperature=temperature, negatives=chosen.to(first.device))
