"""The tables of the reproduction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...evaluation.statistics import PairedDifference
from ...report.html.tables import NOTHING, Row, Table, Value, number, percent_value, points
from ...report.wording import percent, rate_title
from ...runs.spec import is_spectral, method_of, run_name
from ..case_study import CaseTable
from ..cells import Cell, Classification, Gain
from ..control import STEPS, Control
from ..evaluators import SCORERS, Evaluated
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
METRICS = {"macro_f1": "macro-F1", "micro_f1": "micro-F1"}
_MARKS = {"within": "●", "above": "▲", "below": "▼"}
#: The experiments of the case study in the order of the paper.
EXPERIMENTS = {
    "table1": "Table 1: nine augmentations, each contrasted with A",
    "pairs": "Appendix C: A & A, A & A², A² & A²",
    "fig4": "Figure 4 and Appendix B.2: A contrasted with a view that keeps a part of the spectrum",
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


LEGEND = (
    "Mean ± standard deviation in % (number of seeds), the paper's number, and the difference in points; "
    "● within the paper's mean ± 2σ, ▲ above, ▼ below. The last column is the mean difference in micro-F1 "
    "between SpCo and the plain method over the same seeds; * p < 0.05 (Wilcoxon). † each node against a "
    "sample of negatives, as in the preset."
)


def rate_table(found: Classification, rate: str) -> Table:
    """Return our scores of all graphs and columns at one label rate, beside the paper's."""
    gains = {
        (gain.graph, run_name(gain.method, spectral=True)): gain for gain in found.gains if gain.rate == rate
    }
    by_row: dict[tuple[str, str], dict[str, Cell]] = {}
    for cell in found.cells:
        if cell.rate == rate and cell.n:
            by_row.setdefault((cell.graph, cell.column), {})[cell.metric] = cell
    rows: list[Row] = []
    for (graph, column), held in by_row.items():
        cells = (value for metric in METRICS for value in _cell_values(held.get(metric)))
        gain = gains.get((graph, column))
        rows.append(
            [
                graph_title(graph),
                column_title(column),
                *cells,
                NOTHING if gain is None else _difference(gain.paired),
            ]
        )
    headings = [heading for title in METRICS.values() for heading in (title, "paper", "difference")]
    return Table(["graph", "method", *headings, "SpCo − plain"], rows, f"{rate_title(rate)}, in %")


def _cell_values(cell: Cell | None) -> list[Value]:
    if cell is None:
        return [NOTHING] * 3
    difference = NOTHING
    if cell.difference is not None:
        pattern = f"{{:+.1f}} {_MARKS.get(cell.verdict, '')}"
        difference = number(100 * cell.difference, pattern, tone=cell.verdict)
    return [_ours(cell), _paper(cell.paper), difference]


def _paper(printed: Printed | None) -> Value:
    return NOTHING if printed is None else percent_value(printed.mean, printed.std)


def _ours(cell: Cell) -> Value:
    return Value(f"{percent(cell.mean, cell.std)} ({cell.n}){cell.mark}", cell.mean)


def _difference(paired: PairedDifference) -> Value:
    """Return a difference in points, with a star and a colour where it is significant."""
    if not paired.is_significant:
        return points(paired.mean)
    return points(paired.mean, mark="*", tone="above" if paired.mean > 0 else "below")


def gains_table(found: Classification) -> Table:
    """Return micro-F1 of each method with SpCo and without, a row per graph and method."""
    cells = {(cell.graph, cell.column, cell.rate): cell for cell in found.cells if cell.metric == "micro_f1"}
    gains = {(gain.graph, gain.method, gain.rate): gain for gain in found.gains}
    rates = list(dict.fromkeys(gain.rate for gain in found.gains))
    counts = [rate.removeprefix("train") for rate in rates]
    rows: list[Row] = []
    for graph, method in dict.fromkeys((gain.graph, gain.method) for gain in found.gains):
        plain = [_ours(cells[graph, method, rate]) for rate in rates]
        column = run_name(method, spectral=True)
        spectral = [
            _emphasised(cells[graph, column, rate], gains.get((graph, method, rate))) for rate in rates
        ]
        rows.append([graph_title(graph), column_title(method), *plain, *spectral])
    headings = ["graph", "method", *counts, *(f"+ SpCo: {count}" for count in counts)]
    return Table(headings, rows, "Micro-F1 in %")


def _emphasised(cell: Cell, gain: Gain | None) -> Value:
    ours = _ours(cell)
    if gain is None or not gain.paired.is_significant:
        return ours
    around = "**" if gain.paired.mean > 0 else "*"
    return Value(f"{around}{ours.text}{around}", ours.key)


def differences_table(gains: Sequence[Gain]) -> Table:
    """Return the gains by SpCo, with intervals and p-values."""
    rows: list[Row] = [
        [
            graph_title(gain.graph),
            column_title(gain.method),
            rate_title(gain.rate, short=True),
            _difference(gain.paired),
            points(gain.paired.low),
            points(gain.paired.high),
            number(gain.paired.p, "{:.3f}"),
            number(gain.paired.n),
        ]
        for gain in gains
    ]
    headings = ["graph", "method", "labels", "difference", "95% from", "95% to", "Wilcoxon p", "seeds"]
    return Table(headings, rows, "Micro-F1 with SpCo minus without, in points, seed by seed; * p < 0.05")


EVALUATORS_NOTE = (
    "The paper scores each method in its own way: DGI by 50 short logistic regressions, GRACE by "
    "one-vs-rest regressions, CCA-SSG by one long regression stopped on validation nodes. Here these "
    "evaluators score our embeddings, beside the one probe that all tables use. None of them chooses "
    "anything on test nodes."
)


def evaluators_table(found: Sequence[Evaluated], rates: Iterable[str]) -> Table:
    """Return the printed scores beside those of our embeddings by the paper's evaluators and our probe."""
    rows: list[Row] = []
    for one in sorted(found, key=lambda one: row_place(one.column, one.graph)):
        for rate in rates:
            if rate not in one.scores:
                continue
            rows.append(
                [
                    graph_title(one.graph),
                    column_title(one.column),
                    rate_title(rate, short=True),
                    _paper(one.printed(rate)),
                    *(percent_value(*one.mean_and_std(rate, scorer)) for scorer in SCORERS),
                    number(len(one.seeds)),
                ]
            )
    headings = ["graph", "method", "labels", "printed", *SCORERS.values(), "seeds"]
    return Table(headings, rows, "Micro-F1 in % of the same embeddings, mean ± deviation")


def control_table(found: Sequence[Control]) -> Table:
    """Return SpCo beside plain methods with the longer readout, label rates across."""
    rates = list(dict.fromkeys(one.rate for one in found))
    titles = ("plain", f"{STEPS} steps", "SpCo", "lead")
    rows: list[Row] = []
    for graph, method in dict.fromkeys((one.graph, one.method) for one in found):
        held = [one for one in found if (one.graph, one.method) == (graph, method)]
        cells = (
            cell
            for one in held
            for cell in (*map(percent_value, (one.plain, one.walked, one.spectral)), _difference(one.lead))
        )
        rows.append([graph_title(graph), column_title(method), number(held[0].lead.n), *cells])
    headings = [f"{rate.removeprefix('train')}: {title}" for rate in rates for title in titles]
    return Table(
        ["graph", "method", "seeds", *headings], rows, "Micro-F1 in %; the lead in points, * p < 0.05"
    )


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
    return ours, _paper(row.paper)


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
