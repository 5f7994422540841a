"""The derivative of the eigenvalues' norm, against finite differences through dense eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.errors import InvalidGraphError
from spco.spectral import eigenvalue_norm

from ..conftest import awkward_adjacency


def dense_norm(adjacency):
    """‖eig(D^-½(A + I)D^-½)‖₂ by an eigendecomposition."""
    looped = adjacency + np.eye(len(adjacency))
    roots = looped.sum(1) ** -0.5
    return np.linalg.norm(np.linalg.eigvalsh(looped * roots[:, None] * roots[None, :]))


def finite_difference(adjacency, p, q, step=1e-4):
    values = []
    for sign in (1, -1):
        moved = adjacency.copy()
        moved[p, q] += sign * step
        if p != q:
            moved[q, p] += sign * step
        values.append(dense_norm(moved))
    return (values[0] - values[1]) / (2 * step)


@pytest.mark.parametrize("seed", range(20))
def test_the_gradient_equals_finite_differences_through_eigenvalues(seed):
    """Random graphs with isolated nodes and several components, by turns with weights and self loops."""
    adjacency = awkward_adjacency(seed)
    matrix = sp.csr_array(adjacency)
    found = eigenvalue_norm(matrix)
    assert found.norm == pytest.approx(dense_norm(adjacency), rel=1e-12)
    rows, columns = matrix.nonzero()
    expected = [finite_difference(adjacency, p, q) for p, q in zip(rows, columns, strict=True)]
    np.testing.assert_allclose(found.gradient, expected, atol=1e-6)
    low, high = np.nonzero(np.triu(adjacency == 0, 1))
    some = np.random.default_rng(seed).permutation(len(low))[:60]
    absent = found.gradient_at(low[some], high[some])
    expected = [finite_difference(adjacency, p, q) for p, q in zip(low[some], high[some], strict=True)]
    np.testing.assert_allclose(absent, expected, atol=1e-6)
    assert (absent < 0).all()


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_the_gain_of_dropping_an_edge_depends_on_degrees_of_neighbours_only(seed):
    """The formula of docs/theory.md, for graphs without weights and self loops."""
    adjacency = (awkward_adjacency(seed) > 0) * 1.0
    np.fill_diagonal(adjacency, 0.0)
    matrix, degrees = sp.csr_array(adjacency), adjacency.sum(1) + 1
    found = eigenvalue_norm(matrix)
    around = (adjacency + np.eye(len(adjacency))) @ (1 / degrees)
    assert around.mean() == pytest.approx(1.0)
    p, q = matrix.nonzero()
    unequal = (1 / degrees[p] - 1 / degrees[q]) ** 2
    rest = (around[p] - 1) / degrees[p] ** 2 + (around[q] - 1) / degrees[q] ** 2
    np.testing.assert_allclose(-found.gradient, (unequal + rest) / found.norm, atol=1e-14)


def test_the_gradient_vanishes_on_edges_of_regular_graphs():
    ring = np.roll(np.eye(7), 1, axis=1)
    for adjacency in (ring + ring.T, np.ones((5, 5)) - np.eye(5)):
        np.testing.assert_allclose(eigenvalue_norm(sp.csr_array(adjacency)).gradient, 0.0, atol=1e-15)


def test_graphs_without_edges():
    for size in (1, 4):
        found = eigenvalue_norm(sp.csr_array((size, size)))
        assert found.norm == pytest.approx(size**0.5)
        assert found.concentration.tolist() == [1.0] * size
        assert len(found.gradient) == 0


@pytest.mark.parametrize("value", [-1.0, np.nan])
def test_weights_that_are_not_at_least_zero_are_refused(value):
    matrix = sp.csr_array([[0.0, value], [value, 0.0]])
    with pytest.raises(InvalidGraphError, match="'adjacency' parameter of eigenvalue_norm must hold weights"):
        eigenvalue_norm(matrix)
