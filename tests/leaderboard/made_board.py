"""Ledgers of a leaderboard, made up."""

from __future__ import annotations

from spco.leaderboard.entries import board_entries
from spco.runs import Ledger, RunSpec

from ..made_runs import made_run

GRAPHS = ("wine", "digits", "cora")
#: micro-F1 of each entry by graph, without the free baselines.
SCORES = {
    "dgi": (0.80, 0.70, 0.60),
    "dgi+spco": (0.82, 0.69, 0.66),
    "cca_ssg": (0.78, 0.72, 0.63),
}
FREE = {
    "features": (0.79, 0.50, 0.40),
    "sgc1": (0.70, 0.60, 0.50),
    "sgc": (0.71, 0.71, 0.61),
    "sgc3": (0.72, 0.40, 0.62),
    "filters": (0.73, 0.41, 0.51),
    "untrained": (0.74, 0.42, 0.52),
}


def entries():
    return board_entries(list(SCORES))


def runs(scores=None, seeds=(0, 1)):
    """Runs whose scores differ by seed, the same mean over seeds; later runs come later in the list."""
    found = []
    for name, values in {**SCORES, **FREE, **(scores or {})}.items():
        is_random = name in SCORES or name == "untrained"
        for graph, value in zip(GRAPHS, values, strict=True):
            for seed in seeds if is_random else (0,):
                shift = 0.01 * (seed - sum(seeds) / len(seeds)) if is_random else 0.0
                rates = {
                    "train5": value + shift - 0.1,
                    "train10": value + shift,
                    "train20": value + shift + 0.1,
                }
                spec = RunSpec(name.removesuffix("+spco"), graph, seed, name.endswith("+spco"))
                found.append(made_run(spec, rates, seconds=10.0 + seed))
    return found


def write_ledger(folder, made):
    ledger = Ledger(folder / "leaderboard.jsonl")
    for run in made:
        ledger.add(run)
    return ledger
