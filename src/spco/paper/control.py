"""A control for SpCo: plain methods whose embeddings are read over two propagation steps.

The learnt view with the target L² − L is close to Â², so part of SpCo's gain may be the longer walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..evaluation.statistics import PairedDifference, paired_difference
from ..runs.spec import Run, RunSpec, run_name
from .classification import RATES, specs
from .sensitivity import SPCO_METHODS

#: Those whose presets have the target L² − L.
CONTROL_GRAPHS = ("cora", "citeseer", "pubmed")
STEPS = 2


@dataclass(frozen=True)
class Control:
    """Micro-F1 of a method on a graph at one label rate, over the seeds that all three have.

    Attributes
    ----------
    plain, walked, spectral : float
        Means of the plain method, of the same over :data:`STEPS` propagation steps, and of SpCo.
    lead : PairedDifference
        SpCo less the plain method over more steps.
    """

    graph: str
    method: str
    rate: str
    plain: float
    walked: float
    spectral: float
    lead: PairedDifference


def control_specs(
    graphs: Iterable[str] = CONTROL_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
    seeds: Iterable[int] = range(10),
) -> list[RunSpec]:
    """Return the runs of the control: plain methods with the settings of their presets but for the steps."""
    return [
        replace(spec, settings={**spec.settings, "readout": [f"A^{STEPS}"]})
        for spec in specs(graphs, methods, seeds)
    ]


def controls(
    runs: Sequence[Run],
    *,
    graphs: Iterable[str] = CONTROL_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
) -> tuple[Control, ...]:
    """Return what runs with the presets' settings, and with theirs but for the steps, say."""
    held, seeds = {run.key: run for run in runs}, sorted({run.spec.seed for run in runs})
    found = []
    for graph in graphs:
        for method in methods:
            columns = (method, run_name(method, spectral=True))
            plain, spectral = (specs([graph], [column], seeds) for column in columns)
            sides = (plain, control_specs([graph], [method], seeds), spectral)
            by_seed = [
                triple
                for group in zip(*sides, strict=True)
                if len(triple := [held[spec.key] for spec in group if spec.key in held]) == len(sides)
            ]
            found += [_control(graph, method, rate, by_seed) for rate in RATES if by_seed]
    return tuple(found)


def _control(graph: str, method: str, rate: str, runs: Sequence[Sequence[Run]]) -> Control:
    scores = np.array([[run.scores[rate].micro_f1 for run in triple] for triple in runs])
    plain, walked, spectral = scores.mean(axis=0).tolist()
    return Control(
        graph, method, rate, plain, walked, spectral, paired_difference(scores[:, 1], scores[:, 2])
    )
