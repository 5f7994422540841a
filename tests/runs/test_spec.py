"""A run as data: what it is called, what tells it from others, and the estimator it makes."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

import spco
from spco.paper.classification import specs
from spco.runs import Ledger, RunSpec

LEDGER = Path(__file__).parents[2] / "results" / "ledger.jsonl"


def test_the_presets_find_the_committed_runs_again():
    held = Ledger(LEDGER).held(specs(["cora", "citeseer"], ["dgi", "grace+spco", "gcn"], range(10)))
    assert all(run is not None for run in held)
    assert len({run.key for run in held}) == 60


def test_keys_are_those_of_the_first_ledgers():
    settings = {"training": {"epochs": 3}, "spectral": {"eta": 0.1}}
    assert RunSpec("dgi", "cora", 0, True, settings).key == "f1be32be6242378b"
    assert RunSpec("dgi", "cora", 0, False, settings).key == "d3d4b85638f06328"


def test_what_makes_another_run():
    settings = {"training": {"epochs": 3}, "spectral": {"eta": 0.1}}
    changed = {**settings, "spectral": {"eta": 0.9}}

    def key(seed=0, spectral=False, settings=settings, **more):
        return RunSpec("dgi", "cora", seed, spectral, settings, **more).key

    assert key() == key(settings=changed) == key(device="cuda") == key(label="mine")
    others = [key(1), key(spectral=True), key(spectral=True, settings=changed), key(epochs=4)]
    others += [key(preset="cora"), key(features="degree"), key(settings={})]
    assert len({key(), *others}) == 8


@pytest.mark.parametrize("method", ["dgi", "gcn"])
def test_the_estimator_is_told_everything(method):
    spec = RunSpec(
        method, "cora", 7, settings={"scaling": "rows"}, preset="cora", epochs=3, features="degree"
    )
    estimator = spec.estimator(verbose=True)
    assert type(estimator) is (spco.NodeClassifier if spec.is_supervised else spco.Embedder)
    told = estimator.get_params(deep=False)
    own = {field.name: getattr(spec, field.name) for field in fields(spec) if field.name in told}
    assert own == {key: told[key] for key in own}
    assert set(told) - set(own) - {"minutes"} == {
        "callbacks",
        "random_state",
        "verbose",
    }  # runs choose by no labels
    assert (told["random_state"], told["verbose"]) == (7, True)


def test_a_line_of_the_ledger_has_the_form_of_the_others(tmp_path):
    run = Ledger(LEDGER).runs()[0]
    Ledger(tmp_path / "ledger.jsonl").add(run)
    (line,) = (tmp_path / "ledger.jsonl").read_text().splitlines()
    assert json.loads(line) in [json.loads(other) for other in LEDGER.read_text().splitlines()]
