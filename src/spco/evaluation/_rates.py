"""Which training nodes a comparison uses: the label rates of a graph, checked before anything is trained."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._random import RandomState, as_generator
from .._validation import invalid, shown, unknown_name
from ..datasets.splits import stratified_splits
from ..errors import InvalidSplitError
from ..graph import Graph
from ._inputs import Parts, checked_parts, label_numbers

USUAL_RATES = ("train5", "train10", "train20")
_PLAIN_RATE = "train"


@dataclass(frozen=True, eq=False)
class Task:
    """The class numbers of nodes, and for each label rate who trains, validates and tests."""

    labels: np.ndarray
    parts: Mapping[str, Parts]

    @property
    def used(self) -> np.ndarray:
        """The nodes that any part names, sorted."""
        named = (nodes for part in self.parts.values() for nodes in (part.train, part.val, part.test))
        return np.unique(np.concatenate(list(named)))

    def within(self, nodes: np.ndarray) -> Task:
        """Return the same task on a sorted choice of nodes that holds all that are used."""
        return Task(self.labels[nodes], {rate: part.within(nodes) for rate, part in self.parts.items()})


def label_rates(
    graph: Graph, rates: Sequence[str] | None = None, *, owner: str = "label_rates"
) -> tuple[str, ...]:
    """Return the label rates that :func:`score_runs` would use on a graph, or say what it lacks.

    >>> import spco
    >>> label_rates(spco.load_dataset("wine"))
    ('train5', 'train10', 'train20')
    """
    return tuple(make_task(graph, rates, 0, owner)[0].parts)


def fitting_nodes(
    graph: Graph, rates: Sequence[str] | None = None, *, split_seed: int = 0, owner: str = "fitting_nodes"
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return who trains and who validates at each label rate: all that a search for settings may look at.

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
    """Draw anew, several times, who trains and who validates, among the nodes that a search may look at.

    One training set of a few nodes per class is a draw of luck, and so are some hundred validation nodes; a
    mean over draws of both depends less on it. In each draw every class has as many training nodes as in the
    rate's own split, drawn from the training and validation nodes of all rates; the others of these validate.

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
    """Return the task of a graph, and whether its splits had to be drawn because it has none."""
    labels = label_numbers(graph.labels, graph.num_nodes, owner)
    wanted = None if rates is None else _names(rates, owner)
    drawn = not graph.splits
    splits = _drawn(labels, wanted, split_seed, owner) if drawn else graph.splits or {}
    chosen = _available(splits, owner) if wanted is None else wanted
    for name in (*chosen, "val", "test"):
        if name not in splits:
            parameter = "rates" if name in chosen else "graph.splits"
            raise _missing(parameter, name, splits, owner)
    return Task(labels, {rate: _parts(labels, splits, rate, owner) for rate in chosen}), drawn


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
    hint = "rates=(...) names training splits of your own"
    raise invalid("graph.splits", owner, must, got, hint=hint, error=InvalidSplitError)


def _drawn(
    labels: np.ndarray, wanted: tuple[str, ...] | None, seed: int, owner: str
) -> Mapping[str, np.ndarray]:
    """Draw splits for a graph without any; train7 has 7 nodes of each class."""
    sizes = []
    for rate in _that_fit(labels) if wanted is None else wanted:
        match = re.fullmatch(r"train([1-9]\d*)", rate)
        if match is None:
            must = "have the form 'train5' where the graph has no splits, which are drawn then"
            raise invalid("rates", owner, must, shown(rate), error=InvalidSplitError)
        sizes.append(int(match[1]))
    return stratified_splits(labels, per_class=sizes, random_state=seed)


def _that_fit(labels: np.ndarray) -> tuple[str, ...]:
    """Return the usual label rates that leave nodes of every class to validate and to test; at least one."""
    smallest = np.bincount(labels[labels >= 0], minlength=1)
    room = smallest[smallest > 0].min(initial=np.iinfo(np.int64).max) - 2
    fitting = tuple(rate for rate in USUAL_RATES if int(rate.removeprefix("train")) <= room)
    return fitting or USUAL_RATES[:1]


def _missing(parameter: str, name: str, splits: Mapping[str, np.ndarray], owner: str) -> Exception:
    if parameter == "rates":
        return unknown_name(
            parameter, owner, name, [split for split in splits if split not in ("val", "test")]
        )
    purpose = "to choose the strength on" if name == "val" else "to score"
    must = f"have {name!r}, the nodes {purpose}"
    return invalid(parameter, owner, must, ", ".join(map(repr, splits)), error=InvalidSplitError)


def _parts(labels: np.ndarray, splits: Mapping[str, np.ndarray], rate: str, owner: str) -> Parts:
    names = (f"graph.splits[{rate!r}]", "graph.splits['val']", "graph.splits['test']")
    return checked_parts(labels, splits[rate], splits["val"], splits["test"], owner, names=names)
