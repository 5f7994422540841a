"""``torchrun -m spco``: one process writes and speaks, and a job that lost a process can go on."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from spco.errors import InvalidInputError

from ..training.execution.launching import torchrun

FAILING = Path(__file__).with_name("failing_rank.py")
EPOCHS, STEPS = 5, 4
TRAIN = [
    *("train", "--dataset", "digits", "--method", "dgi", "--loader", "blocks", "--batch-size", "450"),
    *("--epochs", EPOCHS, "--set", "method.widths=[16]", "--set", "spectral.refresh_every=2"),
    *("--checkpoint-seconds", "0"),
]


def losses_and_embedding(folder):
    run = folder / "dgi+spco" / "seed-0"
    return json.loads((run / "history.json").read_text())["losses"], np.load(run / "embedding.npy")


@pytest.fixture(scope="module")
def through(tmp_path_factory):
    """A run of two processes from its beginning to its end: what it said, and its folder."""
    folder = tmp_path_factory.mktemp("through") / "runs"
    return torchrun("-m", "spco", *TRAIN, "--json", "--out", folder), folder


def test_one_process_writes_and_speaks(through):
    done, folder = through
    assert json.loads(done.stdout)["names"] == ["dgi+spco", "features", "untrained", "sgc"]
    assert done.stderr.count("Loader: blocks") == 1
    assert done.stderr.count("written to") == 1
    losses, embedding = losses_and_embedding(folder)
    assert len(losses) == EPOCHS
    assert embedding.shape[0] == 1797


def test_a_killed_process_costs_what_came_after_the_last_checkpoint(through, tmp_path):
    counts, folder = tmp_path / "steps", tmp_path / "runs"
    torchrun(FAILING, counts, "killed", 3 * STEPS + 2, *TRAIN, "--out", folder, restarts=1)
    # The second start begins with the fourth epoch.
    assert counts.read_text().split()[-1] == str((EPOCHS - 3) * STEPS)
    losses, embedding = losses_and_embedding(folder)
    expected, expected_embedding = losses_and_embedding(through[1])
    assert losses == expected
    np.testing.assert_array_equal(embedding, expected_embedding)


def test_a_job_that_is_started_again_leaves_the_runs_of_others_alone(through):
    _, folder = through
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    done = torchrun("-m", "spco", *TRAIN, "--seeds", "0,1", "--out", folder, restarts=1, check=False)
    assert done.returncode != 0
    said = "error in process 0: The '--out' parameter of spco train must be a new or empty folder."
    assert done.stderr.count(said) == 2  # in both starts
    assert "error in process 1" not in done.stderr
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_a_process_that_hangs_ends_the_job(tmp_path):
    counts, folder = tmp_path / "steps", tmp_path / "runs"
    start = time.monotonic()
    arguments = (FAILING, counts, "hangs", STEPS + 2, *TRAIN, "--out", folder)
    done = torchrun(*arguments, check=False, SPCO_RANK_TIMEOUT="3")
    assert done.returncode != 0
    assert time.monotonic() - start < 60
    said = "error in process 0: Another process of this job has ended or does not answer"
    assert said in done.stderr
    assert "Traceback" not in done.stderr.partition(said)[0]
    assert (folder / "dgi+spco" / "seed-0" / "checkpoint.safetensors").exists()


def test_embeddings_are_written_once(tmp_path):
    arguments = ["embed", *TRAIN[1:-2], "--out", tmp_path / "z.npy"]
    done = torchrun("-m", "spco", *arguments)
    assert np.load(tmp_path / "z.npy").shape[0] == 1797
    assert done.stderr.count("embeddings written to") == 1


@pytest.fixture
def among_two(monkeypatch):
    """The environment of the second of two processes, whose partner nobody needs to find."""
    for name, value in {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "nowhere", "MASTER_PORT": "1"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("among_two")
@pytest.mark.parametrize("name", ["tune", "bench pair", "convert"])
def test_other_commands_are_refused(name):
    from spco.cli.common import require_shareable

    with pytest.raises(InvalidInputError, match=rf"spco {name} runs in one process. Got 2 processes"):
        require_shareable(name)


@pytest.mark.usefixtures("among_two")
def test_the_second_process_is_quiet(capsys):
    from spco.cli import console

    console.set_level(console.VERBOSE)
    try:
        console.say("nobody hears this")
        console.show_warning("nor this")
        assert capsys.readouterr().err == ""
        console.say_error("but this")
        assert "error in process 1: but this" in capsys.readouterr().err
    finally:
        console._level = console.USUAL
