"""InfoNCE between two views alone, as eq. 1 of the paper prints it, for narrow embeddings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from ...objectives import Scratch

# This many rows of exponentials stay in the cache between their uses.
_ROWS = 64


def infonce_between(
    first: Tensor, second: Tensor, *, temperature: float, scratch: Scratch | None = None
) -> Tensor:
    """Return the loss of two (N, d) views of the same nodes; all negatives come from the other view.

        ℓ_i(a, b) = −log( e^{s(a_i, b_i)/τ} / Σ_k e^{s(a_i, b_k)/τ} ),   s = cosine similarity
        loss = (1/2N)·Σ_i [ℓ_i(a, b) + ℓ_i(b, a)]

    This is the negative of eq. 1. :func:`spco.objectives.infonce` is GRACE's form, whose denominators also
    hold the nodes of the same view. The (N, N) exponentials are computed once for value and gradient;
    ``scratch`` keeps their memory for the next call.

    Examples
    --------
    >>> import torch
    >>> a = torch.eye(3)
    >>> round(float(infonce_between(a, a, temperature=1.0)), 4)      # −log(e / (e + 2))
    0.5514
    """
    a = torch.nn.functional.normalize(first, dim=1)
    b = torch.nn.functional.normalize(second, dim=1)
    exponentials = (scratch or Scratch()).take(len(a) ** 2, like=a).view(len(a), len(a))
    loss: Tensor = _InfoNCEBetween.apply(a, b, float(temperature), exponentials)  # type: ignore[no-untyped-call]
    return loss


class _InfoNCEBetween(torch.autograd.Function):
    """The loss of unit rows. Factors are transposed: BLAS is several times faster with few long rows."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, temperature: float, exponentials: Tensor) -> Tensor:
        size, width = a.shape
        a_wide, b_wide = a.T.contiguous(), b.T.contiguous()
        ones = a.new_ones(1, size)
        with_a, with_b = torch.cat([ones, a_wide]), torch.cat([ones, b_wide])
        # The first row holds the sums of exponentials, the others these sums weighted by b and by a.
        by_row, by_column = a.new_empty(width + 1, size), a.new_zeros(width + 1, size)
        shift = a.new_full((1,), -1.0 / temperature)  # a cosine is at most 1, so nothing overflows
        for part in _parts(size):
            block = exponentials[part]
            torch.addmm(shift, a[part], b_wide, alpha=1.0 / temperature, out=block)
            block.exp_()
            by_row[:, part] = with_b @ block.T
            by_column.addmm_(with_a[:, part], block)
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(*_gradients(a_wide, b_wide, exponentials, by_row, by_column))
            ctx.unit = 1.0 / (2.0 * size * temperature)
        positive = ((a * b).sum(1) - 1.0) / temperature
        return 0.5 * (by_row[0].log().mean() + by_column[0].log().mean()) - positive.mean()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        grad_a, grad_b = ctx.saved_tensors
        unit = gradient * ctx.unit
        return (grad_a * unit).T, (grad_b * unit).T, None, None


def _gradients(
    a_wide: Tensor, b_wide: Tensor, exponentials: Tensor, by_row: Tensor, by_column: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the transposed gradients in units of 1 / (2·N·τ)."""
    a_shares, b_shares = a_wide / by_row[0], b_wide / by_column[0]
    # The softmax over a view's own row or column, and the positive pair of both directions.
    grad_a = by_row[1:] / by_row[0] - 2.0 * b_wide
    grad_b = by_column[1:] / by_column[0] - 2.0 * a_wide
    for part in _parts(len(exponentials)):
        block = exponentials[part]
        grad_a[:, part] += b_shares @ block.T
        grad_b.addmm_(a_shares[:, part], block)
    return grad_a, grad_b


def _parts(size: int) -> Iterator[slice]:
    return (slice(start, start + _ROWS) for start in range(0, size, _ROWS))
