"""The compiled masks against NumPy, on a graph of many blocks of work."""

from __future__ import annotations

import numba
import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.linalg import Pattern
from spco.views.selection import between, draw_seed, drop_pairs, drop_pairs_by_centrality

SEED = np.uint64(2**63 + 12345)


@pytest.fixture(scope="module")
def matrix():
    adjacency = spco.datasets.sbm(
        num_nodes=30_000, average_degree=12, num_features=1, random_state=0
    ).adjacency
    upper = sp.triu(adjacency, 1, format="csr")
    upper.data = np.random.default_rng(0).normal(size=upper.nnz)
    symmetric = sp.csr_array(upper + upper.T)
    assert len(Pattern.of(symmetric).blocks) > 4
    return symmetric


def uniform_of_pairs(rows, columns):
    """The hash of every unordered pair as a number in [0, 1)."""
    return uniform_of_arcs(np.minimum(rows, columns), np.maximum(rows, columns))


def uniform_of_arcs(rows, columns):
    """The hash of every ordered pair as a number in [0, 1), by splitmix64 in NumPy."""
    low, high = rows.astype(np.uint64), columns.astype(np.uint64)
    with np.errstate(over="ignore"):
        z = SEED + (low * np.uint64(2**32) + high) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


def entries(matrix):
    coo = sp.coo_array(matrix)
    return coo.coords[0].astype(np.int64), coo.coords[1].astype(np.int64), coo.data


def assert_kept(drawn, matrix, stays):
    rows, columns, values = entries(matrix)
    expected = sp.csr_array((values[stays], (rows[stays], columns[stays])), shape=matrix.shape)
    for part in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(drawn, part), getattr(expected, part))


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.5, 0.9999, 1.0])
def test_pairs(matrix, p):
    rows, columns, _ = entries(matrix)
    assert_kept(drop_pairs(matrix, p, SEED), matrix, uniform_of_pairs(rows, columns) >= p)


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.5, 0.9999, 1.0])
def test_ordered_pairs(matrix, p):
    rows, columns, _ = entries(matrix)
    drawn = drop_pairs(matrix, p, SEED, ordered=True)
    assert_kept(drawn, matrix, uniform_of_arcs(rows, columns) >= p)


def test_between(matrix):
    alive = np.random.default_rng(1).random(30_000) < 0.6
    rows, columns, _ = entries(matrix)
    assert_kept(between(matrix, alive), matrix, alive[rows] & alive[columns])


def test_pairs_by_centrality(matrix):
    centrality = np.random.default_rng(2).lognormal(size=30_000)
    centrality[:5000] = 0.0  # edges between these have the score −∞
    rows, columns, _ = entries(matrix)
    with np.errstate(divide="ignore"):
        scores = np.log((centrality[rows] + centrality[columns]) / 2)
    finite = scores[np.isfinite(scores)]
    assert len(finite) < len(scores)
    probabilities = np.minimum((finite.max() - scores) / (finite.max() - finite.mean()) * 0.3, 0.7)
    drawn = drop_pairs_by_centrality(matrix, centrality, 0.3, 0.7, SEED)
    assert_kept(drawn, matrix, uniform_of_pairs(rows, columns) >= probabilities)


def test_the_number_of_threads_does_not_matter(matrix):
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("numba was started with one thread")
    before = numba.get_num_threads()
    drawn = []
    try:
        for threads in (1, 2):
            numba.set_num_threads(threads)
            drawn.append(drop_pairs(matrix, 0.3, SEED))
        assert numba.get_num_threads() == 2
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(drawn[0].indices, drawn[1].indices)
    assert np.array_equal(drawn[0].data, drawn[1].data)


def test_seeds_use_all_64_bits():
    seeds = [int(draw_seed(np.random.default_rng(seed))) for seed in range(200)]
    assert len(set(seeds)) == 200
    assert all(60 < sum(seed >> bit & 1 for seed in seeds) < 140 for bit in range(64))


def test_values_of_other_types_keep_them():
    matrix = sp.csr_array(np.array([[0, 1], [1, 0]], dtype=np.float32))
    assert drop_pairs(matrix, 0.0, SEED).dtype == np.float32
