"""The N×N table of flip probabilities that a plan stands for, and how often draws flip each pair."""

from __future__ import annotations

import numpy as np

import spco


def table_of(flips):
    """Every pair's probability, read from the parts of a plan."""
    size = flips.matrix.shape[0]
    table = np.zeros((size, size))
    rows, columns = flips.matrix.nonzero()
    table[rows, columns] = flips.dropped
    edges = np.zeros((size, size), dtype=bool)
    edges[rows, columns] = True
    if flips.unlisted is not None:
        rule = flips.unlisted
        for i in range(size):
            for j in range(i + 1, rule.ends[i]):
                p, q = rule.ranking.order[[i, j]]
                if not (edges[p, q] or edges[q, p]):
                    sums = rule.ranking.values[i] + rule.ranking.values[j]
                    table[p, q] = table[q, p] = rule.factor * sums
    if flips.listed is not None:
        pairs = flips.listed.pairs
        assert not edges[pairs.low, pairs.high].any()
        assert (table[pairs.low, pairs.high] == 0).all()
        table[pairs.low, pairs.high] = table[pairs.high, pairs.low] = flips.listed.probabilities
    return table


def assert_drawn_by(table, view, graph: spco.Graph, draws=3000):
    """Each pair is flipped as often as the table says, and as independently of the others."""
    upper = np.triu_indices(graph.num_nodes, 1)
    before, prepared = graph.adjacency.toarray(), view.prepared(graph)
    flipped = np.empty((draws, len(upper[0])))
    for seed in range(draws):
        drawn = prepared.apply(graph.adjacency, num_features=0, rng=np.random.default_rng(seed)).matrix
        flipped[seed] = ((drawn.toarray() != 0) != (before != 0))[upper]
    expected = table[upper]
    spread = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(flipped.mean(0) - expected) <= 5 * spread + 1e-9).all()
    # Chi-square over all pairs: its mean is the number of pairs with a probability between 0 and 1.
    open_pairs = spread > 0
    chi = (((flipped.mean(0) - expected)[open_pairs] / spread[open_pairs]) ** 2).sum()
    freedom = open_pairs.sum()
    assert abs(chi - freedom) < 5 * np.sqrt(2 * freedom)
    # Of independent flips, the variances add up.
    counts, variance = flipped.sum(1), (expected * (1 - expected)).sum()
    assert abs(counts.var() / variance - 1) < 5 * np.sqrt(2 / draws) + 0.02
