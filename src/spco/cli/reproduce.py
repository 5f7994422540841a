"""``spco reproduce``: the paper's tables and figures, beside the printed numbers."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from .._validation import check_folder_place, invalid
from ..report.marked_pages import check_page, rewrite_page
from . import options
from .console import out, print_json, say
from .graph_options import RootOption

EXAMPLES = (
    "spco reproduce --list",
    "spco reproduce table2 --datasets cora --seeds 0-2 --budget 30",
)
_OWNER = "spco reproduce"


def is_available() -> bool:
    """Whether this installation includes the reproduction of the paper."""
    return find_spec("spco.paper") is not None


def reproduce(
    target: Annotated[
        str | None,
        typer.Argument(
            help="fig4 (views of low or of high frequencies), table1 (nine augmentations), table-pairs (A "
            "and A² in pairs), fig-spectra (spectra of the nine), fig-two-hop (spectra of A and A²), "
            "fig-learnt (spectra of A and A_), theorems (both sides of each), table2 (node "
            "classification, 20 labels per class), table-rates (the same with 5 and 10), fig-target "
            "(the polynomial of L), fig-epsilon (ε), fig-eta (η), fidelity (one published setting "
            "changed at a time), control (plain methods read from two steps), or all."
        ),
    ] = None,
    as_list: Annotated[
        bool,
        typer.Option(
            "--list",
            help="List every table, figure, theorem and algorithm of the paper, with its target, whether its "
            "results are there, and the verdict.",
        ),
    ] = False,
    datasets: Annotated[
        str | None,
        typer.Option(
            help="Graphs, separated by commas. Default: the paper's five; Cora and Citeseer for fig4 and "
            "table1; also PubMed for control; wine for theorems."
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods such as dgi or dgi+spco, separated by commas. Default: all. Figures about SpCo "
            "(fig-learnt, fig-target, fig-epsilon, fig-eta) take dgi to mean dgi+spco."
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            help="The settings of table2 and table-rates: paper (published, scored by the authors' "
            "evaluators, too) or tuned (ours). Repeatable; default: both."
        ),
    ] = None,
    seeds: options.Seeds = "0-9",
    jobs: options.Jobs = 1,
    budget: options.Budget = None,
    results: options.Results = Path("results"),
    update: options.Pages = None,
    report: options.Report = None,
    root: RootOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """Make a table or figure of the paper, next to the printed numbers.

    Runs that are already in the results are not repeated.
    """
    _check_list(target, as_list, as_json)
    options.check_report(report, "reproduce")
    check_folder_place(results, "--results", _OWNER)
    for page in update or ():
        check_page(page, "--update", _OWNER)
    has_succeeded = True
    if target is None:
        _show_list(results, as_json)
    else:
        from ..paper.classification import FAMILIES
        from ..paper.targets import Plan, make_target

        plan = Plan(
            graphs=None if datasets is None else tuple(options.words(datasets)),
            methods=None if methods is None else tuple(options.words(methods)),
            seeds=tuple(options.parse_seeds(seeds, "reproduce")),
            jobs=jobs,
            deadline=None if budget is None else time.monotonic() + 60 * budget,
            results=results,
            root=root,
            show=lambda text: out.print(text, highlight=False, markup=False),
            tell=say,
            families=tuple(family or FAMILIES),
        )
        has_succeeded = make_target(target, plan)
    for page in update or ():
        _update(page, results)
    if report is not None:
        _write_report(report, results)
    if not has_succeeded:
        raise typer.Exit(1)


def _check_list(target: str | None, as_list: bool, as_json: bool) -> None:
    if as_list and target is not None:
        raise invalid("target", _OWNER, "be left out with --list", repr(target))
    if as_json and not as_list:
        raise invalid("--json", _OWNER, "go with --list", "--json alone")
    if not as_list and target is None:
        hint = "spco reproduce --list shows what there is"
        raise invalid("target", _OWNER, "be the name of a target", "none", hint=hint)


def _show_list(results: Path, as_json: bool) -> None:
    """Print everything that the paper numbers, a line each however narrow the window."""
    from ..paper.contents import contents

    entries = [entry.to_dict() for entry in contents(results)]
    if as_json:
        print_json(entries)
        return
    headings = ("name", "title", "target", "committed", "verdict")
    shown = ({**entry, "target": entry["target"] or entry["where"] or "–"} for entry in entries)
    rows = [headings, *([entry[name] for name in headings] for entry in shown)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(headings))]
    for row in rows:
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        out.print(line.rstrip(), highlight=False, markup=False)


def _update(page: Path, results: Path) -> None:
    from ..paper.pages.markdown import updated_page

    rewrite_page(page, lambda text: updated_page(text, results))
    say(f"updated: {page}")


def _write_report(report: Path, results: Path) -> None:
    if not results.is_dir():
        say(f"no report: there are no results in {results} yet")
        return
    from ..paper.pages.html_page import reproduction_report
    from ..report.html import write_report

    write_report(reproduction_report(results), report)
    say(f"report: {report}")
