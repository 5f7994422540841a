"""The training loop: early stopping, refreshes, checkpoints, and what it refuses."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch

import spco
from spco.errors import (
    CheckpointError,
    MissingFileError,
    NonFiniteLossError,
    TrainingInterrupted,
    UnreliableResultWarning,
)
from spco.methods import Learner
from spco.nn import FeatureMatrix, GCNEncoder
from spco.training import (
    CheckpointPlan,
    FullGraph,
    PlainPair,
    SpectralSchedule,
    SpectralSettings,
    Trainer,
    TrainingSettings,
    settings_from,
)
from spco.training.checkpoint import read_checkpoint


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


class Scripted(Learner):
    """A learner whose losses are given in advance."""

    name = "scripted"

    def __init__(self, num_features, script):
        super().__init__()
        generator = torch.Generator().manual_seed(0)
        self.encoder = GCNEncoder(num_features, (2,), generator=generator)
        self.script = script
        self.step = 0
        self.partners = []

    def forward(self, batch):
        self.partners.append(batch.partner)
        value = self.script[self.step]
        self.step += 1
        # The gradient is 1 for every weight, so that each step moves them.
        return self.encoder.weights[0].sum() - self.encoder.weights[0].sum().detach() + value


def trainer(graph, script, *, views=None, checkpoint=None, monitor=None, **settings):
    return Trainer(
        Scripted(graph.num_features, script),
        FullGraph(FeatureMatrix(graph.features)),
        views or PlainPair(graph),
        TrainingSettings(**settings),
        np.random.default_rng(0),
        checkpoint,
        monitor=monitor,
    )


def test_it_stops_after_patience_and_goes_back_to_the_best(graph):
    losses = [5.0, 3.0, 4.0, 4.0, 4.0, 1.0]
    run = trainer(graph, losses, epochs=6, patience=3)
    best = {}
    inner = run.method.forward

    def spying(batch):
        best[run.method.step] = run.method.encoder.weights[0].detach().clone()
        return inner(batch)

    run.method.forward = spying
    history = run.fit()
    assert history.losses == [5.0, 3.0, 4.0, 4.0, 4.0]
    assert history.best_epoch == 1
    assert history.stopped_early
    # the weights after the step of epoch 1, the best one
    assert torch.equal(run.method.encoder.weights[0], best[2])


def test_with_a_monitor_it_stops_by_that_and_not_by_the_loss(graph):
    watched = iter([3.0, 1.0, 2.0, 2.0, 0.0])
    run = trainer(graph, [5.0, 4.0, 3.0, 2.0, 1.0], epochs=5, patience=2, monitor=lambda: next(watched))
    history = run.fit()
    assert history.losses == [5.0, 4.0, 3.0, 2.0]
    assert history.best_epoch == 1


def test_without_patience_it_runs_to_the_end(graph):
    history = trainer(graph, [1.0, 2.0, 3.0], epochs=3).fit()
    assert history.losses == [1.0, 2.0, 3.0]
    assert not history.stopped_early


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_loss_that_is_not_finite_stops_with_epoch_and_advice(graph, bad):
    with pytest.raises(NonFiniteLossError, match=r"in epoch 2.\nhint: lower the learning rate"):
        trainer(graph, [1.0, 1.0, bad], epochs=3).fit()


def test_refreshes_happen_every_omega_epochs_with_the_theta_of_the_schedule(graph):
    settings = SpectralSettings(refresh_every=3, theta="paper", theta_epochs=6)
    views = SpectralSchedule(graph, settings, epochs=8)
    run = trainer(graph, [1.0] * 8, views=views, epochs=8)
    history = run.fit()
    assert [record.epoch for record in history.refreshes] == [0, 3, 6]
    assert [record.theta for record in history.refreshes] == pytest.approx([0.0, 0.5, 1.0])
    assert 0 <= history.refresh_share < 1
    partners = run.method.partners
    assert partners[0].matrix is graph.adjacency
    assert partners[3] is partners[5]
    assert partners[5] is not partners[6]


def test_weights_that_ran_away_are_said_with_the_remedy(graph):
    with pytest.warns(UnreliableResultWarning, match="a learning rate below 1e\\+10"):
        trainer(graph, [1.0] * 3, epochs=3, learning_rate=1e10).fit()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trainer(graph, [1.0] * 3, epochs=3, learning_rate=0.1).fit()


def test_a_checkpoint_of_something_else_is_refused(graph, tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    trainer(graph, [1.0], epochs=1, checkpoint=CheckpointPlan(path, {"graph": "a"})).fit()
    plan = CheckpointPlan(path, {"graph": "b"}, resume=True)
    with pytest.raises(CheckpointError, match="made with another graph: a, not b"):
        trainer(graph, [1.0], epochs=1, checkpoint=plan).fit()


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(CheckpointError, match="is not a checkpoint of spco"):
        read_checkpoint(path)
    with pytest.raises(MissingFileError):
        read_checkpoint(tmp_path / "nothing")


def test_ctrl_c_finishes_the_epoch_and_leaves_a_checkpoint(graph, tmp_path):
    import os
    import signal

    before = signal.getsignal(signal.SIGINT)
    path = tmp_path / "checkpoint.safetensors"
    run = trainer(graph, [1.0] * 9, epochs=9, checkpoint=CheckpointPlan(path, {}))
    inner = run.method.forward

    def interrupting(batch):
        if run.method.step == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return inner(batch)

    run.method.forward = interrupting
    with pytest.raises(TrainingInterrupted, match="after epoch 5"):
        run.fit()
    assert read_checkpoint(path).document["epoch"] == 5
    assert signal.getsignal(signal.SIGINT) is before


def test_unknown_settings_are_refused_with_a_hint():
    with pytest.raises(ValueError, match="did you mean 'epochs'"):
        settings_from(TrainingSettings, {"epoch": 3}, owner="test")


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (TrainingSettings, {"epochs": 0}, "'epochs' parameter of TrainingSettings must be an integer >= 1"),
        (TrainingSettings, {"learning_rate": 0}, "'learning_rate' parameter of TrainingSettings must be > 0"),
        (TrainingSettings, {"patience": 0}, "'patience' parameter"),
        (SpectralSettings, {"inject_as": "weight"}, "did you mean 'weights'"),
        (
            SpectralSettings,
            {"readout": ["A", "B"]},
            "'readout' parameter of SpectralSettings must name",
        ),
        (SpectralSettings, {"refresh_every": 0}, "'refresh_every' parameter"),
    ],
)
def test_bad_settings_are_refused(kind, values, message):
    with pytest.raises(ValueError) as caught:
        settings_from(kind, values, owner="test")
    assert message in str(caught.value)


def test_the_best_weights_are_those_before_the_step_if_the_setting_says_so():
    graph = spco.load_dataset("wine")

    def fitted(best_weights, epochs):
        training = {"patience": 1, "learning_rate": 0.02, "best_weights": best_weights}
        settings = {"training": training, "method": {"widths": [4]}}
        return spco.Embedder("dgi", spectral=False, epochs=epochs, settings=settings).fit(graph)

    after = fitted("after", 40)
    best = after.history_.best_epoch
    assert 1 <= best < len(after.history_.losses) - 1  # stopped by patience
    before = fitted("before", 40)
    assert before.history_.losses == after.history_.losses
    for emb, epochs in ((after, best + 1), (before, best)):
        weights = fitted("after", epochs).model_.state_dict()
        assert all(torch.equal(value, weights[name]) for name, value in emb.model_.state_dict().items())
