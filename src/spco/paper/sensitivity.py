"""Sensitivity to the settings C, ε and η of SpCo (Section 6.4 and Appendix D)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from .._registry import Registry
from ..evaluation.statistics import mean_and_std
from ..methods.names import run_name
from ..runs.spec import Run, RunSpec
from .classification import SPCO_METHODS, specs

_RATE = "train20"


@dataclass(frozen=True)
class Setting:
    """A setting of SpCo, the values to try besides the printed one, and how an axis shows them.

    ``scale`` is "linear" or "log" for numbers, and None for names.
    """

    name: str
    symbol: str
    grid: tuple[Any, ...]
    scale: str | None = None

    def values(self, printed: Any) -> tuple[Any, ...]:
        """Return the grid and the printed value; numbers in order.

        >>> SETTINGS["epsilon"].values(1.0)
        (0.0001, 0.001, 0.01, 0.1, 1.0)
        """
        if printed in self.grid:
            return self.grid
        return tuple(sorted((*self.grid, printed)))


SETTINGS: Registry[Setting] = Registry(
    "setting",
    {
        "target": Setting(
            "target", "C", ("laplacian", "identity+laplacian", "identity+laplacian+laplacian2")
        ),
        "epsilon": Setting("epsilon", "ε", (1e-4, 1e-3, 1e-2, 1e-1), "log"),
        "eta": Setting("eta", "η", (0.2, 0.4, 0.6, 0.8, 1.0, 1.2), "linear"),
    },
)
SWEEP_GRAPHS = ("cora", "blogcatalog")


@dataclass(frozen=True)
class SweepPoint:
    """Micro-F1 at 20 labels per class with one value of a setting.

    Attributes
    ----------
    value : float or str
    published : tuple of float
        By seed, by the evaluator of the method's authors.
    probe : tuple of float
        By seed, by our probe.
    """

    value: Any
    published: tuple[float, ...] = ()
    probe: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """The number of seeds."""
        return len(self.published)

    @property
    def mean(self) -> float:
        """The mean by the authors' evaluator; NaN without runs."""
        return mean_and_std(self.published)[0] if self.count else float("nan")

    @property
    def std(self) -> float:
        """Its standard deviation; 0 with fewer than two runs."""
        return (mean_and_std(self.published)[1] or 0.0) if self.count else 0.0

    @property
    def probe_mean(self) -> float:
        """The mean by our probe; NaN without runs."""
        return mean_and_std(self.probe)[0] if self.count else float("nan")


@dataclass(frozen=True)
class Sweep:
    """A method with SpCo on a graph over the values of a setting, on the same seeds for all of them.

    Attributes
    ----------
    printed : float or str
        The value that the paper prints as its choice.
    points : tuple of SweepPoint
    """

    graph: str
    method: str
    setting: Setting
    printed: Any
    points: tuple[SweepPoint, ...]

    @property
    def run(self) -> tuple[SweepPoint, ...]:
        """The points that have runs."""
        return tuple(point for point in self.points if point.count)

    @property
    def best(self) -> SweepPoint | None:
        """The point with the largest mean by the authors' evaluator; None without any run."""
        return max(self.run, key=lambda point: point.mean, default=None)

    @property
    def is_compared(self) -> bool:
        """Whether at least two values have runs; the printed one is in the ledger anyway."""
        return len(self.run) > 1

    @property
    def is_whole(self) -> bool:
        """Whether every value has runs."""
        return len(self.run) == len(self.points)

    def __str__(self) -> str:
        cells = (
            f"{point.value}: "
            + (
                f"{100 * point.mean:.1f} / {100 * point.probe_mean:.1f} ({point.count})"
                if point.count
                else "–"
            )
            for point in self.points
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
    """Return the runs of a sweep, seed by seed: the published settings, except for the one that is varied."""
    seeds = list(seeds)
    columns = [run_name(method, spectral=True) for method in methods]
    published = specs(graphs, columns, seeds, family="paper")
    published.sort(key=lambda spec: seeds.index(spec.seed))
    return [changed for spec in published for changed in _varied(spec, setting).values()]


def sweeps(
    runs: Sequence[Run],
    setting: Setting,
    *,
    graphs: Iterable[str] = SWEEP_GRAPHS,
    methods: Iterable[str] = SPCO_METHODS,
) -> list[Sweep]:
    """Return the scores over a setting's values, graph by graph and method by method.

    Values are compared on the seeds that all values with any run have, so that a seed that is under way and
    the ten seeds of the printed value in Table 2 favour nothing.
    """
    held = {run.key: run for run in runs if _RATE in run.evaluations}
    seeds = sorted({run.spec.seed for run in runs})
    return [_sweep(held, setting, graph, method, seeds) for graph, method in product(graphs, methods)]


def _sweep(held: dict[str, Run], setting: Setting, graph: str, method: str, seeds: list[int]) -> Sweep:
    column = run_name(method, spectral=True)
    (model,) = specs([graph], [column], [0], family="paper")
    found: dict[Any, dict[int, Run]] = {}
    for seed in seeds:
        for value, spec in _varied(replace(model, seed=seed), setting).items():
            if spec.key in held:
                found.setdefault(value, {})[seed] = held[spec.key]
    shared = sorted(set.intersection(*map(set, found.values()))) if found else []
    printed = model.settings["spectral"][setting.name]
    points = (
        SweepPoint(
            value,
            tuple(found[value][seed].evaluations[_RATE]["micro_f1"] for seed in shared),
            tuple(found[value][seed].scores[_RATE].micro_f1 for seed in shared),
        )
        if value in found
        else SweepPoint(value)
        for value in setting.values(printed)
    )
    return Sweep(graph, method, setting, printed, tuple(points))


def _varied(spec: RunSpec, setting: Setting) -> dict[Any, RunSpec]:
    """Return the spec with each value of a setting in turn; with the printed one it is that of Table 2."""
    spectral = spec.settings["spectral"]
    return {
        value: replace(spec, settings={**spec.settings, "spectral": {**spectral, setting.name: value}})
        for value in setting.values(spectral[setting.name])
    }
