"""Link prediction by several methods and seeds: the same held-out edges for all, paired statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from .._validation import invalid
from ..graph import Graph, GraphLike, as_graph
from ._inputs import embedding_matrix
from .baselines import BASELINES
from .links import LinkScores, LinkSplit, link_scores, split_links
from .protocol import baseline_names, checked_pairs, checked_seeds, measured
from .statistics import PairedDifference, mean_and_std, paired_difference

_OWNER = "score_link_runs"


@dataclass(frozen=True)
class LinkRun:
    """The scores of one embedding of what was left of a graph, and the time that it took."""

    name: str
    seed: int
    scores: LinkScores
    seconds: float

    @property
    def values(self) -> dict[str, float]:
        """The scores by the names of their metrics: roc_auc, average_precision, hits@10, ..."""
        hits = {f"hits@{k}": share for k, share in self.scores.hits.items()}
        return {
            "roc_auc": self.scores.roc_auc,
            "average_precision": self.scores.average_precision,
            **hits,
        }


@dataclass(frozen=True)
class LinkComparison:
    """The runs of a comparison, and what follows from them.

    Attributes
    ----------
    graph : str or None
        The graph's name.
    share : float
        Of the edges that were held out.
    names, seeds, pairs : tuples
        Pairs are matched by seed, which also draws the held-out edges.
    runs : tuple of LinkRun
    """

    graph: str | None
    share: float
    names: tuple[str, ...]
    seeds: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    runs: tuple[LinkRun, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that every run has."""
        return tuple(self.runs[0].values)

    def summary(self, metric: str) -> dict[str, tuple[float, float | None]]:
        """Return mean and sample standard deviation by name."""
        return {name: mean_and_std(self._by_seed(name, metric)) for name in self.names}

    def differences(self, metric: str = "roc_auc") -> dict[tuple[str, str], PairedDifference]:
        """Return the gain of the second of each pair over the first, seed by seed."""
        return {
            pair: paired_difference(*(self._by_seed(name, metric) for name in pair)) for pair in self.pairs
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON can hold."""
        return {
            "graph": self.graph,
            "share": self.share,
            "runs": [
                {"name": run.name, "seed": run.seed, **asdict(run.scores), "seconds": run.seconds}
                for run in self.runs
            ],
            "differences": [
                {"pair": list(pair), "metric": metric, **asdict(found)}
                for metric in self.metrics
                for pair, found in self.differences(metric).items()
            ],
        }

    def _by_seed(self, name: str, metric: str) -> list[float]:
        return [run.values[metric] for run in self.runs if run.name == name]


def score_link_runs(
    graph: GraphLike,
    embedders: Mapping[str, Callable[[Graph, int], Any]],
    *,
    seeds: Iterable[int],
    share: float = 0.1,
    pairs: Iterable[tuple[str, str]] = (),
    baselines: bool | Sequence[str] = True,
    tell: Callable[[LinkRun], None] | None = None,
) -> LinkComparison:
    """Hold out edges by every seed, embed the rest of the graph with every method, and score the pairs.

    Parameters
    ----------
    graph : Graph, or what ``Graph.coerce`` takes
    embedders : mapping of names to functions
        A function takes the graph without the held-out edges and a seed, and returns an embedding, (N, d).
    seeds : integers >= 0
        Each draws held-out edges, the same for all methods, and is passed to the methods.
    share : float in (0, 1)
        Of the edges to hold out.
    pairs : pairs of names
        The methods to compare seed by seed.
    baselines : bool or names
        Which of :data:`BASELINES` to score too, if the graph has features.
    tell : function, optional
        Called with every :class:`LinkRun` as soon as it is known.

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> found = score_link_runs(wine, {"again": lambda rest, seed: rest.features}, seeds=[0, 1])
    >>> found.names, found.summary("roc_auc")["again"] == found.summary("roc_auc")["features"]
    (('again', 'features', 'untrained', 'sgc'), True)
    """
    graph = as_graph(graph, _OWNER)
    chosen = checked_seeds(seeds, _OWNER)
    free = baseline_names(baselines, _OWNER) if graph.features is not None else ()
    twice = next((name for name in embedders if name in free), None)
    if twice is not None:
        raise invalid("embedders", _OWNER, "have other names than the baselines", repr(twice))
    names = (*embedders, *free)
    matched = checked_pairs(pairs, names, _OWNER)
    runs = []
    for seed in chosen:
        split = split_links(graph, share=share, rng=seed)
        for run in _runs(split, embedders, free, seed):
            runs.append(run)
            if tell is not None:
                tell(run)
    return LinkComparison(graph.name, float(share), names, chosen, matched, tuple(runs))


def _runs(
    split: LinkSplit, embedders: Mapping[str, Callable[[Graph, int], Any]], free: Sequence[str], seed: int
) -> Iterator[LinkRun]:
    rest = split.graph
    tried = {name: partial(embed, rest, seed) for name, embed in embedders.items()}
    tried |= {name: partial(BASELINES[name].embed, rest, seed, None) for name in free}
    for name, embed in tried.items():
        found = measured(embed)
        matrix = embedding_matrix(found.value, f"embedders[{name!r}]", _OWNER, num_nodes=rest.num_nodes)
        yield LinkRun(name, seed, link_scores(matrix, split.edges, split.non_edges), found.seconds)
