"""Views made of views."""

from __future__ import annotations

import numpy as np
import pytest

from spco.errors import InvalidParameterError
from spco.views import (
    PPR,
    AdaptiveMaskFeatures,
    Compose,
    DropEdges,
    Identity,
    MaskFeatures,
    ShuffleFeatures,
    Spectral,
)

from .graphs import random_graph

RNG = np.random.default_rng


def test_parts_are_applied_in_order_with_one_generator():
    graph = random_graph()
    drawn = Compose([DropEdges(0.4), MaskFeatures(0.5)])(graph, rng=RNG(0))
    rng = RNG(0)
    edges, columns = DropEdges(0.4)(graph, rng=rng), MaskFeatures(0.5)(graph, rng=rng)
    assert abs(drawn.matrix - edges.matrix).nnz == 0
    assert np.array_equal(drawn.kept_columns, columns.kept_columns)
    assert drawn.row_order is None


def test_order_matters():
    graph = random_graph()
    before = Compose([DropEdges(0.5), PPR(0.2)])(graph, rng=RNG(0)).matrix
    after = Compose([PPR(0.2), DropEdges(0.5)])(graph, rng=RNG(0)).matrix
    expected = PPR(0.2).apply(DropEdges(0.5)(graph, rng=RNG(0)).matrix, num_features=0, rng=RNG(0)).matrix
    assert abs(before - expected).nnz == 0
    assert abs(before - after).max() > 0.01


def test_a_column_survives_only_if_all_let_it():
    graph = random_graph()
    drawn = Compose([MaskFeatures(0.3), MaskFeatures(0.3)])(graph, rng=RNG(0))
    rng = RNG(0)
    first, second = (MaskFeatures(0.3)(graph, rng=rng).kept_columns for _ in range(2))
    assert np.array_equal(drawn.kept_columns, first & second)
    assert (first != second).any()


def test_two_shuffles_carry_features_along():
    graph = random_graph()
    drawn = Compose([ShuffleFeatures(), ShuffleFeatures()])(graph, rng=RNG(0))
    rng = RNG(0)
    first, second = (ShuffleFeatures()(graph, rng=rng) for _ in range(2))
    features = graph.features.toarray()
    assert np.array_equal(drawn.features_of(features), second.features_of(first.features_of(features)))


def test_promises_are_those_of_the_parts():
    plain = Compose([Identity(), Identity()])
    assert (plain.is_random, plain.normalized, plain.keeps_symmetry) == (False, False, True)
    mixed = Compose([PPR(0.2), DropEdges(0.1)])
    assert (mixed.is_random, mixed.normalized, mixed.keeps_symmetry) == (True, True, True)
    assert Compose([Spectral()]).keeps_symmetry is False
    assert mixed(random_graph(), rng=RNG(0)).normalized


def test_parts_are_prepared():
    graph = random_graph()
    prepared = Compose([AdaptiveMaskFeatures(0.3)]).prepared(graph)
    assert prepared.views[0].weights.shape == (20,)


def test_bad_parts_are_refused():
    for views in ([], DropEdges(0.1), [DropEdges], ["ppr"]):
        with pytest.raises(InvalidParameterError, match="The 'views' parameter of Compose must"):
            Compose(views)


def test_compositions_nest_and_compare():
    inner = Compose([DropEdges(0.2)])
    assert Compose([inner, Identity()]) == Compose((Compose((DropEdges(0.2),)), Identity()))
    graph = random_graph()
    nested = Compose([inner, Identity()])(graph, rng=RNG(0)).matrix
    assert abs(nested - DropEdges(0.2)(graph, rng=RNG(0)).matrix).nnz == 0
