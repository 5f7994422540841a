"""Masking and shuffling of features."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.views import Augmented, MaskFeatures, ShuffleFeatures

from .graphs import random_graph


def draw(view, graph, seed=0, num_features=None):
    count = graph.num_features if num_features is None else num_features
    return view.apply(graph.adjacency, num_features=count, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_p_is_the_probability_of_masking(p):
    kept = draw(MaskFeatures(p), random_graph(), num_features=20_000).kept_columns
    assert abs(kept.mean() - (1 - p)) < 5 * np.sqrt(p * (1 - p) / 20_000)


def test_the_ends_of_the_range():
    graph = random_graph()
    assert draw(MaskFeatures(0.0), graph).kept_columns.all()
    assert not draw(MaskFeatures(1.0), graph).kept_columns.any()
    assert draw(MaskFeatures(0.5), graph, num_features=0).kept_columns.shape == (0,)


def test_the_edges_are_shared_not_copied():
    graph = random_graph()
    for view in (MaskFeatures(0.5), ShuffleFeatures()):
        assert draw(view, graph).matrix is graph.adjacency


def test_a_shuffle_is_a_uniform_permutation():
    graph = random_graph()
    orders = np.array([draw(ShuffleFeatures(), graph, seed).row_order for seed in range(1200)])
    assert (np.sort(orders, axis=1) == np.arange(60)).all()
    counts = np.bincount(orders[:, 0], minlength=60)
    assert abs(counts - 20).max() < 5 * np.sqrt(20)


@pytest.mark.parametrize("convert", [sp.csr_array, np.asarray])
def test_features_of_a_draw(convert):
    dense = np.arange(12, dtype=np.float32).reshape(4, 3)
    drawn = Augmented(
        sp.csr_array((4, 4)), kept_columns=np.array([True, False, True]), row_order=np.array([2, 0, 3, 1])
    )
    expected = dense[[2, 0, 3, 1]] * [1, 0, 1]
    features = convert(dense)
    result = drawn.features_of(features)
    assert type(result) is type(features)
    assert result.dtype == np.float32
    assert np.array_equal(result.toarray() if sp.issparse(result) else result, expected)
    assert np.array_equal(features.toarray() if sp.issparse(features) else features, dense)
    assert Augmented(sp.csr_array((4, 4))).features_of(features) is features
