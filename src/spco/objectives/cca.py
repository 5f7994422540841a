"""CCA-SSG's objective: correlated views, decorrelated columns."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


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
    """The loss with its gradient written out: two products with (d, d) matrices, where autograd takes six.

    dloss/dZ_1 = (4λ·Z_1·(C_1 − I) − Z_2)/N, and likewise for the other view.
    """

    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor, decorrelation: float) -> Tensor:
        z1, inverse1 = _standardised(first)
        z2, inverse2 = _standardised(second)
        excess1, excess2 = _excess(z1), _excess(z2)
        ctx.save_for_backward(z1, z2, inverse1, inverse2, excess1, excess2)
        ctx.decorrelation = decorrelation
        invariance = torch.dot(z1.view(-1), z2.view(-1)) / len(z1)
        return decorrelation * (excess1.square().sum() + excess2.square().sum()) - invariance

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        z1, z2, inverse1, inverse2, excess1, excess2 = ctx.saved_tensors
        size, unit = len(z1), float(gradient)
        alpha, beta = 4.0 * ctx.decorrelation * unit / size, -unit / size
        of_first = _through_standardising(torch.addmm(z2, z1, excess1, alpha=alpha, beta=beta), z1, inverse1)
        of_second = _through_standardising(torch.addmm(z1, z2, excess2, alpha=alpha, beta=beta), z2, inverse2)
        return of_first, of_second, None


def _standardised(embedding: Tensor) -> tuple[Tensor, Tensor]:
    """Return the columns with mean 0 and standard deviation 1, and the inverses of what they had."""
    centred = embedding - embedding.mean(0)
    variance = torch.linalg.vector_norm(centred, dim=0).square() / max(1, len(embedding) - 1)
    inverse = variance.clamp(min=torch.finfo(embedding.dtype).eps ** 2).rsqrt()
    return centred.mul_(inverse), inverse


def _excess(z: Tensor) -> Tensor:
    """Return ZᵀZ/N − I."""
    excess = z.T @ z / len(z)
    excess.diagonal().sub_(1.0)
    return excess


def _through_standardising(gradient: Tensor, z: Tensor, inverse: Tensor) -> Tensor:
    """Turn the gradient of Z, in place, into that of the columns before they were standardised."""
    along = (gradient * z).sum(0) / max(1, len(z) - 1)
    return gradient.sub_(gradient.mean(0)).addcmul_(z, along, value=-1.0).mul_(inverse)
