"""Options that several commands share: bad values are refused before any work, in one line."""

from __future__ import annotations

import errno
import os

import pytest

from spco._validation import check_folder_place
from spco.errors import InvalidParameterError

WINE = ["--dataset", "wine"]
COMMANDS = [
    ["embed", *WINE, "--out", "taken/x.npy"],
    ["embed", *WINE, "--out", "taken/deep/x.npy"],
    ["embed", *WINE, "--out", "folder.npy", "--overwrite"],
    ["train", *WINE, "--out", "taken"],
    ["train", *WINE, "--out", "taken/x"],
    ["train", *WINE, "--report", "taken/x.html"],
    ["spectrum", *WINE, "--out", "taken/s.png"],
    ["spectrum", *WINE, "--out", "folder.png"],
    ["predict", "--embeddings", "z.npy", "--out", "taken/p.csv"],
    ["plot", "--embeddings", "z.npy", *WINE, "--out", "taken/m.png"],
    ["plot", "--embeddings", "z.npy", *WINE, "--out", "folder.png", "--overwrite"],
    ["demo", "--out", "taken"],
    ["reproduce", "theorems", "--report", "taken/x.html"],
    ["reproduce", "table2", "--results", "taken"],
    ["tune", *WINE, "--storage", "taken/t.db"],
    ["tune", *WINE, "--storage", "folder.npy"],
]


@pytest.fixture
def work(monkeypatch):
    """Fail if a graph is read at all."""

    def begun(*_, **__):
        raise AssertionError("work has begun")

    monkeypatch.setattr("spco.datasets.load_dataset", begun)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_place_that_is_taken_is_refused_before_any_work(spco_command, tmp_path, command):
    (tmp_path / "taken").write_text("mine")
    for name in ("folder.npy", "folder.png"):
        (tmp_path / name).mkdir()
    done = spco_command(*command, code=2)
    option = next(word for word in command if word in ("--out", "--report", "--results", "--storage"))
    assert f"The '{option}' parameter of spco {command[0]} must be" in done.stderr
    assert (tmp_path / "taken").read_text() == "mine"
    assert done.stdout == ""


def test_a_folder_without_the_right_to_write_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(InvalidParameterError, match="is not writable"):
        check_folder_place(tmp_path / "new" / "deeper", "--out", "spco train")


def test_what_the_system_refuses_later_is_one_line(spco_command, monkeypatch):
    def full_disk(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", "here")

    monkeypatch.setattr("spco.datasets.load_dataset", full_disk)
    done = spco_command("embed", *WINE, "--out", "z.npy", code=1)
    assert done.stderr.splitlines() == ["error: No space left on device: here"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["method.widths=abc"], "'--set method.widths' parameter of spco train"),
        (["method.widths=[]"], "'--set method.widths'"),
        (["method.widths=5"], "'--set method.widths'"),
        (["method.temperature=0"], "'--set method.temperature' parameter of spco train must be >= 0.01"),
        (["method.projection=null"], "'--set method.projection'"),
        (["method.feature_drop=[1,1]"], "method.feature_drop' parameter of spco train must be >= 0 and < 1"),
        (["eta=0.3"], "did you mean 'spectral.eta'?"),
        (["spectral.etaa=0.3"], "The '--set spectral.etaa' parameter of spco train must be one of"),
        (["spectral=1"], "be a table of the spectral settings. Got 1."),
        (["spectral=1", "spectral.eta=1"], "set spectral or settings in it, not both"),
        (["spectral.eta=1", "spectral=2"], "set spectral or settings in it, not both. Got 'spectral=2'."),
        (["spectral.eta=1", 'spectral={"hops": 2}'], "set spectral or settings in it, not both"),
        (["spectral.theta=paperr"], "did you mean 'paper'"),
    ],
)
def test_bad_settings_are_bad_usage(texts, message, spco_command, tmp_path):
    options = [part for text in texts for part in ("--set", text)]
    done = spco_command("train", *WINE, "--method", "grace", "--out", "runs", *options, code=2)
    assert message in " ".join(done.stderr.split())
    assert not list(tmp_path.iterdir())
