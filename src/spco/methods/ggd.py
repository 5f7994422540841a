"""GGD: one number per node tells the graph's nodes from nodes with shuffled features."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .._validation import check_integer
from ..nn import FeatureMatrix, linear
from ..objectives import binary_discrimination
from ..structures import Batch, Structure
from .base import Method
from .settings import EncoderSettings, check_feature_drop, new_encoder


@dataclass(frozen=True)
class GGDSettings(EncoderSettings):
    """Settings of GGD.

    Attributes
    ----------
    feature_drop : probability
        Of masking a column of the features, the same ones for both groups.
    projection_layers : int
        Number of linear layers between the embeddings and the sum over their columns.
    graph_power : int
        n in the embedding H + Âⁿ·H; 0 takes H alone.
    """

    feature_drop: float = 0.2
    projection_layers: int = 1
    graph_power: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        check_feature_drop(self.feature_drop, "GGDSettings")
        check_integer(self.projection_layers, "projection_layers", "GGDSettings", minimum=1)
        check_integer(self.graph_power, "graph_power", "GGDSettings", minimum=0)


class GGD(Method[GGDSettings]):
    """Group discrimination: a node's projected embedding, summed over columns, is the logit of its group.

        y_i = Σ_c [MLP(h_i)]_c,     loss = BCE(y_i, 1) + BCE(ỹ_i, 0), divided by 2

    The positive group are the nodes under the partner structure, the negative one those under the anchor with
    shuffled features. Embeddings are H + Âⁿ·H, what a node's own encoding and its wider neighbourhood say.

    The layers of the MLP are linear, so the sum over columns is one vector v = W_1ᵀ···W_lᵀ·1 that is made
    first: the logits cost O(N·d), not O(N·d²).

    References
    ----------
    Zheng et al., *Rethinking and scaling up graph contrastive learning: an extremely efficient approach with
    group discrimination*, NeurIPS 2022.
    """

    name = "ggd"
    settings_type = GGDSettings
    contrasts_row_by_row = True

    def build(self, num_features: int, settings: GGDSettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator)
        width = self.encoder.width
        self.projection = nn.ModuleList(
            linear(width, width, generator) for _ in range(settings.projection_layers)
        )

    @property
    def row_width(self) -> int | None:
        return self._width_of_features()

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        kept = batch.rng.random(self.num_features) >= self.settings.feature_drop
        projected = self.encoder.project(batch.features, kept)
        positive = self.encoder.propagate(projected, batch.partner.operator)
        negative = self.encoder.propagate(projected[batch.random_order()], batch.anchor.operator)
        return positive, negative

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:  # noqa: ARG002
        direction, offset = self._summed_projection()
        positive, negative = (rows @ direction + offset for rows in embeddings)
        return binary_discrimination(positive, negative)

    def _summed_projection(self) -> tuple[Tensor, Tensor]:
        """Return v and b with Σ_c [MLP(h)]_c = h·v + b."""
        like = self.encoder.biases[-1]
        direction, offset = torch.ones_like(like), like.new_zeros(())
        for layer in reversed(self.projection):
            weight, bias = layer.parameters()
            offset = offset + bias @ direction
            direction = weight.T @ direction
        return direction, offset

    def embed(self, features: FeatureMatrix, structure: Structure) -> Tensor:
        """Return H + Âⁿ·H, (N, d), Â the structure's operator."""
        own = wider = super().embed(features, structure)
        for _ in range(self.settings.graph_power):
            wider = structure.operator @ wider
        return own + wider if self.settings.graph_power else own
