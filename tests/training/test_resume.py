"""A run that was killed and resumed equals one that ran through, bit for bit."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

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
SMALL = {
    "dgi": ["--set", "method.widths=[16]", "--set", "training.patience=40"],
    "mvgrl": ["--set", "method.widths=[16]", "--set", "training.patience=40"],
    "grace": ["--set", "method.widths=[16,8]", "--set", "method.projection=8"],
    "gca": ["--set", "method.widths=[16,8]", "--set", "method.projection=8"],
    "graphcl": ["--set", "method.widths=[16]"],
    "cca_ssg": ["--set", "method.widths=[16,8]"],
}


def run(method, folder, *more):
    small = [*SMALL.get(method, []), "--epochs", "60"]
    return [*COMMAND, "--method", method, *small, "--out", str(folder), *more]


# One method of each kind of objective: all share the loop that is killed, and every process costs seconds.
@pytest.mark.parametrize("method", ["dgi", "grace", "cca_ssg"])
def test_killed_and_resumed_equals_run_through(method, tmp_path):
    through, killed = tmp_path / "through", tmp_path / "killed"
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
