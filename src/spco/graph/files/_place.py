"""Where a graph may be written to, and how: whole or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

from ..._atomic import whole_file
from ..._validation import invalid
from ...errors import InvalidParameterError, MissingFileError

OWNER = "write_graph"


def _beside(path: Path) -> Path:
    # Made by hand, not by tempfile, whose files nobody but the owner may read.
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.part")


def _require_parent(path: Path) -> None:
    if not path.parent.is_dir():
        raise invalid("path", OWNER, "be in a folder that exists", f"{str(path)!r}", error=MissingFileError)


def _refuse(path: Path, must: str, *, hint: str | None = None) -> InvalidParameterError:
    built = invalid("path", OWNER, must, f"{str(path)!r}", hint=hint)
    return InvalidParameterError(*built.args)


def write_file(path: Path, write: Callable[[Path], None], *, overwrite: bool) -> None:
    """Let ``write`` fill a new file and move it to ``path``."""
    _require_parent(path)
    if path.is_dir():
        raise _refuse(path, "not be a folder that exists already")
    if path.exists() and not overwrite:
        raise _refuse(path, "not exist yet", hint="overwrite=True replaces it")
    with whole_file(path) as part:
        write(part)


def write_folder(
    path: Path, write: Callable[[Path], None], *, overwrite: bool, is_ours: Callable[[Path], bool]
) -> None:
    """Let ``write`` fill a new folder and move it to ``path``; only a folder that ``is_ours`` is replaced."""
    _require_parent(path)
    occupied = path.is_dir() and any(path.iterdir())
    if path.exists() and not path.is_dir():
        raise _refuse(path, "not be a file that exists already")
    if occupied and not overwrite:
        raise _refuse(path, "not exist yet", hint="overwrite=True replaces it")
    if occupied and not is_ours(path):
        raise _refuse(path, "be a graph's folder, or none, to be overwritten", hint="it holds other files")
    part, old = _beside(path), _beside(path)
    try:
        part.mkdir()
        write(part)
        _swap(part, path, old)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)  # only now: until here it is the way back


def _swap(part: Path, path: Path, old: Path) -> None:
    """Move ``part`` to ``path``, and what was there to ``old``; put it back if that fails."""
    if not path.exists():
        os.replace(part, path)
        return
    os.replace(path, old)
    try:
        os.replace(part, path)
    except BaseException:
        os.replace(old, path)
        raise
