"""Which of torch's devices this machine has."""

from __future__ import annotations

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
