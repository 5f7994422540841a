"""The program as a whole: help, exit codes, and the two streams."""

from __future__ import annotations

import pytest

from spco.cli.app import COMMANDS


def test_every_command_has_help(spco_command):
    text = spco_command("--help").stdout
    assert spco_command("-h").stdout == text
    for command in COMMANDS:
        assert command in text
        assert f"spco {command}" in spco_command(command, "-h").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["train"],
            "'--dataset' parameter of spco train must be given, or --edges instead. Got neither.",
        ),
        (["train", "--dataset", "wyne"], "did you mean 'wine'?"),
        (["train", "--dataset", "wine", "--method", "grcae"], "did you mean 'grace'?"),
        (["train", "--dataset", "wine", "--method", "dgi,grcae"], "did you mean 'grace'?"),
        (["train", "--dataset", "wine", "--method", "dgi,dgi"], "must name each method once. Got 'dgi,dgi'."),
        (["embed", "--dataset", "wine", "--method", "gcn", "--out", "z.npy"], "spco train --method gcn"),
        (["train", "--dataset", "wine", "--seeds", "0-x"], "must look like '0', '0-9' or '0,3,5'"),
        (["train", "--dataset", "wine", "--seeds", "0,9-5"], "each seed once. Got '0,9-5'."),
        (
            ["train", "--dataset", "wine", "--plain", "--compare"],
            "The '--plain' parameter of spco train must come without --compare. Got both.",
        ),
        (["tune", "--dataset", "wine", "--method", "grcae"], "'--method' parameter of spco tune must be"),
        (
            ["train", "--dataset", "wine", "--rates", "train6"],
            "The '--rates' parameter of spco train must be",
        ),
        (["train", "--dataset", "wine", "--set", "spectral.etaa=1"], "did you mean 'eta'?"),
        (["train", "--dataset", "wine", "--set", "nonsense"], "must look like 'section.key=value'"),
        (["embed", "--dataset", "wine", "--out", "z.txt"], "must end in .npy, .npz, .parquet"),
        (
            ["embed", "--dataset", "wine", "--device", "foo", "--out", "z.npy"],
            "The '--device' parameter of spco embed must be a device that torch can use on this machine",
        ),
        (["embed", "--edges", "nowhere.csv", "--out", "z.npy"], "nowhere.csv"),
        (
            ["evaluate", "--embeddings", "none.npy", "--dataset", "wine"],
            "must name a file or folder that exists. Got 'none.npy'.",
        ),
        (["bench", "pair", "--sizes", "many"], "must be numbers >= 100 separated by commas"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_usage_exits_with_2_and_leaves_nothing(spco_command, tmp_path, arguments, message):
    if arguments[0] == "train":
        arguments = [*arguments, "--out", "runs"]
    done = spco_command(*arguments, code=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_warning_is_one_sentence_on_stderr(spco_command):
    done = spco_command("embed", "--dataset", "wine", "--epochs", "1", "--out", "z.npy")
    warning = next(line for line in done.stderr.splitlines() if "warning" in line)
    assert warning.startswith("warning: ")
    assert ".py" not in warning
