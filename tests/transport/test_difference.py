"""The difference of two plans against the two plans themselves."""

from __future__ import annotations

import numpy as np
import pytest

from spco.linalg import Pattern, SparseSymmetric
from spco.linalg.workspace import Workspace
from spco.transport import Scope, StructuredKernel, plan_difference, sinkhorn
from spco.transport.difference import difference_of_plans

from .test_sinkhorn import everything, problem

SCALES = (1.5, -0.8)


def diagonal(size):
    return Pattern(np.arange(size + 1, dtype=np.uint32), np.arange(size, dtype=np.uint32))


SCOPES = {
    "C's own": lambda cost: cost.pattern,
    "everything": lambda cost: everything(cost.pattern.size),
    "within C": lambda cost: diagonal(cost.pattern.size),
}


@pytest.mark.parametrize("log_domain", ["auto", True, False])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("places", SCOPES.values(), ids=SCOPES)
def test_it_is_plus_less_minus_on_the_scope(seed, log_domain, places):
    cost, _, a = problem(seed)
    scope = Scope.of(places(cost), cost)
    found = plan_difference(cost, SCALES, a, scope, iterations=4, log_domain=log_domain)
    pair = tuple(StructuredKernel(cost, scale) for scale in SCALES)
    plus, minus = (sinkhorn(kernel, a, a, iterations=4) for kernel in pair)
    expected = plus.matrix_on(scope.pattern).toarray() - minus.matrix_on(scope.pattern).toarray()
    one_by_one = difference_of_plans(pair, a, scope, 4, log_domain)
    np.testing.assert_allclose(scope.pattern.matrix(found.values).toarray(), expected, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.values, one_by_one.values, atol=1e-12)
    for row_sums in (found.row_sums, one_by_one.row_sums):
        np.testing.assert_allclose(row_sums, np.abs(expected).sum(1), rtol=1e-9)
    for ours, theirs in ((found.plus, plus), (found.minus, minus)):
        assert ours.overlap == pytest.approx(theirs.overlap, rel=1e-10)
        assert ours.marginal_error == pytest.approx(theirs.marginal_error, rel=1e-6, abs=1e-13)


def test_patterns_are_compared_by_content():
    cost, _, _ = problem(0)
    copy = Pattern(cost.pattern.indptr.copy(), cost.pattern.indices.copy())
    scope = Scope.of(copy, cost)
    assert scope.positions is None
    assert scope.pattern is cost.pattern


def test_a_cost_that_nearly_fills_the_scope_is_laid_over_it():
    cost, _, _ = problem(3)
    kept = np.arange(cost.pattern.nnz) != 0
    indptr = cost.pattern.indptr - (np.arange(cost.pattern.size + 1) > 0).astype(np.uint32)
    smaller = SparseSymmetric(Pattern(indptr, cost.pattern.indices[kept]), cost.values[kept])
    laid, scope = Scope.shared(cost.pattern, smaller)
    assert laid.pattern is scope.pattern is cost.pattern
    assert laid.values.tolist() == [0.0, *cost.values[1:]]
    # A scope that is mostly empty, or that C sticks out of, keeps its own pattern.
    for pattern in (everything(cost.pattern.size), diagonal(cost.pattern.size)):
        same, scope = Scope.shared(pattern, cost)
        assert same is cost
        assert scope.positions is not None


def test_a_result_outlives_the_next_use_of_the_workspace():
    cost, _, a = problem(2)
    workspace = Workspace()
    first = plan_difference(cost, SCALES, a, Scope.of(cost.pattern, cost), workspace=workspace)
    expected = sinkhorn(StructuredKernel(cost, SCALES[0]), a, a).entries
    plan_difference(cost, (0.1, -0.1), a, Scope.of(cost.pattern, cost), workspace=workspace)
    np.testing.assert_allclose(first.plus.entries, expected, rtol=1e-12)


def test_without_mass_there_is_no_difference():
    cost, _, a = problem(1)
    found = plan_difference(cost, SCALES, np.zeros_like(a), Scope.of(cost.pattern, cost))
    assert not found.values.any()
    assert not found.row_sums.any()
