"""Dropout from explicit generators; the global random state is never used, or put back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np
import torch
from torch import Tensor


def kept(shape: tuple[int, ...], p: float, rng: np.random.Generator) -> np.ndarray:
    """Return a mask of 0 with probability ``p`` and 1/(1 − p) otherwise, float32."""
    mask = (rng.random(shape, dtype=np.float32) >= p).astype(np.float32)
    return mask / np.float32(1.0 - p) if p < 1 else mask


def dropped(values: Tensor, p: float, rng: np.random.Generator) -> Tensor:
    """Return the values, each set to zero with probability ``p`` and the rest scaled by 1/(1 − p).

    >>> import numpy as np, torch
    >>> out = dropped(torch.ones(1000), 0.5, np.random.default_rng(0))
    >>> sorted(set(out.tolist())), bool(450 < out.count_nonzero() < 550)
    ([0.0, 2.0], True)
    """
    if p == 0:
        return values
    return values * torch.from_numpy(kept(tuple(values.shape), p, rng)).to(values.device, values.dtype)


@contextmanager
def seeded(seed: int, device: torch.device | str = "cpu") -> Iterator[None]:
    """Let foreign modules draw from torch's global state as if it had this seed; it is put back after.

    >>> before = torch.get_rng_state()
    >>> with seeded(0):
    ...     first = torch.rand(1)
    >>> with seeded(0):
    ...     torch.equal(torch.rand(1), first)
    True
    >>> torch.equal(torch.get_rng_state(), before)
    True
    """
    where = torch.device(device)
    with torch.random.fork_rng(devices=[] if where.type == "cpu" else [where], device_type=_kind(where)):
        _seed_one(where, seed)
        yield


def _seed_one(device: torch.device, seed: int) -> None:
    """Seed the processor and one device; ``torch.manual_seed`` would seed all there are."""
    torch.default_generator.manual_seed(seed)
    if device.type == "cpu":
        return
    module = torch.get_device_module(device)
    is_numbered = ":" in str(device)
    with module.device(device.index) if is_numbered else nullcontext():
        module.manual_seed(seed)


def _kind(device: torch.device) -> str:
    return "cuda" if device.type == "cpu" else device.type
