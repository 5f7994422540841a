"""The difference of two plans against the two plans themselves."""

from __future__ import annotations

import numpy as np
import pytest

from spco.linalg.memory import Workspace
from spco.transport import StructuredKernel, plan_difference, sinkhorn

from .test_sinkhorn import everything, problem

SCALES = (1.5, -0.8)


@pytest.mark.parametrize("log_domain", ["auto", True, False])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("whole", [False, True])
def test_it_is_plus_less_minus_on_the_scope(seed, log_domain, whole):
    cost, _, a = problem(seed)
    scope = everything(len(a)) if whole else cost.pattern
    found = plan_difference(cost, SCALES, a, scope, iterations=4, log_domain=log_domain)
    plus, minus = (sinkhorn(StructuredKernel(cost, scale), a, a, iterations=4) for scale in SCALES)
    expected = plus.matrix_on(scope).toarray() - minus.matrix_on(scope).toarray()
    np.testing.assert_allclose(scope.matrix(found.values).toarray(), expected, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.row_sums, np.abs(expected).sum(1), rtol=1e-9)
    for ours, theirs in ((found.plus, plus), (found.minus, minus)):
        assert ours.overlap == pytest.approx(theirs.overlap, rel=1e-10)
        assert ours.marginal_error == pytest.approx(theirs.marginal_error, rel=1e-6, abs=1e-13)


def test_a_result_outlives_the_next_use_of_the_workspace():
    cost, _, a = problem(2)
    workspace = Workspace()
    first = plan_difference(cost, SCALES, a, cost.pattern, workspace=workspace)
    expected = sinkhorn(StructuredKernel(cost, SCALES[0]), a, a).entries
    plan_difference(cost, (0.1, -0.1), a, cost.pattern, workspace=workspace)
    np.testing.assert_allclose(first.plus.entries, expected, rtol=1e-12)


def test_without_mass_there_is_no_difference():
    cost, _, a = problem(1)
    found = plan_difference(cost, SCALES, np.zeros_like(a), cost.pattern)
    assert not found.values.any()
    assert not found.row_sums.any()
