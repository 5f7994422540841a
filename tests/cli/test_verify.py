"""``spco verify``: whole results pass, each kind of damage is found and named."""

from __future__ import annotations

import json

import numpy as np
import pytest

RUN = "runs/cca_ssg+spco/seed-0"


@pytest.fixture
def runs(spco_command, tmp_path):
    small = ("--set", "method.widths=[8]", "--set", "spectral.refresh_every=1", "--epochs", "2")
    spco_command("train", "--dataset", "wine", "--method", "cca_ssg", *small, "--out", "runs")
    return tmp_path / RUN


def flip(path, place=-100):
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


def test_whole_results_pass_and_every_damage_is_named(spco_command, runs):
    found = json.loads(spco_command("verify", "runs", "--json").stdout)
    assert all(file["fault"] is None for file in found)
    contents = {file["path"]: file["contents"] for file in found}
    assert contents["runs"] == "finished runs: 1"
    assert contents[f"{RUN}/model.safetensors"] == "a model of cca_ssg"
    assert contents[f"{RUN}/checkpoint.safetensors"] == "a checkpoint after epoch 2"
    assert contents[f"{RUN}/embedding.npy"] == "an array of 178 × 8 float32"
    assert "ok     " in spco_command("verify", RUN).stdout  # a model folder alone

    embedding = np.load(runs / "embedding.npy")
    damages = {
        "model.safetensors": (lambda path: flip(path), "SHA-256"),
        "checkpoint.safetensors": (lambda path: path.write_bytes(path.read_bytes()[:-9]), "damaged"),
        "embedding.npy": (lambda path: np.save(path, embedding + 1), "not the embedding of the model"),
        "history.json": (lambda path: path.write_text("{"), "not JSON"),
        "cost.json": (lambda path: path.write_bytes(b"\xff"), "not JSON"),
    }
    for name, (damage, said) in damages.items():
        path = runs / name
        whole = path.read_bytes()
        damage(path)
        lines = spco_command("verify", "runs", code=1).stdout.splitlines()
        wrong = [line for line in lines if line.startswith("WRONG") and name in line]
        assert wrong, name
        assert said in wrong[-1]
        path.write_bytes(whole)
    np.save(runs / "embedding.npy", np.full_like(embedding, np.nan))
    assert "NaN or infinite" in spco_command("verify", "runs", code=1).stdout


def test_a_ledger_line_by_line(spco_command, tmp_path):
    from spco.runs import Ledger, Run, RunSpec

    ledger = Ledger(tmp_path / "ledger.jsonl")
    for seed in range(3):
        ledger.add(Run(RunSpec("dgi", "cora", seed, spectral=True), {}, 200, 9.0, None, {"spco": "0.1.0"}))
    assert "lines with a run: 3" in spco_command("verify", "ledger.jsonl").stdout
    lines = ledger.path.read_bytes().splitlines()
    ledger.path.write_bytes(b"\n".join([lines[0], b"\xff" + lines[1], b"[]", lines[2][:-5]]))
    text = spco_command("verify", "ledger.jsonl", code=1).stdout
    assert "lines with a run: 1" in text
    for number in (2, 3, 4):
        assert f"line {number}: holds no run" in text


def test_something_else_is_bad_usage(spco_command, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    for place in ("notes.txt", "empty"):
        assert "must be a model folder" in spco_command("verify", place, code=2).stderr
    assert "must name a file or folder that exists" in spco_command("verify", "nowhere", code=2).stderr
