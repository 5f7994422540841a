"""InfoNCE with negatives from both views, in memory O(N·block)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

BLOCK = 512


def infonce(first: Tensor, second: Tensor, *, temperature: float, block: int = BLOCK) -> Tensor:
    """Return GRACE's loss of two (N, d) views of the same nodes.

        ℓ_i = −log( e^{s(a_i, b_i)/τ} / (Σ_j e^{s(a_i, b_j)/τ} + Σ_{j≠i} e^{s(a_i, a_j)/τ}) )
        loss = (1/2N)·Σ_i [ℓ_i(a, b) + ℓ_i(b, a)],   s = cosine similarity

    Blocks of the similarity matrices are computed, used and dropped, and computed again for the gradient.
    A cosine is at most 1, so e^{(s−1)/τ} cannot overflow and no running maximum is needed.

    Examples
    --------
    >>> import torch
    >>> a = torch.eye(3)
    >>> round(float(infonce(a, a, temperature=1.0)), 4)      # −log(e / (e + 2 + 2))
    0.9048

    References
    ----------
    Zhu et al., *Deep graph contrastive representation learning*, 2020; eq. 1 of the paper.
    """
    a = torch.nn.functional.normalize(first, dim=1)
    b = torch.nn.functional.normalize(second, dim=1)
    loss: Tensor = _BlockedInfoNCE.apply(a, b, float(temperature), int(block))  # type: ignore[no-untyped-call]
    return loss


def sampled_infonce(first: Tensor, second: Tensor, *, temperature: float, negatives: Tensor) -> Tensor:
    """Return InfoNCE of every node against a shared sample of (M,) distinct nodes, in memory O(N·M).

    The sums over negatives are scaled by (N − 1)/M', M' the sampled nodes other than i itself, so that the
    denominators are unbiased estimates of those of :func:`infonce`, and equal when all nodes are drawn.
    """
    a = torch.nn.functional.normalize(first, dim=1)
    b = torch.nn.functional.normalize(second, dim=1)
    positive = (a * b).sum(1)
    sampled = torch.zeros_like(positive)
    sampled[negatives] = 1.0
    scale = (len(a) - 1) / (len(negatives) - sampled).clamp(min=1.0)
    exponential = torch.exp((positive - 1.0) / temperature)

    def denominator(anchor: Tensor, partner: Tensor) -> Tensor:
        within = torch.exp((anchor @ anchor[negatives].T - 1.0) / temperature).sum(1) - sampled
        across = torch.exp((anchor @ partner[negatives].T - 1.0) / temperature).sum(1) - sampled * exponential
        return exponential + scale * (within + across).clamp(min=0.0)

    logs = denominator(a, b).log() + denominator(b, a).log()
    return 0.5 * logs.mean() - ((positive - 1.0) / temperature).mean()


def _slices(size: int, block: int) -> Iterator[slice]:
    for start in range(0, size, block):
        yield slice(start, min(size, start + block))


class _BlockedInfoNCE(torch.autograd.Function):
    """The loss of unit rows a, b; the forward pass keeps the two vectors of denominators only."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, temperature: float, block: int) -> Tensor:
        across_a, across_b = _sums_across(a, b, temperature, block)
        denominator_a = across_a + _sums_within(a, temperature, block)
        denominator_b = across_b + _sums_within(b, temperature, block)
        ctx.save_for_backward(a, b, denominator_a, denominator_b)
        ctx.temperature, ctx.block = temperature, block
        positive = ((a * b).sum(1) - 1.0) / temperature
        return 0.5 * (denominator_a.log() + denominator_b.log()).mean() - positive.mean()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        a, b, denominator_a, denominator_b = ctx.saved_tensors
        temperature, block = ctx.temperature, ctx.block
        grad_a = b * (-2.0)  # of the positive pairs, in units of 1 / (2·N·τ)
        grad_b = a * (-2.0)
        weight_a, weight_b = 1.0 / denominator_a, 1.0 / denominator_b
        _add_across(a, b, weight_a, weight_b, grad_a, grad_b, temperature, block)
        _add_within(a, weight_a, grad_a, temperature, block)
        _add_within(b, weight_b, grad_b, temperature, block)
        unit = gradient / (2.0 * len(a) * temperature)
        return grad_a * unit, grad_b * unit, None, None


def _exponentials(left: Tensor, right: Tensor, temperature: float) -> Tensor:
    """Return e^{(⟨left_i, right_j⟩ − 1)/τ}."""
    scaled = torch.addmm(left.new_full((1,), -1.0 / temperature), left, right.T, alpha=1.0 / temperature)
    return scaled.exp_()


def _sums_across(a: Tensor, b: Tensor, temperature: float, block: int) -> tuple[Tensor, Tensor]:
    """Return the row sums and the column sums of the exponentials between the views."""
    rows, columns = a.new_empty(len(a)), a.new_zeros(len(b))
    for part in _slices(len(a), block):
        values = _exponentials(a[part], b, temperature)
        rows[part] = values.sum(1)
        columns += values.sum(0)
    return rows, columns


def _sums_within(a: Tensor, temperature: float, block: int) -> Tensor:
    """Return the row sums of the exponentials within a view, without the diagonal, from half of them."""
    sums = a.new_zeros(len(a))
    for part in _slices(len(a), block):
        values = _exponentials(a[part], a[part.start :], temperature)
        own = len(values)
        values[:, :own].fill_diagonal_(0.0)
        sums[part] += values.sum(1)
        sums[part.stop :] += values[:, own:].sum(0)
    return sums


def _add_across(
    a: Tensor,
    b: Tensor,
    weight_a: Tensor,
    weight_b: Tensor,
    grad_a: Tensor,
    grad_b: Tensor,
    temperature: float,
    block: int,
) -> None:
    for part in _slices(len(a), block):
        values = _exponentials(a[part], b, temperature)
        values *= weight_a[part, None] + weight_b[None, :]
        grad_a[part] += values @ b
        grad_b.addmm_(values.T, a[part])


def _add_within(a: Tensor, weight: Tensor, grad: Tensor, temperature: float, block: int) -> None:
    for part in _slices(len(a), block):
        rest = slice(part.start, len(a))
        values = _exponentials(a[part], a[rest], temperature)
        own = len(values)
        values[:, :own].fill_diagonal_(0.0)
        values *= weight[part, None] + weight[None, rest]
        grad[part] += values @ a[rest]
        grad[part.stop :].addmm_(values[:, own:].T, a[part])
