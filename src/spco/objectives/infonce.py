"""InfoNCE with negatives from both views, in memory O(N·block)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

BLOCK = 256
# So many numbers per node may be kept from the forward pass for the gradient; the rest is computed again.
KEPT_PER_NODE = 4608
# Up to this 1/τ no exponential, and no sum of them over a graph, leaves the range of float32.
_LARGEST_EXPONENT = 40.0


def infonce(first: Tensor, second: Tensor, *, temperature: float, block: int = BLOCK) -> Tensor:
    """Return GRACE's loss of two (N, d) views of the same nodes.

        ℓ_i = −log( e^{s(a_i, b_i)/τ} / (Σ_j e^{s(a_i, b_j)/τ} + Σ_{j≠i} e^{s(a_i, a_j)/τ}) )
        loss = (1/2N)·Σ_i [ℓ_i(a, b) + ℓ_i(b, a)],   s = cosine similarity

    Blocks of the similarity matrices are computed and used; a limited number is kept for the gradient, the
    others are dropped and computed again. A cosine is at most 1, so a constant shift keeps
    e^{s/τ} in range where τ is tiny, and no running maximum is needed.

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


class _BlockedInfoNCE(torch.autograd.Function):
    """The loss of unit rows a, b."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, temperature: float, block: int) -> Tensor:
        room = KEPT_PER_NODE * len(a) if any(ctx.needs_input_grad) else 0
        across = _Exponentials(a, b, temperature, block, room=room)
        within_a = _Exponentials(a, None, temperature, block, room=across.room_left)
        within_b = _Exponentials(b, None, temperature, block, room=within_a.room_left)
        row_sums, column_sums = across.sums()
        denominator_a = row_sums + sum(within_a.sums())
        denominator_b = column_sums + sum(within_b.sums())
        ctx.save_for_backward(a, b, denominator_a, denominator_b)
        ctx.temperature, ctx.exponentials = temperature, (across, within_a, within_b)
        positive = (a * b).sum(1) / temperature - across.shift
        return 0.5 * (denominator_a.log() + denominator_b.log()).mean() - positive.mean()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        a, b, denominator_a, denominator_b = ctx.saved_tensors
        across, within_a, within_b = ctx.exponentials
        grad_a = b * (-2.0)  # of the positive pairs, in units of 1 / (2·N·τ)
        grad_b = a * (-2.0)
        weight_a, weight_b = 1.0 / denominator_a, 1.0 / denominator_b
        across.add_products(weight_a, weight_b, grad_a, grad_b)
        within_a.add_products(weight_a, weight_a, grad_a, grad_a)
        within_b.add_products(weight_b, weight_b, grad_b, grad_b)
        unit = gradient / (2.0 * len(a) * ctx.temperature)
        return grad_a * unit, grad_b * unit, None, None


class _Exponentials:
    """E_ij = e^{⟨left_i, right_j⟩/τ − shift}, a block of rows at a time.

    Without ``right`` the pairs are those within ``left``: each pair once, i < j, for E is symmetric then.
    As many blocks as there is room for are kept until they are used again; the others are made anew.
    """

    def __init__(
        self, left: Tensor, right: Tensor | None, temperature: float, block: int, *, room: int
    ) -> None:
        self.left, self.right = left, left if right is None else right
        self.within = right is None
        self.block, self.shift = block, 0.0 if temperature * _LARGEST_EXPONENT >= 1.0 else 1.0 / temperature
        self._scaled = left / temperature
        self._kept: dict[int, Tensor] = {}
        self._to_keep: set[int] = set()
        for part, rest in self._parts():
            entries = (part.stop - part.start) * (rest.stop - rest.start)
            if entries > room:
                break
            room -= entries
            self._to_keep.add(part.start)
        self.room_left = room

    def sums(self) -> tuple[Tensor, Tensor]:
        """Return the row sums and the column sums; blocks are kept on the way."""
        rows, columns = self.left.new_zeros(len(self.left)), self.left.new_zeros(len(self.right))
        for part, rest in self._parts():
            values = self._made(part, rest)
            rows[part] += values.sum(1)
            columns[rest] += values.sum(0)
            if part.start in self._to_keep:
                self._kept[part.start] = values
        return rows, columns

    def add_products(
        self, row_weight: Tensor, column_weight: Tensor, on_left: Tensor, on_right: Tensor
    ) -> None:
        """Add W·right to ``on_left`` and Wᵀ·left to ``on_right``.

        W_ij = E_ij·(row_weight_i + column_weight_j)
        """
        for part, rest in self._parts():
            values = self._kept.pop(part.start, None)
            if values is None:
                values = self._made(part, rest)
            weights = row_weight[part, None] + column_weight[None, rest]
            weights *= values
            on_left[part].addmm_(weights, self.right[rest])
            on_right[rest].addmm_(weights.T, self.left[part])

    def _parts(self) -> Iterator[tuple[slice, slice]]:
        """Yield rows and the columns that go with them."""
        size = len(self.right)
        for start in range(0, len(self.left), self.block):
            part = slice(start, min(len(self.left), start + self.block))
            yield part, slice(start if self.within else 0, size)

    def _made(self, part: slice, rest: slice) -> Tensor:
        values = self._scaled[part] @ self.right[rest].T
        if self.shift:
            values -= self.shift
        values.exp_()
        if self.within:
            values[:, : len(values)].triu_(1)
        return values
