"""What counts as rounding in the overlap of a plan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spco.transport import StructuredKernel, sinkhorn
from spco.transport.rounding import significant_overlap

from .test_sinkhorn import problem

UNIT = np.finfo(np.float64).eps


@pytest.mark.parametrize("error", [0.0, 40 * UNIT])
@pytest.mark.parametrize("scale", [0.5, -30.0, 150.0])
def test_an_exponential_adds_the_rounding_of_its_exponent(scale, error):
    cost, _, a = problem(2)
    plan = sinkhorn(StructuredKernel(cost, scale), a, a, iterations=20)
    largest = abs(scale) * np.abs(cost.values).max()
    noise = (error + UNIT * largest) * (np.abs(cost.values) @ plan.entries)
    for sign in (1, -1):
        below, above = (replace(plan, overlap=sign * share * noise) for share in (0.99, 1.01))
        assert significant_overlap(below, error) == 0.0
        assert significant_overlap(above, error) == above.overlap
    assert significant_overlap(plan, error) == plan.overlap
