"""Node classification in blocks: the paper's settings run by us, and ours, tuned. No number mixes the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from ..evaluation.statistics import PairedDifference, mean_and_std, paired_difference, tally
from ..methods.names import is_spectral, method_of
from ..runs.spec import Run
from .classification import (
    COLUMNS,
    GRAPHS,
    METRICS,
    PUBLISHED_COLUMNS,
    RATES,
    printed_gain,
    printed_score,
    runs_by_seed,
    specs,
)
from .printed import Printed

Verdict = Literal["within", "above", "below", "not run"]
VERDICTS: tuple[Verdict, ...] = ("within", "above", "below", "not run")
#: Who scores an embedding: the evaluator of the method's authors, or the probe that is ours for all methods.
Scorer = Literal["authors", "probe"]
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
        What the cell is held against; None for tuned settings and for our probe.
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
    def verdict(self) -> Verdict | None:
        """Where our mean is against the paper's mean ± 2σ; None where it is held against nothing."""
        if self.paper is None:
            return None
        if self.mean is None:
            return "not run"
        if self.is_near(self.paper.std * _WIDTH):
            return "within"
        return "above" if self.mean > self.paper.mean else "below"

    def is_near(self, distance: float) -> bool:
        """Whether our mean is within a distance of the paper's."""
        return self.difference is not None and abs(self.difference) <= distance + _ROUNDING

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
    """The gain of a method by SpCo on a graph at a label rate, over the seeds that both have."""

    graph: str
    rate: str
    metric: str
    method: str
    paired: PairedDifference


@dataclass(frozen=True)
class Block:
    """The cells and gains of one family of presets by one scorer."""

    cells: tuple[Cell, ...]
    gains: tuple[Gain, ...]

    def count(self, verdict: Verdict) -> int:
        """How many cells have this verdict."""
        return sum(cell.verdict == verdict for cell in self.cells)

    @property
    def micro_gains(self) -> tuple[Gain, ...]:
        """The gains in micro-F1; only these are counted, as macro-F1 says nearly the same."""
        return tuple(gain for gain in self.gains if gain.metric == "micro_f1")

    def leads(self) -> str:
        """Count how often SpCo is at or above plain, in micro-F1.

        Examples
        --------
        >>> Block((), ()).leads()
        '0 of 0'
        """
        gains = self.micro_gains
        found = tally(gain.paired for gain in gains)
        text = f"{found.at_or_above} of {len(gains)}"
        return f"{text} (p < 0.05: {found.above} above, {found.below} below)" if gains else text


@dataclass(frozen=True)
class Classification:
    """Node classification in three blocks of runs.

    Attributes
    ----------
    published : Block
        Published settings, by the evaluators of the methods' authors: what the paper's numbers are held
        against.
    probed : Block
        The same embeddings, by our probe.
    tuned : Block
        Our own settings, by our probe.
    """

    published: Block
    probed: Block
    tuned: Block

    @property
    def is_empty(self) -> bool:
        """Whether no cell has a run."""
        return not any(cell.n for block in (self.published, self.tuned) for cell in block.cells)

    def summary(self) -> str:
        """Count the cells as printed against the paper's numbers, and the gains of each block on its own."""
        cells = self.published.cells
        counts = ", ".join(f"{self.published.count(verdict)} {verdict}" for verdict in VERDICTS)
        text = (
            f"As printed, by the authors' evaluators, {len(cells)} cells against the paper's mean ± 2σ: "
            f"{counts}."
        )
        in_print = [
            gain
            for cell in cells
            if cell.metric == "micro_f1" and is_spectral(cell.column)
            if (gain := printed_gain(cell.graph, cell.rate, cell.metric, cell.column)) is not None
        ]
        leads = {
            "in print": f"{sum(gain >= 0 for gain in in_print)} of {len(in_print)}" if in_print else "",
            "as printed, run by us,": self.published.leads() if self.published.micro_gains else "",
            "tuned": self.tuned.leads() if self.tuned.micro_gains else "",
        }
        told = "; ".join(f"{block} in {lead}" for block, lead in leads.items() if lead)
        return f"{text} SpCo is at or above plain in micro-F1: {told}." if told else text


def classification(
    runs: Sequence[Run],
    *,
    graphs: Iterable[str] = GRAPHS,
    rates: Iterable[str] = RATES,
    metrics: Iterable[str] = METRICS,
    columns: Iterable[str] = COLUMNS,
) -> Classification:
    """Return the blocks of the runs that have the settings of a preset; other runs are left out."""
    graphs, rates, metrics, columns = list(graphs), list(rates), list(metrics), list(columns)
    seeds = sorted({run.spec.seed for run in runs})

    def block(family: str, scorer: Scorer, own: list[str]) -> Block:
        held = runs_by_seed(runs, specs(graphs, own, seeds, family=family))
        return _block(held, [_Place(*one) for one in product(graphs, rates, metrics, own)], scorer)

    published = [column for column in columns if column in PUBLISHED_COLUMNS]
    return Classification(
        published=block("paper", "authors", published),
        probed=block("paper", "probe", published),
        tuned=block("tuned", "probe", columns),
    )


class _Place(NamedTuple):
    graph: str
    rate: str
    metric: str
    column: str


def _block(
    held: Mapping[tuple[str, str], Mapping[int, Run]], places: Sequence[_Place], scorer: Scorer
) -> Block:
    by_place = {place: held.get((place.graph, place.column), {}) for place in places}
    scores = {place: _scores(runs, place, scorer) for place, runs in by_place.items()}
    cells = (_cell(place, scores[place], by_place[place], scorer) for place in places)
    gains = (_gain(place, scores) for place in places if is_spectral(place.column))
    return Block(tuple(cells), tuple(gain for gain in gains if gain is not None))


def _scores(runs: Mapping[int, Run], place: _Place, scorer: Scorer) -> dict[int, float]:
    """Return the scores by seed; a run that was not scored in this way, or at this rate, is left out."""
    _, rate, metric, _ = place
    if scorer == "authors":
        return {seed: run.evaluations[rate][metric] for seed, run in runs.items() if rate in run.evaluations}
    return {seed: getattr(run.scores[rate], metric) for seed, run in runs.items() if rate in run.scores}


def _cell(place: _Place, scores: Mapping[int, float], runs: Mapping[int, Run], scorer: Scorer) -> Cell:
    mean, std = mean_and_std(list(scores.values())) if scores else (None, None)
    paper = printed_score(*place) if scorer == "authors" else None
    settings = (runs[seed].spec.settings.get("method", {}) for seed in scores)
    sampled = any(own.get("num_negatives") is not None for own in settings)
    return Cell(*place, mean, std, len(scores), paper, sampled)


def _gain(place: _Place, scores: Mapping[_Place, Mapping[int, float]]) -> Gain | None:
    plain = scores.get(place._replace(column=method_of(place.column)), {})
    spectral = scores[place]
    seeds = sorted(plain.keys() & spectral.keys())
    if not seeds:
        return None
    paired = paired_difference([plain[seed] for seed in seeds], [spectral[seed] for seed in seeds])
    return Gain(place.graph, place.rate, place.metric, method_of(place.column), paired)
