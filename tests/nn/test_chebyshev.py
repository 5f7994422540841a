"""Chebyshev terms and filters against polynomials of dense matrices, and their gradients."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from numpy.polynomial import chebyshev

from spco.linalg import normalized_adjacency
from spco.nn import SparseMatrix, chebyshev_filters, chebyshev_terms

from ..conftest import awkward_adjacency


def operator_of(seed, power=1):
    matrix = normalized_adjacency(sp.csr_array(awkward_adjacency(seed)))
    return SparseMatrix(matrix, symmetric=True, power=power), np.linalg.matrix_power(matrix.toarray(), power)


def filtered_by_eigenvectors(dense, coefficients, rows):
    values, vectors = np.linalg.eigh(dense)
    return (vectors * chebyshev.chebval(values, coefficients)) @ (vectors.T @ rows)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_filters_are_functions_of_the_eigenvalues(seed, power):
    operator, dense = operator_of(seed, power)
    rng = np.random.default_rng(seed)
    rows, coefficients = rng.normal(size=(len(dense), 3)), rng.normal(size=(2, 8))
    terms = chebyshev_terms(operator, torch.from_numpy(rows), 7)
    for k in range(8):
        expected = filtered_by_eigenvectors(dense, np.eye(8)[k], rows)
        np.testing.assert_allclose(terms[k].numpy(), expected, atol=1e-10)
    found = chebyshev_filters(operator, torch.from_numpy(rows), torch.from_numpy(coefficients))
    for ours, row in zip(found.numpy(), coefficients, strict=True):
        np.testing.assert_allclose(ours, filtered_by_eigenvectors(dense, row, rows), atol=1e-10)


@pytest.mark.parametrize("degree", [0, 1, 2, 5])
@pytest.mark.parametrize("power", [1, 2])
def test_gradients_of_both_factors_also_where_the_operator_is_not_symmetric(degree, power):
    rng = np.random.default_rng(degree)
    operator = SparseMatrix(sp.csr_array(rng.uniform(-0.3, 0.3, size=(4, 4))), power=power)
    dense = torch.from_numpy(rng.normal(size=(4, 2))).requires_grad_()
    coefficients = torch.from_numpy(rng.normal(size=(2, degree + 1))).requires_grad_()
    assert torch.autograd.gradcheck(lambda x, c: chebyshev_filters(operator, x, c), (dense, coefficients))


def test_the_rows_handed_in_stay_as_they_are():
    operator, dense = operator_of(0)
    rows = torch.ones(len(dense), 2)
    chebyshev_terms(operator, rows, 3).add_(1.0)
    assert torch.equal(rows, torch.ones(len(dense), 2))


def test_a_graph_without_edges_has_the_filter_at_the_middle_of_the_spectrum():
    empty = SparseMatrix(sp.csr_array((2, 2)), symmetric=True)
    coefficients = torch.tensor([[1.0, 10.0, 100.0]])  # T_k(0) = 1, 0, −1
    found = chebyshev_filters(empty, torch.ones(2, 1), coefficients)
    assert found.flatten().tolist() == [-99.0, -99.0]
