"""Checks of what a model or checkpoint file holds: a digest of all of it, then types, shapes and values.

The digest finds damage. The other checks find a file that somebody else made: its indices would go to
compiled passes, which trust them.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from .._arrays import sound_matrix
from .._validation import shown
from ..errors import CheckpointError, SpcoError

_COPIES, _HARMLESS = 16, 1 << 20  # of numbers in a model that is made
_OF_FOREIGN_CONTENTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError)


def digest_of_contents(tensors: Mapping[str, Tensor], document: str) -> str:
    """Return the SHA-256 of a document and of all tensors with their names, types and shapes.

    >>> one, two = torch.zeros(2), torch.zeros(1, 2)
    >>> digest_of_contents({"a": one}, "{}") == digest_of_contents({"a": two}, "{}")
    False
    """
    hasher = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        _add(hasher, f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        _add(hasher, tensor.reshape(-1).view(torch.uint8).numpy().data)
    _add(hasher, document.encode())
    return hasher.hexdigest()


def _add(hasher: Any, part: bytes | memoryview) -> None:
    # The length goes before each part: no two contents run together to the same bytes.
    hasher.update(struct.pack("<Q", len(part)))
    hasher.update(part)


@contextmanager
def contents_of(path: Path) -> Iterator[None]:
    """Turn what goes wrong within the block, where a file's contents are taken in, into a named error."""
    try:
        yield
    except SpcoError:
        raise
    except _OF_FOREIGN_CONTENTS as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(
            f"The file {path} is whole, but spco did not write its contents: {said}."
        ) from error


def require_fields(document: Mapping[str, Any], **kinds: type) -> None:
    """Refuse a document in which one of these fields is missing or of another type.

    >>> require_fields({"epoch": "three"}, epoch=int)
    Traceback (most recent call last):
    ...
    spco.errors.CheckpointError: The field 'epoch' must be of type int. Got 'three'.
    """
    for name, kind in kinds.items():
        value = document.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            must = f"The field {name!r} must be of type {kind.__name__}"
            raise CheckpointError(f"{must}. Got {shown(value)}.")


def require_finite(tensors: Mapping[str, Tensor]) -> None:
    """Refuse tensors with NaN or infinite values."""
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise CheckpointError(
                f"The tensor {name!r} has values that are NaN or infinite: training diverged.\n"
                "hint: train again with a lower learning rate"
            )


def require_like(found: Mapping[str, Tensor], expected: Mapping[str, Tensor], what: str) -> None:
    """Refuse tensors whose names, shapes or types are not those of ``expected``.

    >>> require_like({"w": torch.zeros(2)}, {"w": torch.zeros(3)}, "model")
    Traceback (most recent call last):
    ...
    spco.errors.CheckpointError: The tensor 'w' of the model must be float32 (3,). Got float32 (2,).
    """
    for name in sorted({*found, *expected}):
        here, there = (_kind(tensors.get(name)) for tensors in (found, expected))
        if here != there:
            raise CheckpointError(f"The tensor {name!r} of the {what} must be {there}. Got {here}.")


class BoundedAllocation(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Within the block, refuse tensors that need far more memory than those that a file holds.

    A model is made before its weights are compared with the file's, from sizes that somebody may have forged.
    """

    def __init__(self, stored: Mapping[str, Tensor]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        # Initial weights are drawn, scaled and copied; graph attention is made twice.
        self._left = _HARMLESS + _COPIES * sum(tensor.numel() for tensor in stored.values())

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        parameters = func._schema.arguments
        if parameters and parameters[0].name == "size":  # of a new tensor
            self._left -= math.prod(args[0])
            if self._left < 0:
                raise CheckpointError(f"The sizes claim a tensor of {tuple(args[0])}, which the file lacks.")
        return func(*args, **(kwargs or {}))


def require_shape(array: np.ndarray, shape: tuple[int | None, ...], what: str) -> None:
    """Refuse an array that is not float32 of this shape; None stands for any length.

    >>> require_shape(np.zeros((2, 3), np.float32), (None, 4), "the mean")
    Traceback (most recent call last):
    ...
    spco.errors.CheckpointError: The array of the mean must be float32 (any, 4). Got float32 (2, 3).
    """
    fits = array.ndim == len(shape) and all(
        k in (None, length) for k, length in zip(shape, array.shape, strict=True)
    )
    if array.dtype != np.float32 or not fits:
        must = ", ".join("any" if length is None else str(length) for length in shape)
        comma = "," if len(shape) == 1 else ""
        raise CheckpointError(
            f"The array of {what} must be float32 ({must}{comma}). Got {array.dtype} {array.shape}."
        )


def require_scaler(learnt: Mapping[str, np.ndarray], num_features: int) -> None:
    """Refuse what a saved scaler learnt if it does not give a model as many columns as it has features."""
    columns: int | None = num_features
    if "directions" in learnt:
        require_shape(learnt["directions"], (None, num_features), "the scaler's directions")
        columns = len(learnt["directions"])
    if ("mean" in learnt) != ("deviation" in learnt):
        raise CheckpointError("The scaler must have a mean and a deviation, or neither. Got one of them.")
    for name in ("mean", "deviation"):
        if name in learnt:
            require_shape(learnt[name], (columns,), f"the {name}")


def _kind(tensor: Tensor | None) -> str:
    if tensor is None:
        return "absent"
    return f"{str(tensor.dtype).removeprefix('torch.')} {tuple(tensor.shape)}"


def checked_csr(parts: Mapping[str, Tensor], size: int) -> sp.csr_array:
    """Return the (size, size) CSR matrix of the tensors ``data``, ``indices`` and ``indptr``.

    All indices are checked, also that those of a row rise.

    >>> parts = {"data": torch.ones(1), "indices": torch.tensor([7]), "indptr": torch.tensor([0, 1])}
    >>> checked_csr(parts, 1)
    Traceback (most recent call last):
    ...
    spco.errors.CheckpointError: The stored view is not a matrix of 1 nodes: indices must be < 1
    """
    data, indices, indptr = (parts[name].numpy() for name in ("data", "indices", "indptr"))
    reason = _fault(data, indices, indptr, size)
    if reason is None:
        try:
            matrix: sp.csr_array = sound_matrix(sp.csr_array((data, indices, indptr), shape=(size, size)))
            if matrix.has_canonical_format:
                return matrix
            reason = "its rows are not sorted"
        except ValueError as error:
            reason = str(error)
    raise CheckpointError(f"The stored view is not a matrix of {size} nodes: {reason}")


def _fault(data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, size: int) -> str | None:
    if not np.issubdtype(data.dtype, np.floating) or not np.isfinite(data).all():
        return "its values are not finite real numbers"
    if {indices.dtype, indptr.dtype} - {np.dtype(np.int32), np.dtype(np.int64)}:
        return "its indices are not integers of 32 or 64 bits"
    if indices.shape != data.shape or data.ndim != 1 or indptr.shape != (size + 1,):
        return "its arrays do not fit together"
    if indices.size and indices.max() >= size:
        return f"indices must be < {size}"
    return None
