"""Arrays and matrices that anybody may have made: nothing is unpickled, allocated or followed on trust.

A header is checked against the bytes that are there and the memory that is free. What is wrong with a file
is a ``ValueError`` that says so, or a :class:`~spco.errors.TooLargeError`; the caller names the file.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from math import prod
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from ._budget import require_in_proportion, require_room
from .errors import SpcoError

_PLAIN = "biufcSU"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SUFFIX, _NUMPY, _ZIP = ".npy", np.lib.format.MAGIC_PREFIX, b"PK\x03\x04"
_OF_MATRICES = ("format", "shape", "data", "indices", "indptr", "offsets", "row", "col", "coords")
T = TypeVar("T")


def read_array(path: Path) -> np.ndarray:
    """Return the array of a .npy file."""
    return _opened(path, lambda handle, size: _array(handle, size, path))


def map_array(path: Path) -> np.ndarray:
    """Return the array of a .npy file, mapped read-only; the file must end where the array does."""

    def mapped(handle: IO[bytes], size: int) -> np.ndarray:
        needed = _size_of_array(handle, size)
        beyond = size - handle.tell() - needed
        if beyond:
            raise ValueError(f"{beyond} bytes more than its header says")
        return _with_sound_text(np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)))

    return _opened(path, mapped)


def names_in_archive(path: Path) -> list[str]:
    """Return the names of the arrays in a .npz file."""
    return _opened(path, lambda handle, _: list(_members(handle)))


def read_archive(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """Return some arrays of a .npz file; others may be unreadable."""

    def read(handle: IO[bytes], size: int) -> dict[str, np.ndarray]:
        members = _members(handle)
        wanted = {name: members[name] for name in names}
        _require_packed_soundly(list(wanted.values()), size)
        require_room(sum(member.file_size for member in wanted.values()), path)
        with zipfile.ZipFile(handle) as archive:
            found = {}
            for name, member in wanted.items():
                with archive.open(member) as packed:
                    found[name] = _array(packed, member.file_size, path)
            return found

    return _opened(path, read)


def _opened(path: Path, read: Callable[[IO[bytes], int], T]) -> T:
    with path.open("rb") as handle:
        try:
            return read(handle, handle.seek(0, 2))
        except SpcoError:
            raise
        except Exception as error:  # headers are Python literals: they fail in as many ways as those do
            said = str(error).strip() or type(error).__name__
            raise ValueError(said.splitlines()[0]) from error


def _array(handle: IO[bytes], size: int, path: Path) -> np.ndarray:
    """Return the array at the beginning of a stream of ``size`` bytes."""
    require_room(_size_of_array(handle, size), path)
    handle.seek(0)
    return _with_sound_text(np.lib.format.read_array(handle, allow_pickle=False))


def _with_sound_text(array: np.ndarray) -> np.ndarray:
    """Return the array; refuse numbers that are no characters, on which Python fails later."""
    if array.dtype.kind == "U" and array.size:
        number = np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)
        if np.ascontiguousarray(array).reshape(-1).view(number).max() > sys.maxunicode:
            raise ValueError("text with numbers that are no characters")
    return array


def _size_of_array(handle: IO[bytes], size: int) -> int:
    """Return the bytes of the array that a header announces, of which all must be there."""
    handle.seek(0)
    if handle.read(len(_ZIP)) == _ZIP:
        raise ValueError("an archive of several arrays")
    handle.seek(0)
    version = np.lib.format.read_magic(handle)
    if version not in _HEADERS:
        raise ValueError(f"a header of version {version}, which plain arrays do not need")
    shape, _, dtype = _HEADERS[version](handle)
    if dtype.hasobject:
        raise ValueError("pickled objects, which are never read (allow_pickle)")
    if dtype.kind not in _PLAIN:
        raise ValueError(f"elements of type {dtype}, which are no plain numbers or strings")
    if any(length < 0 for length in shape):
        raise ValueError(f"the shape {shape}")
    count = prod(shape)
    needed: int = count * dtype.itemsize
    if count and not dtype.itemsize:
        raise ValueError(f"{count} elements of no size")
    missing = needed - (size - handle.tell())
    if missing > 0:
        raise ValueError(f"{missing} bytes less than its header says")
    return needed


def _members(handle: IO[bytes]) -> dict[str, zipfile.ZipInfo]:
    handle.seek(0)
    if handle.read(len(_NUMPY)) == _NUMPY:
        raise ValueError("a single array")
    with zipfile.ZipFile(handle) as archive:
        return {member.filename.removesuffix(_SUFFIX): member for member in archive.infolist()}


def _require_packed_soundly(members: list[zipfile.ZipInfo], size: int) -> None:
    """Refuse members that claim more bytes than the archive has, or more than deflate could have packed."""
    for member in members:
        if member.compress_type not in _PACKINGS:
            raise ValueError(f"{member.filename} packed in another way than NumPy packs")
        require_in_proportion(member.file_size, member.compress_size, member.filename)
    packed = sum(member.compress_size for member in members)
    if packed > size:
        raise ValueError(f"members of {packed:,} bytes in an archive of {size:,}")


def sparse_in_archive(path: Path) -> Any:
    """Return the matrix of a .npz file that ``scipy.sparse.save_npz`` wrote."""
    names = names_in_archive(path)
    if not is_sparse(names):
        raise ValueError(f"the arrays {', '.join(names) or '(none)'}, which are no SciPy matrix")
    parts = read_archive(path, [name for name in names if name in _OF_MATRICES])
    shape = parts["shape"]
    if shape.ndim != 1 or shape.dtype.kind not in "iu" or (shape < 0).any():
        raise ValueError(f"the shape {shape.tolist()}")
    # Whatever the format, the matrix will have a pointer per row or per column.
    needed = 8 * (int(shape.max(initial=0)) + 1)
    require_in_proportion(needed, path.stat().st_size, "pointers")
    require_room(needed, path)
    return _opened(path, lambda *_: _sparse(parts, tuple(shape.tolist())))


def is_sparse(names: Iterable[str]) -> bool:
    """Return whether a .npz with these arrays was written by ``scipy.sparse.save_npz``."""
    return {"format", "shape", "data"} <= set(names)


def _sparse(parts: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> Any:
    import scipy.sparse as sp

    made: Any
    kind = parts["format"].item()
    kind = kind.decode("ascii") if isinstance(kind, bytes) else kind  # by Python 2
    if kind in ("csr", "csc", "bsr"):
        made = getattr(sp, f"{kind}_array")
        return sound_matrix(made((parts["data"], parts["indices"], parts["indptr"]), shape=shape))
    if kind == "dia":
        made = sp.dia_array
        return made((parts["data"], parts["offsets"]), shape=shape)
    if kind != "coo":
        raise ValueError(f"a matrix of format {kind!r}")
    places: Any = parts["coords"] if "coords" in parts else (parts["row"], parts["col"])
    return sp.coo_array((parts["data"], places), shape=shape)


def sound_matrix(matrix: Any) -> Any:
    """Return a CSR, CSC or BSR matrix over the same arrays; one that points outside them is a ``ValueError``.

    >>> import numpy as np, scipy.sparse as sp
    >>> parts = np.empty(0), np.empty(0, dtype=np.int32), np.array([0, 9, 0])
    >>> sound_matrix(sp.csr_array(parts, shape=(2, 2)))
    Traceback (most recent call last):
    ...
    ValueError: indptr descends after place 1
    """
    # SciPy's full check does not look at the order where the last start says that there are no entries.
    descends = matrix.indptr[1:] < matrix.indptr[:-1]
    if descends.any():
        raise ValueError(f"indptr descends after place {int(descends.argmax())}")
    # Another object, since the check cuts off entries that no row has.
    sound = type(matrix)(matrix, copy=False)
    sound.check_format(full_check=True)
    return sound
