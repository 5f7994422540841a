"""Write a file or folder beside its destination and move it there once it is complete and on the disk."""

from __future__ import annotations

import errno
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import DiskFullError, SpcoError, WriteError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PART = re.compile(r"\.(?P<stem>.+)\.[0-9a-f]{12}(?P<suffix>(\.[^.]+)?)")


def _part_of(path: Path) -> Path:
    """Return a new path beside ``path``; writers that go by the suffix find it unchanged."""
    # Named by hand: only the owner could read what tempfile makes.
    return path.with_name(f".{path.stem}.{uuid.uuid4().hex[:12]}{path.suffix}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes ``path`` if the block succeeds and is removed otherwise.

    When the block ends, the file is on the disk, not only in the system's memory. Missing parent folders are
    created.
    """
    part = _part_of(path)
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.touch()
            usual = part.stat().st_mode
            part.unlink()
            yield part
            part.chmod(usual)  # some writers let only the owner read
            _sync(part)
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it becomes ``path`` if the block succeeds and is removed otherwise.

    A folder that was at ``path`` stays until then, and is put back if the move fails.
    """
    part, old = _part_of(path), _part_of(path)
    with naming(path):
        part.mkdir()
        try:
            yield part
            move_folder(part, path, old)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def move_folder(part: Path, path: Path, old: Path) -> None:
    """Put a complete folder in its place; one that was there becomes ``old``, or stays if that fails."""
    for file in part.iterdir():
        _sync(file)
    _sync_folder(part)
    if path.exists():
        os.replace(path, old)
    try:
        os.replace(part, path)
    except BaseException:
        if old.exists():
            os.replace(old, path)
        raise
    _sync_folder(path.parent)


def append_whole(path: Path, text: bytes) -> None:
    """Add bytes to a file, on a line of their own; on failure the file is as it was."""
    # Unbuffered: a buffer would be written once more when the file is closed.
    with naming(path), path.open("ab+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        unfinished = file.read(1) not in (b"", b"\n")  # left by a process that was killed
        left = memoryview(b"\n" + text if unfinished else text)
        try:
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except BaseException:
            file.truncate(size)
            raise
    if size == 0:
        _sync_folder(path.parent)


def _sync(file: Path) -> None:
    """Wait until the contents of a file are on the disk."""
    handle = os.open(file, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can.

    It is no error if that fails: the file is in its place, and an error would say that it is not.
    """
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise the error of a system call in the block as one about ``path``, which the user knows."""
    if "\0" in str(path):
        raise not_written(OSError(errno.EINVAL, "no name has a null character"), path)
    try:
        yield
    except SpcoError:
        raise
    except OSError as error:
        raise not_written(error, path) from error


def is_full(error: OSError) -> bool:
    """Whether the disk, a quota or the largest size of a file is the reason."""
    return error.errno in _FULL


def not_written(error: OSError, path: Path) -> WriteError:
    """Return the named error for a file or folder that could not be written."""
    reason = error.strerror or str(error) or type(error).__name__
    if is_full(error):
        hint = "free some space, or write to another disk"
        return DiskFullError(f"The disk has no room for {path}: {reason}.\nhint: {hint}")
    return WriteError(f"{path} could not be written: {reason}.")


def whole_name(name: str) -> str:
    """Return the intended name of an unfinished file that a killed process left; others keep their name.

    >>> whole_name(".run.0123456789ab.json"), whole_name("run.json")
    ('run.json', 'run.json')
    """
    part = _PART.fullmatch(name)
    return name if part is None else part["stem"] + part["suffix"]
