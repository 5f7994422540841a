"""CCA-SSG's objective: correlated views, decorrelated columns."""

from __future__ import annotations

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
    Zhang et al., *From canonical correlation analysis to self-supervised graph neural networks*, NeurIPS 2021.
    """
    z1, z2 = standardised(first), standardised(second)
    size, width = z1.shape
    invariance = (z1 * z2).sum() / size
    identity = torch.eye(width, dtype=z1.dtype, device=z1.device)
    spread = sum(((identity - z.T @ z / size).square().sum() for z in (z1, z2)), z1.new_zeros(()))
    return decorrelation * spread - invariance
