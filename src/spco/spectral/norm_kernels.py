"""Compiled passes behind the norm of the eigenvalues. Both are pure in their inputs."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(parallel=True, cache=True, nogil=True)
def concentrations(blocks, indptr, indices, values, inverse, out):  # type: ignore[no-untyped-def]
    """Write ρ_i = Σ_j B_ij²/(d_i²·d_j) with B = A + I, given the values of A and all 1/d_i."""
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            total, loop = 0.0, 1.0
            for k in range(indptr[i], indptr[i + 1]):
                if indices[k] == np.uint32(i):
                    loop += values[k]
                else:
                    total += values[k] * values[k] * inverse[indices[k]]
            out[i] = (total + loop * loop * inverse[i]) * inverse[i] * inverse[i]


@njit(parallel=True, cache=True, nogil=True)
def norm_gradient(blocks, indptr, indices, values, inverse, concentration, norm, out):  # type: ignore[no-untyped-def]
    """Write the derivative of ‖Â‖_F by each entry of A, its mirror image moving along.

    Each sum and product is the same for (i, j) and (j, i) to the last bit.
    """
    for block in prange(len(blocks) - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if j == np.uint32(i):
                    out[k] = ((values[k] + 1.0) * inverse[i] * inverse[i] - concentration[i]) / norm
                else:
                    shared = 2.0 * values[k] * (inverse[i] * inverse[j])
                    out[k] = (shared - (concentration[i] + concentration[j])) / norm
