"""InfoNCE with negatives from both views, in memory O(N·block)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from .._validation import check_integer, check_real, invalid
from ..dense import product

BLOCK = 256
# So many exponentials per node may be kept for the gradient; the others are computed again.
KEPT_PER_NODE = 4352
# No exponential is larger than e^60, so that no sum of them over a graph leaves the range of float32. At the
# smallest temperature all but opposite pairs stay above its lower end.
_LARGEST_EXPONENT = 60.0
_SMALLEST_TEMPERATURE = 0.01


class Scratch:
    """Memory for intermediate results, kept from call to call.

    A system hands out fresh memory page by page, each filled with zeros first; for a large block that takes
    as long as the arithmetic that fills it. Each taking gives up what was taken before.

    >>> import torch
    >>> scratch = Scratch()
    >>> first = scratch.take(6, like=torch.ones(1))
    >>> scratch.take(4, like=torch.ones(1)).data_ptr() == first.data_ptr()
    True
    """

    def __init__(self) -> None:
        self._memory: Tensor | None = None

    def take(self, count: int, *, like: Tensor) -> Tensor:
        """Return ``count`` numbers of any value, of the type and on the device of ``like``."""
        if self._memory is None or not _serves(self._memory, count, like):
            self._memory = None  # what is too small goes before more is asked for
            self._memory = like.new_empty(count)
        return self._memory[:count]


def _serves(memory: Tensor, count: int, like: Tensor) -> bool:
    # What was made in inference mode may not be written to outside of it.
    is_usable = torch.is_inference_mode_enabled() or not memory.is_inference()
    return len(memory) >= count and memory.dtype == like.dtype and memory.device == like.device and is_usable


def infonce(
    first: Tensor,
    second: Tensor,
    *,
    temperature: float,
    block: int = BLOCK,
    scratch: Scratch | None = None,
) -> Tensor:
    """Return GRACE's loss of two (N, d) views of the same nodes.

        ℓ_i = −log( e^{s(a_i, b_i)/τ} / (Σ_j e^{s(a_i, b_j)/τ} + Σ_{j≠i} e^{s(a_i, a_j)/τ}) )
        loss = (1/2N)·Σ_i [ℓ_i(a, b) + ℓ_i(b, a)],   s = cosine similarity

    Blocks of the similarities are made and used for value and gradient; as many as fit are kept in between,
    the others are made again. ``scratch`` keeps their memory for the next call. A cosine is at most 1, so
    where τ is small (0.01 is the least) a constant shift keeps e^{s/τ} from overflowing, and no running
    maximum is needed. There is no second derivative.

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
    temperature = check_temperature(temperature, "infonce")
    a, b = _unit_rows(first, second, "infonce")
    size = check_integer(block, "block", "infonce", minimum=1)
    needs_gradient = torch.is_grad_enabled() and (a.requires_grad or b.requires_grad)
    blocks = _Blocks(a, size, scratch or Scratch(), for_gradient=needs_gradient)
    loss: Tensor = _BlockedInfoNCE.apply(a, b, temperature, blocks)  # type: ignore[no-untyped-call]
    return loss


def sampled_infonce(first: Tensor, second: Tensor, *, temperature: float, negatives: Tensor) -> Tensor:
    """Return InfoNCE of every node against a shared sample of (M,) distinct nodes, in memory O(N·M).

    The sums over negatives are scaled by (N − 1)/M', M' the sampled nodes other than i itself, so that the
    denominators are unbiased estimates of those of :func:`infonce`, and equal when all nodes are drawn.
    """
    temperature = check_temperature(temperature, "sampled_infonce")
    a, b = _unit_rows(first, second, "sampled_infonce")
    shift, columns = _shift(temperature), torch.arange(len(negatives), device=a.device)
    positive = (a * b).sum(1) / temperature - shift
    others = torch.full_like(positive, float(len(negatives)))
    others[negatives] -= 1.0
    scale = (len(a) - 1) / others.clamp(min=1.0)

    def negative_sums(anchor: Tensor, partner: Tensor) -> Tensor:
        exponents = anchor @ partner[negatives].T / temperature - shift
        # A sampled node is no negative of itself. Taking e^{1/τ} off the sum would take the others with it.
        exponents[negatives, columns] = -torch.inf
        return exponents.exp().sum(1)

    def denominator(anchor: Tensor, partner: Tensor) -> Tensor:
        return positive.exp() + scale * (negative_sums(anchor, anchor) + negative_sums(anchor, partner))

    logs = denominator(a, b).log() + denominator(b, a).log()
    return 0.5 * logs.mean() - positive.mean()


def check_temperature(temperature: float, owner: str) -> float:
    """Return a temperature that float32 can work with, or raise."""
    return check_real(temperature, "temperature", owner, minimum=_SMALLEST_TEMPERATURE)


def _unit_rows(first: Tensor, second: Tensor, owner: str) -> tuple[Tensor, Tensor]:
    if first.shape != second.shape:
        got = f"{tuple(first.shape)} and {tuple(second.shape)}"
        raise invalid("second", owner, "have the shape of first: a row per node in both", got)
    return torch.nn.functional.normalize(first, dim=1), torch.nn.functional.normalize(second, dim=1)


def _shift(temperature: float) -> float:
    """Return what to take off every exponent s/τ."""
    return max(0.0, 1.0 / temperature - _LARGEST_EXPONENT)


class _BlockedInfoNCE(torch.autograd.Function):
    """The loss of unit rows a, b, and its gradient with it: no block outlives the call."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, temperature: float, blocks: _Blocks) -> Tensor:
        grad_a, grad_b = b * (-2.0), a * (-2.0)  # of the positive pairs, in units of 1 / (2·N·τ)
        across = _Exponentials(a, b, temperature, blocks)
        denominators = []
        for own, sums, gradient in zip((a, b), across.sums(), (grad_a, grad_b), strict=True):
            with blocks.borrowed():
                within = _Exponentials(own, None, temperature, blocks)
                denominator = sums + sum(within.sums())
                if blocks.for_gradient:
                    within.add_products(1.0 / denominator, 1.0 / denominator, gradient, gradient)
            denominators.append(denominator)
        if blocks.for_gradient:
            across.add_products(1.0 / denominators[0], 1.0 / denominators[1], grad_a, grad_b)
            ctx.save_for_backward(grad_a, grad_b)
            ctx.unit = 1.0 / (2.0 * len(a) * temperature)
        positive = (a * b).sum(1) / temperature - across.shift
        return 0.5 * (denominators[0].log() + denominators[1].log()).mean() - positive.mean()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        if torch.is_grad_enabled():  # by create_graph=True; what is saved does not know of a and b
            raise RuntimeError("infonce has no second derivative; create_graph must be False")
        grad_a, grad_b = ctx.saved_tensors
        unit = gradient * ctx.unit
        return grad_a * unit, grad_b * unit, None, None


class _Blocks:
    """Where blocks of rows of an N×N matrix go: places to keep them for the gradient, if there is to be one,
    and two that are used over and over.
    """

    def __init__(self, like: Tensor, size: int, scratch: Scratch, *, for_gradient: bool) -> None:
        self.for_gradient = for_gradient
        count = len(like)
        self.size = min(size, count)
        passing = self.size * count
        # Per node, the pairs across take N places, those within one view half as many and half a block.
        kept = min(KEPT_PER_NODE, (3 * count + self.size) // 2 + 1) * count if for_gradient else 0
        memory = scratch.take(kept + 2 * passing, like=like)
        self._free = memory[2 * passing :]
        self._values, self._weights = memory[:passing], memory[passing : 2 * passing]

    def lasting(self, shape: tuple[int, int]) -> Tensor | None:
        """Return a place that nobody else will get, if there is room for it."""
        entries = math.prod(shape)
        if entries > len(self._free):
            return None
        place, self._free = self._free[:entries].view(shape), self._free[entries:]
        return place

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """Take back at the end all lasting places that were given meanwhile."""
        free = self._free
        yield
        self._free = free

    def values(self, shape: tuple[int, int]) -> Tensor:
        """Return the place for values that are used at once."""
        return self._values[: math.prod(shape)].view(shape)

    def weights(self, shape: tuple[int, int]) -> Tensor:
        """Return the place for what they are multiplied with."""
        return self._weights[: math.prod(shape)].view(shape)


class _Exponentials:
    """E_ij = e^{⟨left_i, right_j⟩/τ − shift}, a block of columns at a time: BLAS makes tall products faster.

    Without ``right`` the pairs are those within ``left``: each pair once, i > j, for E is symmetric then.
    As many blocks as there is room for are kept until they are used again; the others are made anew.
    """

    def __init__(self, left: Tensor, right: Tensor | None, temperature: float, blocks: _Blocks) -> None:
        self.left, self.right = left, left if right is None else right
        self.within = right is None
        self.shift = _shift(temperature)
        self._scaled = self.right / temperature
        self._blocks = blocks
        self._kept: dict[int, Tensor] = {}

    def sums(self) -> tuple[Tensor, Tensor]:
        """Return the row sums and the column sums; blocks are kept on the way."""
        rows, columns = self.left.new_zeros(len(self.left)), self.left.new_zeros(len(self.right))
        for rest, part, shape in self._parts():
            place = self._blocks.lasting(shape)
            if place is not None:
                self._kept[part.start] = place
            values = self._made(rest, part, self._blocks.values(shape) if place is None else place)
            rows[rest] += values.sum(1)
            columns[part] += values.sum(0)
        return rows, columns

    def add_products(
        self, row_weight: Tensor, column_weight: Tensor, on_left: Tensor, on_right: Tensor
    ) -> None:
        """Add W·right to ``on_left`` and Wᵀ·left to ``on_right``.

        W_ij = E_ij·(row_weight_i + column_weight_j)
        """
        for rest, part, shape in self._parts():
            values = self._kept.get(part.start)
            if values is None:
                values = self._made(rest, part, self._blocks.values(shape))
            weights = self._blocks.weights(shape)
            torch.add(row_weight[rest, None], column_weight[None, part], out=weights)
            weights *= values
            on_left[rest] += product(weights, self.right[part])
            on_right[part] += product(weights.T, self.left[rest])

    def _parts(self) -> Iterator[tuple[slice, slice, tuple[int, int]]]:
        """Yield columns after the rows that go with them, and how many there are of both."""
        size = len(self.left)
        for start in range(0, len(self.right), self._blocks.size):
            stop, first = min(len(self.right), start + self._blocks.size), start if self.within else 0
            yield slice(first, size), slice(start, stop), (size - first, stop - start)

    def _made(self, rest: slice, part: slice, place: Tensor) -> Tensor:
        exponents = product(self.left[rest], self._scaled[part].T)
        if self.shift:
            exponents -= self.shift
        values = torch.exp(exponents, out=place)
        if self.within:
            values[: values.shape[1]].tril_(-1)
        return values
