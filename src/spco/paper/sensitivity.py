"""Sensitivity to the settings C, ε and η of SpCo (Section 6.4 and Appendix D)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from .._registry import Registry
from ..evaluation.statistics import mean_and_std
from ..runs.spec import Run, RunSpec, run_name
from .classification import SPCO_METHODS, specs


@dataclass(frozen=True)
class Setting:
    """A setting of SpCo and the values to try."""

    name: str
    symbol: str
    values: tuple[Any, ...]


SETTINGS: Registry[Setting] = Registry(
    "setting",
    {
        "target": Setting(
            "target", "C", ("laplacian", "identity+laplacian", "identity+laplacian+laplacian2")
        ),
        "epsilon": Setting("epsilon", "ε", (1e-4, 1e-3, 1e-2, 1e-1, 1.0)),
        "eta": Setting("eta", "η", (0.2, 0.4, 0.6, 0.8, 1.0, 1.2)),
    },
)
SWEEP_GRAPHS = ("cora", "blogcatalog")


@dataclass(frozen=True)
class Sweep:
    """Micro-F1 at 20 labels per class over the values of a setting; NaN where nothing was run."""

    graph: str
    method: str
    setting: Setting
    means: tuple[float, ...]
    stds: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The place of the largest mean; None without any run."""
        return None if not any(self.counts) else int(np.nanargmax(self.means))

    def __str__(self) -> str:
        cells = (
            f"{value}: " + ("–" if not count else f"{100 * mean:.1f} ({count})")
            for value, mean, count in zip(self.setting.values, self.means, self.counts, strict=True)
        )
        name = run_name(self.method, spectral=True)
        return f"{name} on {self.graph}, {self.setting.symbol}: " + ", ".join(cells)


def sweep_specs(
    setting: Setting,
    *,
    graphs: Iterable[str] = SWEEP_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
    seeds: Iterable[int] = range(5),
) -> list[RunSpec]:
    """Return the runs of a sweep: the presets' settings, except for the one that is varied."""
    return [
        changed
        for spec in specs(graphs, [run_name(method, spectral=True) for method in methods], seeds)
        for changed in _varied(spec, setting)
    ]


def sweeps(
    runs: Sequence[Run],
    setting: Setting,
    *,
    graphs: Iterable[str] = SWEEP_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
) -> list[Sweep]:
    """Return the scores over a setting's values, graph by graph and method by method."""
    scores = {run.key: run.scores["train20"].micro_f1 for run in runs}
    seeds = sorted({run.spec.seed for run in runs})
    found = []
    for graph, method in product(graphs, methods):
        wanted = specs([graph], [run_name(method, spectral=True)], seeds)
        by_value = [
            [scores[spec.key] for spec in tried if spec.key in scores]
            for tried in zip(*(_varied(spec, setting) for spec in wanted), strict=True)
        ] or [[] for _ in setting.values]
        pairs = [mean_and_std(values) if values else (float("nan"), None) for values in by_value]
        means, stds = (mean for mean, _ in pairs), (std or 0.0 for _, std in pairs)
        found.append(Sweep(graph, method, setting, tuple(means), tuple(stds), tuple(map(len, by_value))))
    return found


def _varied(spec: RunSpec, setting: Setting) -> list[RunSpec]:
    """Return the spec with each value of a setting in turn."""
    spectral = spec.settings["spectral"]
    return [
        replace(spec, settings={**spec.settings, "spectral": {**spectral, setting.name: value}})
        for value in setting.values
    ]
