"""What each fact of the published code changes: one setting at a time is put to its usual value.

``paper/`` presets follow the published code. For each of its facts, the same runs are made with that one
setting as everybody else has it, and compared seed by seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..evaluation.statistics import PairedDifference, paired_difference
from ..methods.names import run_name
from ..presets import preset_from
from ..report.wording import signed
from ..runs.spec import Run, RunSpec
from .classification import specs

FIDELITY_GRAPHS = ("cora",)
_RATE = "train20"


@dataclass(frozen=True)
class Fact:
    """Something that the published code does in another way than is usual.

    Attributes
    ----------
    where, published, usual : str
        In words.
    setting : str
        The name of the setting, e.g. "method.directed_drop"; empty without one.
    method : str or None
        None where nothing is run.
    sides : tuple of bool
        Whether it concerns training without SpCo (False), with it (True), or both.
    graph : str
        Where it is measured: Cora, unless it concerns only others.
    note : str
        Why there is nothing to measure.
    """

    where: str
    published: str
    usual: str
    setting: str
    method: str | None = None
    sides: tuple[bool, ...] = (False, True)
    graph: str = "cora"
    note: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the runs that it concerns."""
        return () if self.method is None else tuple(run_name(self.method, spectral=s) for s in self.sides)

    def usual_spec(self, published: RunSpec) -> RunSpec:
        """Return a published run with the usual value of the one setting."""
        return replace(published, settings=_replaced(published.settings, self.setting, self.usual_value))

    @property
    def usual_value(self) -> Any:
        """The value that the setting has by default."""
        value: Any = _usual_settings(self.method or "dgi")
        for part in self.setting.split("."):
            value = value[part]
        return value


_WITH_SPCO = (True,)
_REFRESH = ("after the step of epochs 0, Ω, 2Ω, …: the new view is used from the next step on", "before it")
_DROP = ("each direction is dropped on its own", "both or neither")
FACTS = (
    Fact(
        "DGI, discriminator",
        "W starts within ±√(6/(w² + w)), Glorot's rule on a 1×w×w tensor",
        "±√(3/w), the rule on a w×w matrix",
        "method.discriminator_start",
        "dgi",
    ),
    Fact(
        "DGI, end of training",
        "patience alone, 10,000 epochs at most",
        "200 epochs at most",
        "training.epochs",
        "dgi",
    ),
    Fact(
        "DGI, weights kept",
        "those before the step, which had the lowest loss",
        "those after it",
        "training.best_weights",
        "dgi",
    ),
    Fact(
        "DGI, how A_ enters",
        "Â(A) + η·Δ, the change added to the operator",
        "Â(A + η·Δ), the weights normalised",
        "spectral.inject_as",
        "dgi",
        _WITH_SPCO,
    ),
    Fact("DGI, refresh", *_REFRESH, "spectral.refresh_at", "dgi", _WITH_SPCO),
    Fact("GRACE, refresh", *_REFRESH, "spectral.refresh_at", "grace", _WITH_SPCO),
    Fact("CCA-SSG, refresh", *_REFRESH, "spectral.refresh_at", "cca_ssg", _WITH_SPCO),
    Fact(
        "GRACE, drop rates",
        "A_ gets the first pair of rates and A the second",
        "A the first, A_ the second",
        "method.partner_first",
        "grace",
        _WITH_SPCO,
    ),
    Fact("GRACE, edges", *_DROP, "method.directed_drop", "grace"),
    Fact("CCA-SSG, edges", *_DROP, "method.directed_drop", "cca_ssg"),
    Fact(
        "GRACE, layers",
        "torch-geometric's: loops only where there are none, so that A_ keeps η·Δ_ii; "
        "degrees keep their sign",
        "degrees are Σ_j abs(A + I)_ij",
        "propagation",
        "grace",
    ),
    Fact(
        "CCA-SSG, layers",
        "DGL's: A + I + η·Δ as weights, degrees count edges; edges are dropped from A + I and "
        "loops added again",
        "degrees are Σ_j abs(A + I)_ij",
        "propagation",
        "cca_ssg",
    ),
    Fact(
        "CCA-SSG, marginals",
        "degrees of A + I",
        "degrees of A",
        "spectral.marginal_loops",
        "cca_ssg",
        _WITH_SPCO,
    ),
    Fact(
        "GRACE, activation",
        "one for both layers, so that PReLU has one slope",
        "one per layer",
        "method.shared_activation",
        "grace",
        graph="citeseer",
    ),
    Fact(
        "all, θ on BlogCatalog and Flickr",
        "(epoch of the refresh before)/total, not bounded by 1: A_ is A until the third refresh",
        "(epoch)/total, at most 1",
        "spectral.theta",
        "cca_ssg",
        _WITH_SPCO,
        graph="blogcatalog",
    ),
    Fact(
        "all, θ on Cora and Citeseer",
        "0 at the first refresh, 1 from the second on",
        "the same",
        "spectral.theta",
        note="nothing",
    ),
    Fact(
        "all on PubMed",
        "ten views learnt beforehand, `num` of them used one after the other",
        "refreshes during training",
        "spectral.stored_views",
        "cca_ssg",
        _WITH_SPCO,
        graph="pubmed",
    ),
    Fact(
        "CCA-SSG, loss",
        "in double precision",
        "in single precision, with a gradient of its own",
        "",
        note="rounding alone",
    ),
)


@dataclass(frozen=True)
class Change:
    """Micro-F1 at 20 labels with the usual value minus that with the published one, seed by seed.

    Attributes
    ----------
    column : str
        The name of the runs.
    published, probe : PairedDifference or None
        By the authors' evaluator and by our probe; None without a seed that both have.
    """

    fact: Fact
    column: str
    published: PairedDifference | None
    probe: PairedDifference | None

    def __str__(self) -> str:
        told = "not run"
        if self.published is not None and self.probe is not None:
            told = f"{_points(self.published)} / {_points(self.probe)} ({self.published.n})"
        return f"{self.fact.setting} as usual, {self.column} on {self.fact.graph}: {told}"


def _points(difference: PairedDifference) -> str:
    return signed(100 * difference.mean, 2)


def fidelity_specs(
    *,
    graphs: Iterable[str] = FIDELITY_GRAPHS,
    methods: Iterable[str] | None = None,
    seeds: Iterable[int] = range(5),
) -> list[RunSpec]:
    """Return the runs with one usual setting each, and those that they are compared with, seed by seed."""
    graphs, wanted = list(graphs), None if methods is None else list(methods)
    facts = [
        fact
        for fact in FACTS
        if fact.columns and fact.graph in graphs and (wanted is None or fact.method in wanted)
    ]
    found: dict[str, RunSpec] = {}
    for seed in seeds:
        for fact in facts:
            for published in specs([fact.graph], fact.columns, [seed], family="paper"):
                for spec in (published, fact.usual_spec(published)):
                    found.setdefault(spec.key, spec)
    return list(found.values())


def changes(runs: Sequence[Run]) -> tuple[Change, ...]:
    """Compare the runs of every fact with the published ones, over the seeds that both have."""
    held = {run.key: run for run in runs if _RATE in run.evaluations}
    seeds = sorted({run.spec.seed for run in runs})
    found = []
    for fact in FACTS:
        for column in fact.columns:
            published = specs([fact.graph], [column], seeds, family="paper")
            pairs = [(spec.key, fact.usual_spec(spec).key) for spec in published]
            both = [(held[one], held[other]) for one, other in pairs if one in held and other in held]
            found.append(Change(fact, column, _difference(both, _by_authors), _difference(both, _by_probe)))
    return tuple(found)


def _by_authors(run: Run) -> float:
    return run.evaluations[_RATE]["micro_f1"]


def _by_probe(run: Run) -> float:
    return float(run.scores[_RATE].micro_f1)


def _difference(pairs: Sequence[tuple[Run, Run]], score: Any) -> PairedDifference | None:
    if not pairs:
        return None
    before, after = ([score(pair[side]) for pair in pairs] for side in (0, 1))
    return paired_difference(before, after)


@cache
def _usual_settings(method: str) -> dict[str, Any]:
    """Return the settings that a method has where nothing is said."""
    return preset_from(method, {}, owner="fidelity").to_dict()


def _replaced(settings: Any, name: str, value: Any) -> dict[str, Any]:
    """Return settings with one of them, such as "training.epochs", exchanged."""
    section, _, key = name.rpartition(".")
    if not section:
        return {**settings, key: value}
    return {**settings, section: {**settings[section], key: value}}
