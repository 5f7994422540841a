"""Weight initialisation from an explicit generator; the global random state is never used."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def glorot(rows: int, columns: int, generator: torch.Generator) -> nn.Parameter:
    """Return a (rows, columns) weight drawn uniformly from ±√(6/(rows + columns))."""
    limit = math.sqrt(6.0 / (rows + columns))
    return nn.Parameter(_uniform((rows, columns), limit, generator))


def linear(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """Return a linear layer with weight and bias drawn uniformly from ±1/√inputs, torch's own default."""
    layer = nn.utils.skip_init(nn.Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    limit = 1.0 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.copy_(_uniform((outputs, inputs), limit, generator))
        layer.bias.copy_(_uniform((outputs,), limit, generator))
    return layer  # type: ignore[no-any-return]


def _uniform(shape: tuple[int, ...], limit: float, generator: torch.Generator) -> Tensor:
    return (torch.rand(shape, generator=generator) * 2.0 - 1.0) * limit
