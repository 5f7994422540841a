"""The estimator from a user's side."""

from __future__ import annotations

import inspect
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.exceptions
import torch
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

import spco
from spco.errors import (
    CheckpointError,
    IneffectiveSettingsWarning,
    InvalidFeaturesError,
    InvalidGraphError,
    InvalidInputError,
    InvalidParameterError,
    MissingFileError,
    NotFittedError,
    SpcoError,
    UnknownNameError,
)
from spco.features import Scaler
from spco.linalg import renormalized
from spco.methods import LEARNERS, METHODS
from spco.training import SpectralSettings, TrainingSettings

# Only to be quick: a method that is not named here is tested with its suggested settings.
SMALL = {
    "dgi": {"widths": [16]},
    "mvgrl": {"widths": [16]},
    "grace": {"widths": [16, 8], "projection": 8},
    "gca": {"widths": [16, 8], "projection": 8},
    "graphcl": {"widths": [16]},
    "cca_ssg": {"widths": [16, 8]},
    "bgrl": {"widths": [16, 8], "prediction": 8},
    "ggd": {"widths": [16]},
    "polygcl": {"width": 16},
}


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def embedder(method="cca_ssg", **parameters):
    settings = {"method": SMALL.get(method, {}), "spectral": {"refresh_every": 2}}
    return spco.Embedder(method, **{"epochs": 5, "settings": settings, **parameters})


@pytest.mark.parametrize("spectral", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_bits_and_another_seed_others(method, spectral, graph):
    first, again, other = (
        embedder(method, spectral=spectral, random_state=seed).fit_transform(graph) for seed in (3, 3, 4)
    )
    assert first.dtype == np.float32
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("method", METHODS)
def test_fit_does_not_change_its_graph(method, graph):
    before = (graph.adjacency.copy(), np.array(graph.features))
    embedder(method).fit(graph)
    assert (graph.adjacency != before[0]).nnz == 0
    assert np.array_equal(graph.features, before[1])


def test_fit_touches_no_global_random_state(graph):
    state, torch_state = np.random.get_state()[1].copy(), torch.get_rng_state().clone()  # noqa: NPY002
    embedder().fit(graph)
    assert np.array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), torch_state)


def test_attributes_after_fit(graph):
    emb = embedder().fit(graph)
    assert emb.embedding_.shape == (graph.num_nodes, 8)
    assert len(emb.history_.losses) == 5
    assert [record.epoch for record in emb.history_.refreshes] == [0, 2, 4]
    assert emb.view_.shape == (graph.num_nodes, graph.num_nodes)
    assert abs(emb.view_ - graph.adjacency).max() > 0
    plain = embedder(spectral=False).fit(graph)
    assert (plain.view_ != graph.adjacency).nnz == 0
    assert plain.history_.refreshes == []


@pytest.mark.parametrize(
    ("spectral", "epochs", "warns"),
    [
        ({"refresh_every": 5}, 5, True),
        ({"refresh_every": 5}, 6, False),
        ({"refresh_every": 5, "theta": "linear"}, 5, True),
        ({"refresh_every": 5, "theta": "constant"}, 5, False),
    ],
)
def test_a_run_in_which_spco_changes_nothing_says_so_once(spectral, epochs, warns, graph):
    settings = {"method": {"widths": [4]}, "spectral": spectral}
    emb = spco.Embedder("dgi", epochs=epochs, settings=settings)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        emb.fit(graph)
    said = [each for each in caught if each.category is IneffectiveSettingsWarning]
    assert len(said) == warns
    plain = spco.Embedder("dgi", spectral=False, epochs=epochs, settings=settings).fit(graph)
    assert np.array_equal(emb.embedding_, plain.embedding_) == warns
    for each in said:
        assert each.filename == __file__
        assert "a smaller spectral.refresh_every, or spectral.theta='constant'" in str(each.message)


READOUTS = ("A", "A_", "A+A_")


def reading(readout, method="cca_ssg", inject_as="operator", **parameters):
    """An embedder whose embeddings are read from A, A_ or both; training does not depend on which."""
    spectral = {"refresh_every": 2, "eta": 0.7, "inject_as": inject_as, "readout": readout}
    settings = {"method": SMALL.get(method, {}), "spectral": spectral}
    return spco.Embedder(method, **{"epochs": 5, "settings": settings, **parameters})


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("spectral", [True, False])
def test_transform_of_the_fitted_graph_is_its_embedding(readout, spectral, graph, tmp_path):
    emb = reading(readout, spectral=spectral).fit(graph)
    assert np.array_equal(emb.transform(graph), emb.embedding_)
    emb.save(tmp_path)
    again = spco.Embedder.load(tmp_path).set_params(spectral=not spectral)  # for the next fit, not for this
    assert again.spectral_state_ == emb.spectral_state_
    again.history_ = None  # a diagnostic, which decides nothing
    assert np.array_equal(again.transform(graph), emb.embedding_)


def test_a_trained_model_has_all_readouts(graph):
    """Training does not depend on the readout, so a readout of one model is the embedding of another."""
    emb = reading("A").fit(graph)
    for readout in READOUTS:
        own = reading(readout).fit(graph).embedding_
        assert np.array_equal(emb.transform(graph, readout=readout), own)
        assert np.array_equal(emb.transform(graph, readout=[readout]), own)
    assert np.array_equal(emb.transform(graph), emb.embedding_)
    plain = reading(None).fit(graph)
    assert plain.preset_.spectral.readout is None
    assert np.array_equal(plain.embedding_, emb.embedding_)


def test_a_plain_model_has_no_learnt_view_to_be_read_from(graph):
    plain = reading("A+A_", spectral=False).fit(graph)  # a setting of SpCo alone
    assert plain.spectral_state_ is None
    assert np.array_equal(plain.transform(graph, readout=["A"]), plain.embedding_)
    message = "'readout' parameter of {} must name channels of A alone without SpCo"
    with pytest.raises(InvalidParameterError, match=message.format("Embedder.transform")):
        plain.transform(graph, readout=["A", "A_^2"])
    own = spco.Embedder("dgi", spectral=False, settings={"readout": ["A_"]})
    with pytest.raises(InvalidParameterError, match=message.format("Embedder")):
        own.prepare(graph)


@pytest.mark.parametrize("bad", [[], "", "B", "own^2", "A^0", "A^-2", "A__", ["A", "A"], ["A", 2], 2, "A;A_"])
def test_readouts_that_there_are_not_are_refused(bad, graph):
    message = "must name one or more channels, each once: "
    for settings in ({"readout": bad}, {"spectral": {"readout": bad}}):
        with pytest.raises(InvalidParameterError, match=f"'readout' parameter of .* {message}"):
            spco.Embedder("dgi", settings=settings).prepare(graph)
    with pytest.raises(InvalidParameterError, match=f"'readout' parameter of Embedder.transform {message}"):
        spco.Embedder("dgi", epochs=1, spectral=False).fit(graph).transform(graph, readout=bad)


@pytest.mark.parametrize("inject_as", ["operator", "weights"])
def test_embeddings_are_read_from_the_structures_that_the_setting_names(inject_as, graph):
    """Against a dense layer, PReLU(operator·X·W + b), with the operator of A and that of the learnt view."""
    from spco.linalg import renormalized

    found = {name: reading(name, "dgi", inject_as).fit(graph) for name in READOUTS}
    emb = found["A"]
    encoder = emb.model_.encoder
    weight, bias = (each[0].detach().numpy() for each in (encoder.weights, encoder.biases))
    projected = emb.prepare(graph).features @ weight
    own = renormalized(graph.adjacency).toarray()
    if inject_as == "operator":
        learnt = own + (emb.view_ - graph.adjacency).toarray()
    else:
        learnt = renormalized(emb.view_).toarray()
    slope = encoder.activations[0].weight.item()
    read = {
        name: np.where(hidden > 0, hidden, slope * hidden)
        for name, hidden in (("A", own @ projected + bias), ("A_", learnt @ projected + bias))
    }
    read["A+A_"] = (read["A"] + read["A_"]) / 2
    assert np.abs(read["A"] - read["A_"]).max() > 0.01
    for name, expected in read.items():
        np.testing.assert_allclose(found[name].embedding_, expected, rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("inject_as", ["operator", "weights"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_read_from_the_learnt_view(method, inject_as, graph):
    rows = {name: reading(name, method, inject_as).fit_transform(graph) for name in READOUTS}
    assert all(np.isfinite(each).all() for each in rows.values())
    assert not np.allclose(rows["A"], rows["A_"], atol=1e-3)
    np.testing.assert_allclose(rows["A+A_"], (rows["A"] + rows["A_"]) / 2, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("inject_as", ["operator", "weights"])
def test_what_mvgrl_sees_by_diffusion_stays_that_of_the_graph(inject_as, graph):
    """The partner takes the place of A in one encoder; a random walk needs weights that are not negative."""
    first, second = (reading(name, "mvgrl", inject_as).fit(graph) for name in ("A", "A_"))
    for emb in (first, second):
        with torch.no_grad():
            for parameter in emb.model_.encoder.parameters():
                parameter.zero_()
    np.testing.assert_array_equal(first.transform(graph), second.transform(graph))
    assert np.abs(first.transform(graph)).max() > 0


def test_without_a_change_both_channels_are_those_of_a_plain_run(graph):
    settings = {"method": {"widths": [4]}, "spectral": {"refresh_every": 5, "readout": ["A+A_"]}}
    with pytest.warns(IneffectiveSettingsWarning):
        unchanged = spco.Embedder("dgi", epochs=5, settings=settings).fit_transform(graph)
    without = spco.Embedder("dgi", epochs=5, spectral=False, settings=settings).fit_transform(graph)
    assert np.array_equal(unchanged, without)


def test_a_resumed_run_reads_from_the_same_view(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    emb = reading("A+A_").fit(graph, checkpoint=path)
    again = reading("A+A_").fit(graph, checkpoint=path, resume=True)  # nothing is left to train
    assert np.array_equal(again.embedding_, emb.embedding_)
    assert np.array_equal(again.transform(graph), emb.embedding_)


def heavy(weight, *, method="dgi", spectral=False, **other):
    """An embedder with self loops of a weight, and whatever else is to hold with SpCo."""
    learnt = {"refresh_every": 2, "inject_as": "operator", **other}
    settings = {"self_loops": weight, "method": SMALL.get(method, {}), "spectral": learnt}
    return spco.Embedder(method, epochs=3, spectral=spectral, settings=settings)


def test_self_loops_of_a_weight_are_those_that_a_graph_could_have(graph):
    """Â of A with loops of weight 5 is that of A + 4·I with the usual ones."""
    looped = spco.Graph(graph.adjacency + 4 * sp.eye_array(graph.num_nodes), graph.features)
    found = heavy(5).fit_transform(graph)
    np.testing.assert_allclose(found, heavy(1).fit_transform(looped), rtol=1e-4, atol=1e-5)
    assert not np.allclose(found, heavy(1).fit_transform(graph), atol=1e-2)


@pytest.mark.parametrize("method", METHODS)
def test_training_with_spco_can_have_self_loops_of_its_own(method, graph):
    rows = [
        heavy(*weights, method=method, spectral=True, **other).fit_transform(graph)
        for weights, other in (([5], {}), ([1], {"self_loops": 5.0}), ([5], {"self_loops": 1.0}), ([1], {}))
    ]
    assert np.array_equal(rows[0], rows[1])
    assert np.array_equal(rows[2], rows[3])
    assert not np.allclose(rows[0], rows[2], atol=1e-3)
    plain = heavy(5, method=method, self_loops=1.0).fit(graph)  # of no consequence without SpCo
    assert np.array_equal(plain.embedding_, heavy(5, method=method).fit_transform(graph))


@pytest.mark.parametrize("readout", ["A", "A+A_"])
@pytest.mark.parametrize("spectral", [True, False])
def test_transform_has_the_self_loops_of_training(readout, spectral, graph, tmp_path):
    emb = heavy(2, spectral=spectral, self_loops=7.0, readout=readout).fit(graph)
    emb.save(tmp_path)
    assert np.array_equal(spco.Embedder.load(tmp_path).transform(graph), emb.embedding_)


def walking(readout, *, method="dgi", spectral=False):
    """An embedder with a readout of its own."""
    learnt = {"refresh_every": 2, "inject_as": "operator"}
    settings = {"readout": readout, "method": SMALL.get(method, {}), "spectral": learnt}
    return spco.Embedder(method, epochs=3, spectral=spectral, settings=settings)


@pytest.mark.parametrize(("readout", "steps"), [("A", 1), ("A^2", 2), ("A^3", 3)])
def test_a_readout_over_more_steps_has_powers_of_the_operator(readout, steps, graph):
    emb = walking(readout, method="cca_ssg").fit(graph)
    encoder, operator = emb.model_.encoder, renormalized(graph.adjacency).toarray()
    hidden = np.asarray(emb.scaler_.scaled(graph.features))
    for weight, bias, activation in zip(encoder.weights, encoder.biases, encoder.activations, strict=True):
        walked = np.linalg.matrix_power(operator, steps) @ hidden @ weight.detach().numpy()
        hidden = activation(torch.from_numpy(walked + bias.detach().numpy())).numpy()
    np.testing.assert_allclose(emb.embedding_, hidden, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("spectral", "readouts"), [(False, ("A", "A^2")), (True, ("A+A_", "A^2+A_^2"))])
def test_a_readout_leaves_training_as_it_is(method, spectral, readouts, graph, tmp_path):
    once, twice = (walking(readout, method=method, spectral=spectral).fit(graph) for readout in readouts)
    assert once.history_.losses == twice.history_.losses
    assert not np.allclose(once.embedding_, twice.embedding_, atol=1e-3)
    assert np.array_equal(once.transform(graph, readout=readouts[1]), twice.embedding_)
    assert np.array_equal(twice.transform(graph, readout=readouts[0]), once.embedding_)
    twice.save(tmp_path)
    assert np.array_equal(spco.Embedder.load(tmp_path).transform(graph), twice.embedding_)


@pytest.mark.parametrize("readout", ["A", "A+A_"])
def test_transform_of_a_relabelled_graph_is_the_relabelled_embedding(readout, graph):
    emb = reading(readout).fit(graph)
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    other = spco.Graph(graph.adjacency.toarray()[np.ix_(order, order)], graph.features[order])
    np.testing.assert_allclose(emb.transform(other), emb.embedding_[order], rtol=1e-3, atol=1e-4)


def two_components():
    """Return a graph of two components and one of the second alone, and its nodes, in other units."""
    rng = np.random.default_rng(0)
    pair = sp.block_diag([np.ones((5, 5)) - np.eye(5)] * 2, format="csr")
    features = rng.normal(size=(10, 3)) * [1, 10, 100] + [0, 0, 7]
    features[5:] += 3
    nodes = np.arange(5, 10)
    return spco.Graph(pair, features), spco.Graph(pair[5:, 5:], features[5:]), nodes


@pytest.mark.parametrize("scaling", ["none", "rows", "columns"])
def test_a_component_alone_has_the_embedding_that_it_has_in_the_graph(scaling):
    """The features of a new graph are scaled by the mean and deviation of the one that was fitted on."""
    graph, alone, nodes = two_components()
    settings = {"scaling": scaling, "method": {"widths": [4]}}
    emb = spco.Embedder("dgi", spectral=False, epochs=2, settings=settings).fit(graph)
    np.testing.assert_allclose(emb.transform(alone), emb.embedding_[nodes], rtol=1e-5, atol=1e-6)
    as_sparse = spco.Graph(alone.adjacency, sp.csr_array(alone.features))
    np.testing.assert_allclose(emb.transform(as_sparse), emb.embedding_[nodes], rtol=1e-5, atol=1e-6)


def test_single_nodes_with_other_features_have_other_embeddings(graph, tmp_path):
    emb = embedder().fit(graph)
    emb.save(tmp_path)
    singles = [spco.Graph([[0.0]], graph.features[[node]]) for node in range(3)]
    rows = np.concatenate([emb.transform(single) for single in singles])
    assert len(np.unique(rows, axis=0)) == 3
    again = spco.Embedder.load(tmp_path)
    assert np.array_equal(rows, np.concatenate([again.transform(single) for single in singles]))


@pytest.mark.parametrize("method", METHODS)
def test_save_and_load(method, graph, tmp_path):
    emb = embedder(method, random_state=7).fit(graph)
    emb.save(tmp_path / "model")
    again = spco.Embedder.load(tmp_path / "model")
    assert np.array_equal(again.embedding_, emb.embedding_)
    assert np.array_equal(again.transform(graph), emb.transform(graph))
    assert (again.view_ != emb.view_).nnz == 0
    assert again.history_.losses == emb.history_.losses
    assert again.get_params() == emb.get_params()
    assert again.preset_ == emb.preset_


def test_numbers_of_numpy_can_be_saved(graph, tmp_path):
    plain = embedder(random_state=3).fit(graph)
    settings = {"method": {"widths": np.array([16, 8]).tolist()}, "spectral": {"refresh_every": np.int64(2)}}
    emb = embedder(epochs=np.int64(5), random_state=np.int64(3), settings=settings)
    emb.fit(graph, checkpoint=tmp_path / "checkpoint.safetensors").save(tmp_path)
    plain.fit(graph, checkpoint=tmp_path / "checkpoint.safetensors", resume=True)  # the same run
    again = spco.Embedder.load(tmp_path)
    assert (again.epochs, again.random_state) == (5, 3)
    assert np.array_equal(again.embedding_, plain.embedding_)


@pytest.mark.parametrize("state", [np.random.default_rng, np.random.SeedSequence])
def test_a_model_with_a_generator_as_seed_can_be_saved_and_resumed(state, graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    emb = embedder(random_state=state(7)).fit(graph, checkpoint=path)
    emb.save(tmp_path)
    again = spco.Embedder.load(tmp_path)
    assert again.random_state is None
    assert np.array_equal(again.transform(graph), emb.embedding_)
    embedder(random_state=state(7)).fit(graph, checkpoint=path, resume=True)
    with pytest.raises(CheckpointError, match="made with another seed"):
        embedder(random_state=state(8)).fit(graph, checkpoint=path, resume=True)


def test_a_model_of_a_device_that_is_not_here_can_be_loaded_onto_another(graph, tmp_path):
    emb = embedder().fit(graph)
    emb.device = "cuda:99"
    emb.save(tmp_path)
    with pytest.raises(InvalidParameterError, match=r"'device' parameter of Embedder\.load"):
        spco.Embedder.load(tmp_path)
    again = spco.Embedder.load(tmp_path, device="cpu")
    assert np.array_equal(again.transform(graph), emb.embedding_)


def test_scikit_learn_conventions():
    emb = embedder(random_state=5)
    copy = clone(emb)
    assert copy.get_params() == emb.get_params()
    assert copy.set_params(epochs=9).epochs == 9
    assert emb.epochs == 5
    strange = spco.Embedder(method=object(), epochs=-1)  # no logic in the constructor
    assert strange.epochs == -1


def test_settings_can_be_objects(graph, tmp_path):
    """An object replaces all settings of a section, a mapping single ones; a whole preset replaces all."""
    spectral = SpectralSettings(refresh_every=2, eta=0.3)
    preset = embedder(spectral=spectral).prepare(graph).preset
    assert preset.spectral == spectral
    mapped = embedder(spectral={"eta": 0.3}).prepare(graph).preset
    assert (mapped.spectral.eta, mapped.spectral.refresh_every) == (0.3, 2)
    assert mapped.spectral.epsilon != spectral.epsilon  # the suggested one
    training = TrainingSettings(epochs=7, learning_rate=0.1)
    parts = embedder(epochs=4, settings={"training": training}).prepare(graph).preset
    assert parts.training == TrainingSettings(epochs=4, learning_rate=0.1)
    whole = spco.Embedder("cca_ssg", settings=preset).fit(graph)
    assert whole.preset_ == preset
    whole.save(tmp_path)
    assert spco.Embedder.load(tmp_path).prepare(graph).preset == preset
    with pytest.raises(InvalidInputError, match="be a table of the method settings"):
        spco.Embedder("dgi", settings=preset).prepare(graph)


def test_single_settings_are_parameters_to_scikit_learn(graph):
    emb = embedder("grace", settings={"method": SMALL["grace"], "scaling": "rows"})
    emb.set_params(spectral__eta=0.2, training__patience=3, method__temperature=0.4, settings__self_loops=2.0)
    nested = {name: value for name, value in emb.get_params().items() if "__" in name}
    assert nested == {
        "method__widths": [16, 8],
        "method__projection": 8,
        "method__temperature": 0.4,
        "training__patience": 3,
        "spectral__eta": 0.2,
        "settings__scaling": "rows",
        "settings__self_loops": 2.0,
    }
    assert clone(emb).get_params() == emb.get_params()
    assert embedder("grace").set_params(**nested).get_params() != emb.get_params()  # refresh_every stays
    preset = emb.prepare(graph).preset
    assert (preset.spectral.eta, preset.method.temperature, preset.self_loops) == (0.2, 0.4, 2.0)
    assert SMALL["grace"] == {"widths": [16, 8], "projection": 8}  # what was handed in is not changed


@pytest.mark.parametrize("spectral", [{"refresh_every": 3}, SpectralSettings(refresh_every=3)])
def test_nested_names_change_what_the_parameter_holds(spectral, graph):
    emb = embedder(spectral=spectral).set_params(spectral__eta=0.25)
    assert emb.get_params()["spectral__eta"] == 0.25
    assert emb.prepare(graph).preset.spectral.eta == 0.25
    assert emb.prepare(graph).preset.spectral.refresh_every == 3
    assert type(emb.spectral) is type(spectral)
    assert not emb.set_params(spectral=False, spectral__eta=0.5).uses_spco


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("epoch", "epochs"),
        ("spectrl__eta", "spectral"),
        ("spectral__etaa", "eta"),
        ("method__temprature", "temperature"),
        ("settings__scalin", "scaling"),
        ("training__epoch", "epochs"),
    ],
)
def test_a_parameter_that_there_is_not_has_the_closest_name_as_a_hint(name, near):
    with pytest.raises(UnknownNameError, match=f"'{name}' parameter of Embedder .*\n.*mean '{near}'"):
        spco.Embedder("grace").set_params(**{name: 1})


def test_a_search_of_scikit_learn_sets_nested_names():
    grid = ParameterGrid({"spectral__eta": [0.1, 0.2], "method__temperature": [0.5]})
    found = [clone(spco.Embedder("grace")).set_params(**each) for each in grid]
    assert [emb.settings["spectral"]["eta"] for emb in found] == [0.1, 0.2]


def test_every_preset_can_be_used():
    from spco.paper.classification import COLUMNS, GRAPHS
    from spco.presets import load_preset, preset_names

    for method in LEARNERS:
        tuned = {name for name in preset_names(method) if "/" not in name}
        # Methods that the paper does not compare have suggestions alone.
        assert tuned == (set(GRAPHS) if method in COLUMNS else set())
        for name in preset_names(method):
            preset = load_preset(method, name)
            assert preset.training.epochs >= 1
            LEARNERS[method].settings_type(**preset.to_dict()["method"])


@pytest.mark.parametrize("method", LEARNERS)
def test_every_method_has_suggestions_for_graphs_of_any_kind(method, graph):
    from spco.presets import suggested_preset

    dense = spco.Graph(np.ones((60, 60)) - np.eye(60), np.eye(60))
    large = spco.datasets.sbm(num_nodes=25_000, random_state=0)
    for other in (graph, dense, large):
        preset = suggested_preset(method, other)
        assert isinstance(preset.method, LEARNERS[method].settings_type)
    assert suggested_preset(method, dense).spectral.epsilon == 1e-2


def test_a_method_needs_no_file_of_presets(graph, monkeypatch):
    from spco.presets import load_preset, preset, preset_names, suggested_preset

    monkeypatch.setattr(preset, "_tables", lambda *_: {})
    assert preset_names("dgi") == ()
    assert suggested_preset("dgi", graph).method == METHODS["dgi"].settings_type()
    with pytest.raises(UnknownNameError, match="must be one of 'auto'"):
        load_preset("dgi", "cora")


def test_overrides_reach_the_preset(graph):
    emb = spco.Embedder(
        "dgi", preset="cora", epochs=21, settings={"spectral": {"eta": 0.9}, "scaling": "none"}
    )
    emb.set_params(settings={**emb.settings, "method": {"widths": [4]}}).fit(graph)
    assert emb.preset_.spectral.eta == 0.9
    assert emb.preset_.spectral.refresh_every == 20
    assert emb.preset_.scaling == "none"
    assert emb.preset_.training.epochs == 21
    assert emb.embedding_.shape == (graph.num_nodes, 4)


def test_a_graph_without_features_offers_stand_ins(graph):
    bare = spco.Graph(graph.adjacency)
    with pytest.raises(InvalidFeaturesError, match="features='degree'"):
        embedder().fit(bare)
    for source in ("degree", "one-hot"):
        assert np.isfinite(embedder(features=source).fit_transform(bare)).all()


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (lambda g: spco.Graph(g.adjacency, np.zeros((178, 3))), InvalidFeaturesError, "not all zero"),
        (lambda _: spco.Graph([[0.0]], [[1.0]]), InvalidGraphError, "at least two nodes"),
        (lambda _: spco.Graph(np.zeros((3, 3)), np.eye(3)), InvalidGraphError, "at least one edge"),
        (lambda g: g.adjacency, InvalidFeaturesError, "must have node features"),
    ],
)
def test_graphs_that_cannot_be_trained_on(bad, error, message, graph):
    with pytest.raises(error, match=message):
        embedder().fit(bad(graph))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"method": "grcae"}, UnknownNameError, "did you mean 'grace'"),
        ({"preset": "coar"}, UnknownNameError, "did you mean 'cora'"),
        ({"epochs": 0}, InvalidInputError, "'epochs' parameter of Embedder must be an integer >= 1. Got 0."),
        ({"settings": {"spectrl": {}}}, UnknownNameError, "did you mean 'spectral'"),
        ({"settings": {"spectral": {"etaa": 1}}}, UnknownNameError, "did you mean 'eta'"),
        ({"settings": 3}, InvalidInputError, "must be a mapping"),
        (
            {"settings": {"self_loops": 0}},
            InvalidInputError,
            "'self_loops' parameter of Embedder must be > 0",
        ),
        (
            {"settings": {"spectral": {"self_loops": -1}}},
            InvalidInputError,
            "'self_loops' parameter of Spectral",
        ),
        ({"random_state": -1}, InvalidInputError, "'random_state' parameter of Embedder"),
        ({"features": "degre"}, UnknownNameError, "did you mean 'degree'"),
        ({"device": "foo"}, InvalidParameterError, "'device' parameter of Embedder must be a device that"),
        ({"device": "cuda:99"}, InvalidParameterError, "can use on this machine ('cpu"),
        ({"device": "hpu"}, InvalidParameterError, "Got 'hpu'."),
        ({"device": "xla"}, InvalidParameterError, "Got 'xla'."),
        ({"device": 0}, InvalidParameterError, "Got 0."),
        ({"device": "meta"}, InvalidParameterError, "Got 'meta'."),
        ({"device": None}, InvalidParameterError, "Got None."),
        (
            {"spectral": 1},
            InvalidInputError,
            "'spectral' parameter of Embedder must be True, False, a mapping or",
        ),
        ({"spectral": {"etaa": 1}}, UnknownNameError, "did you mean 'eta'"),
        ({"settings": {"training": 3}}, InvalidInputError, "be a table of the training settings. Got 3."),
    ],
)
def test_bad_parameters(parameters, error, message, graph):
    emb = spco.Embedder(**{"method": "dgi", **parameters})
    with pytest.raises(error) as caught:
        emb.fit(graph)
    assert message in str(caught.value)


def test_transform_before_fit_and_with_other_features(graph):
    with pytest.raises(NotFittedError) as caught:
        embedder().transform(graph)
    assert isinstance(caught.value, sklearn.exceptions.NotFittedError)
    assert isinstance(caught.value, SpcoError)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), NotFittedError)
    emb = embedder().fit(graph)
    with pytest.raises(InvalidFeaturesError, match="must have the 13 features"):
        emb.transform(spco.Graph(graph.adjacency, np.ones((178, 2))))


def test_what_is_no_graph_is_refused(graph):
    for fail in (embedder().fit, embedder().fit(graph).transform):
        with pytest.raises(
            InvalidInputError, match=r"must be a spco\.Graph, .* Got str\.\nhint: spco\.read_graph"
        ):
            fail("edges.csv")


def test_a_checkpoint_that_cannot_be_written_is_refused_before_training(graph, tmp_path):
    emb = embedder(epochs=10**6)
    with pytest.raises(
        InvalidParameterError, match=r"'checkpoint' parameter of Embedder\.fit must be a file"
    ):
        emb.fit(graph, checkpoint=tmp_path)
    with pytest.raises(InvalidParameterError, match=r"'resume'.*must come with a checkpoint"):
        emb.fit(graph, resume=True)
    with pytest.raises(InvalidParameterError, match="checkpoint_seconds"):
        emb.fit(graph, checkpoint=tmp_path / "c", checkpoint_seconds="x")
    assert not any(tmp_path.iterdir())


def test_a_model_is_no_checkpoint(graph, tmp_path):
    embedder().fit(graph).save(tmp_path)
    with pytest.raises(CheckpointError, match="not a checkpoint of a training run"):
        embedder().fit(graph, checkpoint=tmp_path / "model.safetensors", resume=True)


def test_options_of_fit_are_options_of_fit_transform(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    first = embedder().fit_transform(graph, checkpoint=path)
    assert path.exists()
    assert np.array_equal(embedder().fit_transform(graph, checkpoint=path, resume=True), first)
    options = [
        inspect.signature(each).parameters for each in (spco.Embedder.fit, spco.Embedder.fit_transform)
    ]
    assert options[0] == options[1]


def test_a_generator_that_has_been_drawn_from_is_another_seed(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    state = np.random.default_rng(7)
    embedder(random_state=state).fit(graph, checkpoint=path)
    with pytest.raises(CheckpointError, match="made with another seed"):
        embedder(random_state=state).fit(graph, checkpoint=path, resume=True)
    embedder(random_state=np.random.default_rng(7)).fit(graph, checkpoint=path, resume=True)


def test_a_model_is_saved_as_the_method_it_is(graph, tmp_path):
    emb = embedder("cca_ssg").fit(graph)
    emb.set_params(method="dgi").save(tmp_path)
    again = spco.Embedder.load(tmp_path)
    assert again.method == "cca_ssg"
    assert np.array_equal(again.transform(graph), emb.embedding_)


def test_columns_of_sparse_features_are_not_scaled_and_it_is_said(graph):
    few = np.where(np.arange(graph.features.size).reshape(graph.features.shape) % 5, 0, graph.features)
    sparse = spco.Graph(graph.adjacency, sp.csr_array(few))
    settings = {"method": SMALL["cca_ssg"], "scaling": "columns", "spectral": {"refresh_every": 2}}
    with pytest.warns(IneffectiveSettingsWarning, match="Sparse features stay as they are") as caught:
        embedder(settings=settings).fit(sparse)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_how_features_are_stored_changes_nothing(graph, share):
    kept = np.random.default_rng(0).random(graph.features.shape) < share
    dense = np.where(kept, graph.features + 1, 0).astype(np.float32)
    one, other = (
        embedder("dgi", settings=None, spectral=False).fit(spco.Graph(graph.adjacency, features))
        for features in (dense, sp.csr_array(dense))
    )
    assert one.preset_.scaling == other.preset_.scaling == ("rows" if share < 0.4 else "columns")
    np.testing.assert_array_equal(one.embedding_, other.embedding_)


def test_columns_that_are_constant_but_for_rounding_are_not_blown_up():
    same = np.full((1000, 1), 0.1, dtype=np.float32)
    assert np.abs(Scaler.of(same, "columns").scaled(np.float32([[0.1], [0.2]]))).max() <= 0.2
    nearly = same + np.float32([[0.0], [1e-4]] * 500)
    assert Scaler.of(nearly, "columns").scaled(nearly).std() == pytest.approx(1.0, rel=1e-3)


def test_load_from_nowhere(tmp_path):
    with pytest.raises(MissingFileError):
        spco.Embedder.load(tmp_path)


def test_a_resumed_run_must_have_the_same_settings(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    embedder().fit(graph, checkpoint=path)
    with pytest.raises(InvalidInputError, match="made with another seed"):
        embedder(random_state=1).fit(graph, checkpoint=path, resume=True)
    with pytest.raises(InvalidInputError, match="made with another graph"):
        embedder().fit(spco.load_dataset("breast_cancer"), checkpoint=path, resume=True)


def test_a_checkpoint_is_tied_to_the_features_that_stand_in(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    own = spco.Graph(graph.adjacency, np.eye(178, 32))  # as many as there are of degrees
    embedder(features="degree").fit(own, checkpoint=path)
    for other in ("one-hot", None):
        with pytest.raises(CheckpointError, match=f"made with other features: degree, not {other}"):
            embedder(features=other).fit(own, checkpoint=path, resume=True)


def test_the_settings_that_differ_from_a_checkpoint_s_are_named(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    embedder().fit(graph, checkpoint=path)
    changed = {"method": {"widths": [16, 4]}, "spectral": {"refresh_every": 2}, "scaling": "rows"}
    with pytest.raises(CheckpointError) as caught:
        embedder(settings=changed).fit(graph, checkpoint=path, resume=True)
    differences = "method.widths = [16, 8], not [16, 4]; scaling = 'columns', not 'rows'."
    assert f"made with other settings: {differences}" in str(caught.value)


def test_a_checkpoint_of_an_earlier_version_is_told_by_its_digest(graph, tmp_path):
    from spco.training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint

    path = tmp_path / "checkpoint.safetensors"
    embedder().fit(graph, checkpoint=path)
    saved = read_checkpoint(path)
    del saved.document["settings"], saved.document["fingerprint"]["features"]
    write_checkpoint(path, Checkpoint(saved.tensors, saved.document))
    embedder().fit(graph, checkpoint=path, resume=True)
    del saved.document["fingerprint"]["settings"]
    write_checkpoint(path, Checkpoint(saved.tensors, saved.document))
    with pytest.raises(CheckpointError, match="made with other settings: None, not"):
        embedder().fit(graph, checkpoint=path, resume=True)


def test_suggested_settings_follow_the_graph():
    from spco.presets import suggested_preset

    small, large = spco.load_dataset("wine"), spco.datasets.sbm(num_nodes=30_000, random_state=0)
    assert suggested_preset("grace", small).method.num_negatives is None
    assert suggested_preset("grace", large).method.num_negatives == 1024
    assert suggested_preset("dgi", small).scaling == "columns"
    heavy = spco.Graph(small.adjacency * 100.0, small.features)
    assert suggested_preset("dgi", heavy) == suggested_preset("dgi", small)  # as many neighbours


@pytest.mark.parametrize("method", ["dgi", "mvgrl", "grace", "gca", "graphcl", "cca_ssg"])
def test_features_that_are_equal_at_all_nodes_are_refused_where_scaling_makes_them_zero(method, graph):
    same = spco.Graph(graph.adjacency, features=np.full((graph.num_nodes, 3), 0.1))
    with pytest.raises(InvalidFeaturesError, match="scaling='none' keeps them"):
        spco.Embedder(method, epochs=1, settings={"scaling": "columns"}).fit(same)
    kept = spco.Embedder(method, epochs=1, spectral=False, settings={"scaling": "none"}).fit_transform(same)
    assert kept.any()


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (
            lambda _: spco.Embedder.load("missing"),
            "'folder' parameter of Embedder.load must be a folder with",
        ),
        (
            lambda wine: spco.Embedder(epochs=1).fit(wine, [0, 1]),
            "'y' parameter of Embedder.fit must have one",
        ),
        (
            lambda wine: spco.NodeClassifier("gcn").fit(wine, ["a"]),
            "'y' parameter of NodeClassifier.fit must",
        ),
        (
            lambda wine: spco.compare(replace(wine, labels=None), ["dgi"]),
            "'graph' parameter of compare must have",
        ),
    ],
)
def test_errors_speak_of_the_parameters_that_were_given(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake(spco.load_dataset("wine"))


def test_a_model_is_not_saved_where_a_file_is(tmp_path):
    (tmp_path / "model").write_text("precious")
    fitted = spco.Embedder("dgi", spectral=False, epochs=1).fit(spco.load_dataset("wine"))
    with pytest.raises(ValueError, match=r"'folder' parameter of Embedder\.save must be where files can be"):
        fitted.save(tmp_path / "model")
    assert (tmp_path / "model").read_text() == "precious"
