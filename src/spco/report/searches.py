"""Searches for settings as Markdown: how far either side went, and what came out best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .._names import is_spectral, method_of, run_name
from .files import read_as
from .tables import TITLES, column_title, graph_place, graph_title, table_row


@dataclass(frozen=True)
class Search:
    """What ``spco tune --json`` left in a file such as ``cca_ssg+spco-cora-wide.json``.

    ``about`` is what the file's name adds to column and graph, here "wide". ``distinct`` of the ``trials``
    had settings of their own, and ``best`` has those of the settings that were varied.
    """

    column: str
    graph: str
    about: str
    seeds: tuple[int, ...]
    trials: int
    distinct: int
    score: float
    best: Mapping[str, Any]


def read_searches(folder: Path) -> tuple[Search, ...]:
    """Read all searches in a folder such as ``results/``, plain methods before those with SpCo."""
    paths = sorted((folder / "searches").glob("*.json"))
    return tuple(sorted((read_as(path, partial(_search, path.stem)) for path in paths), key=_place))


def searches_markdown(searches: Sequence[Search]) -> str:
    """Return a table with a line per search."""
    lines = [
        table_row(["method", "graph", "search", "seeds", "trials", "best, validation", "with"]),
        table_row(["---", "---", "---", "---", "---:", "---:", "---"]),
    ]
    return "\n".join([*lines, *map(_line, searches)])


def _search(stem: str, document: Mapping[str, Any]) -> Search:
    column, graph = run_name(document["method"], spectral=document["spco"]), document["graph"]
    trials = document["trials"]
    return Search(
        column=column,
        graph=graph,
        about=stem.removeprefix(f"{column}-{graph}").removeprefix("-"),
        seeds=tuple(document["seeds"]),
        trials=len(trials),
        distinct=len({str(sorted(trial["settings"].items())) for trial in trials}),
        score=float(document["score"]),
        best=max(trials, key=lambda trial: trial["score"] or 0.0)["settings"],
    )


def _place(search: Search) -> tuple[int, int, str, bool]:
    """Return where a search stands: by method and graph, and plain before SpCo."""
    method = list(TITLES).index(method_of(search.column))
    return method, graph_place(search.graph), search.about, is_spectral(search.column)


def _line(search: Search) -> str:
    return table_row(
        [
            column_title(search.column),
            graph_title(search.graph),
            search.about,
            f"{search.seeds[0]}–{search.seeds[-1]}",
            f"{search.trials} ({search.distinct} different)",
            f"{100 * search.score:.1f}",
            ", ".join(f"{_name(setting)} {_short(value)}" for setting, value in search.best.items()),
        ]
    )


def _name(setting: str) -> str:
    """Return a setting's name without its section, which is clear from it."""
    return setting.rpartition(".")[2]


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
