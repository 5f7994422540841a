"""Small layers and their initial weights; all randomness comes from explicit generators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .._registry import Registry
from ..dense import times
from .peers import NO_PEERS, Peers

_SMALL_VARIANCE = 1e-5  # torch's, of batch normalisation


def glorot(rows: int, columns: int, generator: torch.Generator) -> nn.Parameter:
    """Return a (rows, columns) weight drawn uniformly from ±√(6/(rows + columns))."""
    limit = math.sqrt(6.0 / (rows + columns))
    return nn.Parameter(_uniform((rows, columns), limit, generator))


class _Linear(nn.Linear):
    """torch's linear layer of matrices, multiplied as :mod:`spco.dense` does it."""

    def forward(self, values: Tensor) -> Tensor:
        return times(values, self.weight.T) + self.bias


def linear(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """Return a linear layer with weight and bias drawn uniformly from ±1/√inputs, torch's own default."""
    layer = nn.utils.skip_init(_Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    limit = 1.0 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.copy_(_uniform((outputs, inputs), limit, generator))
        layer.bias.copy_(_uniform((outputs,), limit, generator))
    return layer  # type: ignore[no-any-return]


def _uniform(shape: tuple[int, ...], limit: float, generator: torch.Generator) -> Tensor:
    return (torch.rand(shape, generator=generator) * 2.0 - 1.0) * limit


def dropout_mask(shape: tuple[int, ...], p: float, rng: np.random.Generator) -> np.ndarray:
    """Return a mask of 0 with probability ``p`` and 1/(1 − p) otherwise, float32."""
    mask = (rng.random(shape, dtype=np.float32) >= p).astype(np.float32)
    return mask / np.float32(1.0 - p) if p < 1 else mask


def dropped(values: Tensor, p: float, rng: np.random.Generator) -> Tensor:
    """Return the values, each set to zero with probability ``p`` and the rest scaled by 1/(1 − p).

    >>> import numpy as np, torch
    >>> out = dropped(torch.ones(1000), 0.5, np.random.default_rng(0))
    >>> sorted(set(out.tolist())), bool(450 < out.count_nonzero() < 550)
    ([0.0, 2.0], True)
    """
    if p == 0:
        return values
    return values * torch.from_numpy(dropout_mask(tuple(values.shape), p, rng)).to(
        values.device, values.dtype
    )


class PReLU(nn.Module):
    """max(x, 0) + a·min(x, 0) with one learnt slope a.

    The same as torch's module, whose gradient on the CPU takes ten times as long as that of the leaky ReLU it
    is made of here.

    Examples
    --------
    >>> import torch
    >>> PReLU()(torch.tensor([-4.0, 4.0])).tolist()
    [-1.0, 4.0]
    """

    def __init__(self, slope: float = 0.25) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((1,), slope))

    def forward(self, values: Tensor) -> Tensor:
        if not torch.is_grad_enabled():
            return nn.functional.leaky_relu(values, float(self.weight))
        activated: Tensor = _PReLU.apply(values, self.weight)  # type: ignore[no-untyped-call]
        return activated


class _PReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, slope: Tensor) -> Tensor:
        ctx.save_for_backward(values)
        ctx.slope = float(slope)
        return nn.functional.leaky_relu(values, ctx.slope)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        (values,) = ctx.saved_tensors
        negative = values.clamp(max=0.0)
        of_slope = torch.dot(gradient.reshape(-1), negative.reshape(-1)).reshape(1)
        of_values = torch.ops.aten.leaky_relu_backward(gradient, values, ctx.slope, False)
        return of_values, of_slope


class ColumnNorm(nn.Module):
    """Columns of mean 0 and deviation 1, then a learnt scale and shift: batch normalisation without memory.

        y = s·(x − mean x)/√(var x + 10⁻⁵) + t

    Mean and variance are always those of the rows at hand, in training and afterwards. A single row, which
    has no deviation, becomes t. Where processes share the rows, ``peers`` makes them those of all.

    Examples
    --------
    >>> import torch
    >>> ColumnNorm(1)(torch.tensor([[1.0], [3.0]])).round(decimals=3).tolist()
    [[-1.0], [1.0]]
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))
        self.peers: Peers = NO_PEERS

    def forward(self, values: Tensor) -> Tensor:
        if self.peers.size > 1:
            return self._among_peers(values)
        if len(values) == 1:
            return self.shift + 0.0 * self.scale * values
        return nn.functional.batch_norm(values, None, None, self.scale, self.shift, training=True)

    def _among_peers(self, values: Tensor) -> Tensor:
        count = self.peers.sum(values.new_tensor(float(len(values))))
        centred = values - self.peers.sum(values.sum(0)) / count
        variance = self.peers.sum(centred.square().sum(0)) / count
        return self.scale * centred * (variance + _SMALL_VARIANCE).rsqrt() + self.shift


ACTIVATIONS: Registry[type[nn.Module]] = Registry(
    "activation", {"relu": nn.ReLU, "prelu": PReLU, "elu": nn.ELU, "identity": nn.Identity}
)


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
    """Scores of nodes against a summary: h·W·s + b (DGI).

    W starts by Glorot's rule. With ``as_tensor`` that is the rule for a 1×w×w tensor, uniform in
    ±√(6/(w² + w)), as torch's bilinear layer has it: much smaller numbers.
    """

    def __init__(self, width: int, *, generator: torch.Generator, as_tensor: bool = False) -> None:
        super().__init__()
        self.weight = glorot(width, width, generator)
        if as_tensor:
            self.weight.data *= math.sqrt(2.0 / (width + 1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, embedding: Tensor, summary: Tensor) -> Tensor:
        return embedding @ (self.weight @ summary) + self.bias
