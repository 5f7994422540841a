"""Searches for settings as Markdown: how far either side went, and what came out best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..runs.folder import read_as
from ..runs.spec import is_spectral, run_name
from .tables import column_title, graph_title, row_place, seeds_title, table_head, table_row
from .wording import percent, settings_title


@dataclass(frozen=True)
class Search:
    """What ``spco tune --json`` left in a file such as ``cca_ssg+spco-cora-wide.json``.

    ``about`` is what the file's name adds to column and graph, here "wide". ``trials`` are the settings that
    were tried, with those alone that were to be searched, and their scores; None for those given up.
    ``draws`` is None where the graph's own splits were scored on.
    """

    column: str
    graph: str
    about: str
    seeds: tuple[int, ...]
    draws: int | None
    trials: tuple[tuple[Mapping[str, Any], float | None], ...]

    @property
    def best(self) -> tuple[Mapping[str, Any], float]:
        """The settings with the highest score, and that; of equals the first."""
        return max(
            ((held, score) for held, score in self.trials if score is not None), key=lambda trial: trial[1]
        )

    @property
    def distinct(self) -> int:
        """How many trials had settings of their own."""
        return len({str(sorted(settings.items())) for settings, _ in self.trials})

    @property
    def by_title(self) -> dict[str, float | None]:
        """The score of each trial under what tells it from the others, sorted."""
        names = {name for settings, _ in self.trials for name in settings}
        varied = {name for name in names if len({str(settings.get(name)) for settings, _ in self.trials}) > 1}
        scores = {
            settings_title({name: value for name, value in settings.items() if name in varied}): score
            for settings, score in self.trials
        }
        return dict(sorted(scores.items()))


def read_searches(folder: Path) -> tuple[Search, ...]:
    """Read all searches in a folder such as ``results/``, plain methods before those with SpCo."""
    paths = sorted((folder / "searches").glob("*.json"))
    return tuple(sorted((read_as(path, partial(_search, path.stem)) for path in paths), key=_place))


def searches_markdown(searches: Sequence[Search]) -> str:
    """Return a table with a line per search."""
    heading = ["method", "graph", "search", "seeds", "trials", "best, validation", "with"]
    marks = ["---", "---", "---", "---", "---:", "---:", "---"]
    return "\n".join([table_row(heading), table_row(marks), *map(_line, searches)])


def sides_markdown(searches: Sequence[Search], plain: str, spectral: str) -> str:
    """Return a table of all trials, those of plain methods beside those of SpCo, and how far SpCo leads.

    ``plain`` and ``spectral`` are the names of the searches that either side is taken from, which may be the
    same. All of a side must have tried the same settings. A side that lacks the other is left out.
    """
    others = {(search.column, search.graph): search for search in searches if search.about == spectral}
    pairs = [
        (search, other)
        for search in searches
        if search.about == plain and not is_spectral(search.column)
        if (other := others.get((run_name(search.column, spectral=True), search.graph)))
    ]
    titles = _titles(pairs[0]) if pairs else []
    for pair in pairs:
        _require_alike(pair, titles)
    lines = table_head(["method", "graph", "seeds", *titles, "SpCo leads by"], text_columns=3)
    return "\n".join([*lines, *(_line_of_sides(*pair) for pair in pairs)])


def _titles(pair: tuple[Search, Search]) -> list[str]:
    return [title for side in pair for title in side.by_title]


def _require_alike(pair: tuple[Search, Search], titles: Sequence[str]) -> None:
    """Refuse two sides that were scored otherwise, or with other settings than those of the table."""
    first, second = pair
    if (first.seeds, first.draws) != (second.seeds, second.draws) or _titles(pair) != list(titles):
        must = "have both sides of a search scored with the same seeds, draws and settings"
        got = f"{first.column} ({first.about}) and {second.column} ({second.about}) on {first.graph}"
        raise invalid("searches", "sides_markdown", must, got, error=FileFormatError)


def _search(stem: str, document: Mapping[str, Any]) -> Search:
    column, graph = run_name(document["method"], spectral=document["spco"]), document["graph"]
    return Search(
        column=column,
        graph=graph,
        about=stem.removeprefix(f"{column}-{graph}").removeprefix("-"),
        seeds=tuple(document["seeds"]),
        draws=document.get("draws"),
        trials=tuple((trial["settings"], trial["score"]) for trial in document["trials"]),
    )


def _place(search: Search) -> tuple[tuple[int, int], str, bool]:
    """Return where a search stands: by method and graph, and plain before SpCo."""
    return row_place(search.column, search.graph), search.about, is_spectral(search.column)


def _line(search: Search) -> str:
    settings, score = search.best
    return table_row(
        [
            column_title(search.column),
            graph_title(search.graph),
            search.about,
            seeds_title(search.seeds),
            f"{len(search.trials)} ({search.distinct} different)",
            percent(score),
            settings_title(settings),
        ]
    )


def _line_of_sides(plain: Search, spectral: Search) -> str:
    scores = [score for side in (plain, spectral) for score in side.by_title.values()]
    lead = spectral.best[1] - plain.best[1]
    about = [column_title(plain.column), graph_title(plain.graph), seeds_title(plain.seeds)]
    return table_row([*about, *map(percent, scores), f"{100 * lead:+.1f}"])
