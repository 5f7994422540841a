"""MVGRL: a graph against its diffusion, each with an encoder of its own."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .._validation import check_integer, invalid
from ..nn import BilinearDiscriminator, FeatureMatrix
from ..objectives import jsd, summary
from ..structures import Batch, Structure
from ..views import parse_view
from .base import Method
from .settings import EncoderSettings, new_encoder


@dataclass(frozen=True)
class MVGRLSettings(EncoderSettings):
    """Settings of MVGRL.

    Attributes
    ----------
    diffusion : text
        The second view, as :func:`spco.views.parse_view` reads it: "ppr:0.2,top_k=32", "heat:5,top_k=32" or
        any other view without randomness. ``top_k`` keeps it sparse; beyond 5000 nodes it always is.
    sample_size : int, optional
        Train every step on so many nodes, picked at random, and the parts of both operators between them;
        None trains on all. Embeddings are those of the whole graph in any case.
    """

    diffusion: str = "ppr:0.2,top_k=32,self_loops=true"
    sample_size: int | None = None

    def __post_init__(self) -> None:
        owner = "MVGRLSettings"
        super().__post_init__()
        if parse_view(self.diffusion, owner=owner).is_random:
            raise invalid("diffusion", owner, "be a view without randomness", repr(self.diffusion))
        if self.sample_size is not None:
            check_integer(self.sample_size, "sample_size", owner, minimum=2)


class MVGRL(Method[MVGRLSettings]):
    """Nodes of each view should fit the summary of the other one, nodes with shuffled features neither.

    The first view is the partner structure, the second the anchor's diffusion, which is computed once. The
    embedding of a node is the sum of the two encoders' outputs.

    References
    ----------
    Hassani and Khasahmadi, *Contrastive multi-view representation learning on graphs*, ICML 2020.
    """

    name = "mvgrl"
    settings_type = MVGRLSettings

    def build(self, num_features: int, settings: MVGRLSettings, generator: torch.Generator) -> None:
        self.encoder, self.diffused_encoder = (
            new_encoder(num_features, settings, generator) for _ in range(2)
        )
        self.discriminator = BilinearDiscriminator(self.encoder.width, generator=generator)
        self.diffusion = parse_view(settings.diffusion, owner="MVGRL")

    def forward(self, batch: Batch) -> Tensor:
        size = self.settings.sample_size
        return super().forward(batch if size is None else batch.sampled(size))

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        order = batch.random_order()
        embeddings = []
        for encoder, operator in (
            (self.encoder, batch.partner.operator),
            (self.diffused_encoder, batch.anchor.operator_under(self.diffusion)),
        ):
            projected = encoder.project(batch.features)
            embeddings += [encoder.propagate(rows, operator) for rows in (projected, projected[order])]
        return tuple(embeddings)

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:  # noqa: ARG002
        true, corrupted, diffused, corrupted_diffused = embeddings
        own, other = summary(true), summary(diffused)
        return jsd(
            torch.cat([self.discriminator(diffused, own), self.discriminator(true, other)]),
            torch.cat([self.discriminator(corrupted_diffused, own), self.discriminator(corrupted, other)]),
        )

    def embed(self, features: FeatureMatrix, structure: Structure) -> Tensor:
        """Return the (N, d) sum of both encoders' embeddings of a structure and the graph's own diffusion."""
        embedding: Tensor = self.encoder(features, structure.operator)
        diffused: Tensor = self.diffused_encoder(features, structure.own.operator_under(self.diffusion))
        return embedding + diffused
