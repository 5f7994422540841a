"""What ``spco reproduce`` can make: the paper's tables and figures, by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from .._atomic import whole_file
from .._registry import Registry
from .._validation import check_choice, invalid, shown
from ..datasets import load_dataset
from ..errors import UnfinishedError
from ..graph import Graph
from ..report import SpectrumDisplay, save_figure
from ..runs import Ledger, Outcome, Run, RunSpec, carry_out
from ..runs.spec import method_of
from ..views.band import ORDERS
from .case_study import fig4, table1, table_pairs
from .case_study.experiments import PAIR_GRAPHS
from .cells import classification
from .classification import COLUMNS, GRAPHS, SPCO_METHODS, dataset_of, specs
from .control import CONTROL_GRAPHS, control_specs, controls
from .evaluators import EVALUATED_COLUMNS, EVALUATED_GRAPHS, evaluated
from .pages.displays import BandCurvesDisplay, SweepDisplay, Table1Display
from .pages.latex import latex
from .pages.markdown import classification_markdown, control_markdown
from .sensitivity import SETTINGS, SWEEP_GRAPHS, sweep_specs, sweeps
from .spectra import learnt_spectra, nine_spectra
from .theorems import theorems

_OWNER = "spco reproduce"


@dataclass(frozen=True)
class Plan:
    """What all targets are told.

    Attributes
    ----------
    graphs, methods : tuple of str or None
        Graphs, and columns of Table 2; None for all that a target has.
    deadline : float or None
        When no more runs are started, by :func:`time.monotonic`.
    show, tell : functions of a text
        Where results go, and where progress goes.
    """

    graphs: tuple[str, ...] | None
    methods: tuple[str, ...] | None
    seeds: tuple[int, ...]
    jobs: int
    deadline: float | None
    results: Path
    root: Path | None
    show: Callable[[str], None]
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        if self.methods == ():
            raise invalid("--methods", _OWNER, "name at least one column", "none")
        for column in self.methods or ():
            check_choice(column, "--methods", _OWNER, COLUMNS)

    @property
    def spco_methods(self) -> tuple[str, ...]:
        """The methods to show SpCo with: ``dgi`` and ``dgi+spco`` are one, and ``gcn`` is none."""
        if self.methods is None:
            return SPCO_METHODS
        asked = {method_of(column) for column in self.methods}
        return tuple(method for method in SPCO_METHODS if method in asked)

    @property
    def minutes_left(self) -> float | None:
        """Minutes until no more runs are started; None without a budget."""
        return None if self.deadline is None else max(0.0, (self.deadline - time.monotonic()) / 60)

    def load(self, name: str) -> Graph:
        """Load a graph by name."""
        return load_dataset(name, root=self.root)

    def draw(self, display: Any, name: str) -> None:
        """Write a figure."""
        path = self.results / "figures" / f"{name}.svg"
        save_figure(display.plot(), path)
        self.tell(f"drawn: {path}")


@dataclass(frozen=True)
class Target:
    """A table or figure.

    ``of_spco`` is one of the methods that the paper plugs SpCo into, and no others. ``is_dense`` is one of
    dense matrices, for which the paper's graphs, which "all" may be asked for, are too large.
    """

    make: Callable[[Plan], Outcome | None]
    of_spco: bool = False
    is_dense: bool = False


def make_target(name: str, plan: Plan) -> bool:
    """Make a target, or all of them; return whether every run succeeded."""
    chosen = dict(TARGETS) if name == "all" else {name: TARGETS.resolve(name, owner=_OWNER)}
    if name != "all" and chosen[name].of_spco and not plan.spco_methods:
        must = f"name at least one of {', '.join(SPCO_METHODS)} for {name}"
        raise invalid("--methods", _OWNER, must, shown(plan.methods))
    outcomes = []
    for title, target in chosen.items():
        if len(chosen) > 1:
            plan.tell(f"— {title}")
        own_graph = name == "all" and target.is_dense
        outcomes.append(target.make(replace(plan, graphs=None) if own_graph else plan))
    return not any(outcome.failed for outcome in outcomes if outcome is not None)


def _classification(plan: Plan, *, name: str, rates: tuple[str, ...]) -> Outcome:
    """Node classification at some label rates; what is printed is what was asked for."""
    graphs, columns = plan.graphs or GRAPHS, plan.methods or COLUMNS
    outcome, runs = _made(plan, specs(graphs, columns, plan.seeds))
    whole = classification(runs, rates=rates)
    for suffix, text in {"md": classification_markdown(whole), "tex": latex(whole)}.items():
        with whole_file(plan.results / f"{name}.{suffix}") as part:
            part.write_text(text, encoding="utf-8")
    plan.show(classification_markdown(classification(runs, graphs=graphs, columns=columns, rates=rates)))
    return outcome


def _made(plan: Plan, wanted: Sequence[RunSpec]) -> tuple[Outcome, list[Run]]:
    """Make the runs that the ledger does not hold, within the budget; return all that it holds then."""

    def report(spec: RunSpec, run: Run | None, left: int) -> None:
        if run is not None:
            score = f"{100 * run.scores['train20'].micro_f1:.1f}"
            plan.tell(f"{_title(spec)}: {score} in {run.seconds:.0f} s; {left} left")

    ledger = Ledger(plan.results / "ledger.jsonl")
    outcome = carry_out(
        wanted,
        ledger,
        partial(dataset_of, root=plan.root),
        jobs=plan.jobs,
        apart=True,
        budget_minutes=plan.minutes_left,
        report=report,
    )
    for spec, error in outcome.failed:
        plan.tell(f"failed: {_title(spec)}: {error}")
    plan.tell(
        f"{outcome.held} runs were there, {outcome.made} made, {len(outcome.failed)} failed, "
        f"{len(outcome.left)} left"
    )
    return outcome, ledger.runs()


def _title(spec: RunSpec) -> str:
    return f"{spec.name} on {spec.graph}, seed {spec.seed}"


def _table1(plan: Plan) -> None:
    """Nine augmentations, and the correlation of their accuracy with their GAME score."""
    for name in plan.graphs or ("cora", "citeseer"):
        _kept(plan, f"case_study/table1-{name}", partial(table1, plan.load(name)), Table1Display)


def _table_pairs(plan: Plan) -> None:
    """A & A, A & A², A² & A²."""
    for name in plan.graphs or PAIR_GRAPHS:
        _kept(plan, f"case_study/pairs-{name}", partial(table_pairs, plan.load(name)))


def _fig4(plan: Plan) -> None:
    """Views of low or high frequencies, in both orders; not on the paper's larger graphs, as V is dense."""
    for name in plan.graphs or ("cora", "citeseer"):
        graph = plan.load(name)
        for order in ORDERS:
            make = partial(fig4, graph, order=order)
            _kept(plan, f"case_study/fig4-{name}-{order}", make, BandCurvesDisplay)


def _evaluators(plan: Plan) -> None:
    """The same embeddings by the paper's evaluators and by our probe."""
    asked = [name for name in EVALUATED_COLUMNS if plan.methods is None or name in plan.methods]
    for name in plan.graphs or EVALUATED_GRAPHS:
        graph = plan.load(name)
        for column in asked:
            _kept(plan, f"evaluators/{column}-{name}", partial(evaluated, graph, column, preset=name))


def _kept(
    plan: Plan, file: str, make: Callable[..., Any], display: Callable[[Any], Any] | None = None
) -> None:
    """Make an experiment that keeps its runs in a file, within the budget; show what there is and draw it."""
    folder, _, name = file.partition("/")

    def go_on() -> bool:
        if plan.minutes_left != 0:
            return True
        plan.tell(f"{name}: the time is up; with more the same command goes on")
        return False

    path = plan.results / folder / f"{name}.json"
    try:
        result = make(seeds=plan.seeds, path=path, report=plan.tell, go_on=go_on)
    except UnfinishedError:
        return
    plan.show(f"{name}\n{result}\n")
    if display is not None:
        plan.draw(display(result), name)


def _fig_spectra(plan: Plan) -> None:
    """The spectra of the nine augmentations."""
    for name in plan.graphs or ("cora",):
        plan.draw(SpectrumDisplay(nine_spectra(plan.load(name), seed=plan.seeds[0])), f"spectra-{name}")


def _fig_learnt(plan: Plan) -> None:
    """The spectra of A, A_, V1 and V2."""
    for name in plan.graphs or ("citeseer", "cora"):
        graph = plan.load(name)
        for method in plan.spco_methods:
            found = learnt_spectra(graph, method, seed=plan.seeds[0])
            plan.show(str(found))
            plan.draw(SpectrumDisplay(found.responses), f"learnt-{method}-{name}")


def _sweep(plan: Plan, *, setting_name: str) -> Outcome:
    """Vary one setting of SpCo."""
    setting = SETTINGS[setting_name]
    graphs, methods = plan.graphs or SWEEP_GRAPHS, plan.spco_methods
    wanted = sweep_specs(setting, graphs=graphs, methods=methods, seeds=plan.seeds)
    outcome, runs = _made(plan, wanted)
    found = sweeps(runs, setting, graphs=graphs, methods=methods)
    for sweep in found:
        plan.show(str(sweep))
    run = [sweep for sweep in found if any(sweep.counts)]
    if run:
        plan.draw(SweepDisplay(run), setting_name)
    return outcome


def _control(plan: Plan) -> Outcome:
    """SpCo against plain methods with a readout of two steps."""
    graphs, methods = plan.graphs or CONTROL_GRAPHS, plan.spco_methods
    outcome, runs = _made(plan, control_specs(graphs, methods, plan.seeds))
    plan.show(control_markdown(controls(runs, graphs=graphs, methods=methods)))
    return outcome


def _theorems(plan: Plan) -> None:
    """Both sides of the three theorems, on graphs small enough for dense matrices."""
    for name in plan.graphs or ("wine",):
        graph = plan.load(name)
        for epsilon in (1.0, 0.01):
            checks = theorems(graph, epsilon=epsilon)
            plan.show("\n".join([f"{name}, ε = {epsilon:g}, θ = 1", *map(str, checks)]))


TARGETS: Registry[Target] = Registry(
    "target",
    {
        "fig4": Target(_fig4),
        "table1": Target(_table1),
        "table-pairs": Target(_table_pairs),
        "fig-spectra": Target(_fig_spectra),
        "fig-learnt": Target(_fig_learnt, of_spco=True),
        "theorems": Target(_theorems, is_dense=True),
        "table2": Target(partial(_classification, name="table2", rates=("train20",))),
        "table-rates": Target(partial(_classification, name="table-rates", rates=("train5", "train10"))),
        "fig-target": Target(partial(_sweep, setting_name="target"), of_spco=True),
        "fig-epsilon": Target(partial(_sweep, setting_name="epsilon"), of_spco=True),
        "fig-eta": Target(partial(_sweep, setting_name="eta"), of_spco=True),
        "evaluators": Target(_evaluators, of_spco=True),
        "control": Target(_control, of_spco=True),
    },
)
