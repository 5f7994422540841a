"""Sensitivity to a setting of SpCo: its target C, ε and η (Section 6.4 and Appendix D)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._registry import Registry
from ..evaluation.statistics import mean_and_std
from ..runs.spec import Run, RunSpec, run_name
from .classification import specs


@dataclass(frozen=True)
class Setting:
    """A setting of SpCo and the values that it is tried with."""

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
#: The methods that the paper plugs SpCo into.
SPCO_METHODS = ("dgi", "grace", "cca_ssg")
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
    """Return the runs of a sweep: the preset's settings but for the one that is varied."""
    columns = [run_name(method, spectral=True) for method in methods]
    return [
        _changed(spec, setting, value) for spec in specs(graphs, columns, seeds) for value in setting.values
    ]


def sweeps(
    runs: Sequence[Run],
    setting: Setting,
    *,
    graphs: Iterable[str] = SWEEP_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
) -> list[Sweep]:
    """Return what the runs say about a setting, graph by graph and method by method."""
    scores = {run.key: run.scores["train20"].micro_f1 for run in runs}
    seeds = sorted({run.spec.seed for run in runs})
    found = []
    for graph in graphs:
        for method in methods:
            wanted = specs([graph], [run_name(method, spectral=True)], seeds)
            values = [
                [scores[key] for spec in wanted if (key := _changed(spec, setting, value).key) in scores]
                for value in setting.values
            ]
            found.append(_sweep(graph, method, setting, values))
    return found


def _sweep(graph: str, method: str, setting: Setting, values: Sequence[Sequence[float]]) -> Sweep:
    pairs = [mean_and_std(scores) if scores else (float("nan"), None) for scores in values]
    return Sweep(
        graph,
        method,
        setting,
        tuple(mean for mean, _ in pairs),
        tuple(0.0 if std is None else std for _, std in pairs),
        tuple(len(scores) for scores in values),
    )


def _changed(spec: RunSpec, setting: Setting, value: Any) -> RunSpec:
    spectral = {**spec.settings["spectral"], setting.name: value}
    return replace(spec, settings={**spec.settings, "spectral": spectral})
