"""Write a file or folder beside its destination and move it there once it is complete."""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PART = re.compile(r"\.(?P<stem>.+)\.[0-9a-f]{12}(?P<suffix>(\.[^.]+)?)")


def _part_of(path: Path) -> Path:
    """Return a new path beside ``path``; writers that go by the suffix find it unchanged."""
    # Named by hand: only the owner could read what tempfile makes.
    return path.with_name(f".{path.stem}.{uuid.uuid4().hex[:12]}{path.suffix}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes ``path`` if the block succeeds and is removed otherwise.

    Missing parent folders are created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _part_of(path)
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it becomes ``path`` if the block succeeds and is removed otherwise.

    A folder that was at ``path`` stays until then, and is put back if the move fails.
    """
    part, old = _part_of(path), _part_of(path)
    part.mkdir()
    try:
        yield part
        if path.exists():
            os.replace(path, old)
        try:
            os.replace(part, path)
        except BaseException:
            if old.exists():
                os.replace(old, path)
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def whole_name(name: str) -> str:
    """Return the intended name of an unfinished file that a killed process left; others keep their name.

    >>> whole_name(".run.0123456789ab.json"), whole_name("run.json")
    ('run.json', 'run.json')
    """
    part = _PART.fullmatch(name)
    return name if part is None else part["stem"] + part["suffix"]
