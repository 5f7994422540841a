"""One protocol for every method: the same seeds, splits, probe, baselines and paired statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np

from .._validation import MOST_SEEDS, check_choice, check_integer, invalid, shown, unknown_name
from ..graph import Graph, GraphLike, as_graph
from ._inputs import Embedding, embedding_matrix
from ._rates import Task, make_task
from .baselines import BASELINES, USUAL_BASELINES
from .probe import linear_probe, prediction_scores
from .results import Comparison, RunScores

_OWNER = "score_runs"


@dataclass(frozen=True, eq=False)
class Measured:
    """The result of a function, and its cost when it was run, perhaps long ago.

    Attributes
    ----------
    value : array
        An embedding, or predicted classes.
    seconds : float
    peak_bytes : float or None
        The peak memory of the process; None if it was not measured.
    """

    value: Any
    seconds: float
    peak_bytes: float | None = None


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """What a classifier may know at one label rate.

    Attributes
    ----------
    rate : str
    labels : (N,) int64
        Class numbers of the nodes in ``train`` and ``val``, -1 for all others.
    train, val : int64 arrays
        The nodes to fit on, and to stop or choose by.
    """

    rate: str
    labels: np.ndarray
    train: np.ndarray
    val: np.ndarray


Classify = Callable[[int, KnownLabels], Any]
EmbedKnowing = Callable[[int, KnownLabels], Any]


def score_runs(
    graph: GraphLike,
    embedders: Mapping[str, Callable[[int], Any]],
    *,
    seeds: Iterable[int],
    classifiers: Mapping[str, Classify] | None = None,
    knowing: Mapping[str, EmbedKnowing] | None = None,
    rates: Sequence[str] | None = None,
    pairs: Iterable[tuple[str, str]] = (),
    baselines: bool | Sequence[str] = True,
    inputs: Embedding | None = None,
    split_seed: int = 0,
    tell: Callable[[RunScores], None] | None = None,
) -> Comparison:
    """Embed a graph with every method and seed, and score each embedding with :func:`linear_probe`.

    Classifiers are trained at every label rate and scored by their own predictions on the same test nodes.
    Splits, labels and names are checked before anything is embedded.

    Parameters
    ----------
    graph : Graph
        With labels. Its splits ``val`` and ``test`` are the same for all label rates.
    embedders : mapping of names to functions
        A function takes a seed and returns the embedding, (N, d) dense or sparse, or a :class:`Measured` one
        with its own cost.
    seeds : integers >= 0
        Each is passed to every embedder, classifier and random baseline.
    classifiers : mapping of names to functions, optional
        A function takes a seed and :class:`KnownLabels` and returns the predicted class number of each node,
        (N,), or a :class:`Measured` array.
    knowing : mapping of names to functions, optional
        Embedders that are told the labels known at a rate, by which they may choose how to embed. They are
        asked at every label rate, and scored by the probe.
    rates : names of training splits, optional
        Default: those of train5, train10 and train20 that the graph has, or ``train`` if it has none of them;
        if splits are drawn, those that the smallest class has enough nodes for.
    pairs : pairs of names
        The methods to compare seed by seed.
    baselines : bool or names
        Which of :data:`BASELINES` to score too; True for raw features, an untrained encoder and SGC.
    inputs : (N, F) dense or sparse, optional
        The features that the methods see, scaled or made from the structure. Each baseline then tries these
        and the graph's own, and keeps at every label rate what does better on the validation nodes.
    split_seed : int
        Seed for drawing the splits of a graph without any; see :func:`spco.datasets.stratified_splits`.
    tell : function, optional
        Called with every :class:`RunScores` as soon as it is known.

    Examples
    --------
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> same = lambda seed: g.features
    >>> found = score_runs(
    ...     g, {"a": same, "b": same}, seeds=range(3), rates=["train20"], pairs=[("a", "b")]
    ... )
    >>> [(row.pair, row.mean, row.p, row.note) for row in found.differences]
    [(('a', 'b'), 0.0, None, 'every difference is 0: nothing to test')]
    >>> [(row.name, row.n) for row in found.summary()]
    [('a', 3), ('b', 3), ('features', 1), ('untrained', 3), ('sgc', 1)]
    """
    graph = as_graph(graph, _OWNER)
    check_integer(split_seed, "split_seed", _OWNER, minimum=0)
    chosen_seeds = checked_seeds(seeds, _OWNER)
    classifiers, knowing = classifiers or {}, knowing or {}
    free = baseline_names(baselines, _OWNER)
    names = _names({"embedders": embedders, "knowing": knowing, "classifiers": classifiers}, free)
    chosen_pairs = checked_pairs(pairs, names, _OWNER)
    task, drawn = make_task(graph, rates, split_seed, _OWNER)
    runs = []
    known = _graphs_for_baselines(graph, inputs) if free else []
    for run in chain(
        _baseline_runs(free, known, task, chosen_seeds),  # they are quick
        _runs(graph, embedders, classifiers, knowing, task, chosen_seeds),
    ):
        runs.append(run)
        if tell is not None:
            tell(run)
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
    classifiers: Mapping[str, Classify],
    knowing: Mapping[str, EmbedKnowing],
    task: Task,
    seeds: tuple[int, ...],
) -> Iterator[RunScores]:
    """Score embedders and classifiers seed by seed."""
    for seed in seeds:
        for name, embed in embedders.items():
            found = measured(partial(embed, seed))
            embedding = embedding_matrix(
                found.value, f"embedders[{name!r}]", _OWNER, num_nodes=graph.num_nodes
            )
            yield from _scored(embedding, task, name, seed, found)
        for name, embed_knowing in knowing.items():
            for rate, known in _known_labels(task):
                found = measured(partial(embed_knowing, seed, known))
                embedding = embedding_matrix(
                    found.value, f"knowing[{name!r}]", _OWNER, num_nodes=graph.num_nodes
                )
                yield from _scored(embedding, task.at(rate), name, seed, found)
        for name, classify in classifiers.items():
            for rate, known in _known_labels(task):
                yield _classified(classify, task, name, seed, rate, known)


def measured(run: Callable[[], Any]) -> Measured:
    """Run a function, and time it if it does not give its own cost."""
    start = time.perf_counter()
    found = run()
    return found if isinstance(found, Measured) else Measured(found, time.perf_counter() - start)


def _known_labels(task: Task) -> Iterator[tuple[str, KnownLabels]]:
    """Yield what may be known at each label rate: the classes of the training and validation nodes."""
    for rate, part in task.parts.items():
        visible = np.concatenate([part.train, part.val])
        labels = np.full_like(task.labels, -1)
        labels[visible] = task.labels[visible]
        yield rate, KnownLabels(rate, labels, part.train, part.val)


def _classified(
    classify: Classify, task: Task, name: str, seed: int, rate: str, known: KnownLabels
) -> RunScores:
    part = task.parts[rate]
    found = measured(partial(classify, seed, known))
    predicted = np.asarray(found.value)
    if predicted.shape != task.labels.shape or predicted.dtype.kind not in "iu":
        must = f"return one class number per node ({len(task.labels)})"
        raise invalid(f"classifiers[{name!r}]", _OWNER, must, f"{predicted.dtype} {predicted.shape}")
    return RunScores(
        name=name,
        seed=seed,
        rate=rate,
        val_accuracy=float(np.mean(predicted[part.val] == task.labels[part.val])),
        C=None,
        seconds=found.seconds,
        peak_bytes=found.peak_bytes,
        **prediction_scores(predicted[part.test], task.labels[part.test]),
    )


def _graphs_for_baselines(graph: Graph, inputs: Embedding | None) -> list[Graph]:
    """Return the graph with its own features and with the methods' inputs, if there are any."""
    if inputs is None:
        return [graph]
    seen = Graph(graph.adjacency, inputs)
    return [seen] if graph.features is None else [graph, seen]


def _baseline_runs(
    names: Sequence[str], graphs: Sequence[Graph], task: Task, seeds: tuple[int, ...]
) -> Iterator[RunScores]:
    # SGC is nearly dense on social graphs, so that only the scored rows are computed.
    rows = task.used
    part = task.within(rows)
    for name in names:
        baseline = BASELINES[name]
        for seed in seeds if baseline.is_random else seeds[:1]:
            own_seed = seed if baseline.is_random else None
            tried = []
            for graph in graphs:
                found = measured(partial(baseline.embed, graph, seed, rows))
                tried.append(tuple(_scored(found.value, part, name, own_seed, found)))
            for same_rate in zip(*tried, strict=True):
                yield max(same_rate, key=lambda run: run.val_accuracy)


def _scored(
    embedding: Embedding, task: Task, name: str, seed: int | None, cost: Measured
) -> Iterator[RunScores]:
    for rate, part in task.parts.items():
        scores = linear_probe(embedding, task.labels, train=part.train, val=part.val, test=part.test)
        yield RunScores(name, seed, rate, seconds=cost.seconds, peak_bytes=cost.peak_bytes, **asdict(scores))


def checked_seeds(seeds: Iterable[int], owner: str) -> tuple[int, ...]:
    """Return the seeds, at least one and each once."""
    try:
        values = tuple(
            check_integer(seed, "seeds", owner, minimum=0) for seed in islice(seeds, MOST_SEEDS + 1)
        )
    except TypeError:
        values = ()
    if len(values) > MOST_SEEDS:
        raise invalid("seeds", owner, f"be at most {MOST_SEEDS:,}", shown(seeds))
    if not values or len(set(values)) < len(values):
        raise invalid("seeds", owner, "be integers >= 0, at least one, each once", shown(seeds))
    return values


def baseline_names(baselines: bool | Sequence[str], owner: str) -> tuple[str, ...]:
    """Return the names of the baselines that were asked for.

    >>> baseline_names(True, "example"), baseline_names(["sgc3"], "example")
    (('features', 'untrained', 'sgc'), ('sgc3',))
    """
    if isinstance(baselines, bool):
        return USUAL_BASELINES if baselines else ()
    if not isinstance(baselines, list | tuple) or len(set(baselines)) < len(baselines):
        raise invalid("baselines", owner, "be a bool, or names of baselines, each once", shown(baselines))
    return tuple(check_choice(name, "baselines", owner, BASELINES) for name in baselines)


def _names(given: Mapping[str, Mapping[str, Callable[..., Any]]], free: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all functions, by the parameter they came with, and of the baselines."""
    must = "map names to functions of a seed"
    names: list[str] = []
    for parameter, functions in given.items():
        if not isinstance(functions, Mapping):
            raise invalid(parameter, _OWNER, must, type(functions).__name__)
        for name, function in functions.items():
            if not isinstance(name, str) or not callable(function):
                raise invalid(parameter, _OWNER, must, f"{shown(name)}: {shown(function)}")
            if name in free:
                hint = "choose another name, or pass baselines=False"
                raise invalid(
                    parameter, _OWNER, "have other names than the baselines", shown(name), hint=hint
                )
            if name in names:
                raise invalid(parameter, _OWNER, "have other names than the embedders", shown(name))
            names.append(name)
    if not names and not free:
        must, got = "hold at least one function if baselines=False", shown(given["embedders"])
        raise invalid("embedders", _OWNER, must, got)
    return (*names, *free)


def checked_pairs(
    pairs: Iterable[tuple[str, str]], names: Sequence[str], owner: str
) -> tuple[tuple[str, str], ...]:
    """Return the pairs, each of two different known names."""
    chosen = []
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 or pair[0] == pair[1]:
            raise invalid("pairs", owner, "be pairs of two different names", shown(pair))
        for name in pair:
            if name not in names:
                raise unknown_name("pairs", owner, name, names)
        chosen.append((pair[0], pair[1]))
    return tuple(chosen)
