"""What is measured of a learnt view, by how it enters a method."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidParameterError, UnknownNameError
from spco.linalg import renormalized
from spco.training import SpectralSchedule, SpectralSettings, injected_view

from ..conftest import awkward_adjacency


def learnt(graph, inject_as):
    """The views after two refreshes, and the structure that a method contrasts with A."""
    views = SpectralSchedule(graph, SpectralSettings(refresh_every=1, inject_as=inject_as, eta=0.7), epochs=2)
    views.at(0)
    return views, views.at(1)[1]


@pytest.mark.parametrize("seed", range(4))
def test_an_added_change_is_measured_as_one(seed):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(sp.csr_array(adjacency))
    views, partner = learnt(graph, "operator")
    degrees = adjacency.sum(1)
    root = np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    plain = root[:, None] * adjacency * root
    found = injected_view(graph, views.view, "operator")
    assert found.normalized
    np.testing.assert_allclose(found.matrix.toarray() - plain, 0.7 * views.pair.delta.toarray(), atol=1e-12)
    # The two sides differ as they do in the method, where both have self loops.
    in_method = (partner.operator.matrix - renormalized(graph.adjacency)).toarray()
    np.testing.assert_allclose(found.matrix.toarray() - plain, in_method, atol=1e-12)


def test_weights_are_measured_as_weights():
    graph = spco.load_dataset("wine")
    views, _ = learnt(graph, "weights")
    assert injected_view(graph, views.view, "weights") is views.view


def test_a_view_of_another_graph_and_an_unknown_entry_are_refused():
    graph = spco.load_dataset("wine")
    with pytest.raises(InvalidParameterError, match="'view' parameter of injected_view must have one row"):
        injected_view(graph, sp.csr_array((3, 3)), "operator")
    with pytest.raises(UnknownNameError, match="did you mean 'weights'"):
        injected_view(graph, graph.adjacency, "weight")
