"""The leaderboard as tables, as a picture, and as the marked parts of Markdown pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from ..methods.names import AUTO, run_name
from ..report.html.tables import NOTHING, Row, Table, Value, number, percent_value, points
from ..report.marked_pages import with_parts
from ..report.ranks import CriticalDifferenceDisplay
from ..runs import Ledger
from .entries import CONTROL, Entry, board_entries
from .ranking import not_told_apart
from .scores import Board, Standing, read_board

LEDGER = "leaderboard.jsonl"
FIGURE = "leaderboard.svg"
_KINDS = {
    "plain": "plain method",
    "spco": "with SpCo",
    "auto": "auto",
    "labels": "auto, by labels",
    "control": "trained control",
    "free": "free",
}


def kept_board(results: Path) -> Board:
    """Return the board of all graphs and of spco's own entries, as the ledger of a folder has it."""
    return read_board(Ledger(results / LEDGER).runs(), board_entries())


def standings_table(board: Board) -> Table:
    """Return the entries that have a score, by mean rank."""
    unscored = set(board.unscored)
    rows: list[Row] = [_standing_row(one) for one in board.standings() if one.entry not in unscored]
    headings = [
        *("entry", "kind", "mean rank", "wins", "vs best free", "vs best free, real graphs"),
        *("worst case", "where", "graphs", "median seconds", "missing runs"),
    ]
    return Table(headings, rows, "Entries by mean rank")


def _standing_row(one: Standing) -> Row:
    return [
        one.entry.name,
        _KINDS[one.entry.kind],
        number(one.mean_rank, "{:.2f}"),
        number(one.wins),
        points(one.mean_difference),
        points(one.real_difference),
        points(one.worst_difference),
        one.worst_graph or "–",
        number(one.num_graphs),
        number(one.median_seconds, "{:.1f}"),
        number(one.missing),
    ]


def scores_table(board: Board) -> Table:
    """Return micro-F1 of entries on graphs; the best of each graph is bold."""
    rows: list[Row] = [
        [entry.name, *(_score(board, graph, entry) for graph in board.graphs)] for entry in board.ranked
    ]
    free: list[Value] = [percent_value(board.best_free(graph)) for graph in board.graphs]
    rows.append(["best free", *free])
    return Table(["entry", *board.graphs], rows, "Micro-F1 in %, mean over seeds and label rates")


def _score(board: Board, graph: str, entry: Entry) -> Value:
    score, best = board.score(graph, entry), board.best(graph)
    if score is None or best is None:
        return NOTHING
    shown = percent_value(score)
    return Value(f"**{shown.text}**", shown.key) if shown.text == percent_value(best).text else shown


def gains_table(board: Board) -> Table:
    """Return the gain of each method from SpCo, graph by graph."""
    entries = {entry.name: entry for entry in board.entries}
    rows: list[Row] = []
    for entry in board.entries:
        spectral = entries.get(run_name(entry.name, spectral=True))
        if entry.kind != "plain" or spectral is None:
            continue
        gains = [board.gain(graph, entry, spectral) for graph in board.graphs]
        known = [gain for gain in gains if gain is not None]
        if not known:
            continue
        at_or_above = f"{sum(gain >= 0 for gain in known)} of {len(known)}"
        rows.append([entry.name, points(sum(known) / len(known)), at_or_above, *map(points, gains)])
    return Table(["method", "mean", "at or above plain", *board.graphs], rows, "Gain from SpCo, in points")


def held_table(board: Board) -> Table:
    """Return how many runs each entry has on each graph, of those that it should have."""
    rows: list[Row] = [
        [entry.name, _KINDS[entry.kind], *(board.held_of(graph, entry) for graph in board.graphs)]
        for entry in board.entries
    ]
    return Table(["entry", "kind", *board.graphs], rows, "Runs that are there, of those wanted")


def picture(board: Board) -> str:
    """Return the picture of the ranks as Markdown, for a page in a folder beside the results."""
    if board.test is None:
        return "The mean ranks are drawn once two graphs are complete."
    return f"![Mean ranks with their critical difference](../results/figures/{FIGURE})"


def choices_line(board: Board, name: str) -> str:
    """Return what the control or auto chose on each graph."""
    entry = next((entry for entry in board.entries if entry.name == name), None)
    found = {} if entry is None else {graph: board.choice(graph, entry) for graph in board.graphs}
    chosen = [f"{choice} on {graph}" for graph, choice in found.items() if choice is not None]
    return f"`{name}` chose: {', '.join(chosen)}." if chosen else f"`{name}` has not been run yet."


def state_line(board: Board) -> str:
    """Return how much of the board is there."""
    there = board.num_wanted - board.num_missing
    seeds = {graph: len(board.common_seeds(graph)) for graph in board.graphs}
    counts = ", ".join(f"{graph} ({count})" for graph, count in seeds.items() if count)
    ranked = f"Ranks are over the complete graphs, with so many seeds: {counts}."
    if not board.complete:
        ranked = "No graph is complete yet, so that there are no ranks."
    found = f"{there:,} of {board.num_wanted:,} runs are there, {board.num_missing:,} are missing. {ranked}"
    names = ", ".join(f"`{entry.name}`" for entry in board.unscored)
    return f"{found} Without a run so far, and left out of the tables: {names}." if names else found


def test_line(board: Board) -> str:
    """Return the Friedman test and the critical difference in words."""
    test = board.test
    if test is None:
        return "There are too few complete graphs for a test of the ranks."
    p = f"p = {test.p:.2g}" if test.p >= 1e-12 else "p < 1e-12"
    text = (
        f"Friedman test over {test.num_graphs} graphs and {test.num_entries} entries: "
        f"χ² = {test.statistic:.1f}, {p}. Nemenyi's critical difference at the level 0.05 is "
        f"{test.critical_difference:.2f}."
    )
    ranks = {one.entry.name: one.mean_rank for one in board.standings() if one.mean_rank is not None}
    names = list(ranks)
    groups = not_told_apart(list(ranks.values()), test.critical_difference)
    alike = next((group for group in groups if 0 in group), (0,))
    near = [names[place] for place in alike if place != 0]
    if not near:
        return f"{text} {names[0]} ranks first, told apart from all others."
    return f"{text} {names[0]} ranks first; not told apart from it: {', '.join(near)}."


def rank_display(board: Board) -> CriticalDifferenceDisplay | None:
    """Return the picture of the ranks; None if there is no test."""
    if board.test is None:
        return None
    standings = board.standings()
    kinds = {entry.name: _KINDS[entry.kind] for entry in board.entries}
    return CriticalDifferenceDisplay(
        {one.entry.name: one.mean_rank for one in standings if one.mean_rank is not None},
        kinds,
        board.test.critical_difference,
        muted=[_KINDS["free"]],
        title=f"Mean rank over {board.test.num_graphs} graphs",
    )


def board_document(board: Board) -> dict[str, Any]:
    """Return the board as plain data."""
    return {
        "graphs": list(board.graphs),
        "complete": list(board.complete),
        "seeds": {graph: list(board.common_seeds(graph)) for graph in board.graphs},
        "scores": {
            entry.name: {graph: board.score(graph, entry) for graph in board.graphs}
            for entry in board.entries
        },
        "held": {
            entry.name: {graph: board.held_of(graph, entry) for graph in board.graphs}
            for entry in board.entries
        },
        "best_free": {graph: board.best_free(graph) for graph in board.graphs},
        "standings": [
            {"name": one.entry.name, "kind": one.entry.kind, **_numbers(one)} for one in board.standings()
        ],
        "test": None if board.test is None else asdict(board.test),
        "missing": board.num_missing,
        "wanted": board.num_wanted,
    }


def _numbers(one: Standing) -> dict[str, Any]:
    return {name: value for name, value in vars(one).items() if name != "entry"}


def _table_or(table: Table, nothing: str) -> str:
    return table.markdown() if table.rows else nothing


#: The parts that a page can mark, functions of a board.
PARTS: Mapping[str, Callable[[Board], str]] = {
    "leaderboard-state": state_line,
    "leaderboard-standings": lambda board: standings_table(board).markdown(),
    "leaderboard-test": test_line,
    "leaderboard-picture": picture,
    "leaderboard-scores": lambda board: scores_table(board).markdown(),
    "leaderboard-gains": lambda board: _table_or(gains_table(board), "Nothing was run with SpCo."),
    "leaderboard-choices": lambda board: "\n\n".join(choices_line(board, name) for name in (AUTO, CONTROL)),
}


def updated_page(text: str, results: Path) -> str:
    """Return a page with every marked part replaced from a folder of results."""
    board = kept_board(results)
    return with_parts(text, {name: partial(part, board) for name, part in PARTS.items()})


def markdown(board: Board, parts: Sequence[str] = ("standings", "test", "scores", "state")) -> str:
    """Return the board as text for a terminal."""
    return "\n\n".join(PARTS[f"leaderboard-{name}"](board) for name in parts)
