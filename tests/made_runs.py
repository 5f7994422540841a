"""Runs made up from their specs, for tests of what is concluded from runs."""

from __future__ import annotations

from spco.evaluation import RunScores
from spco.runs import Run

RATES = ("train5", "train10", "train20")


def made_run(spec, score=0.5, *, rates=RATES, epochs=4, seconds=1.5, peak_bytes=2e8, versions=None):
    """A run with one micro-F1 at all rates, or one for each; macro-F1 is a point below."""
    values = score if isinstance(score, dict) else dict.fromkeys(rates, score)
    scores = {
        rate: RunScores(
            spec.name, spec.seed, rate, value - 0.01, value, value, value, None, seconds, peak_bytes
        )
        for rate, value in values.items()
    }
    return Run(spec, scores, epochs, seconds, peak_bytes, versions or {"spco": "0"})
