"""Embedders that train on parts of a graph: which loader, with which settings, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.errors import InvalidInputError, InvalidParameterError, TooLargeError, UnknownNameError
from spco.spectral import ImplicitView
from spco.structures import Propagation
from spco.training import Blocks, FullGraph, Subgraphs
from spco.training.execution import OneProcess
from spco.training.loaders import GraphSize, plan_loader


@pytest.fixture(scope="module")
def graph():
    return spco.datasets.sbm(400, 3, average_degree=8.0, num_features=16, random_state=0)


def embedder(**parameters):
    return spco.Embedder("dgi", settings={"method": {"widths": [16]}}, **parameters)


def test_a_small_graph_is_one_step_and_a_large_one_is_cut(graph, monkeypatch):
    assert isinstance(embedder().trainer(graph).loader, FullGraph)
    monkeypatch.setattr("spco.estimators.batched.FULL_UP_TO", 300)
    monkeypatch.setattr("spco.training.loaders.plan.FULL_UP_TO", 300)
    loader = embedder(batch_size=64).trainer(graph).loader
    assert isinstance(loader, Blocks)
    assert loader.steps == 7


def test_it_says_which_loader_and_why_and_what_it_takes(graph, capsys):
    embedder(loader="blocks", batch_size=100, epochs=1, spectral=False, verbose=True).fit(graph)
    said = capsys.readouterr().err
    assert "Loader: blocks of 100 rows, because it was asked for. 4 steps an epoch, 1 epochs; about" in said
    embedder(loader="blocks", batch_size=500, epochs=1, spectral=False, verbose=True).fit(graph)
    assert "Loader: full, because the graph has no more nodes (400) than a batch." in capsys.readouterr().err


class TwoProcesses(OneProcess):
    size = 2


def test_what_processes_cannot_share_is_refused(graph, monkeypatch):
    monkeypatch.setattr("spco.estimators.batched.current_execution", TwoProcesses)
    monkeypatch.setattr("spco.training.execution.environment.current_execution", TwoProcesses)
    must = "must be 'blocks' or 'subgraphs' for 2 processes"
    with pytest.raises(InvalidParameterError, match=f"{must}.* because the graph has 400 nodes"):
        embedder(batch_size=100).prepare(graph)
    with pytest.raises(InvalidParameterError, match=f"{must}.* no more nodes"):
        embedder(loader="blocks").prepare(graph)
    with pytest.raises(InvalidParameterError, match="'batch_size' parameter of Embedder must be at least 4"):
        embedder(loader="blocks", batch_size=3).prepare(graph)
    with pytest.raises(InvalidParameterError, match=r"NodeClassifier must be 1 .* Got 2 processes"):
        spco.NodeClassifier("gcn").prepare(graph)
    assert embedder(loader="blocks", batch_size=4).prepare(graph).loader.name == "blocks"


def test_few_passes_replace_hundreds_of_steps_unless_they_are_asked_for(graph):
    def training(**parameters):
        return embedder(loader="blocks", batch_size=8, **parameters).prepare(graph).preset

    assert training().training.epochs == 4
    assert training().spectral.refresh_every == 1
    assert training(epochs=9).training.epochs == 9
    assert training(spectral={"refresh_every": 5}).spectral.refresh_every == 5
    assert embedder(loader="full").prepare(graph).preset.training.epochs == 500


def test_blocks_learn_what_the_whole_graph_teaches(graph):
    scores = {}
    for loader in ("full", "blocks"):
        rows = embedder(loader=loader, batch_size=100, epochs=40).fit_transform(graph)
        parts = {name: graph.splits[name] for name in ("val", "test")}
        scores[loader] = spco.linear_probe(
            rows, graph.labels, train=graph.splits["train20"], **parts, random_state=0
        ).accuracy
    assert scores["blocks"] > scores["full"] - 0.05


def test_a_large_unweighted_graph_is_fitted_and_transformed_without_any_other_matrix(graph, monkeypatch):
    monkeypatch.setattr("spco.estimators.embedder.FULL_UP_TO", 300)
    monkeypatch.setattr("spco.estimators.trained.FULL_UP_TO", 300)
    for owner, forms in ((Propagation, "whole"), (ImplicitView, "matrix"), (spco.SpectralPair, "__init__")):
        monkeypatch.setattr(owner, forms, lambda *_, **__: pytest.fail("a matrix is formed"))
    emb = embedder(loader="blocks", batch_size=100, epochs=3, spectral={"refresh_every": 1}).fit(graph)
    np.testing.assert_allclose(emb.transform(graph), emb.embedding_, atol=2e-6)
    assert np.abs(emb.transform(graph, readout="A_") - emb.transform(graph, readout="A")).max() > 1e-4


def test_an_interrupted_run_continues_bit_for_bit(graph, tmp_path, monkeypatch):
    def run(**parameters):
        return embedder(loader="blocks", batch_size=100, epochs=4, spectral={"refresh_every": 2}).fit(
            graph, checkpoint=tmp_path / "run.safetensors", checkpoint_seconds=0, **parameters
        )

    whole = embedder(loader="blocks", batch_size=100, epochs=4, spectral={"refresh_every": 2}).fit(graph)
    inner = spco.training.Trainer.train_epoch

    def failing(self):
        if self._epoch == 3:
            raise RuntimeError("power cut")
        inner(self)

    monkeypatch.setattr(spco.training.Trainer, "train_epoch", failing)
    with pytest.raises(RuntimeError, match="power cut"):
        run()
    monkeypatch.setattr(spco.training.Trainer, "train_epoch", inner)
    np.testing.assert_array_equal(run(resume=True).embedding_, whole.embedding_)


def test_many_sparse_columns_become_few_directions_which_a_saved_model_keeps(tmp_path, monkeypatch):
    monkeypatch.setattr("spco.estimators.batched.MOST_COLUMNS", 10)
    rng = np.random.default_rng(0)
    words = sp.csr_array(sp.random_array((300, 40), density=0.2, rng=rng, dtype=np.float32))
    graph = spco.Graph(spco.datasets.sbm(300, random_state=0).adjacency, words)
    fitted = embedder(loader="blocks", batch_size=100, epochs=2, spectral=False).fit(graph)
    assert fitted.model_.num_features == 10
    fitted.save(tmp_path)
    np.testing.assert_array_equal(spco.Embedder.load(tmp_path).transform(graph), fitted.embedding_)
    with pytest.raises(spco.errors.InvalidFeaturesError, match="have the 40 features"):
        fitted.transform(spco.Graph(graph.adjacency, words[:, :39]))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"loader": "block"}, UnknownNameError, "'loader' parameter of Embedder must be one of"),
        (
            {"batch_size": 0},
            InvalidParameterError,
            "'batch_size' parameter of Embedder must be an integer >= 1",
        ),
        ({"memory": "lots"}, InvalidParameterError, "'memory' parameter of Embedder must be an amount"),
        ({"memory": "10MB"}, TooLargeError, "hint: loader='blocks' trains on rows"),
        (
            {"memory": "10MB", "loader": "blocks", "batch_size": 9},
            TooLargeError,
            "hint: a smaller batch_size",
        ),
    ],
)
def test_what_is_refused(graph, parameters, error, message):
    with pytest.raises(error, match=message):
        embedder(**parameters).fit(graph)


def test_implicit_operators_count_less(graph):
    """A refresh and the products of 100 million nonzeros fit into 12 GB if the graph has no weights."""
    model = embedder().trainer(graph).method
    size = GraphSize(10**7, 10**8, 16, 4 * 16 * 10**7, unweighted=True)
    assert plan_loader("auto", model, size, memory="12GB", spectral=True).memory < 8e9
    with pytest.raises(TooLargeError):
        plan_loader("auto", model, replace(size, unweighted=False), memory="12GB", spectral=True)


def test_a_method_of_two_layers_has_no_blocks(graph):
    with pytest.raises(InvalidParameterError, match="must be 'full' or 'subgraphs' for 'grace'"):
        spco.Embedder("grace", loader="blocks").fit(graph)


def test_subgraphs_have_a_hop_for_each_layer(graph):
    loader = spco.Embedder("grace", loader="subgraphs", batch_size=50).trainer(graph).loader
    assert isinstance(loader, Subgraphs)
    assert loader.fanouts == (10, 10)
    emb = spco.Embedder("grace", loader="subgraphs", batch_size=50, fanouts=[5])
    with pytest.raises(InvalidParameterError, match="have one number for each of the 2 layers of 'grace'"):
        emb.fit(graph)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sampler": "clutsers"}, "The 'sampler' parameter of Embedder must be one of"),
        ({"sampler": None}, "The 'sampler' parameter of Embedder must be one of"),
        ({"fanouts": "all"}, "The 'fanouts' parameter of Embedder must be a list of"),
        ({"fanouts": [3, 0]}, "The 'fanouts' parameter of Embedder must be a list of"),
    ],
)
def test_how_to_sample_is_checked_on_small_graphs_too(given, message):
    with pytest.raises(InvalidInputError, match=message):
        spco.Embedder("grace", epochs=1, **given).fit(spco.load_dataset("wine"))


def test_errors_of_a_loader_name_the_estimator():
    settings = {"propagation": "pyg"}
    embedder = spco.Embedder("grace", epochs=1, loader="subgraphs", batch_size=50, settings=settings)
    with pytest.raises(InvalidInputError, match="The 'propagation' parameter of Embedder must be 'gcn'"):
        embedder.fit(spco.load_dataset("wine"))
