"""Operators that hold no matrix beside the graph's own multiply as the matrix would."""

from __future__ import annotations

import pytest
import torch

import spco
from spco.spectral import LargePair
from spco.structures import PROPAGATIONS, Structure, structure_of
from spco.structures.implicit import ImplicitOperator, UnweightedStructure

from ..conftest import awkward_adjacency


@pytest.mark.parametrize("loops", [1.0, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_an_unweighted_graph_needs_no_values(seed, loops):
    graph, rule = (
        spco.Graph((awkward_adjacency(seed) > 0).astype(float)),
        PROPAGATIONS["gcn"](self_loops=loops),
    )
    large, exact = (structure_of(graph, rule, "cpu", implicit=implicit) for implicit in (True, False))
    assert isinstance(large, UnweightedStructure)
    dense = torch.randn(graph.num_nodes, 5)
    for steps in (1, 3):
        found, expected = (one.with_steps(steps).operator @ dense for one in (large, exact))
        torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-5)
    onto = torch.ones_like(dense)
    torch.testing.assert_close(
        large.operator.transpose_times(dense, onto), 1 + exact.operator @ dense, atol=1e-6, rtol=1e-5
    )
    assert abs(large.filter_operator.matrix - exact.filter_operator.matrix).max() == 0
    weighted = spco.Graph(2.0 * graph.adjacency)
    assert type(structure_of(weighted, rule, "cpu", implicit=True)) is Structure


def test_gradients_pass_through_the_operator():
    graph = spco.datasets.sbm(400, 3, average_degree=8.0, num_features=16, random_state=0)
    pair = LargePair(graph, epsilon=0.1)
    pair.refresh(0.0)
    operator = ImplicitOperator(pair.refresh(1.0).normalized())
    dense = torch.randn(400, 2, requires_grad=True)
    (operator @ dense).square().sum().backward()
    matrix = operator.times(torch.eye(400))
    torch.testing.assert_close(dense.grad, 2 * matrix.T @ matrix @ dense.detach(), atol=1e-4, rtol=1e-4)
