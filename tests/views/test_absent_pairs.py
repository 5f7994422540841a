"""Pairs by sums and products, against tables of all pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from spco.linalg import Pattern
from spco.views.absent_pairs import Pairs, Ranking, are_edges, largest_products

from ..conftest import awkward_adjacency
from .graphs import random_graph


def all_pairs(size):
    return itertools.combinations(range(size), 2)


def as_set(pairs):
    assert (pairs.low < pairs.high).all()
    found = set(zip(pairs.low.tolist(), pairs.high.tolist(), strict=True))
    assert len(found) == len(pairs)
    return found


def test_edges_are_found_in_either_direction():
    matrix = sp.csr_array(np.array([[0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]], dtype=float))
    rows, columns = (part.ravel() for part in np.indices((4, 4)))
    expected = (matrix.toarray() + matrix.toarray().T != 0).ravel()
    assert np.array_equal(are_edges(Pattern.of(matrix), rows, columns), expected)
    pairs = Pairs(*np.triu_indices(4, 1))
    assert as_set(pairs.absent_from(Pattern.of(matrix))) == {(0, 2), (0, 3), (1, 2), (2, 3)}


@pytest.mark.parametrize("kind", ["sums", "products"])
def test_counts_totals_and_lists_of_pairs_above_a_limit(kind):
    numbers = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 2.0, 6.0])
    ranking, ends = Ranking.of(numbers), np.full(7, 7)
    combine = np.add if kind == "sums" else np.multiply
    for limit in (0.5, 5.0, 6.0, 8.0, 12.0, 50.0):
        begins = getattr(ranking, f"begins_of_{kind}")(limit)
        expected = {pair for pair in all_pairs(7) if combine(*numbers[list(pair)]) >= limit}
        assert as_set(ranking.listed(begins, ends)) == expected
        sums = sum(numbers[i] + numbers[j] for i, j in expected)
        assert ranking.total_of_sums(begins) == pytest.approx(sums)


def test_uniform_draws_cover_a_set_evenly():
    ranking = Ranking.of(np.arange(6.0))
    begins, ends = ranking.begins_of_sums(4.0), np.maximum(ranking.begins_of_sums(8.0), np.arange(1, 7))
    members = as_set(ranking.listed(begins, ends))
    assert members == {pair for pair in all_pairs(6) if 4 <= sum(pair) < 8}
    drawn = ranking.uniform(begins, ends, 20_000, np.random.default_rng(0))
    counts = np.unique(drawn.low * 6 + drawn.high, return_counts=True)[1]
    assert len(counts) == len(members)
    mean = 20_000 / len(members)
    assert (np.abs(counts - mean) < 5 * np.sqrt(mean)).all()


def test_bernoulli_draws_have_the_probability_of_their_sum():
    numbers = np.array([0.0, 0.3, 0.05, 1.0, 0.3, 0.0, 2.0])
    ranking, draws, factor = Ranking.of(numbers), 20_000, 0.4
    ends = ranking.begins_of_sums(0.5 / factor)
    expected = np.zeros((7, 7))
    for i, j in all_pairs(7):
        x = factor * (numbers[i] + numbers[j])
        expected[i, j] = x if x < 0.5 else 0.0
    assert (expected > 0.4).any()
    rng, found = np.random.default_rng(1), np.zeros((7, 7))
    for _ in range(draws):
        pairs = ranking.bernoulli_of_sums(ends, factor, rng)
        found[pairs.low, pairs.high] += 1
    deviation = np.sqrt(draws * expected * (1 - expected))
    assert (np.abs(found - draws * expected) <= 5 * deviation).all()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wanted", [0, 1, 7, 60, 10_000])
def test_largest_products_equal_a_sorted_table(seed, wanted):
    adjacency = awkward_adjacency(seed)
    numbers = adjacency.sum(1) + 1.0
    found = as_set(
        largest_products(numbers, Pattern.of(sp.csr_array(adjacency)), wanted, np.random.default_rng(0))
    )
    absent = [pair for pair in all_pairs(len(adjacency)) if adjacency[pair] == 0]
    assert found <= set(absent)
    products = sorted((numbers[i] * numbers[j] for i, j in absent), reverse=True)[:wanted]
    np.testing.assert_allclose(
        sorted((numbers[i] * numbers[j] for i, j in found), reverse=True), products, rtol=1e-9
    )


@pytest.mark.parametrize("wanted", [1, 3])
def test_largest_products_of_a_graph_with_one_edge(wanted):
    """There are many more absent pairs than edges, and yet none is taken at random."""
    numbers = 1.0 + np.random.default_rng(wanted).random(7)
    pattern = Pattern.of(sp.csr_array(([1.0, 1.0], ([2, 5], [5, 2])), shape=(7, 7)))
    found = as_set(largest_products(numbers, pattern, wanted, np.random.default_rng(0)))
    absent = sorted(set(all_pairs(7)) - {(2, 5)}, key=lambda pair: -np.prod(numbers[list(pair)]))
    assert found == set(absent[:wanted])


def test_many_tied_pairs_are_chosen_evenly_without_listing_them():
    size = 40
    ring = np.roll(np.eye(size), 1, axis=1)
    pattern = Pattern.of(sp.csr_array(ring + ring.T))
    counts = np.zeros((size, size))
    for seed in range(2000):
        pairs = largest_products(np.full(size, 3.0), pattern, 30, np.random.default_rng(seed))
        assert len(as_set(pairs)) == 30
        counts[pairs.low, pairs.high] += 1
    absent = np.triu((ring + ring.T) == 0, 1)
    assert (counts[~absent] == 0).all()
    share = 30 / absent.sum()
    assert (np.abs(counts[absent] - 2000 * share) < 5 * np.sqrt(2000 * share)).all()


def test_largest_products_of_a_graph_with_one_hub():
    graph = random_graph(0, size=300)
    numbers = np.ones(300)
    numbers[7] = 50.0
    pairs = largest_products(numbers, Pattern.of(graph.adjacency), 40, np.random.default_rng(0))
    assert all(7 in pair for pair in as_set(pairs))
