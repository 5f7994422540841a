"""The read budget: how much memory the contents of a file may take, known before any of it is allocated.

A few bytes can declare terabytes. Whoever reads a file asks here first, with the size that the file declares.
"""

from __future__ import annotations

from pathlib import Path

from ._memory import free_bytes, in_words
from .errors import TooLargeError

#: What deflate can expand a byte to, at most; nothing that spco reads needs more.
_EXPANSION = 1032
#: Whatever its file says, a thing of this size is harmless.
_HARMLESS = 1 << 24


def require_in_proportion(needed: int, stored: int, what: str) -> None:
    """Refuse with a ``ValueError`` a declared size that no file of so many bytes can hold.

    >>> require_in_proportion(10**12, 128, "an array")
    Traceback (most recent call last):
    ...
    ValueError: an array of 1000.0 GB in 128 bytes
    """
    if needed < 0 or needed > _HARMLESS + _EXPANSION * stored:
        size = "a negative size" if needed < 0 else in_words(needed)
        raise ValueError(f"{what} of {size} in {stored:,} bytes")


def require_room(needed: int, path: Path, hint: str | None = None) -> None:
    """Refuse what does not fit into the memory that is free."""
    free = free_bytes()
    if needed > max(free, _HARMLESS):
        remedy = hint or "close other programs, or use a machine with more memory"
        raise TooLargeError(
            f"The contents of {path} take {in_words(needed)} of memory, and {in_words(free)} are free.\n"
            f"hint: {remedy}"
        )
