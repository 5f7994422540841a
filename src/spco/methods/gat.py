"""GAT: graph attention trained end to end on the labels; the layers are torch-geometric's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .._lazy import optional_module
from .._validation import check_integer
from ..nn import FeatureMatrix, dropped, glorot, seeded
from ..structures import Structure
from .base import Classifier
from .settings import check_dropout


@dataclass(frozen=True)
class GATSettings:
    """Settings of GAT.

    Attributes
    ----------
    hidden : int >= 1
        The width of each head of the hidden layer.
    heads, output_heads : int >= 1
        The number of heads of the hidden layer, and of the last one.
    dropout : float in [0, 1)
        Of every layer's input and of the attention.
    """

    hidden: int = 8
    heads: int = 8
    output_heads: int = 1
    dropout: float = 0.6

    def __post_init__(self) -> None:
        owner = "GATSettings"
        for name in ("hidden", "heads", "output_heads"):
            check_integer(getattr(self, name), name, owner, minimum=1)
        check_dropout(self.dropout, owner)


class GAT(Classifier[GATSettings]):
    """Two layers of attention: ``heads`` of them side by side with ELU, then the mean of ``output_heads``.

    Neighbours count by attention alone, not by the edges' weights.

    References
    ----------
    Veličković et al., *Graph attention networks*, ICLR 2018.
    """

    name = "gat"
    settings_type = GATSettings
    has_operator = False

    @classmethod
    def require_packages(cls) -> None:
        """Look for torch-geometric."""
        _gat_layer()

    def build(
        self, num_features: int, num_classes: int, settings: GATSettings, generator: torch.Generator
    ) -> None:
        layer, width = _gat_layer(), settings.heads * settings.hidden
        self.weight = glorot(num_features, width, generator)
        with seeded(_seed(generator)):
            self.first = layer(width, settings.hidden, heads=settings.heads, dropout=settings.dropout)
            self.second = layer(
                width, num_classes, heads=settings.output_heads, concat=False, dropout=settings.dropout
            )
        # X·W is taken here, where X may stay sparse.
        self.first.lin = nn.Identity()

    def logits(
        self, features: FeatureMatrix, structure: Structure, *, rng: np.random.Generator | None = None
    ) -> Tensor:
        self.train(rng is not None)
        if rng is None:
            return self._forward(features.times(self.weight), structure)
        rate = self.settings.dropout
        projected = features.dropped(rate, rng).times(self.weight)
        with seeded(int(rng.integers(2**63)), features.device):  # of the attention's own dropout
            return self._forward(projected, structure, rng)

    def _forward(
        self, projected: Tensor, structure: Structure, rng: np.random.Generator | None = None
    ) -> Tensor:
        hidden = nn.functional.elu(self.first(projected, structure.edge_index))
        if rng is not None:
            hidden = dropped(hidden, self.settings.dropout, rng)
        scores: Tensor = self.second(hidden, structure.edge_index)
        return scores


def _seed(generator: torch.Generator) -> int:
    return int(torch.randint(2**62, (), generator=generator))


def _gat_layer() -> Any:
    return optional_module("torch_geometric.nn", "the method gat", "pyg").GATConv
