"""Products of dense matrices by the fastest library that torch brings along."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor


def product(left: Tensor, right: Tensor) -> Tensor:
    """Return left·right, without autograd.

    torch multiplies float32 matrices on the CPU by MKL, which leaves AVX-512 unused on processors that are
    not Intel's. oneDNN, which torch brings along for neural networks, uses it: a tall product takes 2.7 ms
    instead of 5.7 there. Where oneDNN is missing, and for other types and devices, this is ``torch.mm``.

    >>> import torch
    >>> product(torch.eye(2), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    linear = _onednn_linear()
    if linear is None or left.device.type != "cpu" or left.dtype != torch.float32 or not left.numel():
        return torch.mm(left, right)
    return linear(left, right)


def times(left: Tensor, right: Tensor) -> Tensor:
    """Return left·right of two matrices by :func:`product`, differentiable in both.

    Rows of another kind than a tensor, which are computed when they are asked for, multiply in their own way.

    >>> import torch
    >>> weight = torch.ones(2, 1, requires_grad=True)
    >>> times(torch.tensor([[1.0, 2.0]]), weight).backward()
    >>> weight.grad.tolist()
    [[1.0], [2.0]]
    """
    if not isinstance(left, Tensor):
        return left @ right  # type: ignore[unreachable]
    found: Tensor = _Times.apply(left, right)  # type: ignore[no-untyped-call]
    return found


class _Times(torch.autograd.Function):
    """Y = A·B with dA = dY·Bᵀ and dB = Aᵀ·dY."""

    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor) -> Tensor:
        ctx.save_for_backward(left, right)
        return product(left, right)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None]:
        left, right = ctx.saved_tensors
        of_left, of_right = ctx.needs_input_grad
        return (
            product(gradient, right.T) if of_left else None,
            product(left.T, gradient) if of_right else None,
        )


@cache
def _onednn_linear() -> Callable[[Tensor, Tensor], Tensor] | None:
    """Return oneDNN's product if this torch has it. It has no public name, so it is tried out first."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return None

    def linear(left: Tensor, right: Tensor) -> Tensor:
        found: Tensor = torch.ops.mkldnn._linear_pointwise(left, right.T, None, "none", [], "")
        return found

    left, right = torch.arange(6.0).view(2, 3), torch.arange(12.0).view(3, 4)
    try:
        works = torch.equal(linear(left, right), left @ right)
    except (AttributeError, RuntimeError, TypeError):
        return None
    return linear if works else None
