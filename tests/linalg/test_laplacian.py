from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.linalg import Pattern, aligned, neighbourhood, normalized_laplacian, polynomial

from ..conftest import awkward_adjacency
from ..dense_spco import dense_laplacian, dense_target, hops_scope


@pytest.mark.parametrize("seed", range(10))
def test_laplacian_equals_dense(seed):
    adjacency = awkward_adjacency(seed)
    ours = normalized_laplacian(sp.csr_array(adjacency)).matrix().toarray()
    np.testing.assert_allclose(ours, dense_laplacian(adjacency), atol=1e-15)


@pytest.mark.parametrize(
    "coefficients", [(0.0, 1.0), (1.0, 1.0), (1.0, 1.0, 1.0), (2.0,), (0.5, -1.0, 0.0, 3.0)]
)
@pytest.mark.parametrize("seed", range(4))
def test_polynomials_equal_dense(seed, coefficients):
    adjacency = awkward_adjacency(seed)
    ours = polynomial(normalized_laplacian(sp.csr_array(adjacency)), coefficients).matrix().toarray()
    np.testing.assert_allclose(ours, dense_target(adjacency, coefficients), atol=1e-12)


def test_polynomial_does_not_change_its_base():
    base = normalized_laplacian(sp.csr_array(awkward_adjacency(1)))
    before = base.values.copy()
    polynomial(base, (1.0, 2.0))
    assert np.array_equal(base.values, before)


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_neighbourhood_equals_dense_power(seed, hops):
    adjacency = awkward_adjacency(seed)
    pattern = neighbourhood(sp.csr_array(adjacency), hops)
    assert np.array_equal(pattern.matrix(np.ones(pattern.nnz)).toarray() > 0, hops_scope(adjacency, hops))


def test_aligned_fills_with_zero_where_the_matrix_has_nothing():
    matrix = sp.csr_array(np.array([[0, 5.0, 0], [5.0, 0, 0], [0, 0, 7.0]]))
    pattern = Pattern.of(sp.csr_array(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]])))
    assert aligned(pattern, matrix).tolist() == [0.0, 5.0, 0.0, 0.0, 7.0]


def test_blocks_cover_all_rows_once_with_even_work():
    degrees = np.r_[np.full(10, 50_000), np.full(300_000, 1)]
    indptr = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    blocks = Pattern(indptr, np.zeros(indptr[-1], dtype=np.uint32)).blocks
    assert blocks[0] == 0
    assert blocks[-1] == 300_010
    assert np.all(np.diff(blocks) > 0)
    assert len(blocks) > 10
