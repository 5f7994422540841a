"""Read Python 2 pickles of arrays without trusting them.

A pickle can call any function, so six names are admitted, and none of them is a function of NumPy or SciPy:
their own unpickling believes any type and any shape. Arrays and matrices arrive as plain state and are made
by constructors that check it.
"""

from __future__ import annotations

import io
import pickle
import re
from collections import defaultdict
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from .._arrays import sound_matrix
from .._budget import require_room

_TYPE = re.compile(r"b1|[iu][1248]|f[48]")
_OBJECTS_PER_BYTE = 100  # what a byte of a pickle can become: an empty list takes two


class _State:
    """A stand-in that only holds what the pickle says of an object."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Array(_State):
    pass


class _Type(_State):
    pass


class _Csr(_State):
    pass


def _new_array(*_: Any) -> _Array:
    return _Array()


_ADMITTED: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _new_array,
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Type,
    ("scipy.sparse.csr", "csr_matrix"): _Csr,
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
}


class RestrictedUnpickler(pickle._Unpickler):
    """An unpickler that admits only the names that the Planetoid files need.

    It is the one in Python: the one in C reserves gigabytes where a pickle of six bytes tells it to remember
    an object at place 2³². It does not know the code of a bytearray, which reserves what its size claims.
    """

    dispatch: ClassVar[dict[int, Any]] = {
        code: do for code, do in pickle._Unpickler.dispatch.items() if code != pickle.BYTEARRAY8[0]
    }

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        try:
            return _ADMITTED[module_name, global_name]
        except KeyError:
            raise pickle.UnpicklingError(f"it asks for {module_name}.{global_name}") from None


def unpickled(path: Path) -> Any:
    """Return the arrays, CSR matrices and dictionaries of a pickle; a damaged one raises any exception."""
    require_room(_OBJECTS_PER_BYTE * path.stat().st_size, path)
    content = path.read_bytes()
    # Not from the file itself: it would reserve whatever size a string claims to have.
    found = RestrictedUnpickler(io.BytesIO(content), encoding="latin1").load()
    if isinstance(found, _Csr):
        return _matrix(found)
    return _array(found) if isinstance(found, _Array) else found


def _array(found: _Array) -> np.ndarray:
    _, shape, kind, is_fortran, text = found.state
    name, order = kind.arguments[0], kind.state[1]
    if not _TYPE.fullmatch(name) or order not in ("<", ">", "|"):
        raise pickle.UnpicklingError(f"it has an array of {order}{name}")
    dtype, raw = np.dtype(order + name), text.encode("latin1")
    if min(shape, default=0) < 0 or prod(shape) * dtype.itemsize != len(raw):
        raise pickle.UnpicklingError(f"it has an array of {len(raw)} bytes with the shape {shape}")
    return np.frombuffer(raw, dtype).reshape(shape, order="F" if is_fortran else "C").copy()


def _matrix(found: _Csr) -> sp.csr_array:
    fields: Any = found.state
    parts = tuple(_array(fields[name]) for name in ("data", "indices", "indptr"))
    matrix: sp.csr_array = sound_matrix(sp.csr_array(parts, shape=tuple(fields["_shape"])))
    return matrix
