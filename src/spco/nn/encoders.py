"""Graph encoders: features and a propagation matrix in, node embeddings out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from ..dense import times
from .layers import ACTIVATIONS, ColumnNorm, glorot
from .projection import Projection, Propagator
from .sparse import FeatureMatrix


class GCNEncoder(nn.Module):
    """Graph convolutions H ← σ(Â·H·W + b), one per width.

    Parameters
    ----------
    num_features : int
    widths : sequence of int
        Output width of each layer.
    activation : str
        "relu", "prelu", "elu" or "identity".
    last_activation : bool
        Whether the last layer is followed by σ as well.
    shared_activation : bool
        Whether all layers have one σ, with one parameter if it learns any.
    column_norm : bool
        Whether columns are standardised before each σ; see :class:`spco.nn.layers.ColumnNorm`.
    generator : torch.Generator
        Source of the initial weights.

    References
    ----------
    Kipf and Welling, *Semi-supervised classification with graph convolutional networks*, ICLR 2017.
    """

    def __init__(
        self,
        num_features: int,
        widths: Sequence[int],
        *,
        activation: str = "relu",
        last_activation: bool = True,
        shared_activation: bool = False,
        column_norm: bool = False,
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        sizes = [num_features, *widths]
        self.weights = nn.ParameterList(
            glorot(rows, columns, generator) for rows, columns in itertools.pairwise(sizes)
        )
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(width)) for width in widths)
        kind = ACTIVATIONS.resolve(activation, owner="GCNEncoder")
        self.activations = nn.ModuleList(kind() for _ in (widths[:1] if shared_activation else widths))
        if not last_activation:
            self.activations[-1] = nn.Identity()
        if column_norm:
            self.activations = nn.ModuleList(
                nn.Sequential(ColumnNorm(width), activation)
                for width, activation in zip(widths, self.activations, strict=True)
            )

    @property
    def width(self) -> int:
        """Width of the embeddings."""
        return len(self.biases[-1])

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.weights)

    def project(self, features: FeatureMatrix, kept_columns: np.ndarray | None = None) -> Projection:
        """Return X·W of the first layer, the part that no propagation matrix enters.

        Views that differ in structure alone, or in the order of the nodes' features, share it.
        """
        return features.projection(self.weights[0], kept_columns)

    def propagate(
        self,
        projected: Projection,
        operator: Propagator,
        *,
        between: Callable[[Tensor], Tensor] = lambda hidden: hidden,
    ) -> Tensor:
        """Return the embeddings from the first layer's projection on; ``between`` acts between layers."""
        hidden = self.activations[0](operator.of_layer(0) @ projected + self.biases[0])
        for layer in range(1, self.depth):
            activation = self.activations[layer % len(self.activations)]
            passed = operator.of_layer(layer) @ times(between(hidden), self.weights[layer])
            hidden = activation(passed + self.biases[layer])
        return hidden  # type: ignore[no-any-return]

    def forward(
        self, features: FeatureMatrix, operator: Propagator, kept_columns: np.ndarray | None = None
    ) -> Tensor:
        return self.propagate(self.project(features, kept_columns), operator)
