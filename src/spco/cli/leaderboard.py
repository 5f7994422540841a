"""``spco leaderboard``: every method on many graphs by one protocol, ranked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import check_choice, check_folder_place, invalid
from ..report.marked_pages import check_page, rewrite_page
from . import options
from .console import out, print_json, say
from .graph_options import RootOption

if TYPE_CHECKING:
    from ..leaderboard.scores import Board

EXAMPLES = (
    "spco leaderboard --list",
    "spco leaderboard --graphs cora,wine --methods dgi,dgi+spco --budget 10",
)
_OWNER = "spco leaderboard"


def leaderboard(
    as_list: Annotated[
        bool, typer.Option("--list", help="List graphs and entries with the runs that are there.")
    ] = False,
    graphs: Annotated[
        str | None, typer.Option(help="Graphs of the board, separated by commas. Default: all.")
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Entries such as dgi, dgi+spco, auto or edge-dropping, separated by commas. Default: all. "
            "The free baselines always stand beside them."
        ),
    ] = None,
    seeds: options.Seeds = "0-4",
    jobs: options.Jobs = 1,
    budget: options.Budget = None,
    results: options.Results = Path("results"),
    update: options.Pages = None,
    root: RootOption = None,
    as_json: options.Json = False,
) -> None:
    """Rank methods, plain and with SpCo, over many graphs beside baselines that train nothing.

    A score is micro-F1 of the linear probe, the mean over 5, 10 and 20 labels per class. Runs that are
    already in the ledger are not repeated.

    Five of the graphs are in the folder $SPCO_GRAPHS; graphs that are not there are skipped.
    """
    from ..leaderboard.entries import board_entries
    from ..leaderboard.graphs import BOARD_GRAPHS
    from ..leaderboard.pages import LEDGER
    from ..leaderboard.running import make_runs
    from ..leaderboard.scores import read_board
    from ..runs import Ledger

    chosen = BOARD_GRAPHS if graphs is None else _words(graphs, "--graphs")
    for name in chosen:
        check_choice(name, "--graphs", _OWNER, BOARD_GRAPHS)
    entries = board_entries(None if methods is None else _words(methods, "--methods"))
    numbers = options.parse_seeds(seeds, "leaderboard")
    check_folder_place(results, "--results", _OWNER)
    for page in update or ():
        check_page(page, "--update", _OWNER)
    ledger = Ledger(results / LEDGER)
    failed = 0
    if not as_list and budget != 0:
        outcome = make_runs(
            ledger, chosen, entries, numbers, jobs=jobs, budget_minutes=budget, root=root, tell=say
        )
        failed = len(outcome.failed)
    board = read_board(ledger.runs(), entries, graphs=chosen, seeds=numbers)
    _show(board, as_list=as_list, as_json=as_json)
    for page in update or ():
        _update(page, results)
    if failed:
        raise typer.Exit(1)


def _words(text: str, option: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(options.words(text)))
    if not words:
        raise invalid(option, _OWNER, "name at least one", repr(text))
    return words


def _show(board: Board, *, as_list: bool, as_json: bool) -> None:
    from ..leaderboard.pages import board_document, held_table, markdown

    if as_json:
        print_json(board_document(board))
        return
    text = held_table(board).markdown() if as_list else markdown(board)
    out.print(text, highlight=False, markup=False)


def _update(page: Path, results: Path) -> None:
    """Rewrite a page, and the picture of the whole board that it shows."""
    from ..leaderboard.pages import FIGURE, kept_board, rank_display, updated_page
    from ..report import save_figure

    rewrite_page(page, lambda text: updated_page(text, results))
    say(f"updated: {page}")
    display = rank_display(kept_board(results))
    if display is not None:
        place = results / "figures" / FIGURE
        save_figure(display.plot(), place)
        say(f"drawn: {place}")
