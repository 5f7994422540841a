"""Clusters against classes: hand-computed values, seeds, unknown labels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco import errors
from spco.evaluation import cluster_scores

# Two directions: rows 0 to 3 along one axis, 4 and 5 along the other.
Z = np.array([[1.0, 0.0]] * 4 + [[0.0, 2.0]] * 2)


def slow_scores(classes, clusters):
    """NMI and ARI by their definitions: a sum over cells of the table, and a walk over all pairs."""
    count, table = len(classes), {}
    for pair in zip(classes, clusters, strict=True):
        table[pair] = table.get(pair, 0) + 1

    def sizes(of):
        return [list(of).count(value) for value in set(of)]

    def entropy(of):
        return -sum(size / count * math.log(size / count) for size in sizes(of))

    mutual = sum(
        n / count * math.log(count * n / (list(classes).count(a) * list(clusters).count(b)))
        for (a, b), n in table.items()
    )
    pairs = list(itertools.combinations(range(count), 2))
    same_class, same_cluster = ([of[i] == of[j] for i, j in pairs] for of in (classes, clusters))
    both = sum(a and b for a, b in zip(same_class, same_cluster, strict=True))
    expected = sum(same_class) * sum(same_cluster) / len(pairs)
    most = (sum(same_class) + sum(same_cluster)) / 2
    return 2 * mutual / (entropy(classes) + entropy(clusters)), (both - expected) / (most - expected)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_scores_are_those_of_the_definitions(kind):
    labels = np.array([0, 0, 0, 1, 1, 1])
    found = cluster_scores(kind(Z), labels)
    nmi, ari = slow_scores(labels, [0, 0, 0, 0, 1, 1])
    assert (found.nmi, found.ari) == (pytest.approx(nmi), pytest.approx(ari))
    assert (found.clusters, found.nodes) == (2, 6)


def test_clusters_that_are_the_classes_have_1():
    found = cluster_scores(Z, [5, 5, 5, 5, 2, 2])
    assert (found.nmi, found.ari) == (pytest.approx(1), pytest.approx(1))


def test_only_nodes_of_known_class_are_compared():
    found = cluster_scores(Z, [0, 0, -1, -1, 1, -1])
    assert (found.ari, found.nodes, found.clusters) == (pytest.approx(1), 3, 2)


def test_a_seed_gives_the_same_clusters_and_more_starts_no_worse_ones():
    wine = spco.load_dataset("wine")
    assert cluster_scores(wine.features, wine.labels, rng=3) == cluster_scores(
        wine.features, wine.labels, rng=3
    )
    assert cluster_scores(wine.features, wine.labels, clusters=5, starts=1).clusters == 5


@pytest.mark.parametrize(
    ("labels", "more", "message"),
    [
        (None, {}, "'labels' parameter of cluster_scores must be the class numbers of the 6 nodes"),
        ([0, -1, -1, -1, -1, -1], {}, "the class of at least two nodes. Got 1"),
        ([0, 1, 2, 3, 4, 5], {"clusters": 7}, "be at most 6, the number of nodes. Got 7"),
        ([0, 1, 0, 1, 0, 1], {"clusters": 0}, "'clusters' parameter of cluster_scores must be an integer"),
        ([0, 1, 0, 1, 0, 1], {"starts": 0}, "'starts' parameter of cluster_scores must be an integer >= 1"),
    ],
)
def test_bad_input_is_refused(labels, more, message):
    with pytest.raises(errors.InvalidInputError, match=message):
        cluster_scores(Z, labels, **more)
