"""Board: what a ledger says about entries on graphs."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..methods.names import run_name
from ..runs import Run
from .entries import DROP_RATES, Entry, control_name
from .graphs import BOARD_GRAPHS, REAL_GRAPHS
from .ranking import RankTest, rank_test, score_ranks

#: The label rates that a score is the mean of.
RATES = ("train5", "train10", "train20")
SEEDS = tuple(range(5))
# Means of equal scores may differ by rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Cell:
    """An entry on a graph.

    Attributes
    ----------
    scores : mapping of seeds to micro-F1, the mean over the label rates
    seconds : tuple of float
        Of training, by run.
    held : int
        Runs that the ledger holds.
    choice : str or None
        What the control chose by the validation nodes, or auto by its advice.
    """

    scores: Mapping[int, float] = field(default_factory=dict)
    seconds: tuple[float, ...] = ()
    held: int = 0
    choice: str | None = None


@dataclass(frozen=True)
class Standing:
    """An entry over all graphs.

    Attributes
    ----------
    mean_rank, wins : float, int or None
        Over the complete graphs; equal entries share a win. None if there is no such graph.
    num_graphs : int
        Graphs on which the entry can be held against the best free baseline.
    mean_difference, real_difference : float or None
        Score minus that of the best free baseline of the graph, the mean over those graphs, and over the
        real ones among them.
    worst_difference, worst_graph : float and str, or None
        The lowest such difference, and where.
    median_seconds : float or None
        Of one training.
    missing : int
        Runs that the ledger lacks.
    """

    entry: Entry
    mean_rank: float | None
    wins: int | None
    num_graphs: int
    mean_difference: float | None
    real_difference: float | None
    worst_difference: float | None
    worst_graph: str | None
    median_seconds: float | None
    missing: int


@dataclass(frozen=True, eq=False)
class Board:
    """Scores of entries on graphs. Scores that are compared are means over the same seeds.

    Entries are compared two by two over the seeds that both have, and ranked over those that all have.

    Attributes
    ----------
    cells : mapping of (graph, name of the entry) to Cell
    """

    graphs: tuple[str, ...]
    entries: tuple[Entry, ...]
    seeds: tuple[int, ...]
    cells: Mapping[tuple[str, str], Cell]

    @cached_property
    def ranked(self) -> tuple[Entry, ...]:
        """The entries that have a score on some graph; the others would leave no graph complete."""
        return tuple(entry for entry in self.entries if self._is_scored(entry))

    @cached_property
    def unscored(self) -> tuple[Entry, ...]:
        """The entries without any score."""
        return tuple(entry for entry in self.entries if not self._is_scored(entry))

    def common_seeds(self, graph: str) -> tuple[int, ...]:
        """Return the seeds that every ranked entry has on a graph."""
        return self.seeds_of(graph, *self.ranked) if self.ranked else ()

    @cached_property
    def complete(self) -> tuple[str, ...]:
        """The graphs on which all ranked entries have a score with the same seeds."""
        return tuple(graph for graph in self.graphs if self.common_seeds(graph))

    def seeds_of(self, graph: str, *entries: Entry) -> tuple[int, ...]:
        """Return the seeds that these entries have on a graph."""
        held = [self._cell(graph, entry).scores for entry in entries]
        return tuple(seed for seed in self.seeds if all(seed in scores for scores in held))

    def score(self, graph: str, entry: Entry, seeds: Sequence[int] | None = None) -> float | None:
        """Return the mean over the seeds, by default over all that there are."""
        held = self._cell(graph, entry).scores
        found = [held[seed] for seed in (held if seeds is None else seeds) if seed in held]
        return statistics.fmean(found) if found else None

    def best_free(self, graph: str, seeds: Sequence[int] | None = None) -> float | None:
        """Return the score of the best free baseline; None if one is missing."""
        found = [self.score(graph, entry, seeds) for entry in self.entries if entry.is_free]
        known = [score for score in found if score is not None]
        return max(known) if known and len(known) == len(found) else None

    def best(self, graph: str) -> float | None:
        """Return the highest score on a graph."""
        found = (self.score(graph, entry) for entry in self.entries)
        return max((score for score in found if score is not None), default=None)

    def difference(self, graph: str, entry: Entry) -> float | None:
        """Return the score of an entry minus that of the best free baseline, over the same seeds."""
        seeds = self.seeds_of(graph, entry)
        score, free = self.score(graph, entry, seeds), self.best_free(graph, seeds)
        return None if score is None or free is None else score - free

    def gain(self, graph: str, plain: Entry, spectral: Entry) -> float | None:
        """Return the score of a method with SpCo minus the plain one's, over the same seeds."""
        seeds = self.seeds_of(graph, plain, spectral)
        before, after = (self.score(graph, entry, seeds) for entry in (plain, spectral))
        return None if before is None or after is None else after - before

    def choice(self, graph: str, entry: Entry) -> str | None:
        """Return what the control or auto chose."""
        return self._cell(graph, entry).choice

    def held_of(self, graph: str, entry: Entry) -> str:
        """Return how many runs of an entry are there, of how many."""
        return f"{self._cell(graph, entry).held}/{entry.count(self.seeds)}"

    def missing(self, entry: Entry) -> int:
        """Return how many runs of an entry are not there."""
        wanted = entry.count(self.seeds)
        return sum(max(0, wanted - self._cell(graph, entry).held) for graph in self.graphs)

    @property
    def num_wanted(self) -> int:
        """How many runs the whole board has."""
        return sum(entry.count(self.seeds) for entry in self.entries) * len(self.graphs)

    @property
    def num_missing(self) -> int:
        """How many runs are not there."""
        return sum(self.missing(entry) for entry in self.entries)

    @cached_property
    def test(self) -> RankTest | None:
        """The test of the ranks; None without enough complete graphs."""
        return rank_test(self._table()) if self.complete else None

    def standings(self) -> list[Standing]:
        """Return all entries, the best mean rank first; those without a rank keep their order at the end."""
        ranks: dict[str, float] = {}
        wins: dict[str, int] = {}
        if self.complete:
            table = self._table()
            best = table >= table.max(axis=1, keepdims=True) - _ROUNDING
            names = [entry.name for entry in self.ranked]
            ranks = dict(zip(names, score_ranks(table).mean(axis=0).tolist(), strict=True))
            wins = dict(zip(names, best.sum(axis=0).tolist(), strict=True))
        found = [self._standing(entry, ranks.get(entry.name), wins.get(entry.name)) for entry in self.entries]
        return sorted(found, key=lambda one: np.inf if one.mean_rank is None else one.mean_rank)

    def _standing(self, entry: Entry, mean_rank: float | None, wins: int | None) -> Standing:
        every = ((graph, self.difference(graph, entry)) for graph in self.graphs)
        differences = {graph: value for graph, value in every if value is not None}
        real = [value for graph, value in differences.items() if graph in REAL_GRAPHS]
        worst = min(differences, key=lambda graph: differences[graph], default=None)
        seconds = [value for graph in self.graphs for value in self._cell(graph, entry).seconds]
        return Standing(
            entry,
            mean_rank,
            wins,
            num_graphs=len(differences),
            mean_difference=statistics.fmean(differences.values()) if differences else None,
            real_difference=statistics.fmean(real) if real else None,
            worst_difference=None if worst is None else differences[worst],
            worst_graph=worst,
            median_seconds=statistics.median(seconds) if seconds else None,
            missing=self.missing(entry),
        )

    def _table(self) -> np.ndarray:
        """Return scores on complete graphs, a column for each ranked entry."""
        rows = [
            [self.score(graph, entry, self.common_seeds(graph)) for entry in self.ranked]
            for graph in self.complete
        ]
        return np.array(rows, dtype=np.float64)

    def _is_scored(self, entry: Entry) -> bool:
        return any(self._cell(graph, entry).scores for graph in self.graphs)

    def _cell(self, graph: str, entry: Entry) -> Cell:
        return self.cells.get((graph, entry.name), Cell())


def read_board(
    runs: Iterable[Run],
    entries: Sequence[Entry],
    *,
    graphs: Sequence[str] = BOARD_GRAPHS,
    seeds: Sequence[int] = SEEDS,
) -> Board:
    """Return the board that the runs of a ledger make.

    Suggested settings change over time. Of an entry on a graph only the runs count that have the settings of
    the latest one, so that no score mixes two versions of them.
    """
    held: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if set(RATES) <= set(run.scores):
            held.setdefault((run.spec.graph, run.name), []).append(run)
    cells = {}
    for graph in graphs:
        for entry in entries:
            found = {
                name: _by_seed(held.get((graph, name), []), entry.own_seeds(seeds))
                for name in entry.run_names
            }
            cell = _control_cell(found) if entry.kind == "control" else _cell(found, entry)
            cells[graph, entry.name] = cell if entry.is_random else _for_all(cell, seeds)
    return Board(tuple(graphs), tuple(entries), tuple(seeds), cells)


def _by_seed(runs: Sequence[Run], seeds: Sequence[int]) -> dict[int, Run]:
    """Return the runs with the settings of the latest one, by seed."""
    keys = [replace(run.spec, seed=0).key for run in runs]
    return {
        run.spec.seed: run
        for run, key in zip(runs, keys, strict=True)
        if key == keys[-1] and run.spec.seed in seeds
    }


def _cell(found: Mapping[str, Mapping[int, Run]], entry: Entry) -> Cell:
    (runs,) = found.values()
    scores = {seed: _micro(run) for seed, run in runs.items()}
    choice = None
    if entry.kind == "auto" and runs:
        spec = next(iter(runs.values())).spec
        choice = run_name(spec.method_name, spectral=spec.spectral)
    return Cell(scores, tuple(run.seconds for run in runs.values()), len(runs), choice)


def _control_cell(found: Mapping[str, Mapping[int, Run]]) -> Cell:
    """Return the scores at the drop rate with the highest accuracy on the validation nodes, over all seeds.

    A seed counts once all rates have it.
    """
    seeds = sorted(set.intersection(*(set(runs) for runs in found.values())))
    seconds = tuple(run.seconds for runs in found.values() for run in runs.values())
    held = sum(map(len, found.values()))
    if not seeds:
        return Cell({}, seconds, held)
    of_rate = {rate: found[control_name(rate)] for rate in DROP_RATES}
    chosen = max(of_rate, key=lambda rate: statistics.fmean(_validated(of_rate[rate][s]) for s in seeds))
    scores = {seed: _micro(of_rate[chosen][seed]) for seed in seeds}
    return Cell(scores, seconds, held, f"{chosen:g}")


def _for_all(cell: Cell, seeds: Sequence[int]) -> Cell:
    """Let the one run of a deterministic entry stand for every seed."""
    return replace(cell, scores={seed: score for score in cell.scores.values() for seed in seeds})


def _micro(run: Run) -> float:
    return statistics.fmean(run.scores[rate].micro_f1 for rate in RATES)


def _validated(run: Run) -> float:
    return statistics.fmean(run.scores[rate].val_accuracy for rate in RATES)
