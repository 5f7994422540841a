"""PolyGCL: nodes behind a learnt low-pass and a learnt high-pass filter against a summary of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from .._validation import check_integer
from ..nn import Bands, BilinearDiscriminator, FeatureMatrix, PolynomialEncoder
from ..nn.layers import dropout_mask
from ..objectives import binary_discrimination
from ..structures import Batch, Structure
from .base import Method
from .settings import check_activation, check_dropout


@dataclass(frozen=True)
class PolyGCLSettings:
    """Settings of PolyGCL.

    Attributes
    ----------
    width : int
        Width of the embeddings.
    degree : int
        K, the degree of both filters.
    activation : "relu", "prelu", "elu", ...
        The activation behind the filters.
    dropout : probability
        Of a column of the features. A step drops the same columns for all nodes, which commutes with the
        filters; the authors' code drops single entries before and after them.
    """

    width: int = 512
    degree: int = 10
    activation: str = "prelu"
    dropout: float = 0.3

    def __post_init__(self) -> None:
        owner = "PolyGCLSettings"
        check_integer(self.width, "width", owner, minimum=1)
        check_integer(self.degree, "degree", owner, minimum=1)
        check_activation(self.activation, owner)
        check_dropout(self.dropout, owner)


class PolyGCL(Method[PolyGCLSettings]):
    """Nodes behind both filters should fit the summary of the graph, nodes with shuffled features should not.

        H_lo, H_hi = σ(h(L̂)·X·W + b),  h falling and rising;     Z = α·H_hi + β·H_lo;     g = relu(mean Z)
        loss = BCE(D(H_lo, g), 1) + BCE(D(H_hi, g), 1) + BCE(D(H̃_lo, g), 0) + BCE(D(H̃_hi, g), 0), divided by 4

    L̂ = L − I is that of the graph without further loops; ``self_loops`` of weight w add loops of w − 1.
    :class:`spco.nn.PolynomialEncoder` has the filters. The positives are filtered on the partner structure;
    the summary and the negatives H̃ come from the anchor. Embeddings are Z. In a readout over k propagation
    steps the k-th power of D^-½·A·D^-½ takes its place in L̂.

    Both filters share the products T_k(L̂)·X. Of narrow features they are computed once per structure, so
    again after a refresh; of wide ones each step filters X·W.

    References
    ----------
    Chen et al., *PolyGCL: graph contrastive learning via learnable spectral polynomial filters*, ICLR 2024.
    """

    name = "polygcl"
    settings_type = PolyGCLSettings
    contrasts_row_by_row = True
    encoder: PolynomialEncoder  # type: ignore[assignment]  # filters where other methods have layers

    def build(self, num_features: int, settings: PolyGCLSettings, generator: torch.Generator) -> None:
        self.encoder = PolynomialEncoder(
            num_features,
            settings.width,
            degree=settings.degree,
            activation=settings.activation,
            generator=generator,
        )
        self.discriminator = BilinearDiscriminator(settings.width, generator=generator)
        self.high_share, self.low_share = (nn.Parameter(torch.tensor(0.5)) for _ in range(2))

    @property
    def row_width(self) -> int | None:
        """That of the terms T_k(L̂)·X, if they are what is filtered."""
        return self.num_features * (self.encoder.degree + 1) if self.encoder.is_narrow else None

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        order, kept = batch.random_order(), self._kept_columns(batch.rng)
        branch = _Branches(self.encoder, batch.features, kept)
        true = branch.of(batch.anchor)
        corrupted = branch.of(batch.anchor, order)
        positive = true if batch.partner is batch.anchor else branch.of(batch.partner)
        return *positive, self._mixed(true), *corrupted

    def _kept_columns(self, rng: np.random.Generator) -> np.ndarray | None:
        p = self.settings.dropout
        return dropout_mask((self.num_features,), p, rng) if p else None

    def _mixed(self, bands: Bands) -> Tensor:
        return self.high_share * bands.high + self.low_share * bands.low

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:
        low, high, mixed, corrupted_low, corrupted_high = embeddings
        summary = torch.relu(batch.mean(mixed))
        positive, negative = (
            torch.cat([self.discriminator(rows, summary) for rows in pair])
            for pair in ((low, high), (corrupted_low, corrupted_high))
        )
        return binary_discrimination(positive, negative)

    def embed(self, features: FeatureMatrix, structure: Structure) -> Tensor:
        """Return Z = α·H_hi + β·H_lo, (N, d), with no column dropped."""
        return self._mixed(_Branches(self.encoder, features).of(structure))


class _Branches:
    """The encoder on structures and orders of rows that share the features, and X·W where it is filtered."""

    def __init__(
        self, encoder: PolynomialEncoder, features: FeatureMatrix, kept_columns: np.ndarray | None = None
    ) -> None:
        self.encoder, self.features, self.kept_columns = encoder, features, kept_columns
        if not encoder.is_narrow:
            self.projected = encoder.project(features, kept_columns)

    def of(self, structure: Structure, order: Tensor | None = None) -> Bands:
        """Return both bands on a structure, with the features in their own order or in another."""
        if not self.encoder.is_narrow:
            rows = self.projected if order is None else self.projected[order]
            return self.encoder.from_projected(rows, structure.filter_operator)
        terms = structure.filter_terms(self.features, self.encoder.degree, order)
        return self.encoder.from_terms(terms, self.kept_columns)
