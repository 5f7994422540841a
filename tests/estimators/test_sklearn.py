"""scikit-learn: pipelines and searches over graphs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import spco
from spco.errors import InvalidLabelsError

WINE = spco.load_dataset("wine")
TRAIN, VAL, TEST = (WINE.splits[name] for name in ("train20", "val", "test"))
SMALL = {"epochs": 3, "settings": {"method": {"widths": [8]}, "spectral": {"refresh_every": 1}}}


def pipeline(**parameters):
    embed = spco.Embedder("dgi", **{**SMALL, **parameters})
    steps = [("embed", embed), ("scale", StandardScaler()), ("classify", LogisticRegression())]
    return Pipeline(steps)


def test_a_pipeline_learns_on_some_nodes_and_predicts_others():
    pipe = pipeline().fit(WINE[TRAIN], WINE.labels[TRAIN])
    assert pipe.score(WINE[TEST], WINE.labels[TEST]) > 0.8
    assert pipe.predict(WINE).shape == (178,)
    embedder = pipe["embed"]
    np.testing.assert_array_equal(embedder.transform(WINE[TEST]), embedder.transform(WINE)[TEST])
    np.testing.assert_array_equal(embedder.embedding_, clone(embedder).fit_transform(WINE))


def test_settings_are_reached_through_the_pipeline_and_survive_a_clone():
    pipe = clone(pipeline().set_params(embed__spectral__eta=0.1, embed__method__activation="relu"))
    assert pipe["embed"].settings["spectral"] == {"refresh_every": 1, "eta": 0.1}
    assert pipe.get_params()["embed__method__activation"] == "relu"
    assert pipe.fit(WINE, WINE.labels)["embed"].preset_.spectral.eta == 0.1


def test_a_search_with_a_given_split():
    """By hand: all of the graph is embedded, labels of the training nodes are fitted, the others score."""
    folds = np.full(178, -1)
    folds[VAL] = 0
    grid = {"embed__spectral__eta": [0.0, 2.0], "classify__C": [0.01, 1.0]}
    search = GridSearchCV(pipeline(), grid, cv=PredefinedSplit(folds), refit=False).fit(WINE, WINE.labels)
    others = np.setdiff1d(np.arange(178), VAL)
    for parameters, score in zip(
        search.cv_results_["params"], search.cv_results_["split0_test_score"], strict=True
    ):
        embedder = pipeline()["embed"].set_params(spectral__eta=parameters["embed__spectral__eta"])
        rows = embedder.fit(WINE).transform(WINE)
        rows = StandardScaler().fit(rows[others]).transform(rows)
        probe = LogisticRegression(C=parameters["classify__C"]).fit(rows[others], WINE.labels[others])
        assert score == pytest.approx(probe.score(rows[VAL], WINE.labels[VAL]))
    assert search.best_params_ in search.cv_results_["params"]


def test_a_classifier_is_searched_and_cross_validated():
    model = spco.NodeClassifier(epochs=10)
    search = GridSearchCV(model, {"training__learning_rate": [1e-5, 0.05]}, cv=[(TRAIN, VAL)])
    search.fit(WINE, WINE.labels)
    assert search.best_params_ == {"training__learning_rate": 0.05}
    assert search.predict(WINE[TEST]).shape == TEST.shape
    assert cross_val_score(model, WINE.nodes, WINE.labels, cv=2).min() > 0.8


def test_a_classifier_sees_no_label_of_other_nodes():
    wrong = WINE.labels.copy()
    wrong[TEST] = 0
    graphs = (WINE, spco.Graph(WINE.adjacency, WINE.features, wrong))
    first, second = (
        spco.NodeClassifier(epochs=5).fit(graph[TRAIN], WINE.labels[TRAIN]).probabilities_ for graph in graphs
    )
    np.testing.assert_array_equal(first, second)


def test_auto_chooses_by_the_labels_of_the_given_nodes_alone():
    some = spco.Embedder(epochs=2, minutes=1e-9).fit(WINE[TRAIN], WINE.labels[TRAIN])
    known = np.full(178, -1)
    known[TRAIN] = WINE.labels[TRAIN]
    all_ = spco.Embedder(epochs=2, minutes=1e-9).fit(WINE, known)
    assert [trial.score for trial in some.trials_] == [trial.score for trial in all_.trials_]


def test_labels_must_be_as_many_as_the_nodes():
    with pytest.raises(InvalidLabelsError, match="one class number for each of the 60 nodes"):
        spco.NodeClassifier().fit(WINE[TRAIN], WINE.labels)
    with pytest.raises(InvalidLabelsError, match="be the class numbers of the 178 nodes"):
        spco.NodeClassifier().fit(spco.Graph(WINE.adjacency, WINE.features)[TRAIN])
