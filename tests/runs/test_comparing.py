"""spco.compare: what it takes for a method, what it keeps, and that jobs and folders change no number."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spco
from spco.errors import InvalidInputError, InvalidLabelsError, UnfinishedError
from spco.methods import METHODS
from spco.runs import Outcome
from spco.runs.comparing import specs_of
from spco.training import Trainer

WINE = spco.load_dataset("wine")
SMALL = {"method": {"widths": [8, 4]}}
BOTH = {
    name: spco.Embedder("cca_ssg", spectral=spectral, epochs=3, settings=SMALL, random_state=99)
    for name, spectral in (("cca_ssg", False), ("cca_ssg+spco", True))
}
QUICK = {"seeds": [0, 1], "rates": ["train5"]}


def scores(found):
    return [(run.name, run.seed, run.rate, run.micro_f1, run.macro_f1, run.C) for run in found.runs]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("compared") / "runs"


@pytest.fixture(scope="module")
def found(folder):
    return spco.compare(WINE, BOTH, out=folder, **QUICK)


def test_every_run_is_that_of_its_estimator(found):
    assert found.names == ("cca_ssg", "cca_ssg+spco", "features", "untrained", "sgc")
    assert (found.pairs, found.seeds, found.rates) == ((("cca_ssg", "cca_ssg+spco"),), (0, 1), ("train5",))
    Z = spco.Embedder("cca_ssg", epochs=3, settings=SMALL, random_state=1).fit_transform(WINE)
    parts = {
        part: WINE.splits[name] for part, name in (("train", "train5"), ("val", "val"), ("test", "test"))
    }
    expected = spco.linear_probe(Z, WINE.labels, **parts)
    (run,) = [run for run in found.runs if (run.name, run.seed) == ("cca_ssg+spco", 1)]
    assert (run.micro_f1, run.macro_f1, run.C) == (expected.micro_f1, expected.macro_f1, expected.C)
    assert run.peak_bytes is None or run.peak_bytes > 0


def test_what_is_there_is_not_trained_again(found, folder, monkeypatch):
    def never(_):
        raise RuntimeError("trained again")

    monkeypatch.setattr(Trainer, "fit", never)
    assert scores(spco.compare(WINE, BOTH, out=folder, resume=True, **QUICK)) == scores(found)
    other_rate = spco.compare(WINE, BOTH, out=folder, resume=True, seeds=[0, 1], rates=["train20"])
    assert {run.rate for run in other_rate.runs} == {"train20"}
    kept = json.loads((folder / "cca_ssg" / "seed-0" / "metrics.json").read_text())
    assert set(kept) == {"train5", "train20", "run_id"}


def test_an_interrupted_run_goes_on_bit_for_bit(tmp_path, monkeypatch):
    whole, epoch = tmp_path / "whole", Trainer.train_epoch
    long = {"cca_ssg+spco": spco.Embedder("cca_ssg", epochs=6, settings=SMALL)}
    options = {"seeds": [0], "rates": ["train5"], "checkpoint_seconds": 0}
    spco.compare(WINE, long, out=whole, **options)

    def stops(trainer):
        if trainer.settings.epochs == 6 and len(trainer.history.losses) == 4:
            raise KeyboardInterrupt
        epoch(trainer)

    monkeypatch.setattr(Trainer, "train_epoch", stops)
    with pytest.raises(KeyboardInterrupt):
        spco.compare(WINE, long, out=tmp_path / "parts", **options)
    seen = []

    def counts(trainer):
        seen.append(len(trainer.history.losses))
        epoch(trainer)

    monkeypatch.setattr(Trainer, "train_epoch", counts)
    spco.compare(WINE, long, out=tmp_path / "parts", resume=True, **options)
    assert seen == [4, 5]
    there, here = (
        folder / "cca_ssg+spco" / "seed-0" / "embedding.npy" for folder in (whole, tmp_path / "parts")
    )
    np.testing.assert_array_equal(np.load(there), np.load(here))


def test_failed_runs_are_named_and_the_others_are_kept(tmp_path, monkeypatch):
    def second_fails(specs, *_, **__):
        return Outcome(1, 0, (), ((specs[1], "its process was killed"),))

    monkeypatch.setattr("spco.runs.comparing.carry_out", second_fails)
    with pytest.raises(UnfinishedError, match="1 of 2 runs failed") as error:
        spco.compare(WINE, {"cca_ssg": BOTH["cca_ssg"]}, out=tmp_path, jobs=2, **QUICK)
    assert "cca_ssg, seed 1: its process was killed" in str(error.value)
    assert "resume=True continues them" in str(error.value)
    assert not (tmp_path / "summary.json").exists()


def test_what_stands_for_a_method():
    cca = METHODS["cca_ssg"]
    specs = specs_of(
        WINE,
        {
            "gcn": "gcn",
            "a": "grace+spco",
            "b+spco": "grace",
            "c": {"method": "dgi", "epochs": 3},
            "d": cca,
            "d+spco": "spco.methods.cca_ssg:CCASSG",
            "f": spco.Embedder("dgi", spectral={"eta": 0.2}),
            "e": spco.NodeClassifier("gcn", epochs=2),
        },
        [4],
    )
    assert [(spec.name, spec.method_name, spec.spectral, spec.epochs) for spec in specs] == [
        ("a", "grace", True, None),
        ("b+spco", "grace", True, None),
        ("c", "dgi", True, 3),
        ("d", "cca_ssg", False, None),
        ("d+spco", "cca_ssg", True, None),
        ("f", "dgi", True, None),
        ("gcn", "gcn", False, None),
        ("e", "gcn", False, 2),
    ]
    assert specs[5].settings == {"spectral": {"eta": 0.2}}
    assert [spec.name for spec in specs_of(WINE, ["dgi", "dgi+spco"], [0, 1])] == ["dgi", "dgi+spco"] * 2


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ("dgi", "be names of methods or a mapping"),
        ([], "at least one"),
        (["dgi", "dgi"], "name each method once"),
        (["dig"], "did you mean 'dgi'?"),
        (["gcn+spco"], "combine SpCo only with contrastive methods"),
        ({"sgc": "dgi"}, "have other names than the baselines"),
        ({"../x": "dgi"}, "have names that can name a folder"),
        ({"x": 3}, "map names to method names"),
        ({"x": {"epoch": 3}}, "did you mean 'epochs'?"),
    ],
)
def test_what_does_not_is_refused_first(methods, message, tmp_path):
    with pytest.raises(InvalidInputError) as error:
        spco.compare(WINE, methods, out=tmp_path / "runs")
    assert message in str(error.value)
    assert not (tmp_path / "runs").exists()


def test_a_graph_without_labels_is_refused(tmp_path):
    bare = spco.Graph(WINE.adjacency, WINE.features)
    with pytest.raises(InvalidLabelsError):
        spco.compare(bare, ["dgi"], out=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
