"""Files named by the caller; NumPy and SciPy files are read without unpickling."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..._arrays import map_array, names_in_archive, read_archive, read_array, sparse_in_archive
from ..._validation import closest_file, invalid
from ...errors import FileFormatError, InvalidInputError, MissingFileError

OWNER = "read_graph"
T = TypeVar("T")


@dataclass(frozen=True)
class InputFile:
    """A path and the parameter that gave it; a file that cannot be read is a named error."""

    path: Path
    parameter: str
    owner: str = OWNER

    def require_there(self) -> InputFile:
        """Return the file itself; if it does not exist, the error suggests the closest name beside it."""
        # Not Path.exists, here and for other paths of callers: it fails on names that are too long.
        if os.path.exists(self.path):
            return self
        beside = self.path.parent
        names = [other.name for other in beside.iterdir()] if os.path.isdir(beside) else []
        near = closest_file(self.path.name, names)
        hint = f"did you mean {str(beside / near)!r}?" if near else None
        must, got = "name a file or folder that exists", f"{str(self.path)!r}"
        raise invalid(self.parameter, self.owner, must, got, hint=hint, error=MissingFileError)

    @property
    def title(self) -> str:
        """What errors call the file."""
        return repr(str(self.path))

    def refuse(self, must: str, reason: str, *, hint: str | None = None) -> InvalidInputError:
        """Build the error for a file whose content is not what it should be; the caller raises it."""
        got = f"{self.title}, {reason}"
        return invalid(self.parameter, self.owner, must, got, hint=hint, error=FileFormatError)

    def refuse_damaged(self, kind: str, reason: Exception, *, hint: str | None = None) -> InvalidInputError:
        """Build the error for a file that its reader cannot parse."""
        first_line = (str(reason).strip() or type(reason).__name__).splitlines()[0]
        got = f"which is damaged, cut short or of another kind ({first_line})"
        return self.refuse(f"be a readable {kind} file", got, hint=hint)

    @property
    def is_array(self) -> bool:
        """Whether the file holds arrays by row number, not a table with ids."""
        return self.path.suffix.lower() in (".npy", ".npz")

    def npy(self) -> np.ndarray:
        """Return the array of a .npy file."""
        return self._parsed(".npy", read_array)

    def mapped(self) -> np.ndarray:
        """Return the array of a .npy file, mapped read-only; a file that was cut short is refused."""
        return self._parsed(".npy", map_array)

    def sparse(self) -> Any:
        """Return the matrix of a .npz file written by ``scipy.sparse.save_npz``."""
        return self._parsed("SciPy sparse .npz", sparse_in_archive)

    def npz_keys(self) -> list[str]:
        """Return the names of the arrays in a .npz file."""
        return self._parsed(".npz", names_in_archive)

    def npz(self, keys: list[str]) -> dict[str, np.ndarray]:
        """Return the arrays under ``keys``; others may be unreadable."""
        return self._parsed(".npz", lambda path: read_archive(path, keys))

    def _parsed(self, kind: str, parse: Callable[[Path], T]) -> T:
        """Return the result of ``parse`` on the file."""
        self.require_there()
        must = f"be a readable {kind} file"
        if self.path.is_dir():
            raise self.refuse(must, "which is a folder")
        try:
            if self.path.stat().st_size == 0:
                raise self.refuse(must, "which is empty")
            return parse(self.path)
        except InvalidInputError:
            raise
        except (ValueError, OSError) as reason:
            pickled = "spco does not read pickled objects; save plain numbers or strings"
            hint = pickled if "allow_pickle" in str(reason) else None
            raise self.refuse_damaged(kind, reason, hint=hint) from reason
