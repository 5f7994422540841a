"""Small networks on top of embeddings."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .initialise import glorot, linear


class ProjectionHead(nn.Module):
    """Two linear layers with an ELU between them, dropped after training (GRACE)."""

    def __init__(self, width: int, hidden: int, *, generator: torch.Generator) -> None:
        super().__init__()
        self.first = linear(width, hidden, generator)
        self.second = linear(hidden, width, generator)

    def forward(self, embedding: Tensor) -> Tensor:
        projected: Tensor = self.second(nn.functional.elu(self.first(embedding)))
        return projected


class BilinearDiscriminator(nn.Module):
    """Scores of nodes against a summary: h·W·s + b (DGI)."""

    def __init__(self, width: int, *, generator: torch.Generator) -> None:
        super().__init__()
        self.weight = glorot(width, width, generator)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, embedding: Tensor, summary: Tensor) -> Tensor:
        return embedding @ (self.weight @ summary) + self.bias
