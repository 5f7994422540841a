"""The cells of a table of node classification: ours, the paper's, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..evaluation.statistics import PairedDifference, mean_and_std, paired_difference, tally
from ..runs.spec import Run, is_spectral, method_of, run_name
from .classification import COLUMNS, GRAPHS, METRICS, RATES, printed_score, specs
from .printed import Printed

Verdict = Literal["within", "above", "below", "not run"]
#: How many of the paper's standard deviations a mean may differ and still count as within.
_WIDTH = 2.0
_ROUNDING = 1e-12  # means of equal scores may differ by this


@dataclass(frozen=True)
class Cell:
    """One column on one graph at one label rate, in one metric.

    Attributes
    ----------
    mean, std : float or None
        Over our runs; None without runs, and ``std`` with a single one.
    n : int
        Our runs.
    paper : Printed or None
    sampled : bool
        Whether nodes were contrasted with a sample of the others, not with all.
    """

    graph: str
    rate: str
    metric: str
    column: str
    mean: float | None
    std: float | None
    n: int
    paper: Printed | None
    sampled: bool = False

    @property
    def verdict(self) -> Verdict:
        """Where our mean is against the paper's mean ± 2σ."""
        if self.mean is None or self.paper is None:
            return "not run"
        distance = self.mean - self.paper.mean
        if abs(distance) <= _WIDTH * self.paper.std + _ROUNDING:
            return "within"
        return "above" if distance > 0 else "below"

    @property
    def mark(self) -> str:
        """What a table puts behind our number: a dagger if negatives were sampled."""
        return "†" if self.sampled else ""

    @property
    def difference(self) -> float | None:
        """Our mean less the paper's."""
        return None if self.mean is None or self.paper is None else self.mean - self.paper.mean


@dataclass(frozen=True)
class Gain:
    """What SpCo changes for a method on a graph at a label rate, over the seeds that both have."""

    graph: str
    rate: str
    metric: str
    method: str
    paired: PairedDifference


@dataclass(frozen=True)
class Classification:
    """All cells and gains of some runs."""

    cells: tuple[Cell, ...]
    gains: tuple[Gain, ...]

    def count(self, verdict: Verdict) -> int:
        """How many cells have this verdict."""
        return sum(cell.verdict == verdict for cell in self.cells)

    def summary(self) -> str:
        """The honest line: cells within, above, below, not run; and how often SpCo is at or above plain."""
        counts = ", ".join(
            f"{self.count(verdict)} {verdict}" for verdict in ("within", "above", "below", "not run")
        )
        text = f"{len(self.cells)} cells against the paper's mean ± 2σ: {counts}."
        if not self.gains:
            return text
        found, total = tally(gain.paired for gain in self.gains), len(self.gains)
        return (
            f"{text} SpCo is at or above its plain method in {found.at_or_above} of {total} combinations "
            f"({found.at_or_above / total:.0%}); significantly (p < 0.05) above in {found.above}, below in "
            f"{found.below}."
        )


def classification(
    runs: Sequence[Run],
    *,
    graphs: Iterable[str] = GRAPHS,
    rates: Iterable[str] = RATES,
    metrics: Iterable[str] = METRICS,
    columns: Iterable[str] = COLUMNS,
) -> Classification:
    """Return the tables that runs with the presets' settings make; other runs are left out."""
    graphs, rates, metrics, columns = list(graphs), list(rates), list(metrics), list(columns)
    current = {spec.key for spec in specs(graphs, columns, {run.spec.seed for run in runs})}
    scores: dict[tuple[str, str], dict[int, Run]] = {}
    for run in runs:
        if run.key in current:
            scores.setdefault((run.spec.graph, run.name), {})[run.spec.seed] = run
    places = [(graph, rate, metric) for graph in graphs for rate in rates for metric in metrics]
    cells = [
        _cell(scores.get((graph, column), {}), graph, rate, metric, column)
        for graph, rate, metric in places
        for column in columns
    ]
    gains = [
        gain
        for graph, rate, metric in places
        if metric == "micro_f1"
        for column in columns
        if is_spectral(column) and (gain := _gain(scores, graph, rate, metric, method_of(column))) is not None
    ]
    return Classification(tuple(cells), tuple(gains))


def _cell(runs: dict[int, Run], graph: str, rate: str, metric: str, column: str) -> Cell:
    values = [getattr(run.scores[rate], metric) for run in runs.values() if rate in run.scores]
    mean, std = mean_and_std(np.array(values)) if values else (None, None)
    paper = printed_score(graph, rate, metric, column)
    settings = (run.spec.settings.get("method", {}) for run in runs.values())
    sampled = any(own.get("num_negatives") is not None for own in settings)
    return Cell(graph, rate, metric, column, mean, std, len(values), paper, sampled)


def _gain(
    scores: dict[tuple[str, str], dict[int, Run]], graph: str, rate: str, metric: str, method: str
) -> Gain | None:
    names = (run_name(method, spectral=spectral) for spectral in (False, True))
    plain, spectral = (scores.get((graph, name), {}) for name in names)
    seeds = sorted(plain.keys() & spectral.keys())
    if not seeds:
        return None
    before, after = (
        np.array([getattr(runs[seed].scores[rate], metric) for seed in seeds]) for runs in (plain, spectral)
    )
    return Gain(graph, rate, metric, method, paired_difference(before, after))
