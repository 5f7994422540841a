"""The rules of propagation against torch-geometric's own and against edge-by-edge versions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from spco.structures.propagation import PROPAGATIONS, CountedPropagation, Propagation, SignedPropagation


def directed(seed: int, *, size: int = 12, loops: bool = True) -> sp.csr_array:
    """A matrix of positive weights with some loops, no symmetry and a node without edges."""
    rng = np.random.default_rng(seed)
    dense = rng.uniform(0.5, 2.0, (size, size)) * (rng.random((size, size)) < 0.3)
    if not loops:
        np.fill_diagonal(dense, 0.0)
    dense[0], dense[:, 0] = 0.0, 0.0
    return sp.csr_array(dense)


@pytest.mark.parametrize("seed", range(4))
def test_the_signed_rule_is_that_of_torch_geometric(seed):
    gcn_norm = pytest.importorskip("torch_geometric.nn.conv.gcn_conv", reason="needs the extra pyg").gcn_norm
    matrix = directed(seed).tocoo()
    index = torch.from_numpy(np.stack([matrix.row, matrix.col]).astype(np.int64))
    index, weights = gcn_norm(index, torch.from_numpy(matrix.data), matrix.shape[0])
    expected = np.zeros(matrix.shape)
    np.add.at(expected, (index[1].numpy(), index[0].numpy()), weights.numpy())
    found = SignedPropagation().whole(sp.csr_array(matrix)).toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_node_whose_degree_is_not_positive_neither_sends_nor_hears():
    matrix = sp.csr_array(np.array([[0.0, -3.0, 1.0], [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
    found = SignedPropagation().whole(matrix).toarray()
    assert np.isfinite(found).all()
    assert not found[1].any()
    assert not found[:, 1].any()
    assert found[2, 2] == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(4))
def test_the_counted_rule_edge_by_edge(seed):
    rule, matrix = CountedPropagation(self_loops=1.0), directed(seed, loops=seed % 2 == 0)
    edges = rule.edges(matrix)
    np.testing.assert_allclose(edges.toarray(), matrix.toarray() + np.eye(12))
    kept = sp.coo_array(edges)
    keep = np.random.default_rng(seed).random(kept.nnz) < 0.6
    draw = sp.csr_array((kept.data[keep], (kept.row[keep], kept.col[keep])), shape=kept.shape)
    listed = [*zip(kept.row[keep], kept.col[keep], kept.data[keep], strict=True)]
    listed += [(node, node, edges[node, node]) for node in range(12)]
    leaving, entering, expected = np.zeros(12), np.zeros(12), np.zeros((12, 12))
    for source, target, _ in listed:
        leaving[source] += 1
        entering[target] += 1
    for source, target, weight in listed:
        expected[target, source] += weight / np.sqrt(leaving[source] * entering[target])
    np.testing.assert_allclose(rule.drawn(draw, edges).toarray(), expected, rtol=1e-12)


@pytest.mark.parametrize("name", PROPAGATIONS)
def test_all_rules_are_gcns_on_a_graph_with_unit_weights_and_no_loops(name):
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((10, 10)) < 0.3, 1).astype(float)
    matrix = sp.csr_array(upper + upper.T)
    rule, plain = PROPAGATIONS[name](), Propagation()
    np.testing.assert_allclose(rule.whole(matrix).toarray(), plain.whole(matrix).toarray(), rtol=1e-12)
