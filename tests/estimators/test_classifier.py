"""The supervised estimator: which labels it sees, when it stops, and what it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

import spco
from spco.errors import (
    InvalidInputError,
    InvalidLabelsError,
    InvalidSplitError,
    MissingDependencyError,
    NonFiniteLossError,
    NotFittedError,
    UnknownNameError,
)
from spco.evaluation import label_rates
from spco.methods import CLASSIFIERS


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def fitted(graph, method="gcn", *, y=None, train="train20", **parameters):
    model = spco.NodeClassifier(method, **{"epochs": 60, **parameters})
    return model.fit(graph, y, train=graph.splits[train], val=graph.splits["val"])


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_it_learns(method, graph):
    model = fitted(graph, method)
    test = graph.splits["test"]
    assert np.mean(model.predicted_[test] == graph.labels[test]) > 0.85
    assert np.allclose(model.probabilities_.sum(axis=1), 1.0, atol=1e-5)
    assert np.array_equal(model.predict(graph), model.predicted_)


def test_self_loops_have_the_weight_of_the_settings(graph):
    light, heavy = (fitted(graph, epochs=5, settings={"self_loops": weight}) for weight in (1, 9))
    assert np.array_equal(heavy.predict_proba(graph), heavy.probabilities_)
    assert not np.allclose(heavy.probabilities_, light.probabilities_, atol=1e-3)


def test_attention_has_no_weight_of_self_loops(graph):
    with pytest.raises(
        InvalidInputError, match="'self_loops' parameter of NodeClassifier must be 1 with 'gat'"
    ):
        fitted(graph, "gat", settings={"self_loops": 9})


def test_a_classifier_has_no_embedding_to_be_read_over_longer_walks(graph):
    message = "'readout' parameter of NodeClassifier must be 'A' with 'gcn'"
    with pytest.raises(InvalidInputError, match=message):
        fitted(graph, settings={"readout": "A^2"})


def test_predictions_of_a_node_alone_depend_on_its_features(graph):
    """They are scaled by the mean and deviation of the graph that was fitted on, not by their own."""
    model = fitted(graph)
    singles = [spco.Graph([[0.0]], graph.features[[node]]) for node in range(3)]
    assert len(np.unique([model.predict_proba(single)[0] for single in singles], axis=0)) == 3


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_same_seed_same_bits_and_another_seed_others(method, graph):
    first, again, other = (
        fitted(graph, method, epochs=5, random_state=seed).probabilities_ for seed in (3, 3, 4)
    )
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


def test_no_label_outside_the_parts_is_looked_at(graph):
    hidden = np.full_like(graph.labels, -1)
    for part in ("train20", "val"):
        hidden[graph.splits[part]] = graph.labels[graph.splits[part]]
    assert np.array_equal(fitted(graph, y=hidden).probabilities_, fitted(graph).probabilities_)


def test_validation_labels_decide_when_to_stop_and_nothing_else(graph):
    """With wrong validation labels it stops early; for as long as it runs, the losses are the same."""
    wrong = np.array(graph.labels)
    wrong[graph.splits["val"]] = (wrong[graph.splits["val"]] + 1) % 3
    settings = {"training": {"patience": 5}}
    right_way = fitted(graph, settings=settings)
    astray = fitted(graph, y=wrong, settings=settings)
    length = len(astray.history_.losses)
    assert astray.history_.stopped_early
    assert length < len(right_way.history_.losses)
    assert astray.history_.losses == right_way.history_.losses[:length]


def test_it_goes_back_to_the_epoch_with_the_lowest_validation_loss(graph):
    val = graph.splits["val"]

    def loss_after(epochs):
        probabilities = fitted(graph, epochs=epochs, settings={"training": {"patience": None}}).probabilities_
        return -np.log(probabilities[val, graph.labels[val]]).mean()

    model = fitted(graph, epochs=30, settings={"training": {"patience": 30, "learning_rate": 0.3}})
    best = model.history_.best_epoch
    settings = {"training": {"patience": None, "learning_rate": 0.3}}
    stopped_there = fitted(graph, epochs=best + 1, settings=settings)
    assert np.array_equal(model.probabilities_, stopped_there.probabilities_)
    assert loss_after(40) < loss_after(2)


def test_classes_that_training_never_saw_are_never_predicted(graph):
    two = graph.splits["train20"][graph.labels[graph.splits["train20"]] < 2]
    model = spco.NodeClassifier(epochs=5).fit(graph, train=two, val=graph.splits["val"])
    assert model.classes_.tolist() == [0, 1]
    assert model.probabilities_.shape == (178, 2)
    third = graph.splits["val"][graph.labels[graph.splits["val"]] == 2]
    with pytest.raises(InvalidLabelsError, match="name nodes to stop by"):
        spco.NodeClassifier(epochs=5).fit(graph, train=two, val=third)


def test_class_numbers_need_not_be_consecutive(graph):
    spread = graph.labels * 10 + 3
    model = fitted(graph, y=spread)
    assert model.classes_.tolist() == [3, 13, 23]
    assert np.array_equal(model.predicted_, fitted(graph).predicted_ * 10 + 3)


def test_a_checkpoint_is_tied_to_the_labels(graph, tmp_path):
    parts = {"val": graph.splits["val"], "checkpoint": tmp_path / "c.safetensors"}
    spco.NodeClassifier(epochs=3).fit(graph, train=graph.splits["train5"], **parts)
    with pytest.raises(InvalidInputError, match="made with other labels"):
        spco.NodeClassifier(epochs=3).fit(graph, train=graph.splits["train10"], **parts, resume=True)


def test_resumed_equals_run_through(graph, tmp_path):
    parts = {"train": graph.splits["train20"], "val": graph.splits["val"]}
    path = tmp_path / "c.safetensors"
    through = spco.NodeClassifier("gat", epochs=8).fit(graph, **parts)
    half = spco.NodeClassifier("gat", epochs=8)

    class Stop(Exception):
        pass

    from spco.training import Trainer

    original, count = Trainer.train_epoch, 0

    def stopping(self):
        nonlocal count
        if count == 4:
            raise Stop
        count += 1
        original(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Trainer, "train_epoch", stopping)
        with pytest.raises(Stop):
            half.fit(graph, **parts, checkpoint=path, checkpoint_seconds=0)
    half.fit(graph, **parts, checkpoint=path, resume=True)
    assert np.array_equal(half.probabilities_, through.probabilities_)


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_save_and_load(method, graph, tmp_path):
    model = fitted(graph, method, y=graph.labels * 2, epochs=4, random_state=7)
    model.save(tmp_path)
    again = spco.NodeClassifier.load(tmp_path)
    assert np.array_equal(again.predict_proba(graph), model.predict_proba(graph))
    assert np.array_equal(again.predicted_, model.predicted_)
    assert again.classes_.tolist() == [0, 2, 4]
    assert again.get_params() == model.get_params()
    assert again.preset_ == model.preset_
    assert again.history_.losses == model.history_.losses
    with pytest.raises(InvalidInputError, match=r"must hold a saved Embedder\. Got .* with NodeClassifier"):
        spco.Embedder.load(tmp_path)


def test_scikit_learn_conventions():
    model = spco.NodeClassifier("gat", epochs=3, random_state=5)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        model.predict(spco.load_dataset("wine"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: fitted(g, device="foo"), InvalidInputError, "'device' parameter of NodeClassifier"),
        (lambda g: fitted(g, "gnc"), UnknownNameError, "did you mean 'gcn'"),
        (
            lambda g: fitted(g, "dgi"),
            InvalidInputError,
            "must learn from labels. Got 'dgi'.",
        ),
        (
            lambda g: spco.NodeClassifier().fit(g, train=g.splits["val"], val=g.splits["val"]),
            InvalidSplitError,
            "share no node",
        ),
        (
            lambda g: spco.NodeClassifier().fit(spco.Graph(g.adjacency, g.features), train=[0], val=[1]),
            InvalidLabelsError,
            "be the class numbers",
        ),
        (lambda g: fitted(g, settings={"method": {"dropuot": 0.1}}), UnknownNameError, "'dropout'"),
    ],
)
def test_what_it_refuses(call, error, message, graph):
    with pytest.raises(error) as caught:
        call(graph)
    assert message in str(caught.value)


def test_without_torch_geometric_gat_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_geometric.nn", None)
    with pytest.raises(MissingDependencyError, match="pip install 'spco"):
        spco.NodeClassifier("gat").prepare(graph)


def test_an_embedder_sends_supervised_methods_elsewhere(graph):
    with pytest.raises(InvalidInputError) as caught:
        spco.Embedder("gcn").fit(graph)
    assert "must learn without labels. Got 'gcn'." in str(caught.value)
    assert "NodeClassifier('gcn').fit(graph, train=..., val=...)" in str(caught.value)


def test_a_refit_that_fails_leaves_the_model_as_it_was(graph):
    model = fitted(graph)
    before = model.predict(graph)
    two = np.where(graph.labels == 0, -1, graph.labels)
    train, val = (graph.splits[name][two[graph.splits[name]] >= 0] for name in ("train20", "val"))
    model.set_params(settings={"training": {"learning_rate": 1e30}})
    with pytest.raises(NonFiniteLossError):
        model.fit(graph, two, train=train, val=val)
    assert np.array_equal(model.predict(graph), before)


def test_it_is_a_classifier_to_scikit_learn(graph):
    model = fitted(graph)
    assert is_classifier(model)
    assert model.score(graph, graph.labels) == np.mean(model.predict(graph) == graph.labels)


def test_what_is_no_graph_is_refused(graph):
    with pytest.raises(
        InvalidInputError, match=r"'graph' parameter of NodeClassifier\.predict_proba.*Got list"
    ):
        fitted(graph, epochs=2).predict([[0, 1], [1, 0]])


def test_an_error_names_a_class_as_its_user_does(graph):
    named = replace(graph, labels=np.zeros(graph.num_nodes, dtype=int), label_names=["fraud"], splits=None)
    with pytest.raises(InvalidSplitError, match="nodes of class 'fraud'"):
        spco.NodeClassifier("gcn", epochs=1).fit(named)
    few = np.zeros(graph.num_nodes, dtype=int)
    few[:3] = 1
    with pytest.raises(InvalidLabelsError, match="Got 3 in class 'fraud'"):
        label_rates(replace(named, labels=few, label_names=["honest", "fraud"]), ["train5"])
