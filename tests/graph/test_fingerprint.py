"""The digest that ties checkpoints and searches to a graph tells all graphs apart that train differently."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.graph.fingerprint import graph_fingerprint

PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
X = np.array([[1, 0], [0, 3], [5, 0]], dtype=np.float32)


def changed(array, place, value):
    array = array.copy()
    array[place] = value
    return array


@pytest.mark.parametrize("kept_as", [np.asarray, sp.csr_array])
def test_every_edge_weight_and_feature_counts_and_labels_do_not(kept_as):
    others = [
        spco.Graph(PATH * 2, kept_as(X)),
        spco.Graph(PATH > 0, kept_as(X)),
        spco.Graph(PATH[::-1, ::-1], kept_as(X)),
        spco.Graph(PATH),
        spco.Graph(PATH, kept_as(changed(X, (1, 1), 4))),
        spco.Graph(PATH, kept_as(changed(X, (0, 1), 1))),
        spco.Graph(PATH, kept_as(X[:, ::-1])),
        spco.Graph(PATH, kept_as(X[[0, 2, 1]])),
    ]
    own = graph_fingerprint(spco.Graph(PATH, kept_as(X)))
    assert own == graph_fingerprint(spco.Graph(PATH, kept_as(X), labels=[0, 1, 0], name="other"))
    assert len({own, *map(graph_fingerprint, others)}) == 1 + len(others)
