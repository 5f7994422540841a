"""Several processes, on one machine or more, that share every step by torch.distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from ..._random import RandomState, as_generator
from ..._validation import invalid
from ...errors import LostProcessError, SpcoError

T = TypeVar("T")


class Ranks:
    """This process as one of those of the process group, which must be there.

    Collectives go by gloo for tensors on the CPU and by NCCL for those on a GPU. Sums are made in an order
    that does not depend on timing, and every process gets the same bits.
    """

    def __init__(self) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.is_writer = self.rank == 0

    def fill(self, array: np.ndarray, bounds: np.ndarray) -> None:
        """Put each process's part of the array, rows bounds[p] to bounds[p + 1], into everyone's array."""
        parts = [torch.from_numpy(array[first:last]) for first, last in pairwise(bounds)]
        with _answering():
            sent = [
                dist.broadcast(part, rank, async_op=True) for rank, part in enumerate(parts) if part.numel()
            ]
            for work in sent:
                work.wait()

    def sum(self, values: Tensor) -> Tensor:
        total: Tensor = _Sum.apply(values)  # type: ignore[no-untyped-call]
        return total

    def gather(self, rows: Tensor) -> Tensor:
        counts = torch.zeros(self.size, dtype=torch.int64, device=rows.device)
        counts[self.rank] = len(rows)
        _all_reduce(counts)
        before, after = int(counts[: self.rank].sum()), int(counts[self.rank + 1 :].sum())
        # Zeros where others have their rows: the sum puts all rows together, and so does its gradient.
        padding = [0, 0] * (rows.ndim - 1) + [before, after]
        return self.sum(nn.functional.pad(rows, padding))

    def prepare(self, model: nn.Module) -> None:
        state = model.state_dict()
        shapes = {name: tuple(value.shape) for name, value in state.items()}
        if self.anywhere(self.agreed(lambda: shapes) != shapes):
            must = "be the same in all processes of a job, which train it together"
            raise invalid("model", "Trainer", must, "models of different shapes")
        with _answering():
            for value in state.values():
                dist.broadcast(value, 0)

    def reduce(self, loss: Tensor, parameters: Iterable[nn.Parameter]) -> float:
        gradients = [weight.grad for weight in parameters if weight.grad is not None]
        # All in one message.
        parts = [*gradients, loss.detach()]
        flat = torch.cat([part.reshape(-1) for part in parts])
        _all_reduce(flat)
        *sums, total = torch.split(flat, [part.numel() for part in parts])
        for gradient, summed in zip(gradients, sums, strict=True):
            gradient.copy_(summed.view_as(gradient))
        return float(total)

    def generator(self, random_state: RandomState, owner: str) -> np.random.Generator:
        return self.agreed(lambda: as_generator(random_state, owner))

    def agreed(self, make: Callable[[], T]) -> T:
        found: list[Any] = [None, None]
        if self.is_writer:
            try:
                found[0] = make()
            except SpcoError as error:
                found[1] = error
        with _answering():
            dist.broadcast_object_list(found, 0, device=torch.device("cpu"))
        if found[1] is not None:
            raise found[1]
        made: T = found[0]
        return made

    def anywhere(self, flag: bool) -> bool:
        counted = torch.tensor(int(flag))
        _all_reduce(counted)
        return bool(counted)


class _Sum(torch.autograd.Function):
    """S = Σ_p X_p in every process p. The loss is Σ_p loss_p, so that dX_p = Σ_q dloss_q/dS."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:  # noqa: ARG004
        return _all_reduce(values.clone())

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:  # noqa: ARG004
        return _all_reduce(gradient.clone())


def _all_reduce(values: Tensor) -> Tensor:
    values = values.contiguous()
    with _answering():
        dist.all_reduce(values)
    return values


@contextmanager
def _answering() -> Iterator[None]:
    """Name the error if another process does not take part."""
    try:
        yield
    except RuntimeError as error:
        raise LostProcessError(
            "Another process of this job has ended or does not answer; what it said is above.\n"
            "hint: start the job again; what `spco train --out` has begun goes on with --resume, and by "
            "itself with `torchrun --max-restarts 1`"
        ) from error
