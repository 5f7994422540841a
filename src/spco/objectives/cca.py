"""CCA-SSG's objective: correlated views, decorrelated columns."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def standardised(embedding: Tensor) -> Tensor:
    """Return the columns with mean 0 and standard deviation 1; constant columns become 0."""
    centred = embedding - embedding.mean(0)
    variance = centred.square().sum(0) / max(1, len(embedding) - 1)
    # The root has no gradient at 0, so the floor goes inside it.
    return centred / variance.clamp(min=torch.finfo(embedding.dtype).eps ** 2).sqrt()


def cca(first: Tensor, second: Tensor, *, decorrelation: float) -> Tensor:
    """Return the soft CCA loss of two (N, d) views.

        loss = −Σ_k c_kk + λ·(‖I − C_1‖² + ‖I − C_2‖²)

    with c = Z_1ᵀZ_2/N, C_v = Z_vᵀZ_v/N on standardised columns.

    References
    ----------
    Zhang et al., *From canonical correlation analysis to self-supervised graph neural networks*,
    NeurIPS 2021.
    """
    z1, z2 = standardised(first), standardised(second)
    invariance = (z1 * z2).sum() / len(z1)
    spread: Tensor = _Correlation.apply(z1) + _Correlation.apply(z2)  # type: ignore[no-untyped-call]
    return decorrelation * spread - invariance


class _Correlation(torch.autograd.Function):
    """‖I − ZᵀZ/N‖² with its gradient 4·Z(ZᵀZ/N − I)/N: one product each way, where autograd takes three."""

    @staticmethod
    def forward(ctx: Any, z: Tensor) -> Tensor:
        excess = z.T @ z / len(z)
        excess.diagonal().sub_(1.0)
        ctx.save_for_backward(z, excess)
        return excess.square().sum()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        z, excess = ctx.saved_tensors
        scaled: Tensor = (z @ excess) * (4.0 * gradient / len(z))
        return scaled
