"""The searches behind the presets: every trial of ``spco tune``, read from ``searches.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..methods.names import run_name
from ..report.html.tables import Row, Table, number, percent_value
from ..report.wording import settings_title
from .pages.tables import column_title, graph_title, row_place


@dataclass(frozen=True)
class SearchTrial:
    """One trial of a search.

    Attributes
    ----------
    search : str
        The name of the search, such as "even".
    spectral : bool
        With SpCo or without.
    draws : int or None
        The number of draws of the nodes that scored it; None for the graph's own splits.
    settings : mapping
        The values that were tried, by setting.
    score : float or None
        Mean validation accuracy over the seeds and label rates; None if the trial was stopped early.
    """

    search: str
    graph: str
    method: str
    spectral: bool
    seeds: Sequence[int]
    draws: int | None
    settings: Mapping[str, Any]
    score: float | None


def read_searches(folder: Path) -> list[SearchTrial]:
    """Read ``searches.jsonl`` in a folder such as ``results/``; without the file there are no trials."""
    path = folder / "searches.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    found = []
    for place, line in enumerate(lines, start=1):
        try:
            found.append(SearchTrial(**json.loads(line)))
        except (ValueError, TypeError) as error:
            must, got = "hold one trial per line", f"something else in line {place} of {str(path)!r}"
            raise invalid("folder", "read_searches", must, got, error=FileFormatError) from error
    return found


def searches_table(trials: Iterable[SearchTrial]) -> Table:
    """Return how many settings each side tried on the graph's own splits, and the best score of each."""
    rows: list[Row] = []
    for (method, graph), (plain, spectral) in _sides(one for one in trials if one.draws is None).items():
        cells: Row = []
        for side in (plain, spectral):
            distinct = {json.dumps(trial.settings, sort_keys=True) for trial in side}
            cells += [number(len(distinct)), percent_value(_best(side).score if side else None)]
        best = settings_title(_best(spectral or plain).settings)
        rows.append([column_title(method), graph_title(graph), *cells, best])
    headings = ["method", "graph", "plain: settings", "best", "SpCo: settings", "best", "the best of SpCo"]
    return Table(headings, rows, "Validation accuracy in %")


def even_search_table(trials: Iterable[SearchTrial]) -> Table:
    """Return all trials of the even search and of plain methods with a longer readout, and SpCo's lead.

    The first lead is over the plain methods of the even search, the second over all plain ones.
    """
    sides = _sides(one for one in trials if one.search in ("even", "steps"))
    held = {place: side for place, side in sides.items() if all(side)}
    columns = list(
        dict.fromkeys(title for pair in held.values() for side in pair for title in _by_title(side))
    )
    rows: list[Row] = []
    for (method, graph), (plain, spectral) in held.items():
        _require_alike([*plain, *spectral])
        scores = {**_by_title(plain), **_by_title(spectral)}
        best = _best(spectral).score or 0.0
        usual = [one for one in plain if one.search == "even"]
        leads = (number(100 * (best - (_best(side).score or 0.0)), "{:+.1f}") for side in (usual, plain))
        cells = (percent_value(scores.get(title)) for title in columns)
        rows.append([column_title(method), graph_title(graph), *cells, *leads])
    headings = ["method", "graph", *columns, "lead", "lead with steps"]
    return Table(headings, rows, "Validation accuracy in %, leads in points")


def _sides(
    trials: Iterable[SearchTrial],
) -> dict[tuple[str, str], tuple[list[SearchTrial], list[SearchTrial]]]:
    """Return the plain trials and those of SpCo, by method and graph in the order of tables."""
    found: dict[tuple[str, str], tuple[list[SearchTrial], list[SearchTrial]]] = {}
    for trial in trials:
        found.setdefault((trial.method, trial.graph), ([], []))[trial.spectral].append(trial)
    return dict(sorted(found.items(), key=lambda item: row_place(*item[0])))


def _best(trials: Iterable[SearchTrial]) -> SearchTrial:
    """Return the trial with the highest score; of several the first."""
    return max(trials, key=lambda trial: -1.0 if trial.score is None else trial.score)


def _by_title(trials: Sequence[SearchTrial]) -> dict[str, float | None]:
    """Return the scores by the settings that vary within a search."""
    found: dict[str, float | None] = {}
    for search in dict.fromkeys(trial.search for trial in trials):
        held = [trial for trial in trials if trial.search == search]
        names = dict.fromkeys(name for trial in held for name in trial.settings)
        varied = [name for name in names if len({str(trial.settings.get(name)) for trial in held}) > 1]
        scores = {settings_title({name: one.settings[name] for name in varied}): one.score for one in held}
        found |= dict(sorted(scores.items()))
    return found


def _require_alike(trials: Sequence[SearchTrial]) -> None:
    """Refuse to compare trials that were scored with different seeds or draws."""
    if len({(tuple(trial.seeds), trial.draws) for trial in trials}) > 1:
        column = run_name(trials[0].method, spectral=True)
        must, got = "score both sides with the same seeds and draws", f"{column} on {trials[0].graph}"
        raise invalid("searches", "even_search_table", must, got, error=FileFormatError)
