"""Python in the place of the machine instructions that kernels use, for tests with NUMBA_DISABLE_JIT=1.

So run, kernels are plain Python: coverage sees their lines, and an index that points outside is an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spco.linalg import intrinsics


def _bits_of_float(value: float) -> np.int64:
    return np.float64(value).view(np.int64)


def _float_of_bits(bits: np.int64) -> np.float64:
    return np.int64(bits).view(np.float64)


def _prefetch(vector: np.ndarray, index: np.uint32) -> None:
    vector[index]  # an index that points outside would go unnoticed otherwise


STAND_INS = {"_bits_of_float": _bits_of_float, "_float_of_bits": _float_of_bits, "prefetch": _prefetch}


def install() -> None:
    """Let every intrinsic call its stand-in."""

    def call(self: Any, *arguments: Any) -> Any:
        return STAND_INS[self._name](*arguments)

    type(intrinsics.prefetch).__call__ = call
