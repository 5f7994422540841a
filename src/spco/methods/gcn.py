"""GCN: graph convolutions trained end to end on the labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..nn import FeatureMatrix, GCNEncoder, dropped
from ..structures import Structure
from .base import Classifier
from .settings import check_activation, check_dropout, check_widths


@dataclass(frozen=True)
class GCNSettings:
    """Settings of GCN.

    Attributes
    ----------
    hidden : list of int >= 1
        The widths of the hidden layers.
    activation : "relu", "prelu", "elu", ...
        The activation of the hidden layers.
    dropout : float in [0, 1)
        Of every layer's input.
    """

    hidden: tuple[int, ...] = (16,)
    activation: str = "relu"
    dropout: float = 0.5

    def __post_init__(self) -> None:
        owner = "GCNSettings"
        check_widths(self.hidden, "hidden", owner)
        check_activation(self.activation, owner)
        check_dropout(self.dropout, owner)


class GCN(Classifier[GCNSettings]):
    """Graph convolutions, the last as wide as there are classes.

    References
    ----------
    Kipf and Welling, *Semi-supervised classification with graph convolutional networks*, ICLR 2017.
    """

    name = "gcn"
    settings_type = GCNSettings

    def build(
        self, num_features: int, num_classes: int, settings: GCNSettings, generator: torch.Generator
    ) -> None:
        self.encoder = GCNEncoder(
            num_features,
            (*settings.hidden, num_classes),
            activation=settings.activation,
            last_activation=False,
            generator=generator,
        )

    def logits(
        self, features: FeatureMatrix, structure: Structure, *, rng: np.random.Generator | None = None
    ) -> Tensor:
        if rng is None:
            scores: Tensor = self.encoder(features, structure.operator)
            return scores
        rate = self.settings.dropout
        projected = self.encoder.project(features.dropped(rate, rng))
        return self.encoder.propagate(projected, structure.operator, between=lambda h: dropped(h, rate, rng))
