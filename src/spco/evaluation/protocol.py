"""One protocol for every method: the same seeds, splits and probe, baselines beside, paired statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .._validation import check_choice, check_integer, invalid, shown, unknown_name
from ..graph import Graph
from ._inputs import Embedding, embedding_matrix
from ._rates import Task, make_task
from .baselines import BASELINES
from .probe import linear_probe
from .statistics import PairedDifference, mean_and_std, paired_difference

Metric = Literal["micro_f1", "macro_f1", "accuracy"]
METRICS: tuple[Metric, ...] = ("micro_f1", "macro_f1", "accuracy")
SPECTRAL_SUFFIX = "+spco"
_OWNER = "compare"


@dataclass(frozen=True)
class RunScores:
    """One embedding, scored at one label rate.

    Attributes
    ----------
    name, rate : str
        The method, and the training split.
    seed : int or None
        None for a baseline without randomness, which is run once.
    macro_f1, micro_f1, accuracy, val_accuracy, C
        See :class:`ProbeScores`.
    seconds : float
        Time that the embedding took, without the probe; the same at every label rate.
    """

    name: str
    seed: int | None
    rate: str
    macro_f1: float
    micro_f1: float
    accuracy: float
    val_accuracy: float
    C: float
    seconds: float


@dataclass(frozen=True)
class SummaryRow:
    """Mean and sample standard deviation over the runs of a method; ``std`` is None for a single run."""

    name: str
    rate: str
    metric: Metric
    mean: float
    std: float | None
    n: int


@dataclass(frozen=True, kw_only=True)
class NamedDifference(PairedDifference):
    """A :class:`PairedDifference` and what it is between: ``pair[1]`` − ``pair[0]``."""

    pair: tuple[str, str]
    rate: str
    metric: Metric


@dataclass(frozen=True)
class Comparison:
    """All runs of :func:`compare`, and what follows from them.

    Attributes
    ----------
    graph : str or None
        The graph's name.
    names, rates, seeds, pairs : tuples
        What was compared, embedders first; seeds are what pairs are matched by.
    runs : tuple of RunScores
    split_seed : int or None
        The seed that the splits were drawn with; None where the graph brought its own.
    """

    graph: str | None
    names: tuple[str, ...]
    rates: tuple[str, ...]
    seeds: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    runs: tuple[RunScores, ...]
    split_seed: int | None = None

    def summary(self, *, metric: Metric = "micro_f1") -> tuple[SummaryRow, ...]:
        """Return mean ± std of each method at each label rate."""
        check_choice(metric, "metric", "Comparison.summary", METRICS)
        rows = []
        for rate in self.rates:
            for name in self.names:
                values = list(self._by_seed(name, rate, metric).values())
                rows.append(SummaryRow(name, rate, metric, *mean_and_std(values), len(values)))
        return tuple(rows)

    @property
    def differences(self) -> tuple[NamedDifference, ...]:
        """The paired differences in micro-F1: one for each pair and label rate."""
        return self.paired_differences(metric="micro_f1")

    def paired_differences(self, *, metric: Metric = "micro_f1") -> tuple[NamedDifference, ...]:
        """Return what the second of each pair gains over the first, seed by seed.

        A baseline without randomness has one run, which is set against each seed of the other.
        """
        check_choice(metric, "metric", "Comparison.paired_differences", METRICS)
        return tuple(self._difference(pair, rate, metric) for rate in self.rates for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON can hold, every metric included."""
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
        }

    def _by_seed(self, name: str, rate: str, metric: Metric) -> dict[int | None, float]:
        runs = (run for run in self.runs if run.name == name and run.rate == rate)
        return {run.seed: getattr(run, metric) for run in runs}

    def _difference(self, pair: tuple[str, str], rate: str, metric: Metric) -> NamedDifference:
        first, second = (self._by_seed(name, rate, metric) for name in pair)
        seeds = self.seeds[:1] if None in first and None in second else self.seeds
        found = paired_difference(
            [_run_of(first, seed) for seed in seeds], [_run_of(second, seed) for seed in seeds]
        )
        return NamedDifference(pair=pair, rate=rate, metric=metric, **asdict(found))


def _run_of(scores: Mapping[int | None, float], seed: int) -> float:
    """Return the score with a seed, or the only one of a baseline without randomness."""
    return scores[None] if None in scores else scores[seed]


def compare(
    graph: Graph,
    embedders: Mapping[str, Callable[[int], Any]],
    *,
    seeds: Iterable[int],
    rates: Sequence[str] | None = None,
    pairs: Iterable[tuple[str, str]] | None = None,
    baselines: bool = True,
    split_seed: int = 0,
    report: Callable[[RunScores], None] | None = None,
) -> Comparison:
    """Embed a graph with every method and seed, and score each embedding by :func:`linear_probe`.

    Splits, labels and names are checked before anything is embedded.

    Parameters
    ----------
    graph : Graph
        With labels. Its splits ``val`` and ``test`` are the same for all label rates.
    embedders : mapping of names to functions
        A function takes a seed and returns the embedding, (N, d) dense or sparse.
    seeds : integers >= 0
        Each is handed to every embedder and random baseline.
    rates : names of training splits, optional
        Default: those of train5, train10 and train20 that the graph has, or ``train`` if it has none.
        A name given here must be there.
    pairs : pairs of names, optional
        What to compare seed by seed. Default: every NAME for which there is a NAME+spco.
    baselines : bool
        Whether to run raw features, an untrained encoder and SGC as well, see :data:`BASELINES`.
    split_seed : int
        A graph without any splits gets some from :func:`spco.datasets.stratified_splits` with this seed, and
        ``Comparison.split_seed`` tells.
    report : function, optional
        Called with every :class:`RunScores` as soon as it is there.

    Examples
    --------
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> same = lambda seed: g.features
    >>> found = compare(g, {"a": same, "a+spco": same}, seeds=range(3), rates=["train20"])
    >>> [(row.pair, row.mean, row.p, row.note) for row in found.differences]
    [(('a', 'a+spco'), 0.0, None, 'every difference is 0: nothing to test')]
    >>> [(row.name, row.n) for row in found.summary()]
    [('a', 3), ('a+spco', 3), ('features', 1), ('untrained', 3), ('sgc', 1)]
    """
    if not isinstance(graph, Graph):
        raise invalid("graph", _OWNER, "be a spco.Graph", type(graph).__name__)
    check_choice(baselines, "baselines", _OWNER, (True, False))
    check_integer(split_seed, "split_seed", _OWNER, minimum=0)
    chosen_seeds = _seeds(seeds)
    names = _names(embedders, baselines)
    chosen_pairs = _pairs(pairs, names)
    task, drawn = make_task(graph, rates, split_seed, _OWNER)
    runs = []
    for run in _runs(graph, embedders, task, chosen_seeds, baselines):
        runs.append(run)
        if report is not None:
            report(run)
    return Comparison(
        graph=graph.name,
        names=names,
        rates=tuple(task.parts),
        seeds=chosen_seeds,
        pairs=chosen_pairs,
        runs=tuple(runs),
        split_seed=split_seed if drawn else None,
    )


def _runs(
    graph: Graph,
    embedders: Mapping[str, Callable[[int], Any]],
    task: Task,
    seeds: tuple[int, ...],
    baselines: bool,
) -> Iterator[RunScores]:
    """Run the baselines, which are quick, and then the embedders seed by seed."""
    if baselines:
        yield from _baseline_runs(graph, task, seeds)
    for seed in seeds:
        for name, embed in embedders.items():
            start = time.perf_counter()
            returned = embed(seed)
            seconds = time.perf_counter() - start
            embedding = embedding_matrix(returned, f"embedders[{name!r}]", _OWNER, num_nodes=graph.num_nodes)
            yield from _scored(embedding, task, name, seed, seconds)


def _baseline_runs(graph: Graph, task: Task, seeds: tuple[int, ...]) -> Iterator[RunScores]:
    # SGC is nearly dense on social graphs, so only the rows that are scored are made.
    rows = task.used
    part = task.within(rows)
    for baseline in BASELINES.values():
        for seed in seeds if baseline.is_random else seeds[:1]:
            start = time.perf_counter()
            embedding = baseline.embed(graph, seed, rows)
            seconds = time.perf_counter() - start
            yield from _scored(embedding, part, baseline.name, seed if baseline.is_random else None, seconds)


def _scored(
    embedding: Embedding, task: Task, name: str, seed: int | None, seconds: float
) -> Iterator[RunScores]:
    for rate, part in task.parts.items():
        scores = linear_probe(embedding, task.labels, train=part.train, val=part.val, test=part.test)
        yield RunScores(name=name, seed=seed, rate=rate, seconds=seconds, **asdict(scores))


def _seeds(seeds: Iterable[int]) -> tuple[int, ...]:
    try:
        values = tuple(check_integer(seed, "seeds", _OWNER, minimum=0) for seed in seeds)
    except TypeError:
        values = ()
    if not values or len(set(values)) < len(values):
        raise invalid("seeds", _OWNER, "be integers >= 0, at least one, each once", shown(seeds))
    return values


def _names(embedders: Mapping[str, Callable[[int], Any]], baselines: bool) -> tuple[str, ...]:
    """Return the names of all that is run, embedders first."""
    if not isinstance(embedders, Mapping):
        raise invalid("embedders", _OWNER, "map names to functions of a seed", type(embedders).__name__)
    for name, embed in embedders.items():
        if not isinstance(name, str) or not callable(embed):
            raise invalid(
                "embedders", _OWNER, "map names to functions of a seed", f"{shown(name)}: {shown(embed)}"
            )
        if baselines and name in BASELINES:
            hint = "choose another name, or baselines=False"
            raise invalid("embedders", _OWNER, "leave the baselines' names to them", shown(name), hint=hint)
    names = (*embedders, *BASELINES) if baselines else tuple(embedders)
    if not names:
        raise invalid("embedders", _OWNER, "hold at least one function if baselines=False", shown(embedders))
    return names


def _pairs(pairs: Iterable[tuple[str, str]] | None, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    if pairs is None:
        plain = (name for name in names if name + SPECTRAL_SUFFIX in names)
        return tuple((name, name + SPECTRAL_SUFFIX) for name in plain)
    chosen = []
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 or pair[0] == pair[1]:
            raise invalid("pairs", _OWNER, "be pairs of two different names", shown(pair))
        for name in pair:
            if name not in names:
                raise unknown_name("pairs", _OWNER, name, names)
        chosen.append((pair[0], pair[1]))
    return tuple(chosen)
