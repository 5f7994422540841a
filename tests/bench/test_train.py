"""The dense baseline must be the same mathematics, or the ratios mean nothing."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.bench.dense_training import DenseTrainer
from spco.methods import METHODS
from spco.nn import FeatureMatrix
from spco.objectives import infonce
from spco.presets import load_preset
from spco.structures import Batch


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


@pytest.mark.parametrize(
    "spectral",
    [
        {"inject_as": "weights"},
        {"inject_as": "operator", "hops": 2, "target": "laplacian2-laplacian"},
        {"inject_as": "operator", "self_loops": 6.0},
    ],
    ids=["weights", "operator", "self loops"],
)
def test_the_dense_dgi_has_the_loss_of_ours(graph, spectral):
    changes = {"method": {"widths": (6,)}, "spectral": spectral}
    preset = load_preset("dgi", "cora").with_changes(changes, owner="test")
    dense = DenseTrainer("dgi", graph, preset)
    ours = METHODS["dgi"](graph.num_features, preset.method, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        ours.encoder.weights[0].copy_(dense.weights[0])
        ours.discriminator.weight.copy_(dense.bilinear)
    trainer = spco.Embedder(
        "dgi", preset="cora", settings={"spectral": {**spectral, "theta": "constant"}}
    ).trainer(graph)
    pair = trainer.schedule.at(0)
    batch = Batch(FeatureMatrix(graph.features), pair.anchor, pair.partner, np.random.default_rng(0))
    assert ours(batch).item() == pytest.approx(dense.loss().item(), rel=1e-5)


@pytest.mark.parametrize("self_loops", [1.0, 6.0])
def test_the_dense_grace_has_the_loss_of_ours(graph, self_loops):
    pytest.importorskip("torch_geometric")
    undisturbed = {"widths": (6, 4), "edge_drop": (0.0, 0.0), "feature_drop": (0.0, 0.0)}
    learnt = {"inject_as": "operator", "eta": 1.0, "hops": 1, "target": "laplacian", "self_loops": self_loops}
    changes = {"method": undisturbed, "spectral": learnt}
    dense = DenseTrainer("grace", graph, load_preset("grace", "cora").with_changes(changes, owner="test"))
    weights = [layer.lin.weight.T for layer in dense.layers]
    hidden = [dense.x, dense.x]
    for weight, activation in zip(weights, dense.activations, strict=True):
        hidden = [
            activation(structure.operator @ (x @ weight))
            for structure, x in zip(dense.pair, hidden, strict=True)
        ]
    first, second = (torch.nn.functional.normalize(dense.head(x), dim=1) for x in hidden)
    ours = infonce(first, second, temperature=dense.settings.temperature)
    assert ours.item() == pytest.approx(dense.loss().item(), rel=1e-5)
    assert not torch.allclose(first, second, atol=1e-3)


@pytest.mark.parametrize("method", ["dgi", "grace", "cca_ssg"])
def test_a_dense_epoch_learns(graph, method):
    changes = {"method": {"widths": (8,) if method == "dgi" else (8, 4)}}
    trainer = DenseTrainer(method, graph, load_preset(method, "cora").with_changes(changes, owner="test"))
    before = [parameter.detach().clone() for parameter in trainer.parameters]
    trainer.epoch()
    assert any(not torch.equal(old, new) for old, new in zip(before, trainer.parameters, strict=True))
