"""Contents of the report of a run, made up, with names that would break a careless page."""

from __future__ import annotations

import numpy as np

from spco.evaluation import ClassAccuracy, Comparison, RunScores
from spco.runs import RunResults
from spco.runs.results import EmbeddingMap, GraphFacts, ViewSpectra
from spco.spectral import GameReport, SpectralResponse
from spco.spectral.game import BandTable
from spco.training import History, RefreshRecord

HOSTILE = "</script><img src=x onerror=alert(1)>"
SETTINGS_OF_RUN = {"training": {"epochs": 4, "note": HOSTILE}, "spectral": {"eta": 0.5}}


def scores(name, seed, rate, value):
    return RunScores(name, seed, rate, value - 0.01, value, value, value, 1.0, 2.0 + (seed or 0), 3e8)


def comparison(names=("grace", HOSTILE)):
    first, second = names
    runs = [scores("features", None, rate, 0.5) for rate in ("train5", "train20")]
    for seed in range(3):
        for rate, base in (("train5", 0.7), ("train20", 0.8)):
            runs.append(scores(first, seed, rate, base + seed / 100))
            runs.append(scores(second, seed, rate, base + 0.05 + seed / 100))
    return Comparison(
        graph=HOSTILE,
        names=(*names, "features"),
        rates=("train5", "train20"),
        seeds=(0, 1, 2),
        pairs=(tuple(names),),
        runs=tuple(runs),
        split_seed=7,
    )


def history(scale, refreshes=()):
    return History(
        losses=[scale / (1 + epoch) for epoch in range(5)],
        seconds=[0.1] * 5,
        refreshes=[
            RefreshRecord(epoch, theta, 1.5, 2.5, 1e-9, 2e-9, False, 0.01) for epoch, theta in refreshes
        ],
        best_epoch=4,
    )


def spectra(name):
    frequencies = np.linspace(0, 2, 50)
    zeros, ones = np.zeros(50), np.ones(50)
    reference = SpectralResponse("rayleigh", frequencies, 1 - frequencies, ones, zeros)
    view = SpectralResponse("rayleigh", frequencies, 1 - frequencies / 2, ones, zeros)
    bands = BandTable(*(np.zeros(2) for _ in range(5)))
    report = GameReport(0.9625, False, 0.25, 0.75, bands, None, "rayleigh")
    return ViewSpectra({"A": reference, name: view}, {name: report})


def embedding_map(name):
    points = np.random.default_rng(0).normal(size=(30, 2))
    accuracy = ClassAccuracy(np.arange(2), np.array([20, 10]), np.array([15, 9]))
    return EmbeddingMap(name, 0, points, np.repeat([0, 1, -1], 10), "train20", accuracy)


def run_results(name=HOSTILE):
    return RunResults(
        description={"command": "train", "graph": name, "method": name, "settings": SETTINGS_OF_RUN},
        comparison=comparison(("grace", name)),
        histories={"grace": {"seed 0": history(2.0), "seed 1": history(3.0)},
                   name: {"seed 0": history(1.0, ((0, 0.0), (2, 1.0)))}},
        spectra=spectra(f"A_ of {name}"),
        maps=[embedding_map("grace"), embedding_map(name)],
        facts=GraphFacts(30, 60, 5, ("cats", name)),
    )  # fmt: skip
