"""``spco reproduce``: the paper's tables and figures, beside the printed numbers."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from .._atomic import whole_file
from .._validation import invalid
from ..errors import MissingFileError
from . import options
from .console import log, out
from .graph_options import RootOption
from .reports import check_report_of


def is_available() -> bool:
    """Whether this installation has the reproduction of the paper; without it there is no such command."""
    return find_spec("spco.paper") is not None


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
            help="Graphs, separated by commas; default: the paper's, but only Cora and Citeseer in fig4, "
            "table1 and evaluators, with PubMed in control, and wine in theorems, also as part of all."
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Columns such as dgi or dgi+spco, separated by commas; default: all. Both mean the same in "
            "fig-learnt, fig-target, fig-epsilon and fig-eta, which are about SpCo."
        ),
    ] = None,
    seeds: options.Seeds = "0-9",
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 1,
    budget: Annotated[
        float | None, typer.Option(min=0, help="Minutes after which no more runs are started.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder of the ledger and the figures.")] = Path("results"),
    update: Annotated[
        list[Path] | None,
        typer.Option(help="A page whose marked parts are rewritten from the results; may be repeated."),
    ] = None,
    report: options.Report = None,
    root: RootOption = None,
) -> None:
    """Make a table or figure of the paper; runs that the results already hold are not repeated.

    With --budget 0 nothing is trained: what the results hold is shown.
    """
    check_report_of("reproduce", report)
    options.require_folder_place(results, "--results", "reproduce")
    for page in update or ():
        if not page.is_file():
            got = f"no file {str(page)!r}"
            raise invalid("--update", "spco reproduce", "be a file", got, error=MissingFileError)
    from ..paper.targets import Plan, make_target

    plan = Plan(
        graphs=None if datasets is None else tuple(options.words(datasets)),
        methods=None if methods is None else tuple(options.words(methods)),
        seeds=tuple(options.parse_seeds(seeds, "reproduce")),
        jobs=jobs,
        deadline=None if budget is None else time.monotonic() + 60 * budget,
        results=results,
        root=root,
        show=lambda text: out.print(text, highlight=False, markup=False, soft_wrap=True),
        tell=_tell,
    )
    has_succeeded = make_target(target, plan)
    for page in update or ():
        _update(page, results)
    if report is not None:
        _write_report(report, results)
    if not has_succeeded:
        raise typer.Exit(1)


def _tell(text: str) -> None:
    log.print(text, highlight=False, markup=False)


def _update(page: Path, results: Path) -> None:
    from ..paper.pages.markdown import updated_page

    text = updated_page(page.read_text(encoding="utf-8"), results)
    with whole_file(page) as part:
        part.write_text(text, encoding="utf-8")
    _tell(f"updated: {page}")


def _write_report(report: Path, results: Path) -> None:
    from ..paper.pages.html_page import read_results, reproduction_report
    from ..report.html import write_report

    write_report(reproduction_report(read_results(results)), report)
    _tell(f"report: {report}")
