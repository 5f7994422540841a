"""What a page shows is the same from memory and from a folder, and views are measured as they entered."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.runs import RunSpec, read_runs
from spco.runs.comparing import train_runs
from spco.runs.destination import Destination
from spco.runs.performing import RunOptions
from spco.runs.results import run_results, view_spectra

WINE = spco.load_dataset("wine")


def trained(method, settings, *, out=None, names=(False, True)):
    specs = [
        RunSpec(method, "wine", seed, spectral, settings, epochs=3) for seed in (0, 1) for spectral in names
    ]
    return train_runs(WINE, specs, RunOptions(["train5"]), to=Destination(out))


def test_a_page_from_memory_is_that_from_the_folder(tmp_path):
    pytest.importorskip("plotly", reason="the pages need plotly")
    from spco.report.html import run_report

    settings = {"method": {"widths": [4, 4]}, "spectral": {"refresh_every": 1}}
    finished, kept = (trained("cca_ssg", settings, out=out) for out in (None, tmp_path / "runs"))
    memory = run_results(finished, graph=WINE)
    folder = read_runs(tmp_path / "runs", graph=WINE)
    assert folder.description == memory.description == kept.description
    assert folder.comparison == kept.comparison
    assert list(memory.histories) == list(folder.histories) == ["cca_ssg", "cca_ssg+spco"]
    assert list(memory.spectra.responses) == list(folder.spectra.responses) == ["A", "A_ of cca_ssg+spco"]
    for name in memory.spectra.responses:
        there, here = (one.spectra.responses[name].values for one in (folder, memory))
        np.testing.assert_array_equal(there, here)
    assert read_runs(tmp_path / "runs").spectra is None
    # Two trainings differ in their times, so the pages are of one.
    one = run_results(kept, graph=WINE)
    assert run_report(one) == run_report(folder)
    first, second = (
        [history.losses for runs in found.histories.values() for history in runs.values()]
        for found in (memory, folder)
    )
    assert first == second


def test_the_view_of_a_run_is_measured_as_it_entered():
    settings = {
        "method": {"widths": [4]},
        "spectral": {"refresh_every": 1, "inject_as": "operator", "eta": 0.8},
    }
    finished = trained("dgi", settings, names=(True,))
    found = run_results(finished, graph=WINE).spectra
    learner = spco.Embedder("dgi", epochs=3, settings=settings).fit(WINE)
    root = 1 / np.sqrt(WINE.degrees)
    operator = root[:, None] * WINE.adjacency.toarray() * root + (learner.view_ - WINE.adjacency).toarray()
    entered = spco.spectral_response(WINE, operator, normalized=True)
    np.testing.assert_allclose(found.responses["A_ of dgi+spco"].values, entered.values, atol=1e-9)
    as_weights = spco.spectral_response(WINE, learner.view_)
    assert np.abs(as_weights.values - entered.values).max() > 0.1
    score = spco.game_score(WINE, operator, normalized=True).score
    assert found.reports["A_ of dgi+spco"].score == pytest.approx(score, abs=1e-6)


def test_large_graphs_are_estimated(monkeypatch):
    monkeypatch.setattr("spco.runs.results._EXACT_UP_TO", 100)
    found = view_spectra(WINE, {"A": WINE.adjacency})
    assert found.responses["A"].method == "stochastic"
