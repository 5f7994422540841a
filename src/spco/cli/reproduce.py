"""``spco reproduce``: the paper's tables and figures, beside the printed numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from .._validation import invalid, shown
from . import options
from .console import log
from .graph_options import RootOption
from .reports import check_report_of, write_results_report
from .targets import OF_SPCO, ON_SMALL_GRAPHS, TARGETS, Plan, write_whole


def reproduce(
    target: Annotated[
        str,
        typer.Argument(
            help="fig4, table1, table-pairs, fig-spectra, fig-learnt, theorems, table2, table-rates, "
            "fig-target, fig-epsilon, fig-eta, evaluators, control, or all."
        ),
    ],
    datasets: Annotated[
        str | None,
        typer.Option(
            help="Graphs, separated by commas; default: the paper's, but Cora and Citeseer only in fig4, "
            "table1 and evaluators, with PubMed in control, and wine in theorems, also as part of all."
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Columns such as dgi or dgi+spco, separated by commas; default: all. Both mean the same in "
            "fig-learnt, fig-target, fig-epsilon and fig-eta, which are of SpCo."
        ),
    ] = None,
    seeds: options.Seeds = "0-9",
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 1,
    budget: Annotated[
        float | None, typer.Option(min=0, help="Minutes after which no run is begun any more.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder of the ledger and the figures.")] = Path("results"),
    update: Annotated[
        list[Path] | None,
        typer.Option(help="A page whose marked parts are made anew from the results; may be repeated."),
    ] = None,
    report: options.Report = None,
    root: RootOption = None,
) -> None:
    """Make a table or figure of the paper; runs that the results hold already are not repeated.

    With --budget 0 nothing is trained: what the results hold is shown.
    """
    check_report_of("reproduce", report)
    options.require_folder_place(results, "--results", "reproduce")
    _require_pages(update or ())
    chosen = dict(TARGETS) if target == "all" else {target: TARGETS.resolve(target, owner="spco reproduce")}
    plan = Plan(
        graphs=None if datasets is None else tuple(options.words(datasets)),
        methods=None if methods is None else tuple(options.words(methods)),
        seeds=tuple(options.parse_seeds(seeds, "reproduce")),
        jobs=jobs,
        deadline=None if budget is None else time.monotonic() + 60 * budget,
        results=results,
        root=root,
    )
    if target in OF_SPCO and not plan.methods_of_spco:
        from ..paper.sensitivity import METHODS

        must = f"name at least one of {', '.join(METHODS)} for {target}"
        raise invalid("--methods", "spco reproduce", must, shown(methods))
    outcomes = []
    for name, make in chosen.items():
        if len(chosen) > 1:
            log.rule(name)
        keeps_its_own = target == "all" and name in ON_SMALL_GRAPHS
        outcomes.append(make(replace(plan, graphs=None) if keeps_its_own else plan))
    for page in update or []:
        _update(page, results)
    write_results_report(report, results)
    if any(outcome.failed for outcome in outcomes if outcome is not None):
        raise typer.Exit(1)


def _require_pages(pages: Sequence[Path]) -> None:
    from ..errors import MissingFileError

    for page in pages:
        if not page.is_file():
            raise invalid(
                "--update", "spco reproduce", "be a file", f"no file {str(page)!r}", error=MissingFileError
            )


def _update(page: Path, results: Path) -> None:
    from ..report.pages import updated_page

    write_whole(page, updated_page(page.read_text(encoding="utf-8"), results))
    log.print(f"updated: {page}", highlight=False)
