"""Tuning looks at validation nodes only, keeps its trials and goes on with them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import spco
from spco.errors import InvalidLabelsError, InvalidParameterError, MissingDependencyError, UnknownNameError
from spco.experiments.tuning import Choice, preset_toml, tune

pytest.importorskip("optuna")
tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")

SPACE = (Choice("spectral.eta", (0.1, 0.9)), Choice("training.learning_rate", low=1e-4, high=1e-2, log=True))
QUICK = {"space": SPACE, "seeds": [0, 1], "epochs": 3}


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


def test_the_best_of_the_trials_is_returned_as_a_preset(wine, tmp_path):
    seen = []
    found = tune(
        wine,
        "cca_ssg",
        trials=4,
        storage=tmp_path / "t.db",
        report=seen.append,
        **QUICK,
    )
    assert list(found.trials) == seen
    assert [trial.number for trial in seen] == [0, 1, 2, 3]
    scores = [trial.score for trial in seen if trial.score is not None]
    assert found.score == max(scores)
    assert found.preset.spectral.eta == found.settings["spectral.eta"] in (0.1, 0.9)
    assert found.preset.training.learning_rate == found.settings["training.learning_rate"]
    table = tomllib.loads(preset_toml(found.preset, "wine"))["wine"]
    assert table["spectral"]["eta"] == found.preset.spectral.eta
    assert table["method"]["widths"] == list(found.preset.method.widths)


def test_the_same_call_goes_on(wine, tmp_path):
    storage = tmp_path / "t.db"
    tune(wine, "cca_ssg", trials=2, storage=storage, **QUICK)
    seen = []
    found = tune(wine, "cca_ssg", trials=3, storage=storage, report=seen.append, **QUICK)
    assert len(found.trials) == 3
    assert [trial.number for trial in seen] == [2]
    again = tune(wine, "cca_ssg", trials=3, storage=storage, report=seen.append, **QUICK)
    assert len(seen) == 1
    assert again.preset == found.preset


def test_labels_of_test_nodes_do_not_matter(wine, tmp_path):
    labels = wine.labels.copy()
    labels[wine.splits["test"]] = np.random.default_rng(0).permutation(labels[wine.splits["test"]])
    other = spco.Graph(wine.adjacency, wine.features, labels, dict(wine.splits))
    found = [
        tune(graph, "cca_ssg", trials=3, storage=tmp_path / f"{index}.db", **QUICK)
        for index, graph in enumerate((wine, other))
    ]
    assert found[0].score == found[1].score
    assert found[0].settings == found[1].settings


def test_a_trial_is_scored_at_every_label_rate(wine, tmp_path):
    scores = {}
    for rates in (["train5"], ["train20"], ["train5", "train20"]):
        storage = tmp_path / "t.db"  # one file: studies of other rates are other studies
        scores["+".join(rates)] = tune(wine, "cca_ssg", trials=1, rates=rates, storage=storage, **QUICK).score
    assert scores["train5"] != scores["train20"]
    assert scores["train5+train20"] == pytest.approx((scores["train5"] + scores["train20"]) / 2)


def test_other_seeds_or_values_are_another_search(wine, tmp_path):
    storage, seen = tmp_path / "t.db", []
    calls = [QUICK, {**QUICK, "seeds": [5, 6]}, {**QUICK, "epochs": 4}, {**QUICK, "space": SPACE[:1]}]
    for call in calls:
        tune(wine, "cca_ssg", trials=1, storage=storage, report=seen.append, **call)
    assert [trial.number for trial in seen] == [0, 0, 0, 0]


def test_an_interrupted_trial_does_not_count(wine, tmp_path, monkeypatch):
    storage = tmp_path / "t.db"
    with monkeypatch.context() as patched:
        patched.setattr("spco.experiments.tuning._score", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            tune(wine, "cca_ssg", trials=1, storage=storage, **QUICK)
    found = tune(wine, "cca_ssg", trials=1, storage=storage, **QUICK)
    assert [trial.number for trial in found.trials] == [1]


def _interrupt(*_):
    raise KeyboardInterrupt


def test_a_graph_without_splits_gets_them(wine, tmp_path):
    own = spco.Graph(wine.adjacency, wine.features, wine.labels)
    assert 0.3 < tune(own, "cca_ssg", trials=1, storage=tmp_path / "t.db", **QUICK).score <= 1


def test_bad_input_is_refused_before_training(wine, tmp_path):
    storage = tmp_path / "t.db"
    with pytest.raises(UnknownNameError, match="eta"):
        tune(wine, "dgi", space=[Choice("spectral.etaa", (1.0,))], storage=storage)
    with pytest.raises(InvalidParameterError, match="trials"):
        tune(wine, "dgi", trials=0, storage=storage)
    with pytest.raises(InvalidLabelsError, match="labels"):
        tune(spco.Graph(wine.adjacency, wine.features), "dgi", storage=storage)
    with pytest.raises(UnknownNameError, match="train7"):
        tune(wine, "dgi", rates=["train7"], storage=storage)
    assert not storage.exists()


def test_without_optuna_the_error_says_what_to_install(wine, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingDependencyError, match=r"spco\[tune\]"):
        tune(wine, "dgi")
