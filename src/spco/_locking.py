"""One writer at a time: a lock between processes, which the system releases however a process ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ._atomic import not_written
from .errors import InUseError


@contextmanager
def only_writer(lock: Path, path: Path, *, wait: bool, kind: str = "") -> Iterator[None]:
    """Hold the lock file during the block; wait for another holder, or say that ``path`` is in use.

    The lock file stays behind, empty: whoever removes it could remove that of the next holder.
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        held.acquire(timeout=-1 if wait else 0)
    except Timeout:
        hint = "wait until it has ended, or choose another place"
        raise InUseError(f"Another process is writing to {kind}{path}.\nhint: {hint}") from None
    except OSError as error:
        raise not_written(error, path) from error
    try:
        yield
    finally:
        held.release()
