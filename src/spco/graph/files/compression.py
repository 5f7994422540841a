"""Files that may be packed by gzip or zstd, read as a stream."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import pyarrow as pa

from .input_file import InputFile

_GZIP, _ZSTD = (".gz",), (".zst", ".zstd")
_UNREADABLE = (OSError, EOFError, zlib.error, pa.ArrowException)


class Packed:
    """An open file whose suffix says how it is packed; ``position`` is where we are in the packed file."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self._raw = file.path.open("rb")
        suffix = file.path.suffix.lower()
        self._kind = "gzip" if suffix in _GZIP else "zstd" if suffix in _ZSTD else None
        self._stream: Any = self._raw
        if self._kind == "gzip":
            self._stream = gzip.GzipFile(fileobj=self._raw)
        elif self._kind == "zstd":
            self._stream = pa.CompressedInputStream(pa.PythonFile(self._raw, mode="r"), "zstd")

    def __enter__(self) -> Packed:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    @property
    def position(self) -> int:
        return self._raw.tell()

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` unpacked bytes, or all that are left."""
        if self._kind is None:
            return self._raw.read(size)
        try:
            content = self._stream.read() if size < 0 else self._stream.read(size)
        except _UNREADABLE as reason:
            got = f"which {self._kind} cannot unpack ({reason})"
            raise self.file.refuse("be a text table in UTF-8", got) from reason
        return bytes(content)
