"""Read NumPy and SciPy files without ever unpickling; what cannot be read is a named error."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import scipy.sparse as sp

from ..._validation import closest, invalid
from ...errors import FileFormatError, InvalidInputError, MissingFileError

OWNER = "read_graph"
_UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    EOFError,
    OSError,
    RuntimeError,  # of zipfile, for members that are encrypted or compressed in a way it does not know
    zipfile.BadZipFile,
    zlib.error,
)
T = TypeVar("T")


def require_there(path: Path, parameter: str, owner: str = OWNER) -> None:
    """Refuse a path that names nothing, with the closest name beside it as a hint."""
    if path.exists():
        return
    beside = path.parent
    near = closest(path.name, [entry.name for entry in beside.iterdir()]) if beside.is_dir() else None
    raise invalid(
        parameter,
        owner,
        "name a file or folder that exists",
        f"{str(path)!r}",
        hint=f"did you mean {str(beside / near)!r}?" if near else None,
        error=MissingFileError,
    )


def unreadable(
    path: Path, parameter: str, must: str, reason: str, *, hint: str | None = None, owner: str = OWNER
) -> InvalidInputError:
    """Build the error for a file whose content is not what it should be; the caller raises it."""
    return invalid(parameter, owner, must, f"{str(path)!r}, {reason}", hint=hint, error=FileFormatError)


def _parsed(path: Path, parameter: str, owner: str, kind: str, parse: Callable[[IO[bytes]], T]) -> T:
    """Return what ``parse`` makes of the open file; whatever it trips over becomes a named error."""
    require_there(path, parameter, owner)
    must = f"be a readable {kind} file"
    if path.is_dir():
        raise unreadable(path, parameter, must, "which is a folder", owner=owner)
    if path.stat().st_size == 0:
        raise unreadable(path, parameter, must, "which is empty", owner=owner)
    with path.open("rb") as handle:
        try:
            return parse(handle)
        except _UNREADABLE as reason:
            hint = None
            if "allow_pickle" in str(reason):
                hint = "spco reads no pickled objects; save plain numbers or strings"
            first_line = (str(reason).strip() or type(reason).__name__).splitlines()[0]
            got = f"which is damaged, cut short or of another kind ({first_line})"
            raise unreadable(path, parameter, must, got, hint=hint, owner=owner) from reason


def load_npy(path: Path, parameter: str, owner: str = OWNER) -> np.ndarray:
    """Return the array of a .npy file."""

    def parse(handle: IO[bytes]) -> np.ndarray:
        array = np.load(handle, allow_pickle=False)
        if not isinstance(array, np.ndarray):
            raise ValueError("an archive of several arrays")
        return array

    return _parsed(path, parameter, owner, ".npy", parse)


def load_sparse(path: Path, parameter: str, owner: str = OWNER) -> Any:
    """Return the matrix of a .npz file written by ``scipy.sparse.save_npz``."""
    return _parsed(path, parameter, owner, "SciPy sparse .npz", sp.load_npz)


def npz_keys(path: Path, parameter: str) -> list[str]:
    """Return the names of the arrays in a .npz file."""

    def parse(handle: IO[bytes]) -> list[str]:
        with _archive(handle) as archive:
            return list(archive.files)

    return _parsed(path, parameter, OWNER, ".npz", parse)


def load_npz(path: Path, parameter: str, keys: list[str], owner: str = OWNER) -> dict[str, np.ndarray]:
    """Return the arrays under ``keys``; others are not touched, be they readable or not."""

    def parse(handle: IO[bytes]) -> dict[str, np.ndarray]:
        with _archive(handle) as archive:
            return {key: archive[key] for key in keys}

    return _parsed(path, parameter, owner, ".npz", parse)


def _archive(handle: IO[bytes]) -> Any:
    archive = np.load(handle, allow_pickle=False)
    if not hasattr(archive, "files"):
        raise ValueError("a single array")
    return archive


def is_scipy_sparse(keys: list[str]) -> bool:
    """Return whether a .npz with these arrays was written by ``scipy.sparse.save_npz``."""
    return {"format", "shape", "data"} <= set(keys)
