"""The bound of a norm against the norm itself."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.linalg import norm_bound, normalized_adjacency

from ..conftest import awkward_adjacency


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_is_above_the_norm_and_close_to_that_of_absolute_values(seed):
    rng = np.random.default_rng(seed)
    matrix = awkward_adjacency(seed) * rng.normal(size=1)
    matrix[rng.integers(len(matrix))] *= -1
    matrix = (matrix + matrix.T) / 2
    bound = norm_bound(sp.csr_array(matrix), np.ones(len(matrix)), iterations=200)
    assert np.linalg.norm(matrix, 2) <= bound + 1e-12
    assert bound == pytest.approx(np.abs(np.linalg.eigvalsh(np.abs(matrix))).max(), rel=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_roots_of_degrees_bound_a_normalised_adjacency_by_one(seed):
    adjacency = sp.csr_array(awkward_adjacency(seed))
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    start = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    bound = norm_bound(normalized_adjacency(adjacency), start)
    assert bound == pytest.approx(1.0, abs=1e-12)


def test_no_entries_no_norm():
    assert norm_bound(sp.csr_array((3, 3)), np.ones(3)) == 0.0
