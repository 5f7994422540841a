"""Tuning looks at validation nodes only, keeps its trials and goes on with them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import spco
from spco.errors import (
    InvalidLabelsError,
    InvalidParameterError,
    MissingDependencyError,
    NonFiniteLossError,
    UnfinishedError,
    UnknownNameError,
)
from spco.evaluation import fit_probe, fitting_nodes, redrawn_nodes
from spco.presets import load_preset
from spco.tuning import scoring, search
from spco.tuning.search import preset_toml, tune
from spco.tuning.space import Choice

pytest.importorskip("optuna")
tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")

SPACE = (Choice("spectral.eta", (0.1, 0.9)), Choice("training.learning_rate", low=1e-4, high=1e-2, log=True))
QUICK = {"space": SPACE, "seeds": [0, 1], "epochs": 2, "rates": ["train5"]}


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
        tell=seen.append,
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


def test_the_preset_itself_is_tried_first(wine, tmp_path):
    own = load_preset("cca_ssg", "cora")
    found = {
        "spectral.eta": own.spectral.eta,
        "training.learning_rate": own.training.learning_rate,
        "spectral.hops": own.spectral.hops,
    }
    space = (Choice("spectral.eta", low=-2.0, high=2.0, step=0.1), SPACE[1], Choice("spectral.hops", (2, 1)))
    call = {**QUICK, "space": space, "preset": "cora", "storage": tmp_path / "t.db"}
    tuned = tune(wine, "cca_ssg", trials=3, **call)
    assert [trial.settings == found for trial in tuned.trials] == [True, False, False]
    assert tuned.score >= tuned.trials[0].score
    others = tuple(hops for hops in (1, 2, 3) if hops != own.spectral.hops)
    elsewhere = (*space[:2], Choice("spectral.hops", others))
    tuned = tune(wine, "cca_ssg", trials=1, **{**call, "space": elsewhere})
    assert tuned.trials[0].settings["spectral.hops"] in others


def test_the_preset_is_tried_also_after_a_trial_of_it_was_interrupted(wine, tmp_path, monkeypatch):
    space = (Choice("spectral.eta", low=-2.0, high=2.0, step=0.1),)
    call = {**QUICK, "space": space, "preset": "cora", "storage": tmp_path / "t.db", "trials": 2}
    with monkeypatch.context() as patched:
        patched.setattr(spco.Embedder, "fit_transform", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            tune(wine, "cca_ssg", **call)
    own = load_preset("cca_ssg", "cora").spectral.eta
    assert own in [trial.settings["spectral.eta"] for trial in tune(wine, "cca_ssg", **call).trials]


def test_a_plain_method_has_no_settings_of_spco(wine, tmp_path):
    with pytest.raises(InvalidParameterError, match=r"no settings of SpCo.*spectral\.eta"):
        tune(wine, "cca_ssg", spectral=False, storage=tmp_path / "t.db", **QUICK)
    assert not any(tmp_path.iterdir())


def test_the_same_call_goes_on(wine, tmp_path):
    storage = tmp_path / "t.db"
    tune(wine, "cca_ssg", trials=2, storage=storage, **QUICK)
    seen = []
    found = tune(wine, "cca_ssg", trials=3, storage=storage, tell=seen.append, **QUICK)
    assert len(found.trials) == 3
    assert [trial.number for trial in seen] == [2]
    again = tune(wine, "cca_ssg", trials=3, storage=storage, tell=seen.append, **QUICK)
    assert len(seen) == 1
    assert again.preset == found.preset


def test_labels_of_test_nodes_do_not_matter(wine, tmp_path):
    labels = wine.labels.copy()
    labels[wine.splits["test"]] = np.random.default_rng(0).permutation(labels[wine.splits["test"]])
    other = spco.Graph(wine.adjacency, wine.features, labels, dict(wine.splits))
    found = [
        tune(graph, "cca_ssg", trials=2, storage=tmp_path / f"{index}.db", **QUICK)
        for index, graph in enumerate((wine, other))
    ]
    assert found[0].score == found[1].score
    assert found[0].settings == found[1].settings


def test_a_trial_is_scored_at_every_label_rate(wine, tmp_path):
    scores = {}
    for rates in (["train5"], ["train20"], ["train5", "train20"]):
        call = {**QUICK, "rates": rates, "storage": tmp_path / "t.db"}  # other rates are another study
        scores["+".join(rates)] = tune(wine, "cca_ssg", trials=1, **call).score
    assert scores["train5"] != scores["train20"]
    assert scores["train5+train20"] == pytest.approx((scores["train5"] + scores["train20"]) / 2)


def test_draws_are_scored_by_the_probe_on_each_of_them(wine, tmp_path):
    space = (Choice("training.learning_rate", (1e-3,)),)
    call = {**QUICK, "rates": None, "space": space, "storage": tmp_path / "t.db", "trials": 1}
    found = tune(wine, "cca_ssg", draws=3, **call)
    nodes = redrawn_nodes(wine.labels, fitting_nodes(wine), draws=3, rng=np.random.default_rng(0))
    settings = {"training": {"learning_rate": 1e-3}}
    scores = []
    for seed in QUICK["seeds"]:
        emb = spco.Embedder("cca_ssg", epochs=QUICK["epochs"], settings=settings, random_state=seed).fit(wine)
        scores += [
            fit_probe(emb.embedding_, wine.labels, train=train, val=val).val_accuracy
            for pairs in nodes.values()
            for train, val in pairs
        ]
    assert found.score == pytest.approx(np.mean(scores))
    seen = []
    for draws in (None, 4, 3):  # only the last goes on with what is there
        tune(wine, "cca_ssg", draws=draws, tell=seen.append, **call)
    assert [trial.number for trial in seen] == [0, 0]
    with pytest.raises(InvalidParameterError, match="'draws' parameter of tune must be"):
        tune(wine, "cca_ssg", draws=0, **call)


def counted(monkeypatch, told):
    """A list that is told of every training to come."""
    trained, original = [], spco.Embedder.fit

    def counting(self, *arguments, **options):
        trained.append(told(self))
        return original(self, *arguments, **options)

    monkeypatch.setattr(spco.Embedder, "fit", counting)
    return trained


def test_readouts_are_searched_without_training_again(wine, tmp_path, monkeypatch):
    call = {**QUICK, "seeds": [0], "rates": None, "draws": 2, "spectral": False, "trials": 6}
    space = [Choice("training.learning_rate", (1e-3, 1e-2))]
    apart = {
        (rate, readout): tune(
            wine,
            "dgi",
            **{
                **call,
                "storage": tmp_path / f"{rate}-{readout}.db",
                "space": [Choice("training.learning_rate", (rate,)), Choice("readout", (readout,))],
            },
        ).score
        for rate in (1e-3, 1e-2)
        for readout in ("A", "A^2", "A^3")
    }
    trained = counted(monkeypatch, lambda emb: emb.settings["training"]["learning_rate"])
    steps = Choice("readout", ("A", "A^2", "A^3"))
    found = tune(wine, "dgi", **{**call, "storage": tmp_path / "t.db", "space": [*space, steps]})
    assert sorted(trained) == [1e-3, 1e-2]
    assert {tuple(trial.settings.values()): trial.score for trial in found.trials} == apart
    assert len(set(apart.values())) > 2


def test_readouts_that_no_other_trial_will_ask_for_are_not_scored(wine, tmp_path, monkeypatch):
    scored, original = [], scoring.fit_probe

    def counting(*arguments, **nodes):
        scored.append(1)
        return original(*arguments, **nodes)

    monkeypatch.setattr(scoring, "fit_probe", counting)
    call = {**QUICK, "seeds": [0], "spectral": False, "trials": 3}
    space = [Choice("training.learning_rate", low=1e-3, high=1e-2, log=True), Choice("readout", ("A", "A^2"))]
    tune(wine, "dgi", **{**call, "storage": tmp_path / "t.db", "space": space})
    assert len(scored) == 3


def test_all_readouts_of_a_training_are_scored_at_once(wine, tmp_path, monkeypatch):
    readouts = ("A", "A_", "A+A_")
    spectral = [Choice("spectral.eta", (0.5, 8.0)), Choice("spectral.refresh_every", (1,))]
    call = {**QUICK, "seeds": [0], "rates": None, "draws": 2, "storage": tmp_path / "t.db", "trials": 8}
    apart = {
        readout: tune(wine, "dgi", **{**call, "space": [*spectral, Choice("spectral.readout", (readout,))]})
        for readout in readouts
    }
    trained = counted(monkeypatch, lambda emb: emb.settings["spectral"]["eta"])
    together = tune(wine, "dgi", **{**call, "space": [*spectral, Choice("spectral.readout", readouts)]})
    assert len(together.trials) == 6
    assert sorted(trained) == [0.5, 8.0]
    expected = {
        tuple(trial.settings.values()): trial.score for found in apart.values() for trial in found.trials
    }
    kept = {
        tuple(trial.settings.values()): trial.score for trial in together.trials if trial.score is not None
    }
    assert len(set(kept.values())) > 2
    assert kept == {settings: expected[settings] for settings in kept}


def test_other_seeds_or_values_are_another_search(wine, tmp_path):
    storage, seen = tmp_path / "t.db", []
    calls = [QUICK, {**QUICK, "seeds": [5, 6]}, {**QUICK, "epochs": 4}, {**QUICK, "space": SPACE[:1]}]
    for call in calls:
        tune(wine, "cca_ssg", trials=1, storage=storage, tell=seen.append, **call)
    assert [trial.number for trial in seen] == [0, 0, 0, 0]


def test_the_search_of_another_graph_of_the_same_name_is_another(wine, tmp_path):
    """Files are all called "graph": what tells two of them apart is what they hold."""
    labels = np.where(wine.labels == 0, 1, wine.labels)
    fewer = {**wine.splits, "val": wine.splits["val"][1:]}
    weights = wine.adjacency * 2.0
    graphs = [
        spco.Graph(wine.adjacency, wine.features, wine.labels, dict(wine.splits)),
        spco.Graph(weights, wine.features, wine.labels, dict(wine.splits)),
        spco.Graph(wine.adjacency, wine.features * 2, wine.labels, dict(wine.splits)),
        spco.Graph(wine.adjacency, wine.features, labels, dict(wine.splits)),
        spco.Graph(wine.adjacency, wine.features, wine.labels, fewer),
    ]
    seen = []
    call = {"trials": 1, "storage": tmp_path / "t.db", "tell": seen.append, **QUICK}
    for graph in (*graphs, graphs[0]):
        tune(graph, "cca_ssg", **call)
    tune(graphs[0], "cca_ssg", features="degree", **call)
    assert [trial.number for trial in seen] == [0] * 6


def test_a_search_in_parts_tries_what_a_search_in_one_go_does(wine, tmp_path):
    whole = tune(wine, "cca_ssg", trials=4, storage=tmp_path / "whole.db", **QUICK)
    for trials in (1, 2, 3, 4):
        parts = tune(wine, "cca_ssg", trials=trials, storage=tmp_path / "parts.db", **QUICK)
    assert parts.trials == whole.trials
    assert len({trial.settings["training.learning_rate"] for trial in parts.trials}) == 4


def test_settings_that_come_up_again_are_not_trained_again(wine, tmp_path, monkeypatch):
    trained = counted(monkeypatch, lambda emb: (emb.settings["spectral"]["hops"], emb.random_state))
    # As in a space with more settings than trials, where the sampler may come back to a good one.
    monkeypatch.setattr(search, "all_settings", lambda *_, **__: None)
    call = {**QUICK, "space": [Choice("spectral.hops", (1, 2))]}
    found = tune(wine, "cca_ssg", trials=8, storage=tmp_path / "t.db", **call)
    assert len(found.trials) == 8
    assert len(set(trained)) == len(trained) <= 4
    assert len({(trial.score, trial.settings["spectral.hops"]) for trial in found.trials}) <= 2


def test_a_small_space_is_searched_to_its_end(wine, tmp_path):
    eta = Choice("spectral.eta", low=0.25, high=0.75, step=0.25)
    call = {**QUICK, "space": [Choice("spectral.hops", (1, 2)), eta], "storage": tmp_path / "t.db"}
    found = tune(wine, "cca_ssg", trials=30, **call)
    tried = [tuple(trial.settings.values()) for trial in found.trials]
    assert sorted(tried) == [(hops, value) for hops in (1, 2) for value in (0.25, 0.5, 0.75)]
    assert tune(wine, "cca_ssg", trials=40, **call).trials == found.trials


def test_a_small_space_is_searched_to_its_end_also_after_an_interruption(wine, tmp_path, monkeypatch):
    call = {**QUICK, "space": [Choice("spectral.hops", (1, 2, 3))], "storage": tmp_path / "t.db"}
    original, trained = spco.Embedder.fit_transform, []

    def interrupted_in_the_second_trial(self, graph):
        trained.append(self.settings["spectral"]["hops"])
        return original(self, graph) if len(set(trained)) < 2 else _interrupt()

    with monkeypatch.context() as patched:
        patched.setattr(spco.Embedder, "fit_transform", interrupted_in_the_second_trial)
        with pytest.raises(KeyboardInterrupt):
            tune(wine, "cca_ssg", trials=3, **call)
    found = tune(wine, "cca_ssg", trials=3, **call)
    assert sorted(trial.settings["spectral.hops"] for trial in found.trials) == [1, 2, 3]


@pytest.mark.parametrize("space", [SPACE, (Choice("spectral.eta", (0.1, 0.5, 0.9)),)])
def test_machines_that_share_a_search_share_its_trials(wine, tmp_path, space):
    call = {**QUICK, "space": space, "storage": tmp_path / "t.db", "trials": 3}
    reported = []

    def another_machine(trial):
        reported.append(trial.number)
        tune(wine, "cca_ssg", **call)

    found = tune(wine, "cca_ssg", tell=another_machine, **call)
    assert reported == [0]
    assert [trial.number for trial in found.trials] == [0, 1, 2]


def test_an_interrupted_trial_does_not_count(wine, tmp_path, monkeypatch):
    storage = tmp_path / "t.db"
    with monkeypatch.context() as patched:
        patched.setattr(spco.Embedder, "fit_transform", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            tune(wine, "cca_ssg", trials=1, storage=storage, **QUICK)
    found = tune(wine, "cca_ssg", trials=1, storage=storage, **QUICK)
    assert [trial.number for trial in found.trials] == [1]


def _interrupt(*_):
    raise KeyboardInterrupt


def test_a_trial_that_diverges_is_given_up_and_the_search_goes_on(wine, tmp_path, monkeypatch):
    original = spco.Embedder.fit_transform
    own = load_preset("cca_ssg", "cora").spectral.hops  # the start itself diverges
    other = {1: 2, 2: 1}[own]

    def diverging(self, graph):
        if self.settings["spectral"]["hops"] == own:
            raise NonFiniteLossError("The loss is nan.")
        return original(self, graph)

    monkeypatch.setattr(spco.Embedder, "fit_transform", diverging)
    call = {**QUICK, "space": [Choice("spectral.hops", (1, 2))], "storage": tmp_path / "t.db"}
    with pytest.raises(UnfinishedError, match="finite in any of 1 trials"):
        tune(wine, "cca_ssg", preset="cora", trials=1, **call)
    found = tune(wine, "cca_ssg", preset="cora", trials=8, **call)
    assert [trial.number for trial in found.trials] == list(range(2))
    assert found.settings == {"spectral.hops": other}
    assert all((trial.score is None) == (trial.settings == {"spectral.hops": own}) for trial in found.trials)


def test_the_folder_of_the_storage_is_made_and_a_place_that_is_taken_refused(wine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tune(wine, "cca_ssg", trials=1, storage="new/deeper/t.db", **{**QUICK, "seeds": [0]})
    assert (tmp_path / "new" / "deeper" / "t.db").is_file()
    (tmp_path / "taken").write_text("mine")
    for storage in ("taken/t.db", tmp_path / "new"):
        with pytest.raises(InvalidParameterError, match="'storage' parameter of tune must be"):
            tune(wine, "cca_ssg", trials=1, storage=storage, **QUICK)


def test_a_graph_without_splits_gets_them(wine, tmp_path):
    own = spco.Graph(wine.adjacency, wine.features, wine.labels)
    assert 0.3 < tune(own, "cca_ssg", trials=1, storage=tmp_path / "t.db", **QUICK).score <= 1


def test_bad_input_is_refused_before_training(wine, tmp_path):
    storage = tmp_path / "t.db"
    with pytest.raises(UnknownNameError, match="eta"):
        tune(wine, "dgi", space=[Choice("spectral.etaa", (1.0,))], storage=storage)
    for bad in ((0, 1), (1, 2.5), (1, "two")):
        with pytest.raises(InvalidParameterError, match="'hops' parameter of SpectralSettings"):
            tune(wine, "dgi", space=[Choice("spectral.hops", bad)], storage=storage)
    with pytest.raises(InvalidParameterError, match="'hops' parameter of SpectralSettings"):
        tune(wine, "dgi", space=[Choice("spectral.hops", low=1, high=3, step=0.5)], storage=storage)
    with pytest.raises(InvalidParameterError, match="name each setting once"):
        tune(wine, "dgi", space=[Choice("spectral.hops", (1,)), Choice("spectral.hops", (2,))])
    with pytest.raises(InvalidParameterError, match="trials"):
        tune(wine, "dgi", trials=0, storage=storage)
    with pytest.raises(InvalidLabelsError, match="labels"):
        tune(spco.Graph(wine.adjacency, wine.features), "dgi", storage=storage)
    with pytest.raises(UnknownNameError, match="train7"):
        tune(wine, "dgi", rates=["train7"], storage=storage)
    assert not storage.exists()


def test_a_plain_preset_needs_no_spectral_section():
    preset = load_preset("grace", "cora")
    table = tomllib.loads(preset_toml(preset, "cora", spectral=False))["cora"]
    assert set(table) == set(preset.to_dict()) - {"spectral", "embedding_size"}  # which is not set


def test_without_optuna_the_error_says_what_to_install(wine, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingDependencyError, match=r"spco\[tune\]"):
        tune(wine, "dgi")
