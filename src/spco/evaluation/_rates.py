"""Label rates: which nodes train, validate and test at each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._random import RandomState, as_generator
from .._validation import invalid, shown, unknown_name
from ..datasets.splits import stratified_splits
from ..errors import InvalidLabelsError, InvalidSplitError
from ..graph import Graph
from ..graph.checks import class_called
from ._inputs import Parts, checked_parts, label_numbers

USUAL_RATES = ("train5", "train10", "train20")
_PLAIN_RATE = "train"


@dataclass(frozen=True, eq=False)
class Task:
    """The class numbers of the nodes, and the parts at each label rate."""

    labels: np.ndarray
    parts: Mapping[str, Parts]

    @property
    def used(self) -> np.ndarray:
        """The nodes of all parts, sorted."""
        named = (nodes for part in self.parts.values() for nodes in (part.train, part.val, part.test))
        return np.unique(np.concatenate(list(named)))

    def at(self, rate: str) -> Task:
        """Return the task at one label rate."""
        return Task(self.labels, {rate: self.parts[rate]})

    def within(self, nodes: np.ndarray) -> Task:
        """Return the same task on ``nodes``, which are sorted and contain all used ones."""
        return Task(self.labels[nodes], {rate: part.within(nodes) for rate, part in self.parts.items()})


def label_rates(
    graph: Graph, rates: Sequence[str] | None = None, *, owner: str = "label_rates"
) -> tuple[str, ...]:
    """Return the label rates at which :func:`score_runs` scores on a graph.

    >>> import spco
    >>> label_rates(spco.load_dataset("wine"))
    ('train5', 'train10', 'train20')
    """
    return tuple(make_task(graph, rates, 0, owner)[0].parts)


def fitting_nodes(
    graph: Graph, rates: Sequence[str] | None = None, *, split_seed: int = 0, owner: str = "fitting_nodes"
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the training and validation nodes at each label rate: all that a search may look at.

    >>> import spco
    >>> train, val = fitting_nodes(spco.load_dataset("wine"))["train5"]
    >>> len(train)
    15
    """
    task, _ = make_task(graph, rates, split_seed, owner)
    return {rate: (parts.train, parts.val) for rate, parts in task.parts.items()}


def redrawn_nodes(
    labels: np.ndarray,
    nodes: Mapping[str, tuple[np.ndarray, np.ndarray]],
    *,
    draws: int,
    rng: RandomState,
) -> dict[str, tuple[tuple[np.ndarray, np.ndarray], ...]]:
    """Redraw the training and validation nodes several times, among the nodes that a search may look at.

    Scores on a few training nodes per class depend on luck, and so do scores on a few hundred validation
    nodes; a mean over draws depends on it less. In each draw, every class has as many training nodes as in
    the rate's own split, drawn from the training and validation nodes of all rates. The rest validate.

    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> pairs = redrawn_nodes(g.labels, fitting_nodes(g), draws=4, rng=0)["train5"]
    >>> len(pairs), {len(train) for train, _ in pairs}
    (4, {15})
    """
    pool = np.unique(np.concatenate([part for pair in nodes.values() for part in pair]))
    generator = as_generator(rng, "redrawn_nodes", parameter="rng")
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {rate: [] for rate in nodes}
    for _ in range(draws):
        order = generator.permutation(pool)
        of_class = {number: order[labels[order] == number] for number in np.unique(labels[pool])}
        for rate, (own, _) in nodes.items():
            sizes = zip(*np.unique(labels[own], return_counts=True), strict=True)
            train = np.sort(np.concatenate([of_class[number][:size] for number, size in sizes]))
            found[rate].append((train, np.setdiff1d(pool, train)))
    return {rate: tuple(pairs) for rate, pairs in found.items()}


def make_task(graph: Graph, rates: Sequence[str] | None, split_seed: int, owner: str) -> tuple[Task, bool]:
    """Return the task of a graph, and whether its splits were drawn because it has none."""
    if graph.labels is None:
        raise invalid("graph", owner, "have labels", "a graph without any", error=InvalidLabelsError)
    labels = label_numbers(graph.labels, graph.num_nodes, owner)
    _require_classes(graph, labels, owner)
    wanted = None if rates is None else _names(rates, owner)
    drawn = not graph.splits
    splits = _drawn(graph, labels, wanted, split_seed, owner) if drawn else graph.splits or {}
    chosen = _available(splits, owner) if wanted is None else wanted
    for rate in chosen:
        if rate not in splits:
            known = [split for split in splits if split not in ("val", "test")]
            raise unknown_name("rates", owner, rate, known)
    for name, purpose in (("val", "to choose the strength on"), ("test", "to score")):
        if name not in splits:
            must, got = f"have {name!r}, the nodes {purpose}", ", ".join(map(repr, splits))
            raise invalid("graph.splits", owner, must, got, error=InvalidSplitError)
    return Task(labels, {rate: _parts(graph, labels, splits, rate, owner) for rate in chosen}), drawn


def _require_classes(graph: Graph, labels: np.ndarray, owner: str) -> None:
    """Refuse labels among which there is nothing to tell apart."""
    numbers, counts = np.unique(labels[labels >= 0], return_counts=True)
    if len(numbers) < 2:
        of_class = "" if not len(numbers) else f", all of {class_called(numbers[0], graph.label_names)}"
        must, got = "have labels of at least two classes", f"{counts.sum()} labelled nodes{of_class}"
        raise invalid("graph", owner, must, got, error=InvalidLabelsError)


def _names(rates: Sequence[str], owner: str) -> tuple[str, ...]:
    names = () if isinstance(rates, str) else tuple(rates)
    if not names or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        must = "be names of training splits, at least one, each once"
        raise invalid("rates", owner, must, shown(rates))
    return names


def _available(splits: Mapping[str, np.ndarray], owner: str) -> tuple[str, ...]:
    """Return the usual label rates that the graph has, else its plain training split."""
    usual = tuple(rate for rate in USUAL_RATES if rate in splits)
    if usual or _PLAIN_RATE in splits:
        return usual or (_PLAIN_RATE,)
    must = f"have a training split under one of {', '.join(map(repr, (*USUAL_RATES, _PLAIN_RATE)))}"
    got = ", ".join(map(repr, splits))
    hint = "rates=(...) can name other training splits"
    raise invalid("graph.splits", owner, must, got, hint=hint, error=InvalidSplitError)


def _drawn(
    graph: Graph, labels: np.ndarray, wanted: tuple[str, ...] | None, seed: int, owner: str
) -> Mapping[str, np.ndarray]:
    """Draw splits for a graph without any; train7 has 7 nodes per class."""
    sizes = []
    for rate in _that_fit(labels) if wanted is None else wanted:
        match = re.fullmatch(r"train([1-9]\d*)", rate)
        if match is None:
            must = "look like 'train5' for a graph without splits, whose splits are drawn"
            raise invalid("rates", owner, must, shown(rate), error=InvalidSplitError)
        sizes.append(int(match[1]))
    return stratified_splits(labels, per_class=sizes, random_state=seed, label_names=graph.label_names)


def _that_fit(labels: np.ndarray) -> tuple[str, ...]:
    """Return the usual label rates that leave nodes of every class to validate and test; at least train5."""
    smallest = np.bincount(labels[labels >= 0], minlength=1)
    room = smallest[smallest > 0].min(initial=np.iinfo(np.int64).max) - 2
    fitting = tuple(rate for rate in USUAL_RATES if int(rate.removeprefix("train")) <= room)
    return fitting or USUAL_RATES[:1]


def _parts(
    graph: Graph, labels: np.ndarray, splits: Mapping[str, np.ndarray], rate: str, owner: str
) -> Parts:
    names = (f"graph.splits[{rate!r}]", "graph.splits['val']", "graph.splits['test']")
    used = (splits[rate], splits["val"], splits["test"])
    return checked_parts(labels, *used, owner, names=names, named=graph)
