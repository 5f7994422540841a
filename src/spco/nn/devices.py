"""Torch's devices: which of them this machine has, and their global random states."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache

import torch

from .._validation import invalid, shown

_KINDS = ("cpu", "cuda", "mps", "xpu")
# What torch raises for a name it does not know, a kind it was built without, and one that computes nothing.
_UNUSABLE = (RuntimeError, AssertionError, ImportError, AttributeError, TypeError)


def usable_device(device: torch.device | str, owner: str, *, parameter: str = "device") -> torch.device:
    """Return a device that torch can compute on here; refuse any other, and say which there are.

    >>> usable_device("cpu", "example")
    device(type='cpu')
    """
    name = str(device)
    if not _computes(name):
        here = ", ".join(repr(kind) for kind in _KINDS if _computes(kind))
        must = f"be a device that torch can use on this machine ({here})"
        raise invalid(parameter, owner, must, shown(name if isinstance(device, torch.device) else device))
    return torch.device(name)


@cache
def _computes(name: str) -> bool:
    try:
        torch.zeros(1, device=name).item()
    except _UNUSABLE:
        return False
    return True


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
    is_cpu = where.type == "cpu"
    with torch.random.fork_rng(
        devices=[] if is_cpu else [where], device_type="cuda" if is_cpu else where.type
    ):
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
