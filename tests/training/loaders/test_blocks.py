"""Batches of rows: the same loss and gradients as the whole graph's, whatever the products are kept in."""

from __future__ import annotations

import errno
import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.errors import DiskFullError
from spco.methods import METHODS
from spco.nn import FeatureMatrix
from spco.structures import Batch
from spco.training import Blocks, PlainPair, SpectralSchedule, SpectralSettings
from spco.training.loaders.blocks import ORDERS

# Each method with settings under which it needs no structure in a step.
EXACT = {
    "dgi": {"widths": (8,)},
    "ggd": {"widths": (8,)},
    "bgrl": {"widths": (8,), "edge_drop": (0.0, 0.0), "prediction": 8},
    "graphcl": {"widths": (8,), "views": ("mask-features:0.2", "drop-edges:0/mask-features:0.3")},
    "polygcl": {"width": 8, "degree": 4},
}


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(0)
    upper = sp.triu(sp.random_array((90, 90), density=0.05, rng=rng), k=1)
    adjacency = sp.lil_array(upper + upper.T)
    adjacency[7] = adjacency[:, 7] = 0  # isolated
    return spco.Graph(sp.csr_array(adjacency), rng.standard_normal((90, 6)).astype(np.float32))


def learnt_pair(graph):
    schedule = SpectralSchedule(graph, SpectralSettings(theta="constant", epsilon=1.0, eta=0.3), epochs=1)
    return schedule.at(0)


def model_of(name):
    kind = METHODS[name]
    settings = kind.settings_type(**EXACT[name])
    return kind(6, settings, generator=torch.Generator().manual_seed(1))


def loss_and_gradients(model, batch):
    model.zero_grad()
    loss = model(batch)
    loss.backward()
    return float(loss.detach()), {name: value.grad.clone() for name, value in model.named_parameters()}


def whole_batch(features, pair, order):
    class Ordered(Batch):
        def random_order(self):
            return order

    return Ordered(features, pair.anchor, pair.partner, np.random.default_rng(5))


@pytest.mark.parametrize("in_memory", [True, False])
@pytest.mark.parametrize("pair_of", [lambda graph: PlainPair(graph).at(0), learnt_pair])
@pytest.mark.parametrize("name", EXACT)
def test_a_batch_that_is_the_graph_has_the_loss_and_gradients_of_the_full_batch(
    graph, name, pair_of, in_memory, monkeypatch
):
    monkeypatch.setattr("spco.training.loaders.blocks._RUN", 16)
    features, pair = FeatureMatrix(graph.features), pair_of(graph)
    loader = Blocks(features, batch_size=graph.num_nodes, in_memory=in_memory)
    (batch,) = loader.batches(pair, np.random.default_rng(3))
    found = loss_and_gradients(model_of(name), replace(batch, rng=np.random.default_rng(5)))
    expected = loss_and_gradients(model_of(name), whole_batch(features, pair, batch.random_order()))
    assert found[0] == pytest.approx(expected[0], abs=1e-5)
    for parameter, gradient in expected[1].items():
        torch.testing.assert_close(found[1][parameter], gradient, rtol=1e-4, atol=1e-5, msg=parameter)


@pytest.mark.parametrize("in_memory", [True, False])
def test_an_epoch_takes_every_row_once_in_equal_steps(graph, in_memory, monkeypatch):
    monkeypatch.setattr("spco.training.loaders.blocks._RUN", 7)
    monkeypatch.setattr("spco.training.loaders.blocks.BATCHES_READ", 2)
    loader, model = Blocks(FeatureMatrix(graph.features), 20, in_memory=in_memory), model_of("dgi")
    propagated = PlainPair(graph).at(0).anchor.operator @ torch.tensor(graph.features)
    seen = []
    for batch in loader.batches(PlainPair(graph).at(0), np.random.default_rng(0)):
        model(batch)
        rows = batch.anchor.operator @ FeatureMatrix(graph.features).projection(torch.eye(6))
        torch.testing.assert_close(rows, propagated[torch.from_numpy(batch.nodes)])
        seen.append(batch.nodes)
    assert sorted(np.concatenate(seen)) == list(range(graph.num_nodes))
    assert max(len(nodes) for nodes in seen) <= 20
    assert not np.array_equal(np.concatenate(seen), np.arange(graph.num_nodes))


@pytest.mark.parametrize("in_memory", [True, False])
def test_negatives_are_made_of_every_order_alike(graph, in_memory, monkeypatch):
    monkeypatch.setattr("spco.training.loaders.blocks._RUN", 10)
    monkeypatch.setattr("spco.training.loaders.blocks.BATCHES_READ", 1)
    loader, rng = Blocks(FeatureMatrix(graph.features), 30, in_memory=in_memory), np.random.default_rng(0)
    pair, taken = PlainPair(graph).at(0), np.zeros(ORDERS)
    for _ in range(40):
        for batch in loader.batches(pair, rng):
            taken += [batch.random_order() is order for order in loader.orders]
    assert taken.sum() == 120
    assert taken.min() > 0.35 * taken.sum()


def test_a_new_partner_has_new_products_and_the_anchor_keeps_its_own(graph, monkeypatch):
    computed = []
    monkeypatch.setattr(
        "spco.training.loaders.products.propagated",
        lambda structure, *_: computed.append(structure),
    )
    loader, model = Blocks(FeatureMatrix(graph.features), 90), model_of("dgi")
    schedule = SpectralSchedule(
        graph, SpectralSettings(theta="constant", epsilon=1.0, refresh_every=2), epochs=4
    )
    first = schedule.at(0)
    for pair in (first, first, schedule.at(2)):
        for batch in loader.batches(pair, np.random.default_rng(0)):
            model(batch)
    partners = [structure for structure in computed if structure.changed_from is not None]
    assert len(partners) == 2
    assert partners[0] is not partners[1]
    assert len(computed) - len(partners) <= 3  # the anchor with the nodes' own order, and with two others


def test_half_precision_is_close(graph):
    pair, features = PlainPair(graph).at(0), FeatureMatrix(graph.features)
    losses = []
    for dtype in ("float32", "float16"):
        (batch,) = Blocks(features, 90, dtype=dtype).batches(pair, np.random.default_rng(0))
        losses.append(model_of("polygcl")(batch).item())
    assert losses[0] == pytest.approx(losses[1], abs=1e-2)
    assert losses[0] != losses[1]


def test_methods_that_need_the_structure_say_so():
    generator = torch.Generator().manual_seed(0)
    for name in ("grace", "cca_ssg", "gca", "mvgrl", "bgrl", "graphcl"):
        kind = METHODS[name]
        assert kind(6, kind.settings_type(), generator=generator).row_width is None, name
    assert (
        METHODS["dgi"](6, METHODS["dgi"].settings_type(widths=(8, 8)), generator=generator).row_width is None
    )


def test_a_full_disk_is_a_named_error(graph, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("spco.linalg.row_store.reserve", full)
    loader = Blocks(FeatureMatrix(graph.features), 20, in_memory=False)
    batch = next(loader.batches(PlainPair(graph).at(0), np.random.default_rng(0)))
    with pytest.raises(DiskFullError, match="no room for"):
        model_of("dgi")(batch)


def test_what_training_kept_is_freed_without_a_collection(graph):
    """Products of a large graph take gigabytes, which the readout needs."""
    trainer = spco.Embedder("dgi", epochs=1, loader="blocks", batch_size=30, spectral=False).trainer(graph)
    gc.disable()
    try:
        trainer.fit()
        table = weakref.ref(trainer.loader._table)
        del trainer
        assert table() is None
    finally:
        gc.enable()
