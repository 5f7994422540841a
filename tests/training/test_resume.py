"""A run that was killed and resumed equals one that ran through, bit for bit."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import spco
from spco.errors import TrainingInterrupted
from spco.methods import METHODS
from spco.training import trainer

COMMAND = [
    sys.executable,
    "-c",
    "from spco.cli import main; main()",
    "train",
    "--dataset",
    "wine",
    "--checkpoint-seconds",
    "0",
    "--set",
    "spectral.refresh_every=7",
]
# Only to be quick: a method that is not named here is tested with its suggested widths.
NARROW = {name: {"widths": [16]} for name in ("dgi", "mvgrl", "graphcl", "cca_ssg", "ggd")}
NARROW |= {name: {"widths": [16, 8], "projection": 8} for name in ("grace", "gca")}
NARROW |= {"bgrl": {"widths": [16, 8], "momentum_steps": 10}, "polygcl": {"width": 16, "dropout": 0.0}}


def run(method, folder, *more):
    small = ["--set", "method.widths=[16,8]", "--set", "method.projection=8", "--epochs", "60"]
    return [*COMMAND, "--method", method, *small, "--out", str(folder), *more]


class InterruptedAfter:
    """Stands in for the guard of the training loop: Ctrl-C arrives in the given epoch."""

    def __init__(self, epoch):
        self.epoch, self.asked = epoch, 0

    def __call__(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @property
    def requested(self):
        self.asked += 1  # the loop asks once in an epoch
        return self.asked >= self.epoch


@pytest.mark.parametrize("method", METHODS)
def test_interrupted_and_resumed_equals_run_through(method, tmp_path, monkeypatch):
    graph, path = spco.load_dataset("wine"), tmp_path / "checkpoint.safetensors"
    settings = {
        "method": NARROW.get(method, {}),
        "spectral": {"refresh_every": 4},
        "training": {"patience": 9},
    }
    emb = spco.Embedder(method, epochs=14, settings=settings)
    expected = emb.fit_transform(graph)
    with monkeypatch.context() as patched:
        patched.setattr(trainer, "InterruptGuard", InterruptedAfter(6))
        with pytest.raises(TrainingInterrupted, match="Interrupted after epoch 6"):
            emb.fit(graph, checkpoint=path)
    assert path.exists()
    resumed = emb.fit(graph, checkpoint=path, resume=True)
    assert np.array_equal(resumed.embedding_, expected)
    assert len(resumed.history_.losses) == 14


def test_patience_goes_on_counting_from_before_the_interruption(tmp_path, monkeypatch):
    graph, path = spco.load_dataset("wine"), tmp_path / "checkpoint.safetensors"
    training = {"patience": 5, "learning_rate": 1.0}  # so large that the first epoch stays the best
    emb = spco.Embedder("dgi", epochs=60, settings={"method": {"widths": [8]}, "training": training})
    expected = emb.fit(graph).history_.losses
    assert len(expected) == 6
    with monkeypatch.context() as patched:
        patched.setattr(trainer, "InterruptGuard", InterruptedAfter(3))
        with pytest.raises(TrainingInterrupted):
            emb.fit(graph, checkpoint=path)
    assert path.exists()
    assert emb.fit(graph, checkpoint=path, resume=True).history_.losses == expected


# All methods share the loop that is killed, and every process costs seconds.
def test_killed_and_resumed_equals_run_through(tmp_path):
    method, through, killed = "grace", tmp_path / "through", tmp_path / "killed"
    subprocess.run(run(method, through), check=True, capture_output=True)
    process = subprocess.Popen(run(method, killed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    checkpoint = killed / f"{method}+spco" / "seed-0" / "checkpoint.safetensors"
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run(run(method, killed, "--resume"), check=True, capture_output=True)
    name = f"{method}+spco/seed-0/embedding.npy"
    first, second = np.load(through / name), np.load(killed / name)
    assert np.array_equal(first, second)
