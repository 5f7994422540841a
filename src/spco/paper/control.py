"""A control for SpCo: plain methods whose embeddings are read over two propagation steps.

The learnt view with the target L² − L is close to Â², so part of SpCo's gain may come from the longer walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..evaluation.statistics import PairedDifference, paired_difference
from ..methods.names import run_name
from ..runs.spec import Run, RunSpec
from .classification import RATES, SPCO_METHODS, runs_by_seed, specs

#: The graphs whose presets have the target L² − L.
CONTROL_GRAPHS = ("cora", "citeseer", "pubmed")
STEPS = 2


@dataclass(frozen=True)
class Control:
    """Micro-F1 of a method on a graph at one label rate, over the seeds that all three have.

    Attributes
    ----------
    plain, walked, spectral : float
        Means of the plain method, of the plain method read over :data:`STEPS` propagation steps, and of SpCo.
    lead : PairedDifference
        SpCo minus the plain method over more steps.
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
    """Return the runs of the control: plain methods with their presets and a longer readout."""
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
    """Compare the runs of plain methods, of the control and of SpCo, all with the presets' settings."""
    seeds = sorted({run.spec.seed for run in runs})
    found = []
    for graph, method in product(graphs, methods):
        spectral = run_name(method, spectral=True)
        tables = runs_by_seed(runs, specs([graph], [method, spectral], seeds))
        walked = runs_by_seed(runs, control_specs([graph], [method], seeds))
        sides = [
            tables.get((graph, method), {}),
            walked.get((graph, method), {}),
            tables.get((graph, spectral), {}),
        ]
        shared = [seed for seed in seeds if all(seed in side for side in sides)]
        for rate in RATES if shared else ():
            scores = np.array([[side[seed].scores[rate].micro_f1 for side in sides] for seed in shared])
            plain, longer, spco = scores.mean(axis=0).tolist()
            lead = paired_difference(scores[:, 1], scores[:, 2])
            found.append(Control(graph, method, rate, plain, longer, spco, lead))
    return tuple(found)
