"""What ``spco reproduce`` can make: the paper's tables and figures, by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from .._registry import Registry
from .._validation import check_choice, invalid
from ..runs.spec import Run, RunSpec, method_of
from .console import log, out

if TYPE_CHECKING:
    from ..graph import Graph
    from ..runs import Outcome


@dataclass(frozen=True)
class Plan:
    """What all targets are told; ``methods`` are columns of Table 2, None for all."""

    graphs: tuple[str, ...] | None
    methods: tuple[str, ...] | None
    seeds: tuple[int, ...]
    jobs: int
    deadline: float | None
    results: Path
    root: Path | None

    def __post_init__(self) -> None:
        from ..paper.classification import COLUMNS

        if self.methods == ():
            raise invalid("--methods", "spco reproduce", "name at least one column", "none")
        for column in self.methods or ():
            check_choice(column, "--methods", "spco reproduce", COLUMNS)

    @property
    def methods_of_spco(self) -> tuple[str, ...]:
        """The methods to show SpCo with: ``dgi`` and ``dgi+spco`` are one, and ``gcn`` is none."""
        from ..paper.sensitivity import METHODS

        if self.methods is None:
            return METHODS
        asked = {method_of(column) for column in self.methods}
        return tuple(method for method in METHODS if method in asked)

    @property
    def minutes_left(self) -> float | None:
        """Minutes until no run is to be begun any more; None without a budget."""
        return None if self.deadline is None else max(0.0, (self.deadline - time.monotonic()) / 60)

    def load(self, name: str) -> Graph:
        """Load one of the paper's graphs."""
        from ..datasets import load_dataset

        return load_dataset(name, root=self.root)


def _table2(plan: Plan) -> Outcome:
    """20 labels per class."""
    return _classification(plan, ("train20",), "table2")


def _table_rates(plan: Plan) -> Outcome:
    """5 and 10 labels per class."""
    return _classification(plan, ("train5", "train10"), "table-rates")


def _classification(plan: Plan, rates: tuple[str, ...], name: str) -> Outcome:
    from ..paper.cells import classification
    from ..paper.classification import COLUMNS, GRAPHS, specs
    from ..report.tables import latex, markdown

    graphs, columns = plan.graphs or GRAPHS, plan.methods or COLUMNS
    outcome, runs = _made(plan, specs(graphs, columns, plan.seeds))
    # What is printed is what was asked for; the files are always the whole table.
    asked = classification(runs, graphs=graphs, columns=columns, rates=rates)
    whole = classification(runs, graphs=GRAPHS, columns=COLUMNS, rates=rates)
    write_whole(plan.results / f"{name}.md", markdown(whole))
    write_whole(plan.results / f"{name}.tex", latex(whole))
    out.print(markdown(asked), highlight=False, markup=False)
    _tell(outcome)
    return outcome


def _made(plan: Plan, wanted: Sequence[RunSpec]) -> tuple[Outcome, list[Run]]:
    """Make the runs that the ledger does not hold, within the budget; return all that it holds then."""
    from ..paper.classification import dataset_of
    from ..runs import Ledger, carry_out

    ledger = Ledger(plan.results / "ledger.jsonl")
    outcome = carry_out(
        wanted,
        ledger,
        partial(dataset_of, root=plan.root),
        jobs=plan.jobs,
        apart=True,
        budget_minutes=plan.minutes_left,
        report=_show_run,
    )
    return outcome, ledger.runs()


def _tell(outcome: Outcome) -> None:
    """Say what was made, what failed and what is left."""
    for spec, error in outcome.failed:
        what = f"{spec.name} on {spec.graph}, seed {spec.seed}"
        log.print(f"[red]failed:[/] {what}: {escape(error)}", highlight=False)
    log.print(
        f"{outcome.held} runs were there, {outcome.made} made, {len(outcome.failed)} failed, "
        f"{len(outcome.left)} left",
        highlight=False,
    )


def _show_run(spec: RunSpec, run: Run | None, left: int) -> None:
    if run is not None:
        what = f"{spec.name} on {spec.graph}, seed {spec.seed}"
        score = f"{100 * run.scores['train20'].micro_f1:.1f}"
        log.print(f"{what}: {score} in {run.seconds:.0f} s; {left} left", highlight=False)


def _table1(plan: Plan) -> None:
    """Nine augmentations, and the correlation of their accuracy with their GAME score."""
    from ..paper import table1
    from ..report import Table1Display

    for name in plan.graphs or ("cora", "citeseer"):
        _case(plan, f"table1-{name}", partial(table1, plan.load(name)), Table1Display)


def _table_pairs(plan: Plan) -> None:
    """A & A, A & A², A² & A²."""
    from ..paper import table_pairs
    from ..paper.pairs import GRAPHS

    for name in plan.graphs or GRAPHS:
        _case(plan, f"pairs-{name}", partial(table_pairs, plan.load(name)))


def _fig4(plan: Plan) -> None:
    """Views of low or high frequencies, both orders."""
    from ..paper import fig4
    from ..paper.figure_4 import GRAPHS
    from ..report import BandCurvesDisplay
    from ..views.band import ORDERS

    for name in plan.graphs or GRAPHS[:2]:  # V is dense, and on the other two 4 and 8 times as large
        graph = plan.load(name)
        for order in ORDERS:
            _case(plan, f"fig4-{name}-{order}", partial(fig4, graph, order=order), BandCurvesDisplay)


def _fig_spectra(plan: Plan) -> None:
    """The spectra of the nine augmentations."""
    from ..paper.spectra import nine_spectra
    from ..report import SpectrumDisplay

    for name in plan.graphs or ("cora",):
        spectra = nine_spectra(plan.load(name), seed=plan.seeds[0])
        _draw(SpectrumDisplay(spectra), plan.results / "figures" / f"spectra-{name}.svg")


def _fig_learnt(plan: Plan) -> None:
    """The spectra of A, A_, V1 and V2."""
    from ..paper.spectra import learnt_spectra
    from ..report import SpectrumDisplay

    for name in plan.graphs or ("citeseer", "cora"):
        graph = plan.load(name)
        for method in plan.methods_of_spco:
            found = learnt_spectra(graph, method, seed=plan.seeds[0])
            out.print(str(found), highlight=False)
            _draw(SpectrumDisplay(found.responses), plan.results / "figures" / f"learnt-{method}-{name}.svg")


def _sweep(plan: Plan, setting_name: str) -> Outcome:
    """Vary one setting of SpCo."""
    from ..paper.sensitivity import SETTINGS, SWEEP_GRAPHS, sweep_specs, sweeps
    from ..report.sensitivity import SweepDisplay, SweepMapDisplay

    setting = SETTINGS[setting_name]
    graphs, methods = plan.graphs or SWEEP_GRAPHS, plan.methods_of_spco
    wanted = sweep_specs(setting, graphs=graphs, methods=methods, seeds=plan.seeds)
    outcome, runs = _made(plan, wanted)
    found = sweeps(runs, setting, graphs=graphs, methods=methods)
    for sweep in found:
        out.print(str(sweep), highlight=False)
    run = [sweep for sweep in found if any(sweep.counts)]
    if run:
        display = SweepMapDisplay(run) if setting_name == "eta" else SweepDisplay(run)
        _draw(display, plan.results / "figures" / f"{setting_name}.svg")
    _tell(outcome)
    return outcome


def _evaluators(plan: Plan) -> None:
    """The same embeddings by the paper's evaluators and by our probe."""
    from ..paper.evaluators import COLUMNS, GRAPHS, evaluated

    asked = COLUMNS if plan.methods is None else [name for name in COLUMNS if name in plan.methods]
    for name in plan.graphs or GRAPHS:
        graph = plan.load(name)
        for column in asked:
            make = partial(evaluated, graph, column, preset=name)
            _case(plan, f"{column}-{name}", make, folder="evaluators")


def _control(plan: Plan) -> Outcome:
    """SpCo against its plain methods read over two steps."""
    from ..paper.control import GRAPHS, control_specs, controls
    from ..report.control import control_markdown

    graphs, methods = plan.graphs or GRAPHS, plan.methods_of_spco
    outcome, runs = _made(plan, control_specs(graphs, methods, plan.seeds))
    found = controls(runs, graphs=graphs, methods=methods)
    out.print(control_markdown(found), highlight=False, markup=False)
    _tell(outcome)
    return outcome


def _theorems(plan: Plan) -> None:
    """Both sides of the three theorems, on graphs small enough for dense matrices."""
    from ..datasets import load_dataset
    from ..paper.theorems import theorems

    for name in plan.graphs or ("wine",):
        for epsilon in (1.0, 0.01):
            out.print(f"{name}, ε = {epsilon:g}, θ = 1", highlight=False)
            for check in theorems(load_dataset(name, root=plan.root), epsilon=epsilon):
                out.print(f"{check}", highlight=False)


def _case(
    plan: Plan,
    name: str,
    make: Callable[..., Any],
    display: Callable[[Any], Any] | None = None,
    *,
    folder: str = "case_study",
) -> None:
    """Make an experiment that keeps its runs in a file within the budget, print what there is and draw it."""
    from ..errors import UnfinishedError

    def go_on() -> bool:
        if plan.minutes_left != 0:
            return True
        log.print(f"{name}: the time is up; with more the same command goes on", highlight=False)
        return False

    def report(line: str) -> None:
        log.print(line, highlight=False)

    path = plan.results / folder / f"{name}.json"
    try:
        result = make(seeds=plan.seeds, path=path, report=report, go_on=go_on)
    except UnfinishedError:
        return
    out.print(f"{name}\n{result}\n", highlight=False, markup=False)
    if display is not None:
        _draw(display(result), plan.results / "figures" / f"{name}.svg")


def _draw(display: Any, path: Path) -> None:
    from ..report import save_figure

    save_figure(display.plot(), path)
    log.print(f"drawn: {path}", highlight=False)


def write_whole(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    from .._atomic import whole_file

    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


#: Of dense matrices: the paper's graphs, which "all" may be asked for, are too large for these.
ON_SMALL_GRAPHS = ("theorems",)
#: Of the methods that the paper plugs SpCo into, and no others.
OF_SPCO = ("fig-learnt", "fig-target", "fig-epsilon", "fig-eta", "evaluators", "control")
TARGETS: Registry[Callable[[Plan], Outcome | None]] = Registry(
    "target",
    {
        "fig4": _fig4,
        "table1": _table1,
        "table-pairs": _table_pairs,
        "fig-spectra": _fig_spectra,
        "fig-learnt": _fig_learnt,
        "theorems": _theorems,
        "table2": _table2,
        "table-rates": _table_rates,
        "fig-target": partial(_sweep, setting_name="target"),
        "fig-epsilon": partial(_sweep, setting_name="epsilon"),
        "fig-eta": partial(_sweep, setting_name="eta"),
        "evaluators": _evaluators,
        "control": _control,
    },
)
