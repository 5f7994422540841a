"""An expm1 in vector instructions, and prefetching: two things that the compiler does not do unasked."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

#: Beyond this |x|, :func:`expm1` is undefined: 2^k leaves the range of float64.
LARGEST_EXPONENT = 700.0
#: How far ahead a sparse pass prefetches: about as many gathers as a processor has under way at a time. The
#: processor looks that far anyway within a long row, but not past its end. Prefetching saves a pass 5 to 20%.
AHEAD = 32

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
    """Return eˣ − 1 to the last bit or two, for |x| <= 700, without a call to the C library per number.

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


@intrinsic
def prefetch(typing_context, vector, index):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Start to fetch vector[index]; the index is a uint32."""

    def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.gep(array.data, [builder.zext(arguments[1], ir.IntType(64))])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        reading, keep_close, data = number(0), number(3), number(1)
        builder.call(instruction, [builder.bitcast(address, byte), reading, keep_close, data])
        return context.get_dummy_value()

    return types.void(vector, types.uint32), emit


@njit(inline="always")
def safe_rows(first, last, indptr, indices):  # type: ignore[no-untyped-def]
    """Return ``last`` if rows first, ..., last − 1 may look AHEAD in ``indices``, else ``first``."""
    return last if indptr[last] + AHEAD <= len(indices) else first
