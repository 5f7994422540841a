"""The targets of ``spco reproduce``: the paper's tables and figures, by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from .._atomic import whole_file
from .._registry import Registry
from .._validation import check_choice, invalid, shown
from ..datasets import load_dataset
from ..errors import UnfinishedError
from ..graph import Graph
from ..methods.names import method_of, run_name
from ..report import save_figure
from ..runs import Ledger, Outcome, Run, RunOptions, RunSpec, carry_out
from ..views.band import ORDERS
from .case_study import fig4, table1, table_pairs
from .case_study.experiments import PAIR_GRAPHS
from .cells import Classification, classification
from .classification import COLUMNS, FAMILIES, GRAPHS, PUBLISHED_COLUMNS, SPCO_METHODS, dataset_of, specs
from .control import CONTROL_GRAPHS, control_specs, controls
from .evaluators import published_scores
from .fidelity import FIDELITY_GRAPHS, changes, fidelity_specs
from .pages.displays import BandCurvesDisplay, SweepDisplay, Table1Display, ViewFigureDisplay
from .pages.latex import latex
from .pages.markdown import classification_markdown, control_markdown
from .pages.tables import column_title
from .sensitivity import SETTINGS, SWEEP_GRAPHS, sweep_specs, sweeps
from .spectra import (
    ViewFigure,
    learnt_spectra,
    nine_spectra,
    read_view_figures,
    theorems,
    two_hop_spectra,
)

_OWNER = "spco reproduce"
#: Runs with published settings are scored by the authors' evaluators besides our probe.
_BY_AUTHORS = RunOptions(evaluate=published_scores)


@dataclass(frozen=True)
class Plan:
    """The options of all targets.

    Attributes
    ----------
    graphs, methods : tuple of str or None
        Graphs, and columns of Table 2; None for all of a target.
    families : tuple of str
        Whose settings the tables of node classification need: "paper" for the published ones, "tuned".
    deadline : float or None
        No run is started after it, by :func:`time.monotonic`.
    show, tell : functions of a text
        Print results, and progress.
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
    families: tuple[str, ...] = FAMILIES

    def __post_init__(self) -> None:
        for family in self.families:
            check_choice(family, "--family", _OWNER, FAMILIES)
        if self.methods == ():
            raise invalid("--methods", _OWNER, "name at least one column", "none")
        for column in self.methods or ():
            check_choice(column, "--methods", _OWNER, COLUMNS)

    @property
    def spco_methods(self) -> tuple[str, ...]:
        """The methods to use SpCo with: ``dgi`` and ``dgi+spco`` are the same, and ``gcn`` has none."""
        asked = SPCO_METHODS if self.methods is None else tuple(map(method_of, self.methods))
        return tuple(method for method in SPCO_METHODS if method in asked)

    @property
    def minutes_left(self) -> float | None:
        """Minutes until no more runs are started; None without a budget."""
        return None if self.deadline is None else max(0.0, (self.deadline - time.monotonic()) / 60)

    def load(self, name: str) -> Graph:
        """Load a graph by name."""
        return load_dataset(name, root=self.root)

    def draw(self, display: Any, name: str) -> None:
        """Write a figure to the results."""
        path = self.results / "figures" / f"{name}.svg"
        save_figure(display.plot(), path)
        self.tell(f"drawn: {path}")


@dataclass(frozen=True)
class Target:
    """A table or figure.

    ``of_spco`` targets show only the methods that the paper plugs SpCo into. ``is_dense`` targets need dense
    matrices, so "all" makes them on their own small graph, whatever graphs were asked for.
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
    """Write the whole table of some label rates, and print the part that was asked for."""
    graphs, columns = plan.graphs or GRAPHS, plan.methods or COLUMNS
    outcome, runs = _made_of_families(plan, graphs, columns)
    whole = classification(runs, rates=rates)
    if whole.is_empty:
        plan.tell(f"{name}: there are no runs yet, so no file is written")
    else:
        _write(plan, name, whole)
    plan.show(classification_markdown(classification(runs, graphs=graphs, columns=columns, rates=rates)))
    return outcome


def _write(plan: Plan, name: str, whole: Classification) -> None:
    """Write a table as Markdown and LaTeX."""
    for suffix, text in {"md": classification_markdown(whole), "tex": latex(whole)}.items():
        with whole_file(plan.results / f"{name}.{suffix}") as part:
            part.write_text(text, encoding="utf-8")


def _made_of_families(plan: Plan, graphs: Sequence[str], columns: Sequence[str]) -> tuple[Outcome, list[Run]]:
    """Make the runs of the families that were asked for; published settings meet the authors' evaluators."""
    own = {"paper": [column for column in columns if column in PUBLISHED_COLUMNS], "tuned": list(columns)}
    if not any(own[family] for family in plan.families):
        must = f"name at least one of {', '.join(PUBLISHED_COLUMNS)} for the family paper"
        raise invalid("--methods", _OWNER, must, shown(plan.methods))
    made = held = 0
    left: tuple[RunSpec, ...] = ()
    failed: tuple[tuple[RunSpec, str], ...] = ()
    for family in dict.fromkeys(plan.families):
        plan.tell(f"settings of the family {family}")
        options = _BY_AUTHORS if family == "paper" else None
        outcome, runs = _made(plan, specs(graphs, own[family], plan.seeds, family=family), options)
        made, held = made + outcome.made, held + outcome.held
        left, failed = left + outcome.left, failed + outcome.failed
    return Outcome(made, held, left, failed), runs


def _made(
    plan: Plan, wanted: Sequence[RunSpec], options: RunOptions | None = None
) -> tuple[Outcome, list[Run]]:
    """Make the runs that the ledger lacks, within the budget; return all that it holds afterwards."""

    def title(spec: RunSpec) -> str:
        return f"{spec.name} on {spec.graph}, seed {spec.seed}"

    def tell(spec: RunSpec, run: Run | None, left: int) -> None:
        if run is not None:
            score = f"{100 * run.scores['train20'].micro_f1:.1f}"
            plan.tell(f"{title(spec)}: {score} in {run.seconds:.0f} s; {left} left")

    ledger = Ledger(plan.results / "ledger.jsonl")
    outcome = carry_out(
        wanted,
        ledger,
        partial(dataset_of, root=plan.root),
        options,
        jobs=plan.jobs,
        apart=True,
        budget_minutes=plan.minutes_left,
        tell=tell,
    )
    for spec, error in outcome.failed:
        plan.tell(f"failed: {title(spec)}: {error}")
    plan.tell(
        f"{outcome.held} runs were there, {outcome.made} made, {len(outcome.failed)} failed, "
        f"{len(outcome.left)} left"
    )
    return outcome, ledger.runs()


def _table1(plan: Plan) -> None:
    """Nine augmentations, and the correlation of their accuracy with their GAME score."""
    for name in plan.graphs or ("cora", "citeseer"):
        _kept(plan, f"case_study/table1-{name}", partial(table1, plan.load(name)), Table1Display)


def _table_pairs(plan: Plan) -> None:
    """A & A, A & A², A² & A²."""
    for name in plan.graphs or PAIR_GRAPHS:
        _kept(plan, f"case_study/pairs-{name}", partial(table_pairs, plan.load(name)))


def _fig4(plan: Plan) -> None:
    """Views of low or high frequencies, in both orders; by default on the smaller graphs, as V is dense."""
    for name in plan.graphs or ("cora", "citeseer"):
        graph = plan.load(name)
        for order in ORDERS:
            make = partial(fig4, graph, order=order)
            _kept(plan, f"case_study/fig4-{name}-{order}", make, BandCurvesDisplay)


def _kept(
    plan: Plan, file: str, make: Callable[..., Any], display: Callable[[Any], Any] | None = None
) -> None:
    """Continue an experiment that keeps its runs in a file, within the budget; show and draw its result."""
    folder, _, name = file.partition("/")
    path = plan.results / folder / f"{name}.json"
    try:
        result = make(seeds=plan.seeds, path=path, tell=plan.tell, go_on=partial(_in_time, plan, name))
    except UnfinishedError:
        return
    plan.show(f"{name}\n{result}\n")
    if display is not None:
        plan.draw(display(result), name)


def _fig_spectra(plan: Plan) -> None:
    """The spectra of the nine augmentations."""
    title = "nine augmentations, the adjacency matrix and the Laplacian"
    for name in plan.graphs or ("cora",):
        make = partial(nine_spectra, seed=plan.seeds[0], tell=plan.tell)
        _drawn(plan, f"spectra-{name}", name, make, title)


def _fig_two_hop(plan: Plan) -> None:
    """The spectra of A and A²."""
    for name in plan.graphs or ("cora", "citeseer"):
        make = partial(two_hop_spectra, tell=plan.tell)
        _drawn(plan, f"two-hop-{name}", name, make, "A and two steps on it")


def _fig_learnt(plan: Plan) -> None:
    """The spectra of A, A_, V1 and V2."""
    for name in plan.graphs or ("citeseer", "cora"):
        for method in plan.spco_methods:
            make = partial(learnt_spectra, method=method, seed=plan.seeds[0], tell=plan.tell)
            title = f"views of {column_title(run_name(method, spectral=True))}"
            _drawn(plan, f"learnt-{method}-{name}", name, make, title)


def _drawn(plan: Plan, file: str, graph: str, make: Callable[[Graph], ViewFigure], title: str) -> None:
    """Measure spectra, keep, show and draw them; when the time is up, draw those that are kept."""
    if _in_time(plan, file):
        found = make(plan.load(graph))
        found.write(plan.results)
    else:
        kept = read_view_figures(plan.results)
        if file not in kept:
            return
        found = kept[file]
    plan.show(str(found))
    plan.draw(ViewFigureDisplay(found, title), found.name)


def _in_time(plan: Plan, name: str) -> bool:
    """Whether the budget allows to start something; say so if it does not."""
    if plan.minutes_left != 0:
        return True
    plan.tell(f"{name}: the time is up; repeat the command with more time to continue")
    return False


def _sweep(plan: Plan, *, setting_name: str) -> Outcome:
    """Vary one of the published settings of SpCo."""
    setting = SETTINGS[setting_name]
    graphs, methods = plan.graphs or SWEEP_GRAPHS, plan.spco_methods
    wanted = sweep_specs(setting, graphs=graphs, methods=methods, seeds=plan.seeds)
    outcome, runs = _made(plan, wanted, _BY_AUTHORS)
    found = sweeps(runs, setting, graphs=graphs, methods=methods)
    for sweep in found:
        plan.show(str(sweep))
    for graph in graphs:
        compared = [sweep for sweep in found if sweep.graph == graph and sweep.is_compared]
        if compared:
            plan.draw(SweepDisplay(compared), f"{setting_name}-{graph}")
    return outcome


def _fidelity(plan: Plan) -> Outcome:
    """Put one published setting at a time to its usual value."""
    wanted = fidelity_specs(
        graphs=plan.graphs or FIDELITY_GRAPHS, methods=plan.spco_methods, seeds=plan.seeds
    )
    outcome, runs = _made(plan, wanted, _BY_AUTHORS)
    for change in changes(runs):
        plan.show(str(change))
    return outcome


def _control(plan: Plan) -> Outcome:
    """SpCo against plain methods whose readout takes two propagation steps."""
    graphs, methods = plan.graphs or CONTROL_GRAPHS, plan.spco_methods
    outcome, runs = _made(plan, control_specs(graphs, methods, plan.seeds))
    plan.show(control_markdown(controls(runs, graphs=graphs, methods=methods)))
    return outcome


def _theorems(plan: Plan) -> None:
    """Both sides of the theorems."""
    for name, epsilon in product(plan.graphs or ("wine",), (1.0, 0.01)):
        title = f"{name}, ε = {epsilon:g}, θ = 1"
        if not _in_time(plan, f"theorems on {title}"):
            return
        plan.tell(f"theorems on {title}")
        plan.show("\n".join([title, *theorems(plan.load(name), epsilon=epsilon)]))


TARGETS: Registry[Target] = Registry(
    "target",
    {
        "fig4": Target(_fig4),
        "table1": Target(_table1),
        "table-pairs": Target(_table_pairs),
        "fig-spectra": Target(_fig_spectra),
        "fig-two-hop": Target(_fig_two_hop),
        "fig-learnt": Target(_fig_learnt, of_spco=True),
        "theorems": Target(_theorems, is_dense=True),
        "table2": Target(partial(_classification, name="table2", rates=("train20",))),
        "table-rates": Target(partial(_classification, name="table-rates", rates=("train5", "train10"))),
        "fig-target": Target(partial(_sweep, setting_name="target"), of_spco=True),
        "fig-epsilon": Target(partial(_sweep, setting_name="epsilon"), of_spco=True),
        "fig-eta": Target(partial(_sweep, setting_name="eta"), of_spco=True),
        "fidelity": Target(_fidelity, of_spco=True),
        "control": Target(_control, of_spco=True),
    },
)
