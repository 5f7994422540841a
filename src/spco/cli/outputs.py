"""Where a command may write, checked before it begins to work."""

from __future__ import annotations

from pathlib import Path

from .._validation import check_file_place, check_folder_place


def require_file_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no file could be written: a folder, or a place below a file."""
    check_file_place(path, option, f"spco {command}")


def require_folder_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no folder of files could be made; one that is there already will do."""
    check_folder_place(path, option, f"spco {command}")
