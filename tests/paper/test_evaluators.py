"""The evaluators of the methods' authors, which score published settings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import spco
from spco.errors import UnknownNameError
from spco.evaluation import Parts, make_task
from spco.paper.classification import SPCO_METHODS
from spco.paper.evaluators import EVALUATORS, published_scores
from spco.paper.probes import accuracy, cross_validated_probe, restarted_probe, stopped_probe
from spco.runs import RunSpec

WINE = spco.load_dataset("wine")
# One label rate, as each costs the evaluators some seconds.
WINE = replace(WINE, splits={name: WINE.splits[name] for name in ("train20", "val", "test")})


def test_all_methods_that_the_paper_has_with_spco_have_an_evaluator():
    assert tuple(EVALUATORS) == SPCO_METHODS


def test_an_embedding_is_scored_by_the_evaluator_of_its_method():
    weights = np.random.default_rng(5).normal(size=(WINE.features.shape[1], 16))
    embedding, labels = np.tanh(WINE.features @ weights).astype(np.float32), WINE.labels
    test = WINE.splits["test"]
    parts = Parts(WINE.splits["train20"], WINE.splits["val"], test)
    how = {"learning_rate": 0.01, "seed": 5}
    expected = {
        "dgi": restarted_probe(embedding, labels, parts, steps=100, restarts=50, **how),
        "grace": cross_validated_probe(embedding, labels, parts),
        "cca_ssg": stopped_probe(embedding, labels, parts, steps=2000, weight_decay=1e-4, **how),
    }
    for method, guesses in expected.items():
        for spectral in (False, True):
            found = published_scores(RunSpec(method, "wine", 5, spectral=spectral), WINE, embedding)
            # With one class per node, micro-F1 is the accuracy.
            assert found["train20"]["micro_f1"] == pytest.approx(accuracy(guesses, labels[test]))


def test_a_method_without_an_evaluator_is_refused():
    with pytest.raises(UnknownNameError, match=r"must be one of 'cca_ssg', 'dgi', 'grace'\. Got 'mvgrl'"):
        published_scores(RunSpec("mvgrl", "wine", 0), WINE, WINE.features)


def test_published_scores_are_means_over_the_restarts_of_the_evaluator():
    graph = spco.load_dataset("wine")
    embedding = np.random.default_rng(0).normal(size=(graph.num_nodes, 5)).astype(np.float32)
    found = published_scores(RunSpec("dgi", "wine", seed=3), graph, embedding)
    task, _ = make_task(graph, None, 0, "test")
    assert set(found) == set(task.parts)
    parts = task.parts["train20"]
    guesses = EVALUATORS["dgi"]("wine", 3)(embedding, task.labels, parts)
    assert guesses.shape == (50, len(parts.test))
    truth = task.labels[parts.test]
    assert found["train20"]["micro_f1"] == pytest.approx((guesses == truth).mean())
    one = np.eye(3, dtype=bool)
    by_class = [
        2 * (one[row] & one[truth]).sum(0) / np.maximum(1, one[row].sum(0) + one[truth].sum(0))
        for row in guesses
    ]
    assert found["train20"]["macro_f1"] == pytest.approx(np.mean(by_class))
