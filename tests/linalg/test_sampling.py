"""The neighbour sampler against a slow search, and its picks for uniformity."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import chisquare

from spco.datasets import sbm
from spco.linalg.sampling import pick, sampled_neighbourhood

from ..conftest import awkward_adjacency


def slow_hops(dense, seeds, hops):
    """The sets of nodes that are first met after 0, 1, ... hops."""
    found = [set(seeds)]
    for _ in range(hops):
        heard = {int(j) for i in found[-1] for j in np.flatnonzero(dense[i])}
        found.append(heard - set().union(*found))
    return found


def hops_of(part):
    return [part.nodes[slice(*ends)].tolist() for ends in itertools.pairwise((0, *part.ends))]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("all_of_them", [-1, 1000])
def test_with_all_neighbours_the_hops_are_those_of_a_search(seed, all_of_them):
    dense = awkward_adjacency(seed)
    seeds = np.random.default_rng(seed).choice(len(dense), 3, replace=False)
    part = sampled_neighbourhood(sp.csr_array(dense), seeds, [all_of_them] * 3, key=seed)
    assert hops_of(part) == [sorted(hop) for hop in slow_hops(dense, seeds.tolist(), 3)]
    assert part.stand_in


def test_a_node_gets_as_many_different_neighbours_as_it_may_whoever_else_is_a_seed():
    matrix = sbm(300, average_degree=12, random_state=0).adjacency
    drawn = {
        node: pick(matrix.indptr, matrix.indices, np.array([node]), 5, np.uint64(7)) for node in range(300)
    }
    for node, found in drawn.items():
        neighbours = matrix.indices[matrix.indptr[node] : matrix.indptr[node + 1]]
        assert len(set(found)) == len(found) == min(5, len(neighbours))
        assert set(found) <= set(neighbours)
    together = pick(matrix.indptr, matrix.indices, np.arange(300), 5, np.uint64(7))
    assert together.tolist() == np.concatenate(list(drawn.values())).tolist()
    assert together.tolist() != pick(matrix.indptr, matrix.indices, np.arange(300), 5, np.uint64(8)).tolist()


def test_every_set_of_neighbours_is_equally_likely():
    star = sp.csr_array(([1.0] * 6, ([0] * 6, range(1, 7))), shape=(7, 7))
    drawn = Counter(
        frozenset(pick(star.indptr, star.indices, np.array([0]), 3, np.uint64(key)).tolist())
        for key in range(20_000)
    )
    assert len(drawn) == 20  # of 3 out of 6
    assert chisquare(list(drawn.values())).pvalue > 1e-3


def test_nodes_with_the_same_neighbours_draw_independently():
    common, nodes, size = 6, 3000, 2
    indptr = common * np.arange(nodes + 1)
    drawn = pick(indptr, np.tile(np.arange(common), nodes), np.arange(nodes), size, np.uint64(3)).reshape(
        -1, size
    )
    met = [
        len({*one} & {*other}) for one, other in zip(drawn[::2].tolist(), drawn[1::2].tolist(), strict=True)
    ]
    # Two pairs out of six have none, one or both in common: 6, 8 and 1 of 15 times.
    expected = np.array([6, 8, 1]) / 15 * len(met)
    assert chisquare(np.bincount(met, minlength=3), expected).pvalue > 1e-3


def test_hops_draw_independently_and_a_key_means_the_same_neighbourhood():
    matrix = sbm(2000, average_degree=20, random_state=0).adjacency
    seeds = np.arange(0, 2000, 50)
    first, again, other = (sampled_neighbourhood(matrix, seeds, [3, 3], key) for key in (1, 1, 2))
    assert first.nodes.tolist() == again.nodes.tolist()
    assert first.nodes.tolist() != other.nodes.tolist()
    assert first.ends[0] == 40 < first.ends[1] <= 160 < first.ends[2] <= 520
    both = sampled_neighbourhood(matrix, first.nodes[: first.ends[1]], [3], 1)
    assert set(first.nodes) != set(both.nodes)


def test_indices_of_any_width_give_the_same():
    narrow = sbm(200, average_degree=9, random_state=0).adjacency
    wide = sp.csr_array(narrow.shape)
    wide.data, wide.indices, wide.indptr = (
        narrow.data,
        narrow.indices.astype(np.int64),
        narrow.indptr.astype(np.int64),
    )
    parts = [sampled_neighbourhood(matrix, np.array([5, 3]), [4, 4], 0) for matrix in (narrow, wide)]
    assert parts[0].nodes.tolist() == parts[1].nodes.tolist()
