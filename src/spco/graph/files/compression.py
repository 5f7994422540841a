"""Text files that may be packed by gzip or zstd, read as a stream within the read budget."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pyarrow as pa

from ..._budget import require_room
from .input_file import InputFile

_GZIP, _ZSTD = (".gz",), (".zst", ".zstd")
_UNREADABLE = (OSError, EOFError, zlib.error, pa.ArrowException)
_BLOCK, _OFTEN = 1 << 20, 64
# Tables shrink 3 to 30 times. What shrinks further than this is a trap, or can be unpacked beforehand.
_EXPANSION, _HARMLESS = 100, 16 << 20
_COPIES = 3  # of the text while a table is read: as it is, without comments, as columns
_PIECEWISE = "spco convert reads tables piece by piece"


class Packed:
    """An open file whose suffix says how it is packed; ``position`` is where we are in the packed file."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        try:
            self._raw = file.path.open("rb")
            self._size, self._unpacked = file.path.stat().st_size, 0
        except OSError as reason:
            raise file.refuse("be a readable text table", f"which is not ({reason.strerror})") from reason
        suffix = file.path.suffix.lower()
        self._kind = "gzip" if suffix in _GZIP else "zstd" if suffix in _ZSTD else None
        self._read: Callable[[int], bytes] = self._raw.read
        if self._kind == "gzip":
            self._read = gzip.GzipFile(fileobj=self._raw).read
        elif self._kind == "zstd":
            stream = pa.CompressedInputStream(pa.PythonFile(self._raw, mode="r"), "zstd")
            # Not stream.read: Arrow keeps for ever the block that it had reserved when an error occurs.
            self._read = lambda size: stream.read_buffer(size).to_pybytes()

    def __enter__(self) -> Packed:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    @property
    def position(self) -> int:
        return self._raw.tell()

    def read_all(self) -> bytes:
        """Return all unpacked bytes, if they and the table that is made of them fit into memory."""
        require_room(_COPIES * self._size, self.file.path, _PIECEWISE)
        blocks = []
        while block := self.read(_BLOCK):
            blocks.append(block)
            if len(blocks) % _OFTEN == 0:
                require_room(_COPIES * self._unpacked, self.file.path, _PIECEWISE)
        return b"".join(blocks)

    def read(self, size: int) -> bytes:
        """Return at most ``size`` unpacked bytes."""
        must = "be a text table in UTF-8"
        try:
            content = self._read(size)
        except _UNREADABLE as reason:
            got = f"which {self._kind} cannot unpack ({reason})" if self._kind else f"unreadable ({reason})"
            raise self.file.refuse(must, got) from reason
        self._unpacked += len(content)
        if self._kind and self._unpacked > _HARMLESS + _EXPANSION * self._size:
            got = f"which {self._kind} unpacks to more than {_EXPANSION} times its {self._size:,} bytes"
            raise self.file.refuse(must, got, hint="if it is what it should be, unpack it before")
        return content
