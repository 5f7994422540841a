"""The structures of a run, made again from its refreshes."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.training import SpectralSchedule, SpectralSettings
from spco.training.pairs import read_from, replayed_structures

from ..conftest import awkward_adjacency


def operators(structures):
    return [structure.operator.matrix.toarray() for structure in structures]


@pytest.mark.parametrize("inject_as", ["operator", "weights"])
@pytest.mark.parametrize("seed", range(4))
def test_replayed_refreshes_give_the_structures_of_the_run(seed, inject_as):
    graph = spco.Graph(awkward_adjacency(seed))
    settings = SpectralSettings(refresh_every=2, inject_as=inject_as, theta_epochs=5, iterations=2)
    views, thetas = SpectralSchedule(graph, settings, epochs=6), []
    for epoch in range(6):
        views.at(epoch)
        record = views.take_refresh()
        thetas += [] if record is None else [record.theta]
    assert thetas == [0.0, 0.4, 0.8]
    found = replayed_structures(graph, settings, thetas)
    for ours, theirs in zip(operators(found), operators(views.structures), strict=True):
        assert np.array_equal(ours, theirs)
    once = replayed_structures(graph, settings, thetas[-1:])[1]  # scales come from the refreshes before
    assert not np.array_equal(operators([once])[0], operators(found)[1])


def test_what_embeddings_are_read_from():
    anchor, partner = structures = replayed_structures(
        spco.load_dataset("wine"), SpectralSettings(), [0.0, 1.0]
    )
    assert read_from(structures, "anchor") == (anchor,)
    assert read_from(structures, "partner") == (partner,)
    assert read_from(structures, "both") == structures
    assert read_from((anchor, anchor), "both") == (anchor,)
    assert (partner.own, anchor.own) == (anchor, anchor)
