from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.errors import InvalidFeaturesError, InvalidLabelsError, InvalidParameterError, InvalidSplitError
from spco.paper.case_study import CaseSettings, case_accuracy, case_embedding
from spco.paper.case_study.model import _Propagation

SETTINGS = CaseSettings(epochs=5, probe_steps=20, probe_restarts=3)


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def plain_embedding(graph, first, second, settings, seed):
    """The same training with dense tensors and torch's own pieces."""
    from spco.nn import ProjectionHead, glorot

    generator = torch.Generator().manual_seed(seed)
    features = torch.tensor(np.array(graph.features))
    one, other = (torch.tensor(matrix.toarray(), dtype=torch.float32) for matrix in (first, second))
    weight = glorot(features.shape[1], settings.width, generator)
    bias, activation = torch.nn.Parameter(torch.zeros(settings.width)), torch.nn.PReLU()
    head = ProjectionHead(settings.width, settings.width, generator=generator)
    optimizer = torch.optim.Adam([weight, bias, *activation.parameters(), *head.parameters()], lr=1e-3)
    for _ in range(settings.epochs):
        optimizer.zero_grad()
        a, b = (head(activation(matrix @ (features @ weight) + bias)) for matrix in (one, other))
        similarity = torch.nn.functional.cosine_similarity(a[:, None], b[None], dim=2) / settings.temperature
        log_shares = similarity.log_softmax(1).diag() + similarity.log_softmax(0).diag()
        (-log_shares.mean() / 2).backward()
        optimizer.step()
    return activation(one @ (features @ weight) + bias).detach()


@pytest.mark.parametrize("kind", ["same", "sparse", "dense"])
def test_training_is_that_of_plain_torch(graph, kind):
    first = graph.adjacency
    second = {
        "same": first,
        "sparse": sp.csr_array(first * 0.5),
        "dense": sp.csr_array(np.random.default_rng(0).random(first.shape)),
    }[kind]
    found = case_embedding(
        graph, first, second, settings=SETTINGS, generator=torch.Generator().manual_seed(7)
    )
    wanted = plain_embedding(graph, first, second, SETTINGS, 7)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    untrained = plain_embedding(graph, first, second, replace(SETTINGS, epochs=1), 7)
    assert (found - untrained).abs().max() > 1e-2


@pytest.mark.parametrize("density", [0.05, 0.5])
def test_propagation_and_its_gradient(density):
    matrix = sp.random_array((30, 30), density=density, rng=np.random.default_rng(0), format="csr")
    narrow = torch.randn(30, 3, generator=torch.Generator().manual_seed(0)).requires_grad_()
    dense = torch.tensor(matrix.toarray(), dtype=torch.float32)
    product = _Propagation(matrix) @ narrow
    torch.testing.assert_close(product, dense @ narrow)
    (gradient,) = torch.autograd.grad((product**2).sum(), narrow)
    torch.testing.assert_close(gradient, 2 * dense.T @ (dense @ narrow))


def test_the_same_seed_gives_the_same_accuracy_and_another_a_different_one(graph):
    first, second, other = (
        case_accuracy(graph, graph.adjacency, graph.adjacency, seed=seed, settings=SETTINGS)
        for seed in (0, 0, 1)
    )
    assert first == second != other


def test_the_global_random_state_is_left_alone(graph):
    torch.manual_seed(0)
    before = torch.get_rng_state()
    case_accuracy(graph, graph.adjacency, graph.adjacency, seed=0, settings=SETTINGS)
    assert torch.equal(torch.get_rng_state(), before)


def test_test_labels_change_the_score_but_not_the_model(graph):
    """With every test label moved on by one, no guess that was right stays right."""
    labels = graph.labels.copy()
    test = graph.splits["test"]
    labels[test] = (labels[test] + 1) % 3
    moved = replace(graph, labels=labels)
    settings = replace(SETTINGS, epochs=30, probe_steps=100)
    right = case_accuracy(graph, graph.adjacency, graph.adjacency, seed=0, settings=settings)
    wrong = case_accuracy(moved, graph.adjacency, graph.adjacency, seed=0, settings=settings)
    assert right > 0.5
    assert wrong <= 1 - right + 1e-12


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"features": None}, InvalidFeaturesError, "'graph.features'"),
        ({"labels": None}, InvalidLabelsError, "'graph.labels' parameter of case_accuracy must be there"),
        ({"splits": {"train": [0], "test": [1]}}, InvalidSplitError, "must have 'train20'. Got 'train', 'te"),
        ({"labels": [-1] * 178}, InvalidLabelsError, "must be known on 'train20' and 'test'"),
    ],
)
def test_a_graph_that_lacks_something_is_refused(graph, change, error, message):
    with pytest.raises(error, match=message):
        case_accuracy(replace(graph, **change), graph.adjacency, graph.adjacency, seed=0, settings=SETTINGS)


@pytest.mark.parametrize(
    "change", [{"width": 0}, {"epochs": -1}, {"temperature": 0}, {"learning_rate": float("nan")}]
)
def test_settings_are_checked(change):
    with pytest.raises(InvalidParameterError, match=f"'{next(iter(change))}' parameter of CaseSettings"):
        CaseSettings(**change)
