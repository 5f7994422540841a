"""Memory that a loss uses again in the next epoch."""

from __future__ import annotations

import torch
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
        if self._memory is None or not _serves(self._memory, count, like):
            self._memory = None  # what is too small goes before more is asked for
            self._memory = like.new_empty(count)
        return self._memory[:count]


def _serves(memory: Tensor, count: int, like: Tensor) -> bool:
    # What was made in inference mode may not be written to outside of it.
    is_usable = torch.is_inference_mode_enabled() or not memory.is_inference()
    return len(memory) >= count and memory.dtype == like.dtype and memory.device == like.device and is_usable
