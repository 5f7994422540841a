"""Embeddings scored by the paper's evaluators and by our probe."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

import spco
from spco.errors import InvalidParameterError, UnfinishedError, UnknownNameError
from spco.evaluation import Parts, make_task
from spco.paper import evaluators
from spco.paper.classification import SPCO_METHODS
from spco.paper.evaluators import EVALUATED_COLUMNS, EVALUATORS, Evaluated, evaluated, published_scores
from spco.paper.probes import accuracy, cross_validated_probe, restarted_probe, stopped_probe
from spco.runs import RunSpec

WINE = spco.load_dataset("wine")
# One label rate, as each costs the evaluators some seconds.
WINE = replace(WINE, splits={name: WINE.splits[name] for name in ("train20", "val", "test")})


@pytest.fixture
def quick(monkeypatch):
    """Embed by random features, which differ from seed to seed, and count the embeddings."""
    made = []

    class Quick(spco.Embedder):
        def fit_transform(self, graph):
            made.append(self.random_state)
            weights = np.random.default_rng(self.random_state).normal(size=(graph.features.shape[1], 16))
            return np.tanh(graph.features @ weights).astype(np.float32)

    monkeypatch.setattr(evaluators, "Embedder", Quick)
    return made


def test_all_methods_that_the_paper_has_with_spco_have_an_evaluator():
    assert tuple(EVALUATORS) == SPCO_METHODS
    assert {"dgi", "dgi+spco", "cca_ssg+spco"} < set(EVALUATED_COLUMNS)


def test_an_embedding_is_scored_by_the_evaluator_of_its_method_and_by_our_probe(quick):
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
    ours = spco.linear_probe(embedding, labels, **asdict(parts))
    for method, guesses in expected.items():
        found = evaluated(WINE, method, seeds=[5])
        assert found.seeds == (5,)
        assert found.scores["train20"]["paper"] == (accuracy(guesses, labels[test]),)
        assert found.scores["train20"]["probe"] == (ours.micro_f1,)
    assert quick == [5, 5, 5]


def test_finished_runs_are_kept_and_not_repeated(quick, tmp_path):
    path, asked = tmp_path / "evaluators" / "grace-wine.json", []

    def twice():
        asked.append(1)
        return len(asked) <= 2

    first = evaluated(WINE, "grace", seeds=range(3), path=path, go_on=twice)
    assert first.seeds == (0, 1)
    whole = evaluated(WINE, "grace", seeds=range(3), path=path)
    assert whole.seeds == (0, 1, 2)
    assert quick == [0, 1, 2]
    assert whole.scores["train20"]["paper"][:2] == first.scores["train20"]["paper"]
    document = json.loads(path.read_text())
    assert Evaluated.of_runs("grace", "wine", reversed(document["runs"])) == whole
    mean, std = whole.mean_and_std("train20", "probe")
    assert mean == pytest.approx(np.mean(whole.scores["train20"]["probe"]))
    assert std == pytest.approx(np.std(whole.scores["train20"]["probe"], ddof=1))


def test_without_any_run_there_is_nothing_to_return(quick):
    with pytest.raises(UnfinishedError):
        evaluated(WINE, "dgi", seeds=[0], go_on=lambda: False)
    assert not quick


@pytest.mark.usefixtures("quick")
def test_runs_of_other_settings_are_refused(tmp_path):
    path = tmp_path / "runs.json"
    evaluated(WINE, "grace+spco", seeds=[0], path=path)
    with pytest.raises(InvalidParameterError, match="which differs in settings"):
        evaluated(WINE, "grace+spco", preset="cora", seeds=[0], path=path)
    with pytest.raises(InvalidParameterError, match="which differs in column, settings"):
        evaluated(WINE, "grace", seeds=[0], path=path)


def test_seeds_are_asked_for_by_the_name_of_what_was_called():
    with pytest.raises(InvalidParameterError, match="'seeds' parameter of evaluated must be"):
        evaluated(WINE, "dgi", seeds=[])


def test_a_method_without_an_evaluator_is_refused():
    with pytest.raises(UnknownNameError, match=r"must be one of 'cca_ssg', 'dgi', 'grace'\. Got 'mvgrl'"):
        evaluated(WINE, "mvgrl")


def test_what_the_paper_prints_stands_beside_it():
    scores = {"train20": {"paper": (0.83, 0.85), "probe": (0.82, 0.84)}}
    found = Evaluated("cca_ssg+spco", "cora", (0, 1), scores)
    assert found.printed("train20").mean == 0.843
    assert "its evaluator 84.0 ± 1.4   our probe 83.0 ± 1.4   printed 84.3 ± 0.4" in str(found)
    assert Evaluated("dgi", None, (0, 1), scores).printed("train20") is None


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
