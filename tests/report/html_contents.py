"""Contents of reports, made up, with names that would break a careless page."""

from __future__ import annotations

import json

import numpy as np

from spco.evaluation import Comparison, RunScores
from spco.paper.classification import specs
from spco.paper.sensitivity import SETTINGS, sweep_specs
from spco.runs import Ledger, RunResults
from spco.runs.results import ViewSpectra
from spco.spectral import GameReport, SpectralResponse
from spco.spectral.game import BandTable
from spco.training import History, RefreshRecord

from ..made_runs import made_run

HOSTILE = "</script><img src=x onerror=alert(1)>"
VERSIONS = {"spco": "0.1.0", "python": "3.11", HOSTILE: "9"}
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


def run_results(name=HOSTILE):
    return RunResults(
        description={"command": "train", "graph": name, "method": name, "settings": SETTINGS_OF_RUN},
        comparison=comparison(("grace", name)),
        histories={"grace": {"seed 0": history(2.0), "seed 1": history(3.0)},
                   name: {"seed 0": history(1.0, ((0, 0.0), (2, 1.0)))}},
        spectra=spectra(f"A_ of {name}"),
    )  # fmt: skip


def write_results(folder):
    """A folder with a ledger (all verdicts, and a sweep), a case study of each shape, and evaluators."""
    ledger = Ledger(folder / "ledger.jsonl")
    values = {"dgi": 0.82, "dgi+spco": 0.828, "gcn": 0.95, "cca_ssg": 0.4}
    for spec in specs(["cora"], values, range(3)):
        ledger.add(made_run(spec, values[spec.name] + spec.seed / 1000, versions=VERSIONS))
    for spec in sweep_specs(SETTINGS["eta"], graphs=["cora"], methods=["grace"], seeds=[0]):
        ledger.add(made_run(spec, 0.7 + spec.settings["spectral"]["eta"] / 100, versions=VERSIONS))
    cases = folder / "case_study"
    cases.mkdir()
    _case(cases, "pairs-cora", "pairs", ["A & A", HOSTILE], paper=0.5)
    _case(
        cases, "table1-cora", "table1", ["ppr", HOSTILE],
        game_scores={"method": "rayleigh", "ppr": 0.97, HOSTILE: 0.5},
        spearman={"correlation": 0.8, "p_value": 0.01},
    )  # fmt: skip
    bands = [f"{part} {rate}%" for part in ("low", "high") for rate in (0, 50, 100)]
    _case(cases, "fig4-cora-low-to-high", "fig4", bands)
    (cases / "pairs-flickr.json").write_text(
        json.dumps({"description": _about("pairs", "flickr"), "runs": [{"name": "A & A", "seed": 0}]})
    )
    write_evaluated(folder, "cca_ssg+spco", "cora", [(0.84, 0.83), (0.85, 0.82)])
    write_evaluated(folder, "cca_ssg", "cora", [(0.83, 0.82)])
    return folder


def write_evaluated(folder, column, graph, scores):
    """A file of embeddings with 20 labels: by seed, the score of the paper's evaluator and of our probe."""
    runs = [
        {"name": column, "seed": seed, "scores": {"train20": {"paper": paper, "probe": probe}}}
        for seed, (paper, probe) in enumerate(scores)
    ]
    document = {"description": {**_about("evaluators", graph), "column": column}, "runs": runs}
    (folder / "evaluators").mkdir(exist_ok=True)
    (folder / "evaluators" / f"{column}-{graph}.json").write_text(json.dumps(document))


def _about(experiment, graph):
    settings = {"width": 8}
    return {"experiment": experiment, "graph": graph, "settings": settings, "cases": {}, "versions": VERSIONS}


def _case(folder, name, experiment, rows, *, paper=None, **more):
    summary = [
        {
            "name": row,
            "seeds": [0, 1],
            "mean": 0.5 + index / 100,
            "std": 0.02,
            "paper_mean": paper,
            "paper_std": None if paper is None else 0.01,
        }
        for index, row in enumerate(rows)
    ]
    document = {"description": _about(experiment, "cora"), "runs": [{}], "summary": summary, **more}
    (folder / f"{name}.json").write_text(json.dumps(document))
