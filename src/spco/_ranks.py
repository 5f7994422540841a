"""What the environment says of the other processes of a job, as ``torchrun`` sets it; torch is not needed."""

from __future__ import annotations

import os

_NEEDED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


def _number(name: str, otherwise: int) -> int:
    """Return a variable's number, if the job has been started as one of several processes."""
    if not all(os.environ.get(needed) for needed in _NEEDED):
        return otherwise
    text = os.environ.get(name, "")
    return int(text) if text.isdecimal() else otherwise


def world_size() -> int:
    """Return how many processes the job has; 1 if nobody started several."""
    return max(1, _number("WORLD_SIZE", 1))


def world_rank() -> int:
    """Return the number of this process among them. Number 0 writes; the others are silent."""
    return _number("RANK", 0)


def local_rank() -> int:
    """Return the number of this process among those of its machine."""
    return _number("LOCAL_RANK", 0)


def local_size() -> int:
    """Return how many of them share this machine."""
    return max(1, _number("LOCAL_WORLD_SIZE", 1))
