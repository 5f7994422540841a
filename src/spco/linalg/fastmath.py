"""An expm1 that the compiler turns into vector instructions; the C library's is one call per number."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

#: Beyond this |x| the result is not defined: 2^k leaves the range of float64.
LARGEST_EXPONENT = 700.0

# Adding and subtracting 1.5·2^52 rounds to the nearest integer and leaves it in the low bits.
_ROUNDER = 6755399441055744.0
_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.6931471803691238  # its last bits are 0, so that k·_LN2_HIGH is exact
_LN2_LOW = 1.9082149292705877e-10


@intrinsic
def _float_of_bits(typing_context, bits):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), emit


@intrinsic
def _bits_of_float(typing_context, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), emit


@njit(inline="always")
def expm1(x):  # type: ignore[no-untyped-def]
    """Return eˣ − 1 to the last bit or two, for |x| <= 700.

        x = k·ln 2 + r, |r| <= ln 2 / 2:   eˣ − 1 = 2ᵏ·(eʳ − 1) + (2ᵏ − 1)

    with eʳ − 1 by its series to degree 13, whose remainder is below rounding.
    """
    shifted = x * _LOG2_E + _ROUNDER
    k = shifted - _ROUNDER
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = 1 / 6227020800.0
    p = p * r + 1 / 479001600.0
    p = p * r + 1 / 39916800.0
    p = p * r + 1 / 3628800.0
    p = p * r + 1 / 362880.0
    p = p * r + 1 / 40320.0
    p = p * r + 1 / 5040.0
    p = p * r + 1 / 720.0
    p = p * r + 1 / 120.0
    p = p * r + 1 / 24.0
    p = p * r + 1 / 6.0
    p = p * r + 0.5
    p = r + r * r * p
    power = _float_of_bits((_bits_of_float(shifted) + np.int64(1023)) << np.int64(52))
    return power * p + (power - 1.0)
