"""Deep Graph Infomax: nodes against a summary of the graph."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ..nn import BilinearDiscriminator, GCNEncoder
from ..objectives import binary_discrimination, summary
from ._checks import check_encoder
from .base import Batch, Method


@dataclass(frozen=True)
class DGISettings:
    """Settings of DGI."""

    widths: tuple[int, ...] = (512,)
    activation: str = "prelu"

    def __post_init__(self) -> None:
        check_encoder(self)


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

    def build(self, num_features: int, settings: DGISettings, generator: torch.Generator) -> None:
        self.encoder = GCNEncoder(
            num_features, settings.widths, activation=settings.activation, generator=generator
        )
        self.discriminator = BilinearDiscriminator(self.encoder.width, generator=generator)

    def loss(self, batch: Batch) -> Tensor:
        projected = self.encoder.project(batch.features)
        true = self.encoder.propagate(projected, batch.anchor.operator)
        corrupted = self.encoder.propagate(projected[batch.random_order()], batch.anchor.operator)
        positive = true
        if batch.partner is not batch.anchor:
            positive = self.encoder.propagate(projected, batch.partner.operator)
        readout = summary(true)
        return binary_discrimination(
            self.discriminator(positive, readout), self.discriminator(corrupted, readout)
        )
