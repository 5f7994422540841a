"""Clusters: a partition, balanced, with more edges inside than chance has."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.datasets import sbm
from spco.linalg.clusters import clusters

from ..conftest import awkward_adjacency


def inside(matrix, labels):
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return np.mean(labels[rows] == labels[matrix.indices])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_each_node_has_one_cluster_and_none_is_too_large(seed, size):
    matrix = sp.csr_array(awkward_adjacency(seed))
    found = clusters(matrix, size, np.random.default_rng(seed))
    counts = np.bincount(found)
    assert len(found) == matrix.shape[0]
    assert counts.min() >= 1  # the numbers have no gaps
    assert counts.max() <= max(size + 1, 1.25 * size)
    assert found.tolist() == clusters(matrix, size, np.random.default_rng(seed)).tolist()


def test_communities_are_found_far_better_than_by_chance():
    matrix = sbm(4000, 20, average_degree=10, homophily=0.9, num_features=0, random_state=0).adjacency
    found = clusters(matrix, 200, np.random.default_rng(0))
    by_chance = np.random.default_rng(1).permutation(found)
    assert inside(matrix, found) > 0.5 > 5 * inside(matrix, by_chance)
