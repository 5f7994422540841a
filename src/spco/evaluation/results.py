"""The results of a comparison: scores and costs of every run, summaries, paired differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from .._validation import check_choice
from .statistics import PairedDifference, mean_and_std, mean_interval, paired_difference

Metric = Literal["micro_f1", "macro_f1", "accuracy"]
METRICS: tuple[Metric, ...] = ("micro_f1", "macro_f1", "accuracy")


@dataclass(frozen=True)
class RunScores:
    """One embedding, or one classifier's predictions, scored at one label rate.

    Attributes
    ----------
    name, rate : str
        The method, and the training split.
    seed : int or None
        None for a deterministic baseline, which is run once.
    macro_f1, micro_f1, accuracy, val_accuracy, C
        See :class:`ProbeScores`; a classifier has no C.
    seconds : float
        Time of the embedding without the probe, the same at every label rate; of a classifier, the time at
        this rate.
    peak_bytes : float or None
        The peak memory of the process, if it was measured.
    """

    name: str
    seed: int | None
    rate: str
    macro_f1: float
    micro_f1: float
    accuracy: float
    val_accuracy: float
    C: float | None
    seconds: float
    peak_bytes: float | None = None


@dataclass(frozen=True)
class SummaryRow:
    """Mean, sample standard deviation and 95% t-interval over the runs of a method; None for a single run."""

    name: str
    rate: str
    metric: Metric
    mean: float
    std: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Cost:
    """The cost of a method: the mean time of its runs, and their highest peak of memory."""

    name: str
    seconds: float
    peak_bytes: float | None


@dataclass(frozen=True, kw_only=True)
class NamedDifference(PairedDifference):
    """A :class:`PairedDifference` with its names: ``pair[1]`` − ``pair[0]``."""

    pair: tuple[str, str]
    rate: str
    metric: Metric


@dataclass(frozen=True)
class Comparison:
    """The runs of a comparison, and what follows from them.

    Attributes
    ----------
    graph : str or None
        The graph's name.
    names, rates, seeds, pairs : tuples
        The names are those of embedders, classifiers and baselines; pairs are matched by seed.
    runs : tuple of RunScores
    split_seed : int or None
        The seed that the splits were drawn with; None if the graph has its own.
    """

    graph: str | None
    names: tuple[str, ...]
    rates: tuple[str, ...]
    seeds: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    runs: tuple[RunScores, ...]
    split_seed: int | None = None

    def summary(self, *, metric: Metric = "micro_f1") -> tuple[SummaryRow, ...]:
        """Return the mean and spread of each method at each label rate."""
        check_choice(metric, "metric", "Comparison.summary", METRICS)
        rows = []
        for rate in self.rates:
            for name in self.names:
                values = list(self._by_seed(name, rate, metric).values())
                rows.append(
                    SummaryRow(name, rate, metric, *mean_and_std(values), *mean_interval(values), len(values))
                )
        return tuple(rows)

    def costs(self) -> tuple[Cost, ...]:
        """Return the time and memory of each method."""
        found = []
        for name in self.names:
            runs = [run for run in self.runs if run.name == name]
            peaks = [run.peak_bytes for run in runs if run.peak_bytes is not None]
            seconds = float(np.mean([run.seconds for run in runs]))
            found.append(Cost(name, seconds, max(peaks, default=None)))
        return tuple(found)

    @property
    def differences(self) -> tuple[NamedDifference, ...]:
        """The paired differences in micro-F1: one for each pair and label rate."""
        return self.paired_differences(metric="micro_f1")

    def paired_differences(self, *, metric: Metric = "micro_f1") -> tuple[NamedDifference, ...]:
        """Return the gain of the second of each pair over the first, seed by seed.

        The one run of a deterministic baseline is compared with each seed of the other.
        """
        check_choice(metric, "metric", "Comparison.paired_differences", METRICS)
        return tuple(self._difference(pair, rate, metric) for rate in self.rates for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, for every metric, as plain values that JSON can hold."""
        return {
            **{field: list(getattr(self, field)) for field in ("names", "rates", "seeds")},
            "graph": self.graph,
            "split_seed": self.split_seed,
            "pairs": [list(pair) for pair in self.pairs],
            "runs": [asdict(run) for run in self.runs],
            "summary": [asdict(row) for metric in METRICS for row in self.summary(metric=metric)],
            "differences": [
                {**asdict(row), "pair": list(row.pair)}
                for metric in METRICS
                for row in self.paired_differences(metric=metric)
            ],
            "costs": [asdict(cost) for cost in self.costs()],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Comparison:
        """Return the comparison that :meth:`to_dict` was called on."""
        return cls(
            graph=document["graph"],
            names=tuple(document["names"]),
            rates=tuple(document["rates"]),
            seeds=tuple(document["seeds"]),
            pairs=tuple((first, second) for first, second in document["pairs"]),
            runs=tuple(RunScores(**run) for run in document["runs"]),
            split_seed=document.get("split_seed"),
        )

    def _by_seed(self, name: str, rate: str, metric: Metric) -> dict[int | None, float]:
        runs = (run for run in self.runs if run.name == name and run.rate == rate)
        return {run.seed: getattr(run, metric) for run in runs}

    def _difference(self, pair: tuple[str, str], rate: str, metric: Metric) -> NamedDifference:
        first, second = (self._by_seed(name, rate, metric) for name in pair)
        seeds = self.seeds[:1] if None in first and None in second else self.seeds
        # The one run of a deterministic baseline, under None, stands for every seed.
        before, after = (
            [scores[None if None in scores else seed] for seed in seeds] for scores in (first, second)
        )
        found = paired_difference(before, after)
        return NamedDifference(pair=pair, rate=rate, metric=metric, **asdict(found))
