"""The cells of a table of node classification: ours, the paper's, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from ..evaluation.statistics import PairedDifference, mean_and_std, paired_difference, tally
from ..runs.spec import Run, is_spectral, method_of
from .classification import COLUMNS, GRAPHS, METRICS, RATES, printed_score, runs_by_seed, specs
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
        Over our runs; None without runs, ``std`` also with a single one.
    n : int
        The number of our runs.
    paper : Printed or None
    sampled : bool
        Whether each node was contrasted with a sample of the others, not with all of them.
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
        """The mark after our number: a dagger if negatives were sampled."""
        return "†" if self.sampled else ""

    @property
    def difference(self) -> float | None:
        """Our mean minus the paper's."""
        return None if self.mean is None or self.paper is None else self.mean - self.paper.mean


@dataclass(frozen=True)
class Gain:
    """The gain in micro-F1 of a method by SpCo on a graph at a label rate, over the seeds that both have."""

    graph: str
    rate: str
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
        """Count the cells within, above and below the paper's numbers, and the gains of SpCo."""
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
    family: str = "tuned",
) -> Classification:
    """Return the tables of the runs that have the settings of a family of presets; other runs are left out.

    Runs with tuned settings are scored by our probe, those with published ones by the authors' evaluators.
    """
    graphs, rates, metrics, columns = list(graphs), list(rates), list(metrics), list(columns)
    held = runs_by_seed(runs, specs(graphs, columns, sorted({run.spec.seed for run in runs}), family=family))
    cells = [
        _cell(held.get((graph, column), {}), graph, rate, metric, column, family)
        for graph, rate, metric, column in product(graphs, rates, metrics, columns)
    ]
    gains = []
    for graph, rate, column in product(graphs, rates, columns if "micro_f1" in metrics else ()):
        plain, spectral = (held.get((graph, name), {}) for name in (method_of(column), column))
        seeds = sorted(plain.keys() & spectral.keys()) if is_spectral(column) else []
        if seeds:
            before, after = (
                [_score(side[seed], rate, "micro_f1", family) for seed in seeds] for side in (plain, spectral)
            )
            gains.append(Gain(graph, rate, method_of(column), paired_difference(before, after)))
    return Classification(tuple(cells), tuple(gains))


def _score(run: Run, rate: str, metric: str, family: str) -> float:
    if family == "paper":
        return run.evaluations[rate][metric]
    score: float = getattr(run.scores[rate], metric)
    return score


def _cell(runs: Mapping[int, Run], graph: str, rate: str, metric: str, column: str, family: str) -> Cell:
    values = [_score(run, rate, metric, family) for run in runs.values() if rate in run.scores]
    mean, std = mean_and_std(values) if values else (None, None)
    paper = printed_score(graph, rate, metric, column)
    settings = (run.spec.settings.get("method", {}) for run in runs.values())
    sampled = any(own.get("num_negatives") is not None for own in settings)
    return Cell(graph, rate, metric, column, mean, std, len(values), paper, sampled)
