from __future__ import annotations

import itertools

import numpy as np

import spco
from spco.bench.subgraphs import bench_subgraphs, plain_neighbourhood
from spco.datasets import sbm


def test_measures_what_it_says():
    told = []
    wine = spco.load_dataset("wine")
    cases = bench_subgraphs(sizes=[3000], graphs=[wine], seeds=5, rounds=1, tell=told.append)
    assert told == ["subgraphs of wine", "subgraphs of a graph with 3,000 nonzeros"]
    assert [(case.nodes, case.facts["seeds"]) for case in cases] == [(178, 5), (300, 5)]
    for case in cases:
        assert min(case.seconds, case.baseline_seconds, case.facts["sampling_ms"]) > 0
        assert 5 < case.facts["batch_nodes"] <= case.nodes


def test_the_baseline_samples_as_it_should():
    matrix = sbm(500, average_degree=30, random_state=0).adjacency
    seeds, rng = np.arange(0, 500, 100), np.random.default_rng(0)
    nodes, ends = plain_neighbourhood(matrix, seeds, (4, 2), rng)
    hops = [nodes[slice(*some)] for some in itertools.pairwise((0, *ends))]
    assert len(set(nodes)) == len(nodes)
    assert 5 < len(hops[1]) <= 20
    assert len(hops[2]) <= 40
    for near, far in itertools.pairwise(hops):
        assert (matrix[near].sum(axis=0)[far] > 0).all()
