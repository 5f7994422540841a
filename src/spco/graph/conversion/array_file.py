"""Arrays on disk that grow: a .npy file of numbers, an Arrow file of strings."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa


class ArrayFile:
    """A .npy file that is written a few rows at a time; its header is right once the block ends.

    The bytes are those that ``np.save`` would write. They are written, not mapped: a full disk then is an
    ``OSError`` and no crash.
    """

    def __init__(self, path: Path, dtype: Any, row_shape: tuple[int, ...] = ()) -> None:
        self.path, self.dtype, self.row_shape = path, np.dtype(dtype), row_shape
        self.rows = 0

    def __enter__(self) -> ArrayFile:
        self._file: IO[bytes] = self.path.open("wb")
        self._write_header()
        return self

    def append(self, rows: np.ndarray) -> None:
        """Add rows at the end."""
        self._file.write(np.ascontiguousarray(rows, dtype=self.dtype).tobytes())
        self.rows += len(rows)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._file.seek(0)
            self._write_header()  # as long as before: NumPy leaves room for the number of rows
        self._file.close()

    def _write_header(self) -> None:
        shape = (self.rows, *self.row_shape)
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(self._file, header)


class StringFile:
    """An Arrow file of strings that is written a few at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = 0

    def __enter__(self) -> StringFile:
        self._file = self.path.open("wb")
        self._writer = pa.ipc.new_file(self._file, pa.schema([("id", pa.string())]))
        return self

    def append(self, strings: Any) -> None:
        """Add strings at the end."""
        self._writer.write_batch(pa.record_batch([strings], names=["id"]))
        self.rows += len(strings)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._writer.close()
        self._file.close()


def save_array(path: Path, array: np.ndarray) -> None:
    """Write a whole array."""
    with ArrayFile(path, array.dtype, array.shape[1:]) as file:
        file.append(array)


def mapped_strings(path: Path) -> Any:
    """Return the strings of an Arrow file, chunked as they were written, without loading them."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all().column("id")
