"""GraphCL on the node task: nodes against summaries of two augmented graphs."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_sequence
from ..nn import BilinearDiscriminator
from ..objectives import binary_discrimination, summary
from ..structures import Batch
from ..views import parse_view
from .base import Method
from .settings import EncoderSettings, new_encoder


@dataclass(frozen=True)
class GraphCLSettings(EncoderSettings):
    """Settings of GraphCL.

    Attributes
    ----------
    views : two texts
        The augmentations, as :func:`spco.views.parse_view` reads them: "drop-nodes:0.2", "perturb-edges:0.2",
        "subgraph:0.8", "mask-features:0.2", or any other view, also several joined by "/".
    """

    views: tuple[str, str] = ("drop-nodes:0.2", "drop-nodes:0.2")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sequence(self.views, "views", "GraphCLSettings", "two views", length=2)
        for text in self.views:
            parse_view(text, owner="GraphCLSettings")


class GraphCL(Method[GraphCLSettings]):
    """Nodes should fit the summaries of both augmented graphs, nodes with shuffled features neither.

        loss = BCE(D(h_i, s_1) + D(h_i, s_2), 1) + BCE(D(h̃_i, s_1) + D(h̃_i, s_2), 0)

    The nodes h are those under the partner structure; summaries and corrupted nodes come from the anchor.

    References
    ----------
    You et al., *Graph contrastive learning with augmentations*, NeurIPS 2020; its experiment on Cora.
    """

    name = "graphcl"
    settings_type = GraphCLSettings

    def build(self, num_features: int, settings: GraphCLSettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator)
        self.discriminator = BilinearDiscriminator(self.encoder.width, generator=generator)
        self.augmentations = [parse_view(text, owner="GraphCL") for text in settings.views]

    @property
    def row_width(self) -> int | None:
        return self._width_of_features(*self.augmentations)

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        projected = self.encoder.project(batch.features)
        true = self.encoder.propagate(projected, batch.partner.operator)
        corrupted = self.encoder.propagate(projected[batch.random_order()], batch.anchor.operator)
        augmented = (
            self.embed_view(batch, batch.anchor, view, projected=projected) for view in self.augmentations
        )
        return true, corrupted, *augmented

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:  # noqa: ARG002
        true, corrupted, *augmented = embeddings
        summaries = [summary(nodes) for nodes in augmented]
        scores = [
            torch.stack([self.discriminator(nodes, whole) for whole in summaries]).sum(0)
            for nodes in (true, corrupted)
        ]
        return binary_discrimination(*scores)
