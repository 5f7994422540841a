"""CCA-SSG's objective: correlated views, decorrelated columns."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..dense import product

_ROUNDING = 4.0  # units in the last place that a mean may be off by


def cca(first: Tensor, second: Tensor, *, decorrelation: float) -> Tensor:
    """Return the soft CCA loss of two (N, d) views.

        loss = −Σ_k c_kk + λ·(‖I − C_1‖² + ‖I − C_2‖²)

    with c = Z_1ᵀZ_2/N, C_v = Z_vᵀZ_v/N on columns of mean 0 and standard deviation 1; constant columns are 0.

    References
    ----------
    Zhang et al., *From canonical correlation analysis to self-supervised graph neural networks*,
    NeurIPS 2021.
    """
    loss: Tensor = _SoftCCA.apply(first, second, float(decorrelation))  # type: ignore[no-untyped-call]
    return loss


class _SoftCCA(torch.autograd.Function):
    """The loss with its gradient written out: one product with a (d, d) matrix per view and direction.

    dloss/dZ_1 = G = (4λ·Z_1·E_1 − Z_2)/N with E_1 = C_1 − I. Through the standardising, columns lose what
    they have along ones, which is nothing, for Z has none, and along themselves:
    dloss/dH_1 = (G − Z_1·diag(Z_1ᵀG)/(N − 1))/σ, where Z_1ᵀG follows from C_1 and c.
    """

    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor, decorrelation: float) -> Tensor:
        z1, inverse1 = _standardised(first)
        z2, inverse2 = _standardised(second)
        excess1, excess2 = _excess(z1), _excess(z2)
        correlation = (z1 * z2).sum(0) / len(z1)
        ctx.save_for_backward(z1, z2, inverse1, inverse2, excess1, excess2, correlation)
        ctx.decorrelation = decorrelation
        return decorrelation * (excess1.square().sum() + excess2.square().sum()) - correlation.sum()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        z1, z2, inverse1, inverse2, excess1, excess2, correlation = ctx.saved_tensors
        unit = float(gradient) / len(z1)
        spread = 4.0 * ctx.decorrelation * unit

        def through(own: Tensor, other: Tensor, excess: Tensor, inverse: Tensor) -> Tensor:
            size = len(own)
            inner = spread * (excess.square().sum(0) + excess.diagonal()) - unit * correlation
            mixing = excess * spread
            mixing.diagonal().sub_(inner * (size / max(1, size - 1)))
            return product(own, mixing).sub_(other, alpha=unit).mul_(inverse)

        return through(z1, z2, excess1, inverse1), through(z2, z1, excess2, inverse2), None


def _standardised(embedding: Tensor) -> tuple[Tensor, Tensor]:
    """Return the columns with mean 0 and standard deviation 1, and the inverses of what they had."""
    centred = embedding - embedding.mean(0)
    variance = (centred * centred).sum(0) / max(1, len(embedding) - 1)
    smallest = torch.finfo(embedding.dtype).eps
    inverse = variance.clamp(min=smallest**2).rsqrt()
    # Equal numbers differ from their mean by rounding; divided by so little, that would count as a signal.
    is_constant = variance <= (_ROUNDING * smallest * embedding.abs().amax(0)).square()
    inverse = inverse.masked_fill(is_constant, 0.0)
    return centred.mul_(inverse), inverse


def _excess(z: Tensor) -> Tensor:
    """Return ZᵀZ/N − I."""
    excess = product(z.T, z) / len(z)
    excess.diagonal().sub_(1.0)
    return excess
