"""The budget of memory, asked before anything is allocated.

A file of a few bytes can declare terabytes, and a graph of a megabyte can have terabytes of pairs two hops
apart. Whoever reads or builds asks here first, with the size that is declared or estimated.
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


def require_room(needed: int, path: Path, hint: str = "use a machine with more memory") -> None:
    """Refuse a file whose contents do not fit into the memory that is free."""
    require_memory(needed, f"The file {path}", hint)


def require_memory(needed: float, what: str, hint: str) -> None:
    """Refuse what does not fit into the memory that is free; the hint says how to do with less."""
    free = free_bytes()
    if needed > max(free, _HARMLESS):
        raise TooLargeError(
            f"{what} needs {in_words(needed)} of memory, and {in_words(free)} are free.\nhint: {hint}"
        )
