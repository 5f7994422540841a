"""The learnt view is the pair's."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.errors import InvalidGraphError, UnknownNameError
from spco.views import Spectral

from .graphs import learnt_matrix, random_graph


@pytest.mark.parametrize(("refreshes", "thetas"), [(1, [0.8]), (2, [0.0, 0.8]), (3, [0.0, 0.4, 0.8])])
def test_is_the_pairs_view_after_as_many_refreshes(refreshes, thetas):
    graph = random_graph(1, weighted=True)
    settings = {"epsilon": 0.5, "eta": 0.7, "hops": 2, "iterations": 4, "target": "identity+laplacian"}
    pair = spco.SpectralPair(graph, **settings)
    for theta in thetas:
        expected = pair.refresh(theta)
    view = Spectral(**settings, theta=0.8, refreshes=refreshes)(graph, rng=np.random.default_rng(0))
    assert abs(view.matrix - expected).max() == 0
    assert not view.normalized


def test_what_is_no_graph_is_refused():
    with pytest.raises(InvalidGraphError, match="weights >= 0"):
        Spectral().apply(learnt_matrix(), num_features=0, rng=np.random.default_rng(0))


def test_targets_are_those_of_the_pair():
    with pytest.raises(
        UnknownNameError, match=r"'target' parameter of Spectral .*\nhint: did you mean 'laplacian'"
    ):
        Spectral(target="laplacan")
