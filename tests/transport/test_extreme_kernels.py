"""``log_domain="auto"`` on kernels and marginals of extreme size, against the dense log domain."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from spco.errors import NonFinitePlanError
from spco.linalg import Pattern, SparseSymmetric
from spco.transport import StructuredKernel, sinkhorn

from ..dense_spco import algorithm_1_log
from .test_sinkhorn import everything

# The smallest entry that is compared: a logarithm of the reference has its digits for all of them.
SMALLEST = 1e-250


def kernel_of(exponents):
    matrix = sp.csr_array(exponents)
    matrix.sort_indices()
    return StructuredKernel(SparseSymmetric(Pattern.of(matrix), matrix.data), 1.0)


def assert_equals_dense(exponents, a, iterations):
    found = sinkhorn(kernel_of(exponents), a, a, iterations=iterations)
    precise = (np.asarray(part, dtype=np.longdouble) for part in (exponents, a, a))
    expected = algorithm_1_log(*precise, iterations).astype(np.float64)
    plan = found.matrix_on(everything(len(a))).toarray()
    compared = expected > SMALLEST
    np.testing.assert_allclose(plan[compared], expected[compared], rtol=1e-7)
    assert np.all(plan[~compared] <= 2 * SMALLEST)
    return found


@st.composite
def problems(draw):
    """Exponents of up to ±200, which kernel mode takes on, and marginals that span many orders."""
    size = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    largest = draw(st.sampled_from([1e-3, 1.0, 30.0, 40.0, 100.0, 200.0]))
    exponents = rng.uniform(-1, 1, (size, size)) * (rng.random((size, size)) < draw(st.floats(0.2, 1.0)))
    exponents = np.triu(exponents) + np.triu(exponents, 1).T
    if draw(st.booleans()):
        exponents = draw(st.sampled_from([-1.0, 1.0])) * (exponents != 0)
    a = rng.random(size) ** draw(st.sampled_from([0, 1, 10, 100]))
    a[rng.random(size) < draw(st.sampled_from([0.0, 0.3]))] = 0.0
    a[0] = max(a[0], 1e-3)
    return largest * exponents, a / a.sum()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(problems(), st.sampled_from([1, 3, 30]))
def test_auto_is_right_whatever_the_kernel(problem, iterations):
    assert_equals_dense(*problem, iterations)


@pytest.mark.parametrize("exponent", [-37.0, -40.0, -200.0])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_product_that_cancels_to_nothing_switches_to_the_log_domain(exponent, size):
    """11ᵀ + E is exactly 0 there: this was a division by zero."""
    exponents, a = np.full((size, size), exponent), np.full(size, 1 / size)
    assert assert_equals_dense(exponents, a, 3).log_domain


def test_scalings_that_underflow_switch_to_the_log_domain():
    """u_i·v_j is below the smallest number while u_i·K_ij·v_j is not."""
    a = np.array([1.0, 1e-160, 1e-170])
    exponents = np.zeros((3, 3))
    exponents[1, 2] = exponents[2, 1] = 190.0
    found = sinkhorn(kernel_of(exponents), a, a)
    expected = algorithm_1_log(exponents, a, a, 3)
    assert found.log_domain
    assert found.matrix_on(everything(3)).toarray()[1, 2] == pytest.approx(expected[1, 2], rel=1e-9)
    assert expected[1, 2] > 1e-260


def test_insisting_on_kernel_mode_there_is_a_named_error():
    with pytest.raises(NonFinitePlanError, match="log_domain='auto'"):
        sinkhorn(kernel_of(np.full((2, 2), -50.0)), np.full(2, 0.5), np.full(2, 0.5), log_domain=False)
