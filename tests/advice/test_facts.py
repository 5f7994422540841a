"""Measured facts against slow versions on small graphs, and against what generated graphs are known to be."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.advice.facts import FeatureFacts, LabelFacts, StructureFacts, _probed_low_energy, rewired
from spco.datasets import sbm


def awkward():
    """Two components, isolated nodes, a loop and weights."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (5, 6), (6, 7)]
    dense = np.zeros((10, 10))
    for number, (i, j) in enumerate(edges):
        dense[i, j] = dense[j, i] = 1 + number
    dense[3, 3] = 2
    return dense


def test_structure_against_networkx():
    graph = spco.Graph(awkward())
    facts = StructureFacts.of(graph)
    slow = nx.from_numpy_array(awkward())
    pieces = [len(part) for part in nx.connected_components(slow)]
    assert (facts.components, facts.largest_component) == (len(pieces), max(pieces) / 10)
    assert facts.isolated == 3
    degrees = (awkward() > 0).sum(axis=1)
    assert facts.average_degree == degrees.mean()
    assert facts.largest_degree == degrees.max()
    assert facts.hub_share == degrees.max() / degrees.sum()


@pytest.mark.parametrize("sparse", [False, True])
def test_agreement_against_a_loop_over_nodes(sparse):
    rng = np.random.default_rng(0)
    features = rng.random((10, 6)) * (rng.random((10, 6)) < 0.7)
    dense = awkward()
    np.fill_diagonal(dense, 0)
    units = features / np.where(norms := np.linalg.norm(features, axis=1, keepdims=True), norms, 1)
    centred = units - units.mean(axis=0)
    given = sp.csr_array(features) if sparse else features
    found = FeatureFacts.of(spco.Graph(awkward()), given, rng=np.random.default_rng(3)).agreement

    nodes = np.flatnonzero(dense.any(axis=1))
    generator = np.random.default_rng(3)
    rewired(spco.Graph(awkward()), generator)  # draws first
    nodes = generator.permutation(nodes)
    means = [dense[i] @ units / dense[i].sum() - units.mean(axis=0) for i in nodes]

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    own = [cosine(centred[i], mean) for i, mean in zip(nodes, means, strict=True)]
    other = [cosine(centred[i], means[place - 1]) for place, i in enumerate(nodes)]
    wins = [(a > b) + 0.5 * (a == b) for a in own for b in other]
    assert found == pytest.approx(np.mean(wins), abs=1e-9)


def test_probes_find_the_energy_of_the_decomposition():
    graph = sbm(600, homophily=0.9, feature_noise=1.0, random_state=0)
    exact = FeatureFacts.of(graph, graph.features, rng=np.random.default_rng(0))
    rows = graph.features / np.linalg.norm(graph.features, axis=1, keepdims=True)
    signs = (np.random.default_rng(seed).choice([-1.0, 1.0], (32, 4)) for seed in range(40))
    probed = [_probed_low_energy(graph, (rows - rows.mean(axis=0)) @ mixture) for mixture in signs]
    assert exact.is_exact
    # A mean of ratios is a little below the ratio of means; the random graph's is 0.2 lower.
    assert np.mean(probed) == pytest.approx(exact.low_energy, abs=0.04)


def test_homophily_is_seen_in_features_without_labels():
    alike, unlike = (
        FeatureFacts.of(graph, graph.features, rng=np.random.default_rng(0))
        for graph in (sbm(1000, homophily=h, feature_noise=1.0, random_state=0) for h in (0.9, 0.25))
    )
    assert alike.agreement > 0.8
    assert 0.45 < unlike.agreement < 0.6
    assert alike.low_energy > alike.low_energy_by_chance + 0.1
    assert unlike.low_energy == pytest.approx(unlike.low_energy_by_chance, abs=0.03)


def test_a_rewired_graph_has_nearly_the_same_degrees():
    graph = sbm(2000, degree_exponent=2.5, random_state=0)
    other = rewired(graph, np.random.default_rng(0))
    assert np.corrcoef(graph.degrees, other.degrees)[0, 1] > 0.98
    assert other.num_edges > 0.97 * graph.num_edges
    assert (other.adjacency != other.adjacency.T).nnz == 0
    assert not other.adjacency.diagonal().any()
    shared = (graph.adjacency.multiply(other.adjacency)).nnz / graph.adjacency.nnz
    assert shared < 0.1


def test_label_facts_against_counting():
    labels = np.array([0, 0, 1, 1, -1, 2, 2, 0, -1, 1])
    graph = spco.Graph(awkward())
    facts = LabelFacts.of(graph, labels)
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (5, 6), (6, 7)]
    assert facts.homophily == sum(labels[i] == labels[j] for i, j in edges) / len(edges)
    ends = np.bincount([labels[i] for edge in edges for i in edge])
    expected = ((ends / ends.sum()) ** 2).sum()
    assert facts.adjusted_homophily == pytest.approx((facts.homophily - expected) / (1 - expected))
    assert (facts.labelled, facts.classes) == (8, 3)
    assert np.isnan(LabelFacts.of(graph, np.full(10, -1)).homophily)
