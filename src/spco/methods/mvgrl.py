"""MVGRL: a graph against its diffusion, each with an encoder of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .._validation import check_integer, invalid
from ..nn import BilinearDiscriminator, FeatureMatrix, GCNEncoder, SparseMatrix
from ..objectives import jsd, summary
from ..views import parse_view
from ._checks import check_encoder
from .base import Batch, Method, Structure


@dataclass(frozen=True)
class MVGRLSettings:
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

    widths: tuple[int, ...] = (512,)
    activation: str = "prelu"
    diffusion: str = "ppr:0.2,top_k=32,self_loops=true"
    sample_size: int | None = None

    def __post_init__(self) -> None:
        owner = "MVGRLSettings"
        check_encoder(self)
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
            GCNEncoder(num_features, settings.widths, activation=settings.activation, generator=generator)
            for _ in range(2)
        )
        self.discriminator = BilinearDiscriminator(self.encoder.width, generator=generator)
        self.diffusion = parse_view(settings.diffusion, owner="MVGRL")

    def loss(self, batch: Batch) -> Tensor:
        features = batch.features
        operators = [batch.partner.operator, batch.anchor.operator_under(self.diffusion)]
        size = self.settings.sample_size
        if size is not None and size < batch.num_nodes:
            nodes = np.sort(batch.rng.choice(batch.num_nodes, size, replace=False))
            features, operators = features.rows(nodes), [operator.between(nodes) for operator in operators]
        order = torch.from_numpy(batch.rng.permutation(features.num_nodes)).to(features.device)
        (true, corrupted), (diffused, corrupted_diffused) = (
            _true_and_corrupted(encoder, features, operator, order)
            for encoder, operator in zip((self.encoder, self.diffused_encoder), operators, strict=True)
        )
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


def _true_and_corrupted(
    encoder: GCNEncoder, features: FeatureMatrix, operator: SparseMatrix, order: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the embeddings of the nodes with their own features, and with those of others."""
    projected = encoder.project(features)
    return encoder.propagate(projected, operator), encoder.propagate(projected[order], operator)
