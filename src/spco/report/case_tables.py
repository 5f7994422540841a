"""The case study as Markdown: a table for each of its paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .case_files import EXPERIMENTS, CaseFile, CaseRow
from .tables import graph_place, graph_title, table_head, table_row
from .wording import percent

_FIRST_KEPT = {"low-to-high": "lowest", "high-to-low": "highest"}
_HALVES = {"low": "F_L, low frequencies", "high": "F_H, high frequencies"}


def case_study_markdown(cases: Sequence[CaseFile]) -> str:
    """Return the tables of all paper that have results."""
    finished = sorted((case for case in cases if case.rows), key=lambda case: graph_place(case.graph))
    parts = []
    for experiment, title in EXPERIMENTS.items():
        held = [case for case in finished if case.experiment == experiment]
        if held:
            table = _TABLES[experiment](held)
            parts.append(f"**{title}.** Accuracy in %, mean ± standard deviation (seeds).\n\n{table}")
    return "\n\n".join(parts)


def _views_by_graph(cases: Sequence[CaseFile]) -> str:
    """Views down, graphs across; and what ranks say of the GAME score."""
    headings = [
        "views",
        *(heading for case in cases for heading in (graph_title(case.graph), "paper", "GAME score")),
    ]
    lines = table_head(headings, text_columns=1)
    rows = [_by_name(case) for case in cases]
    for name in _names(cases):
        found = (cell for by_name in rows for cell in _scored(by_name.get(name)))
        lines.append(table_row([name, *found]))
    notes = [
        f"Spearman's correlation of accuracy and GAME score on {graph_title(case.graph)}: "
        f"{case.correlation:.2f} (p = {case.p_value:.2g})."
        for case in cases
        if case.correlation is not None and case.p_value is not None
    ]
    return "\n".join([*lines, "", *notes])


def _graphs_by_views(cases: Sequence[CaseFile]) -> str:
    """Graphs down, pairs of views across."""
    names = _names(cases)
    lines = table_head(["graph", *(heading for name in names for heading in (name, "paper"))], text_columns=1)
    for case in cases:
        rows = map(_by_name(case).get, names)
        found = (cell for row in rows for cell in (_ours(row), _paper(row)))
        lines.append(table_row([graph_title(case.graph), *found]))
    return "\n".join(lines)


def _bands(cases: Sequence[CaseFile]) -> str:
    """What is kept of one half of the spectrum across; the other half is whole."""
    shares = [name.removeprefix("low ") for name in _names(cases) if name.startswith("low ")]
    lines = table_head(["graph", "first kept", "thinned out", *shares], text_columns=3)
    for case in cases:
        by_name = _by_name(case)
        for part, title in _HALVES.items():
            found = (_ours(by_name.get(f"{part} {share}")) for share in shares)
            lines.append(
                table_row([graph_title(case.graph), _FIRST_KEPT.get(case.order or "", "–"), title, *found])
            )
    return "\n".join(lines)


def _names(cases: Sequence[CaseFile]) -> list[str]:
    """Return the names of all rows, each once, in the order of their first appearance."""
    return list(dict.fromkeys(row.name for case in cases for row in case.rows))


def _by_name(case: CaseFile) -> dict[str, CaseRow]:
    return {row.name: row for row in case.rows}


def _scored(row: CaseRow | None) -> tuple[str, str, str]:
    score = "–" if row is None or row.game_score is None else f"{row.game_score:.2f}"
    return _ours(row), _paper(row), score


def _ours(row: CaseRow | None) -> str:
    return "–" if row is None else f"{percent(row.mean, row.std)} ({row.n})"


def _paper(row: CaseRow | None) -> str:
    return "–" if row is None or row.paper_mean is None else percent(row.paper_mean, row.paper_std)


_TABLES: Mapping[str, Callable[[Sequence[CaseFile]], str]] = {
    "table1": _views_by_graph,
    "pairs": _graphs_by_views,
    "fig4": _bands,
}
