"""The runs of a leaderboard as specs, in an order that leaves a usable board whenever it is interrupted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..advice import advise
from ..graph import Graph
from ..methods.names import AUTO, method_of
from ..presets import Preset, suggested_preset
from ..runs import RunSpec
from .entries import BY_LABELS, DROP_RATES, Entry, control_name

# The control drops edges for GRACE. Contrasting all pairs takes too long for four rates on larger graphs.
_GRACE_UP_TO = 10_000
# One pair of nodes costs about so much of one edge: a dot product against a row of a sparse product.
_PAIR = 0.1
# So many trainings an auto that chooses by labels makes.
_CANDIDATES = 8
_OWNER = "spco leaderboard"


@dataclass(frozen=True)
class PlannedRun:
    """A run, and how long it takes compared with others, roughly."""

    spec: RunSpec
    cost: float


def planned_runs(graph: Graph, entries: Iterable[Entry], seeds: Sequence[int]) -> list[PlannedRun]:
    """Return the runs of entries on one graph, with all of their settings.

    >>> import spco
    >>> from spco.leaderboard.entries import board_entries
    >>> runs = planned_runs(spco.load_dataset("wine"), board_entries(["dgi+spco"]), [0, 1])
    >>> [f"{run.spec.name} {run.spec.seed}" for run in runs][:3]
    ['dgi+spco 0', 'dgi+spco 1', 'features 0']
    """
    return [
        PlannedRun(replace(spec, seed=seed), cost)
        for entry in entries
        for spec, cost in _first_runs(entry, graph)
        for seed in entry.own_seeds(seeds)
    ]


def in_order(runs: Iterable[PlannedRun]) -> list[RunSpec]:
    """Return runs seed by seed: baselines before all, and within a seed cheap ones first."""
    ordered = sorted(runs, key=lambda run: (not run.spec.is_baseline, run.spec.seed, run.cost))
    return [run.spec for run in ordered]


def _first_runs(entry: Entry, graph: Graph) -> Iterator[tuple[RunSpec, float]]:
    """Yield the runs of an entry with seed 0, and what each costs."""
    name = graph.name or "graph"
    if entry.is_free:
        # The suggested scaling depends on the graph alone, so any method says which it is.
        scaling = suggested_preset("cca_ssg", graph).scaling
        yield RunSpec(entry.name, name, 0, settings={"scaling": scaling}), float(graph.num_nodes)
    elif entry.kind == "control":
        yield from _control_runs(graph, name)
    elif entry.kind == "auto":
        # As what the advice names: the ledger says what that was, and a changed advice is run again.
        advice = advise(graph)
        preset = suggested_preset(advice.method, graph).with_changes(advice.settings, owner=_OWNER)
        spec = RunSpec(advice.method, name, 0, advice.spectral, preset.to_dict(), label=AUTO)
        yield spec, _cost(graph, preset)
    elif entry.kind == "labels":
        cost = _CANDIDATES * _cost(graph, suggested_preset("dgi", graph))
        yield RunSpec(AUTO, name, 0, spectral=True, label=BY_LABELS, by_labels=True), cost
    else:
        method = method_of(entry.name)
        preset = suggested_preset(method, graph)
        yield RunSpec(method, name, 0, entry.kind == "spco", preset.to_dict()), _cost(graph, preset)


def _control_runs(graph: Graph, name: str) -> Iterator[tuple[RunSpec, float]]:
    """Yield a run of the plain method with each drop rate, the same for both views."""
    method = "grace" if graph.num_nodes <= _GRACE_UP_TO else "cca_ssg"
    preset = suggested_preset(method, graph)
    for rate in DROP_RATES:
        drop: Any = (rate, rate) if method == "grace" else rate
        changed = preset.with_changes({"method": {"edge_drop": drop}}, owner=_OWNER)
        spec = RunSpec(method, name, 0, settings=changed.to_dict(), label=control_name(rate))
        # All four are needed for one score, so that they come after the plain method.
        yield spec, len(DROP_RATES) * _cost(graph, preset)


def _cost(graph: Graph, preset: Preset) -> float:
    """Return the epochs times the edges, the nodes and, where all of them are contrasted, their pairs."""
    contrasts_all = hasattr(preset.method, "temperature") and not getattr(preset.method, "num_negatives", 0)
    pairs = _PAIR * graph.num_nodes**2 if contrasts_all else 0.0
    return preset.training.epochs * (graph.adjacency.nnz + graph.num_nodes + pairs)
