"""Deep Graph Infomax: nodes against a summary of the graph."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_choice
from ..nn import BilinearDiscriminator
from ..objectives import binary_discrimination
from ..structures import Batch
from .base import Method
from .settings import EncoderSettings, new_encoder


@dataclass(frozen=True)
class DGISettings(EncoderSettings):
    """Settings of DGI.

    Attributes
    ----------
    discriminator_start : "matrix" or "tensor"
        Whether Glorot's rule takes the discriminator's weight as a w×w matrix, or, as the authors' code does,
        as a 1×w×w tensor, which gives it a start that is √((w + 1)/2) times smaller.
    """

    discriminator_start: str = "matrix"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.discriminator_start, "discriminator_start", "DGISettings", ("matrix", "tensor"))


class DGI(Method[DGISettings]):
    """Positives are nodes under the partner structure, negatives nodes with shuffled features.

    The three branches differ in structure and in the order of the features' rows alone, so they share one
    product X·W: the corrupted features' product is a row permutation of it.

    References
    ----------
    Veličković et al., *Deep graph infomax*, ICLR 2019.
    """

    name = "dgi"
    settings_type = DGISettings
    contrasts_row_by_row = True

    def build(self, num_features: int, settings: DGISettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator)
        as_tensor = settings.discriminator_start == "tensor"
        self.discriminator = BilinearDiscriminator(
            self.encoder.width, generator=generator, as_tensor=as_tensor
        )

    @property
    def row_width(self) -> int | None:
        return self._width_of_features()

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        projected = self.encoder.project(batch.features)
        true = self.encoder.propagate(projected, batch.anchor.operator)
        corrupted = self.encoder.propagate(projected[batch.random_order()], batch.anchor.operator)
        positive = true
        if batch.partner is not batch.anchor:
            positive = self.encoder.propagate(projected, batch.partner.operator)
        return positive, true, corrupted

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:
        positive, true, corrupted = embeddings
        whole = torch.sigmoid(batch.mean(true))
        return binary_discrimination(
            self.discriminator(positive, whole), self.discriminator(corrupted, whole)
        )
