"""Sinkhorn on a structured kernel against the dense algorithm and against POT."""

from __future__ import annotations

import numpy as np
import ot
import pytest

import spco
from spco.errors import InvalidParameterError
from spco.linalg import Pattern, normalized_laplacian
from spco.transport import StructuredKernel, sinkhorn

from ..conftest import awkward_adjacency
from ..dense_spco import algorithm_1, algorithm_1_log, dense_laplacian


def problem(seed):
    """A connected-enough graph without isolated nodes, its Laplacian and its degree distribution."""
    adjacency = awkward_adjacency(seed)
    used = adjacency.sum(1) > 0
    adjacency = adjacency[np.ix_(used, used)]
    graph = spco.Graph(adjacency)
    return (
        normalized_laplacian(graph.adjacency),
        dense_laplacian(adjacency),
        graph.degrees / graph.degrees.sum(),
    )


def everything(size):
    return Pattern(
        np.arange(0, size * size + 1, size, dtype=np.uint32),
        np.tile(np.arange(size, dtype=np.uint32), size),
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("scale", [0.7, -0.7, 2.0, -2.0])
def test_500_iterations_reach_the_marginals_and_equal_pot(seed, scale):
    cost, dense, a = problem(seed)
    result = sinkhorn(StructuredKernel(cost, scale), a, a, iterations=500)
    plan = result.matrix_on(everything(len(a))).toarray()
    np.testing.assert_allclose(plan.sum(0), a, rtol=1e-10)
    np.testing.assert_allclose(plan.sum(1), a, rtol=1e-10, atol=1e-12)
    assert result.converged
    assert result.marginal_error < 1e-10
    # POT minimises ⟨M, P⟩ with kernel exp(−M/reg): M = −scale·L, reg = 1.
    theirs = ot.sinkhorn(a, a, -scale * dense, 1.0, method="sinkhorn_log", numItermax=5000, stopThr=1e-14)
    np.testing.assert_allclose(plan, theirs, rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("iterations", [1, 2, 3])
@pytest.mark.parametrize("log_domain", [False, True])
def test_few_iterations_equal_algorithm_1(iterations, log_domain):
    cost, dense, a = problem(4)
    b = np.roll(a, 1)
    result = sinkhorn(StructuredKernel(cost, 2.0), a, b, iterations=iterations, log_domain=log_domain)
    expected = algorithm_1(np.exp(2.0 * dense), a, b, iterations)
    np.testing.assert_allclose(result.matrix_on(everything(len(a))).toarray(), expected, rtol=1e-12)
    assert result.overlap == pytest.approx((dense * expected).sum(), rel=1e-11)
    assert result.marginal_error == pytest.approx(np.abs(expected.sum(1) - a).sum(), abs=1e-14)


@pytest.mark.parametrize("scale", [-500.0, 500.0, 1e4, -1e4])
def test_rows_whose_mass_sits_on_their_neighbours(scale):
    """A star: all of a leaf's mass is at the hub, so the part off the pattern must not be a difference."""
    size = 9
    adjacency = np.zeros((size, size))
    adjacency[0, 1:] = adjacency[1:, 0] = 1.0
    graph = spco.Graph(adjacency)
    a = graph.degrees / graph.degrees.sum()
    result = sinkhorn(StructuredKernel(normalized_laplacian(graph.adjacency), scale), a, a, iterations=4)
    expected = algorithm_1_log(scale * dense_laplacian(adjacency), a, a, 4)
    assert result.log_domain
    plan = result.matrix_on(everything(size)).toarray()
    np.testing.assert_allclose(plan, expected, rtol=1e-9, atol=1e-290)
    np.testing.assert_allclose(plan.sum(0), a, rtol=1e-12)


def test_the_result_does_not_depend_on_the_number_of_threads():
    import numba

    graph = spco.datasets.sbm(num_nodes=20_000, random_state=3)
    kernel = StructuredKernel(normalized_laplacian(graph.adjacency), 0.9)
    a = graph.degrees / graph.degrees.sum()
    many = sinkhorn(kernel, a, a)
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        one = sinkhorn(kernel, a, a)
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(many.entries, one.entries)
    assert many.overlap == one.overlap


def test_not_converged_is_said():
    cost, _, a = problem(5)
    result = sinkhorn(StructuredKernel(cost, 3.0), a, a, iterations=1)
    assert not result.converged
    assert result.marginal_error > 1e-9


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"iterations": 0}, "'iterations' parameter of sinkhorn must be an integer >= 1. Got 0."),
        ({"log_domain": "yes"}, "'log_domain' parameter of sinkhorn must be one of 'auto'"),
    ],
)
def test_bad_settings(change, message):
    cost, _, a = problem(1)
    with pytest.raises(ValueError) as caught:
        sinkhorn(StructuredKernel(cost, 1.0), a, a, **change)
    assert message in str(caught.value)


def test_marginals_that_do_not_fit_are_refused():
    cost, _, a = problem(1)
    with pytest.raises(InvalidParameterError, match="'a' parameter of sinkhorn must have one entry per row"):
        sinkhorn(StructuredKernel(cost, 1.0), a[1:], a)
    with pytest.raises(InvalidParameterError, match="'b' parameter of sinkhorn must be finite and >= 0"):
        sinkhorn(StructuredKernel(cost, 1.0), a, -a)
