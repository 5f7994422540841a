"""Batches of some nodes: every node a seed once, the same bits for the same seed, training that learns."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
import torch

import spco
from spco.errors import InvalidParameterError, MissingDependencyError
from spco.linalg.sampling import sampled_neighbourhood
from spco.methods import METHODS
from spco.nn import FeatureMatrix
from spco.structures import PROPAGATIONS
from spco.training import PlainPair
from spco.training.loaders import Clusters, Subgraphs
from spco.training.loaders.pyg_lib import PygLibSampler
from spco.training.loaders.subgraphs import new_subgraphs

WINE = spco.load_dataset("wine")
FEATURES = FeatureMatrix(WINE.features)
LOADERS = {
    "subgraphs": lambda size: Subgraphs(FEATURES, fanouts=[3, 2], batch_size=size),
    "clusters": lambda size: Clusters(FEATURES, batch_size=size, merged=3),
}
either = pytest.mark.parametrize("name", LOADERS)


def epoch(loader, seed=0, **options):
    return list(loader.batches(PlainPair(WINE, **options).at(0), np.random.default_rng(seed)))


@either
@pytest.mark.parametrize("size", [1, 40, 177])
def test_every_node_is_a_seed_once(name, size):
    loader = LOADERS[name](size)
    batches = epoch(loader)
    seeds = np.concatenate([batch.nodes[batch.seeds] for batch in batches])
    assert sorted(seeds) == list(range(178))
    assert len(batches) == loader.steps == -(-178 // size) or name == "clusters"  # which may be larger
    for batch in batches:
        np.testing.assert_array_equal(batch.features.matrix, WINE.features[batch.nodes])
        assert batch.anchor is batch.partner


@either
def test_the_same_seed_gives_the_same_batches(name):
    first, again, other = (
        [batch.nodes.tolist() for batch in epoch(LOADERS[name](40), seed)] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@either
@pytest.mark.parametrize("size", [178, 1000])
def test_a_batch_as_large_as_the_graph_is_the_graph_and_draws_nothing(name, size):
    rng = np.random.default_rng(0)
    (batch,) = LOADERS[name](size).batches(PlainPair(WINE).at(0), rng)
    assert batch.nodes.tolist() == list(range(178))
    assert (batch.anchor.matrix != WINE.adjacency).nnz == 0
    assert rng.random() == np.random.default_rng(0).random()


@pytest.mark.parametrize("fanouts", [[], [0], [2, -2], [1.5], "10", 10])
def test_bad_fanouts_are_refused(fanouts):
    with pytest.raises(InvalidParameterError, match="'fanouts' parameter of Subgraphs"):
        Subgraphs(FEATURES, fanouts=fanouts, batch_size=10)


@pytest.mark.parametrize(("depth", "fanouts"), [(1, (5, 5)), (2, (5,)), (3, (5, 5))])
def test_fanouts_of_another_number_than_layers_are_refused(depth, fanouts):
    grace = METHODS["grace"]
    model = grace(13, grace.settings_type(widths=(4,) * depth), generator=torch.Generator())
    with pytest.raises(InvalidParameterError, match=rf"each of the {depth} layers of 'grace'"):
        new_subgraphs(FEATURES, model, fanouts=fanouts, batch_size=10)
    usual = new_subgraphs(FEATURES, model, batch_size=10)
    assert usual.fanouts == (10,) * depth


def test_filters_of_many_hops_are_refused():
    polygcl = METHODS["polygcl"]
    model = polygcl(13, polygcl.settings_type(width=4), generator=torch.Generator())
    with pytest.raises(InvalidParameterError, match="'full' or 'blocks' with 'polygcl'"):
        new_subgraphs(FEATURES, model, batch_size=10)


def test_without_pyg_lib_its_sampler_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyg_lib", None)
    with pytest.raises(MissingDependencyError, match="sampler='neighbours'"):
        PygLibSampler()


def test_pyg_lib_s_sampler_is_called_as_it_wants_and_understood(monkeypatch):
    """A stand-in of the same signature, which finds all neighbours, in no order and out of torch's state."""
    drawn = []

    def neighbor_sample(rowptr, col, seed, num_neighbors, *, replace, directed):
        assert rowptr.dtype == col.dtype == seed.dtype == torch.int64
        assert (num_neighbors, replace, directed) == ([-1, -1], False, True)
        drawn.append(torch.rand(1).item())
        hops = [seed]
        for _ in num_neighbors:
            known = torch.cat(hops)
            heard = torch.cat([col[rowptr[node] : rowptr[node + 1]] for node in hops[-1]]).unique()
            hops.append(heard[~torch.isin(heard, known)].flip(0))
        return None, None, torch.cat(hops), None, [len(hop) for hop in hops], []

    monkeypatch.setitem(sys.modules, "pyg_lib", ModuleType("pyg_lib"))
    monkeypatch.setattr(torch.ops.pyg, "neighbor_sample", neighbor_sample, raising=False)
    sampler, before = PygLibSampler(), torch.get_rng_state()
    for key in (1, 1, 2):
        found = sampler(WINE.adjacency, np.array([90, 3]), [-1, -1], key)
        expected = sampled_neighbourhood(WINE.adjacency, np.array([90, 3]), [-1, -1], 0)
        assert found.nodes.tolist() == expected.nodes.tolist()
        assert found.ends == expected.ends
        assert found.stand_in
    assert drawn[0] == drawn[1] != drawn[2]
    assert torch.equal(torch.get_rng_state(), before)


@either
@pytest.mark.parametrize("rule", ["pyg", "dgl"])
def test_rules_that_need_all_rows_are_refused(name, rule):
    with pytest.raises(InvalidParameterError, match=rf"must be 'gcn'. Got '{rule}'"):
        epoch(LOADERS[name](40), propagation=PROPAGATIONS[rule]())
