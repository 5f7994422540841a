"""method="auto": by advice, by labels, saved and resumed like any other."""

import numpy as np
import pytest

import spco
from spco.datasets import sbm
from spco.errors import InvalidLabelsError, InvalidParameterError
from spco.estimators.auto import AutoFit
from spco.runs import Ledger, RunSpec
from spco.runs.performing import perform


@pytest.fixture(scope="module")
def alike():
    return sbm(240, 3, homophily=0.9, feature_noise=1.0, random_state=0)


@pytest.fixture(scope="module")
def unlike():
    return sbm(240, 3, homophily=0.2, feature_noise=0.5, random_state=0)


def test_auto_is_what_its_advice_names(alike, unlike):
    for graph in (alike, unlike):
        emb = spco.Embedder(epochs=4).fit(graph)
        advice = emb.advice_
        named = spco.Embedder(advice.method, spectral=advice.spectral, epochs=4, settings=advice.settings)
        assert np.array_equal(emb.embedding_, named.fit_transform(graph))
        assert emb.trials_ == ()
    assert (advice.method, advice.spectral) == ("dgi", False)
    assert spco.Embedder("dgi", epochs=1, spectral=False).fit(alike).advice_ is None


def test_a_loaded_auto_transforms_alike(alike, tmp_path):
    emb = spco.Embedder(epochs=2).fit(alike)
    emb.save(tmp_path)
    loaded = spco.Embedder.load(tmp_path)
    assert loaded.method == emb.advice_.method
    assert np.array_equal(loaded.transform(alike), emb.embedding_)


def test_settings_of_the_user_come_first(alike):
    emb = spco.Embedder(epochs=2, settings={"readout": "A", "embedding_size": 7}).fit(alike)
    assert emb.embedding_.shape == (240, 7)
    assert emb.preset_.readout == ("A",)


def test_spco_is_left_out_if_asked(alike):
    assert spco.Embedder(spectral=False, epochs=2).fit(alike).spectral_state_ is None


def test_labels_choose_own_features_where_they_say_most(unlike, monkeypatch):
    """Features that give the class away, neighbours that do not: no readout of neighbours alone may win."""
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi", "cca_ssg"))
    known = np.where(np.arange(240) < 90, unlike.labels, -1)
    emb = spco.Embedder(epochs=3, spectral=False).fit(unlike, known)
    assert {trial.method for trial in emb.trials_} == {"dgi", "cca_ssg"}
    chosen = emb.preset_.readout
    assert any(name.startswith(("own", "X:", "X")) for name in chosen)
    best = max(emb.trials_, key=lambda trial: trial.score)
    neighbours = max(trial.score for trial in emb.trials_ if trial.readout in (("A",), ("A^2",)))
    assert best.score > neighbours + 0.1
    assert np.array_equal(emb.embedding_, emb.transform(unlike))


def test_hidden_labels_do_not_matter(alike, monkeypatch):
    """What is not given cannot be looked at: other labels of the hidden nodes change nothing."""
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi",))
    known = np.where(np.arange(240) < 60, alike.labels, -1)
    other = spco.Graph(alike.adjacency, features=alike.features, labels=np.roll(alike.labels, 1))
    runs = [spco.Embedder(epochs=2).fit(graph, known) for graph in (alike, other)]
    assert np.array_equal(runs[0].embedding_, runs[1].embedding_)


def test_time_limits_the_candidates(alike):
    emb = spco.Embedder(epochs=2, minutes=1e-9).fit(alike, alike.labels)
    assert len({(trial.method, trial.spectral) for trial in emb.trials_}) == 1


def test_an_interrupted_auto_goes_on(alike, tmp_path):
    place = tmp_path / "checkpoint.safetensors"
    whole = spco.Embedder(epochs=3).fit(alike).embedding_
    first = spco.Embedder(epochs=3).fit(alike, checkpoint=place)
    again = spco.Embedder(epochs=3).fit(alike, checkpoint=place, resume=True)
    assert np.array_equal(first.embedding_, whole)
    assert np.array_equal(again.embedding_, whole)


def test_bad_uses_are_refused(alike):
    with pytest.raises(InvalidParameterError, match="'preset' parameter of Embedder must be 'auto'"):
        spco.Embedder(preset="cora").fit(alike)
    with pytest.raises(InvalidParameterError, match="must change no settings of a method"):
        spco.Embedder(settings={"method": {"widths": [4]}}).fit(alike)
    with pytest.raises(InvalidParameterError, match="'minutes' parameter of Embedder must be > 0"):
        spco.Embedder(minutes=0).fit(alike)
    with pytest.raises(InvalidLabelsError, match="must label at least 4 nodes"):
        spco.Embedder().fit(alike, np.where(np.arange(240) < 1, 0, -1))
    with pytest.raises(InvalidParameterError, match="must be a spco"):
        spco.Embedder().fit("cora")


def test_auto_is_compared_like_a_method(alike):
    found = spco.compare(
        alike, {"auto": "auto", "mine": {"method": "auto", "epochs": 2}}, seeds=[0], rates=["train20"]
    )
    assert {row.name for row in found.summary()} >= {"auto", "mine"}


def test_labels_choose_several_times_among_candidates_trained_once(alike, monkeypatch):
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi",))
    trained, train = [], AutoFit._train
    monkeypatch.setattr(
        AutoFit, "_train", lambda self, candidate: trained.append(candidate.name) or train(self, candidate)
    )
    embed = spco.Embedder(epochs=2, random_state=3).by_labels(alike)
    few, many = (np.where(np.arange(240) < known, alike.labels, -1) for known in (40, 120))
    found = [embed(few), embed(many)]
    assert len(trained) == len(set(trained)) == 2  # plain and with SpCo
    for known, embedding in zip((few, many), found, strict=True):
        fitted = spco.Embedder(epochs=2, random_state=3).fit(alike, known)
        assert np.array_equal(embedding, fitted.embedding_)


def test_a_named_method_does_not_choose_by_labels(alike):
    with pytest.raises(spco.errors.InvalidInputError, match="be 'auto', which chooses by labels"):
        spco.Embedder("dgi").by_labels(alike)


def test_a_run_by_labels_is_scored_at_every_rate_and_kept(monkeypatch, tmp_path):
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi",))
    wine = spco.load_dataset("wine")
    spec = RunSpec("auto", "wine", 1, spectral=True, epochs=2, label="auto+labels", by_labels=True)
    run = perform(spec, wine)
    known = np.full(wine.num_nodes, -1)
    visible = np.union1d(wine.splits["train5"], wine.splits["val"])
    known[visible] = wine.labels[visible]
    fitted = spco.Embedder(epochs=2, random_state=1).fit(wine, known, train=wine.splits["train5"])
    parts = {"train": wine.splits["train5"], "val": wine.splits["val"], "test": wine.splits["test"]}
    probed = spco.linear_probe(fitted.embedding_, wine.labels, **parts)
    assert run.scores["train5"].micro_f1 == probed.micro_f1
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(run)
    (read,) = ledger.runs()
    assert read.spec.by_labels
    assert read.name == "auto+labels"
