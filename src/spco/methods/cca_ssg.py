"""CCA-SSG: correlated views with decorrelated columns, no negatives."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_choice, check_real
from ..objectives import cca
from ..structures import Batch
from ..views import Compose, DropArcs, DropEdges, MaskFeatures
from .base import Method
from .settings import EncoderSettings, check_edge_drop, check_feature_drop, new_encoder


@dataclass(frozen=True)
class CCASSGSettings(EncoderSettings):
    """Settings of CCA-SSG; both views are dropped at the same rates.

    Attributes
    ----------
    edge_drop, feature_drop : float in [0, 1)
        The share of edges, and of feature columns, that each view drops.
    directed_drop : bool
        Whether the two directions of an edge are dropped independently, as in the authors' code.
    decorrelation : float >= 0
        λ, the weight of the loss that decorrelates the columns.
    """

    widths: tuple[int, ...] = (512, 512)
    activation: str = "relu"
    edge_drop: float = 0.4
    directed_drop: bool = False
    feature_drop: float = 0.1
    decorrelation: float = 1e-3

    def __post_init__(self) -> None:
        owner = "CCASSGSettings"
        super().__post_init__()
        check_edge_drop(self.edge_drop, owner)
        check_choice(self.directed_drop, "directed_drop", owner, (True, False))
        check_feature_drop(self.feature_drop, owner)
        check_real(self.decorrelation, "decorrelation", owner, minimum=0)


class CCASSG(Method[CCASSGSettings]):
    """Two dropped views, standardised columns, soft CCA loss. The last layer is linear.

    References
    ----------
    Zhang et al., *From canonical correlation analysis to self-supervised graph neural networks*,
    NeurIPS 2021.
    """

    name = "cca_ssg"
    settings_type = CCASSGSettings

    def build(self, num_features: int, settings: CCASSGSettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator, last_activation=False)
        drop = DropArcs if settings.directed_drop else DropEdges
        self.augmentation = Compose((drop(settings.edge_drop), MaskFeatures(settings.feature_drop)))

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        sides = (batch.anchor, batch.partner)
        return tuple(self.embed_view(batch, structure, self.augmentation) for structure in sides)

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:  # noqa: ARG002
        first, second = embeddings
        return cca(first, second, decorrelation=self.settings.decorrelation)
