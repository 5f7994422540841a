"""Where a command may write, checked before it begins to work."""

from __future__ import annotations

import os
from pathlib import Path

from .._validation import invalid


def require_file_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no file could be written: a folder, or a place below a file."""
    if path.is_dir():
        raise invalid(option, f"spco {command}", "be a file", f"{str(path)!r}, which is a folder")
    _require_writable(path.parent, path, option, command)


def require_folder_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no folder of files could be made; one that is there already will do."""
    _require_writable(path, path, option, command)


def _require_writable(folder: Path, path: Path, option: str, command: str) -> None:
    """Refuse if ``folder`` is or lies below something that is no folder, or one that must not be changed."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    must = "be where files can be written"
    if not folder.is_dir():
        got = f"{str(path)!r}, where {str(folder)!r} is no folder"
        raise invalid(option, f"spco {command}", must, got)
    if not os.access(folder, os.W_OK | os.X_OK):
        got = f"{str(path)!r}, where {str(folder)!r} may not be written to"
        raise invalid(option, f"spco {command}", must, got)
