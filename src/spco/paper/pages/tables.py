"""The tables of the reproduction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...methods.names import is_spectral, method_of, run_name
from ...report.html.tables import NOTHING, Row, Table, Value, number, percent_value
from ...report.wording import percent
from ..case_study import CaseTable
from ..printed import Printed
from ..sensitivity import Setting, Sweep

_METHODS = {
    "gcn": "GCN",
    "gat": "GAT",
    "dgi": "DGI",
    "mvgrl": "MVGRL",
    "grace": "GRACE",
    "gca": "GCA",
    "graphcl": "GraphCL",
    "cca_ssg": "CCA-SSG",
}
_GRAPHS = {
    "cora": "Cora",
    "citeseer": "Citeseer",
    "pubmed": "PubMed",
    "blogcatalog": "BlogCatalog",
    "flickr": "Flickr",
}
#: The experiments of the case study in the order of the paper.
EXPERIMENTS = {
    "fig4": "Figures 4 and 12: A contrasted with a view that keeps a part of the spectrum",
    "table1": "Table 1: nine augmentations, each contrasted with A",
    "pairs": "Table 3: A & A, A & A², A² & A²",
}
#: The forms of C in the paper's words.
TARGET_TITLES = {
    "laplacian": "L",
    "identity+laplacian": "I + L",
    "identity+laplacian+laplacian2": "I + L + L²",
}
FIRST_KEPT = {"low-to-high": "lowest", "high-to-low": "highest"}
_HALVES = {"low": "F_L, low frequencies", "high": "F_H, high frequencies"}


def column_title(column: str) -> str:
    """Return the title of a column.

    >>> column_title("cca_ssg+spco")
    'CCA-SSG + SpCo'
    """
    return _METHODS[method_of(column)] + (" + SpCo" if is_spectral(column) else "")


def graph_title(graph: str | None) -> str:
    """Return the title of a graph; one that is not the paper's keeps its name.

    >>> graph_title("pubmed"), graph_title("mine")
    ('PubMed', 'mine')
    """
    return _GRAPHS.get(graph or "", graph or "graph")


def row_place(column: str, graph: str | None) -> tuple[int, int, bool]:
    """Return the sort key of a row: method and graph in the paper's order, plain before SpCo."""
    return list(_METHODS).index(method_of(column)), _graph_place(graph), is_spectral(column)


def _graph_place(graph: str | None) -> int:
    return [*_GRAPHS, graph].index(graph)


def printed_value(printed: Printed | None) -> Value:
    """Return a printed number as a cell."""
    return NOTHING if printed is None else percent_value(printed.mean, printed.std)


def cases_of(experiment: str, cases: Iterable[CaseTable]) -> list[CaseTable]:
    """Return the tables of one experiment, graphs in the paper's order."""
    held = (case for case in cases if case.experiment == experiment)
    return sorted(held, key=lambda case: (_graph_place(case.graph), case.order or ""))


_CASE_CAPTION = "Accuracy in %, mean ± standard deviation (seeds)"


def _views_by_graph(cases: Sequence[CaseTable]) -> Table:
    """Return views down and graphs across, with GAME scores."""
    rows: list[Row] = []
    for name in _names(cases):
        found = ((_case_values(case, name), case.game_scores.get(name)) for case in cases)
        rows.append([name, *(cell for row, score in found for cell in (*row, number(score, "{:.2f}")))])
    headings = (heading for case in cases for heading in (graph_title(case.graph), "paper", "GAME score"))
    return Table(["views", *headings], rows, _CASE_CAPTION)


def _graphs_by_views(cases: Sequence[CaseTable]) -> Table:
    """Return graphs down and pairs of views across."""
    names = _names(cases)
    rows: list[Row] = [
        [graph_title(case.graph), *(cell for name in names for cell in _case_values(case, name))]
        for case in cases
    ]
    return Table(["graph", *(heading for name in names for heading in (name, "paper"))], rows, _CASE_CAPTION)


def _bands(cases: Sequence[CaseTable]) -> Table:
    """Return graphs and halves of the spectrum down, and the kept share of that half across."""
    shares = sorted({share for case in cases for part in _HALVES for share in case.half(part)})
    rows: list[Row] = []
    for case in cases:
        for part, title in _HALVES.items():
            found = (_case_values(case, f"{part} {share:g}%")[0] for share in shares)
            rows.append([graph_title(case.graph), FIRST_KEPT.get(case.order or "", "–"), title, *found])
    headings = ["graph", "first kept", "thinned out", *(f"{share:g}%" for share in shares)]
    return Table(headings, rows, _CASE_CAPTION)


#: How to lay out an experiment of the case study on all of its graphs.
CASE_TABLES: Mapping[str, Callable[[Sequence[CaseTable]], Table]] = {
    "table1": _views_by_graph,
    "pairs": _graphs_by_views,
    "fig4": _bands,
}


def _names(cases: Sequence[CaseTable]) -> list[str]:
    return list(dict.fromkeys(row.name for case in cases for row in case.rows))


def _case_values(case: CaseTable, name: str) -> tuple[Value, Value]:
    """Return our score and the paper's."""
    row = next((row for row in case.rows if row.name == name), None)
    if row is None:
        return NOTHING, NOTHING
    ours = Value(f"{percent(row.mean, row.std)} ({len(row.seeds)})", row.mean)
    return ours, printed_value(row.paper)


def sweep_table(sweeps: Sequence[Sweep]) -> Table:
    """Return micro-F1 over the values of a setting, by the authors' evaluator and by our probe."""
    setting = sweeps[0].setting
    values = sorted(
        {value for sweep in sweeps for value in setting.values(sweep.printed)}, key=_in_order(setting)
    )
    rows: list[Row] = [
        [
            graph_title(sweep.graph),
            column_title(run_name(sweep.method, spectral=True)),
            number(max(point.count for point in sweep.points)),
            *(_sweep_value(sweep, value) for value in values),
        ]
        for sweep in sweeps
    ]
    caption = (
        f"Micro-F1 in % at 20 labels per class over {setting.symbol}: the authors' evaluator / our probe, "
        "means over the same seeds; ★ the best of a row, ○ the printed value"
    )
    titles = (
        TARGET_TITLES.get(str(value), f"{value:g}" if setting.scale else str(value)) for value in values
    )
    return Table(["graph", "method", "seeds", *titles], rows, caption)


def _in_order(setting: Setting) -> Callable[[Any], Any]:
    return setting.grid.index if setting.scale is None else float


def _sweep_value(sweep: Sweep, value: Any) -> Value:
    point = next((point for point in sweep.run if point.value == value), None)
    if point is None:
        return NOTHING
    text = f"{100 * point.mean:.1f} / {100 * point.probe_mean:.1f}"
    marks = (" ★" if point == sweep.best else "") + (" ○" if value == sweep.printed else "")
    return Value(text + marks, point.mean)
