"""Memory that a loss uses again in the next epoch."""

from __future__ import annotations

from torch import Tensor


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
        memory = self._memory
        if (
            memory is None
            or len(memory) < count
            or memory.dtype != like.dtype
            or memory.device != like.device
        ):
            memory = self._memory = like.new_empty(count)
        return memory[:count]
