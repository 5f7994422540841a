"""Batches of some nodes: which they are, which of them count, and what is between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import spco
from spco.linalg import Part
from spco.methods import METHODS
from spco.nn import FeatureMatrix, SparseMatrix
from spco.structures import Structure, pair_between
from spco.views import PPR

from ..methods.test_contract import batch, make
from ..methods.test_contract import graph as graph  # the fixture


def test_counted_rows_are_the_seeds(graph):
    whole, rows = batch(graph), torch.arange(graph.num_nodes)
    assert whole.counted(rows) is rows
    some = replace(whole, seeds=np.array([4, 0]))
    assert some.counted(rows).tolist() == [4, 0]
    assert some.num_nodes == graph.num_nodes


@pytest.mark.parametrize("name", METHODS)
def test_rows_that_do_not_count_are_left_out_of_every_loss(name, graph):
    """The loss has no gradient in them, and with all rows as seeds it is that of the whole batch."""
    model, whole = make(name, graph.num_features), batch(graph, 1)
    everything = replace(whole, rng=np.random.default_rng(1), seeds=np.arange(178))
    assert model(everything).item() == pytest.approx(model(batch(graph, 1)).item(), rel=1e-6)
    seeds = np.arange(0, 178, 3)
    some = replace(whole, seeds=seeds)
    kept = []

    def spying(batch):
        kept[:] = [rows.detach().requires_grad_() for rows in type(model).encode(model, batch)]
        return tuple(kept)

    model.encode = spying
    model(some).backward()
    others = np.setdiff1d(np.arange(178), seeds)
    for rows in kept:
        assert rows.grad is None or not rows.grad[others].any()
    assert any(rows.grad is not None and rows.grad[seeds].any() for rows in kept)


def test_a_sample_is_of_counting_nodes_and_knows_them(graph):
    whole = batch(graph, partner=graph.adjacency * 2.0)
    nodes, seeds = np.arange(178)[::-1].copy(), np.arange(10, 60)
    some = replace(whole, nodes=nodes, seeds=seeds)
    assert some.sampled(50) is some
    sample = some.sampled(20)
    rows = nodes[sample.nodes]  # as nodes are numbered backwards
    assert len(set(rows)) == 20
    assert set(rows) <= set(seeds)
    assert sample.seeds is None
    assert np.array_equal(sample.features.matrix, graph.features[rows])
    assert abs(sample.partner.matrix - 2.0 * graph.adjacency[rows][:, rows]).max() == 0


@pytest.mark.parametrize("inject_as", ["weights", "operator"])
def test_the_part_of_a_structure_has_parts_of_the_whole_s_operators(inject_as):
    graph = spco.load_dataset("wine")
    added = SparseMatrix(graph.adjacency * 0.1) if inject_as == "operator" else None
    own = Structure(graph.adjacency)
    whole = Structure(graph.adjacency * 2.0, added=added, symmetric=False, changed_from=own)
    nodes = np.arange(5, 90, 2)
    (_, part), inside = pair_between(own, whole, Part.of(nodes)), np.ix_(nodes, nodes)
    for ours, theirs in (
        (part.operator, whole.operator),
        (part.own.operator, own.operator),
        (part.operator_under(PPR(0.2)), whole.operator_under(PPR(0.2))),
    ):
        np.testing.assert_array_equal(ours.matrix.toarray(), theirs.matrix.toarray()[inside])
    assert FeatureMatrix(graph.features).rows(nodes).num_nodes == part.operator.shape[0]
