"""The nearest nodes are those of the whole matrix of cosines, which is never formed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco import errors
from spco.evaluation import nearest_nodes

Z = np.random.default_rng(0).normal(size=(23, 5))
Z[4] = Z[9] = 0.0
Z[7], Z[15] = 2 * Z[3], Z[3] / 2  # equally similar to every node


def slow(node, top):
    lengths = np.linalg.norm(Z, axis=1)
    scores = [
        -np.inf if j == node else np.dot(Z[node], Z[j]) / ((lengths[node] * lengths[j]) or 1)
        for j in range(len(Z))
    ]
    order = sorted(range(len(Z)), key=lambda j: (-round(scores[j], 9), j))
    return order[:top], [scores[j] for j in order[:top]]


@pytest.mark.parametrize("entries", [1, 40, 1 << 22])
def test_of_many_equals_the_lower_rows_come_first(monkeypatch, entries):
    monkeypatch.setattr("spco.evaluation.nearest._ENTRIES_AT_A_TIME", entries)
    equal = np.tile([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], (100, 1))
    (found,) = nearest_nodes(equal, [150], top=149).neighbors
    first = [row for row in range(0, 300, 3) if row != 150]
    assert found.tolist() == [*first, *range(1, 150, 3)]


@pytest.mark.parametrize("entries", [1, 40, 1 << 22])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_the_best_of_all_pairs(monkeypatch, entries, kind):
    monkeypatch.setattr("spco.evaluation.nearest._ENTRIES_AT_A_TIME", entries)
    nodes = [3, 0, 22, 11]
    found = nearest_nodes(kind(Z), nodes, top=6)
    assert found.nodes.tolist() == nodes
    for node, neighbors, similarities in zip(nodes, found.neighbors, found.similarities, strict=True):
        order, scores = slow(node, 6)
        np.testing.assert_allclose(similarities, scores, atol=1e-12)
        assert node not in neighbors
        if node != 3:  # whose best three tie up to rounding
            assert sorted(neighbors.tolist()) == sorted(order)


def test_equals_come_in_the_order_of_their_rows():
    same = np.ones((6, 2))
    assert nearest_nodes(same, [2], top=3).neighbors.tolist() == [[0, 1, 3]]
    assert nearest_nodes(same, [2], top=3).similarities.max() <= 1


def test_there_are_at_most_all_others():
    found = nearest_nodes(Z, [0], top=100)
    assert sorted(found.neighbors[0].tolist()) == list(range(1, 23))
    assert (np.diff(found.similarities[0]) <= 0).all()


@pytest.mark.parametrize(
    ("nodes", "top", "message"),
    [
        ([23], 3, "'nodes' parameter of nearest_nodes"),
        ([0], 0, "'top' parameter of nearest_nodes must be an integer >= 1"),
    ],
)
def test_bad_input_is_refused(nodes, top, message):
    with pytest.raises(errors.InvalidInputError, match=message):
        nearest_nodes(Z, nodes, top=top)


def test_one_node_has_no_others():
    with pytest.raises(errors.InvalidInputError, match="have at least two rows"):
        nearest_nodes(Z[:1], [0])
