"""Where a graph may be written to, what its splits may be called there, and how: whole or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

from ..._atomic import whole_file
from ..._validation import invalid, shown
from ...errors import InvalidParameterError, InvalidSplitError, MissingFileError

RESERVED = ("adj", "feat", "label", "node_ids", "label_names")
_FORBIDDEN = set('/\\:*?"<>|')
_OWNER = "write_graph"


def require_writable_names(names: Iterable[str]) -> None:
    """Refuse split names that would clash with another file or are no file names at all."""
    seen: set[str] = set()
    for name in names:
        folded = name.casefold()
        is_strange = not name.isprintable() or _FORBIDDEN & set(name)
        if not name or name != name.strip() or name[0] == "." or is_strange:
            must = "have names that can be file names"
        elif folded in RESERVED:
            must = f"not be called {', '.join(RESERVED)}, which are other files"
        elif folded in seen:
            must = "have names that differ by more than upper and lower case"
        else:
            seen.add(folded)
            continue
        raise invalid("splits", _OWNER, must, shown(name), error=InvalidSplitError)


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
    is_occupied = path.is_dir() and any(path.iterdir())
    if path.exists() and not path.is_dir():
        raise _refuse(path, "not be a file that exists already")
    if is_occupied and not overwrite:
        raise _refuse(path, "not exist yet", hint="overwrite=True replaces it")
    if is_occupied and not is_ours(path):
        raise _refuse(path, "be a graph's folder, or none, to be overwritten", hint="it holds other files")
    part, old = _beside(path), _beside(path)
    try:
        part.mkdir()
        write(part)
        _swap(part, path, old)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)  # only now: until here it is the way back


def _beside(path: Path) -> Path:
    # Made by hand, not by tempfile, whose files nobody but the owner may read.
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.part")


def _require_parent(path: Path) -> None:
    if not path.parent.is_dir():
        must = "be in a folder that exists"
        raise invalid("path", _OWNER, must, f"{str(path)!r}", error=MissingFileError)


def _refuse(path: Path, must: str, *, hint: str | None = None) -> InvalidParameterError:
    return InvalidParameterError(*invalid("path", _OWNER, must, f"{str(path)!r}", hint=hint).args)


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
