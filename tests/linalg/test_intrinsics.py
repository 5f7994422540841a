from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from spco.linalg.intrinsics import LARGEST_EXPONENT, expm1


@njit
def expm1_of(values):
    out = np.empty_like(values)
    for k in range(len(values)):
        out[k] = expm1(values[k])
    return out


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1e-3, 0.3, 1.0, 20.0, LARGEST_EXPONENT])
def test_it_equals_the_c_library_to_a_few_units_in_the_last_place(size):
    values = np.random.default_rng(0).uniform(-size, size, 20_000)
    np.testing.assert_allclose(expm1_of(values), np.expm1(values), rtol=6e-16)


def test_special_places():
    values = np.array([0.0, -LARGEST_EXPONENT, LARGEST_EXPONENT, np.log(2.0), -np.log(2.0)])
    np.testing.assert_allclose(expm1_of(values), np.expm1(values), rtol=6e-16)
