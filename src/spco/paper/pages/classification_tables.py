"""The tables of node classification: printed, as printed and run by us, and tuned, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...evaluation.statistics import PairedDifference
from ...methods.names import is_spectral, method_of, run_name
from ...report.html.tables import NOTHING, Row, Table, Value, number, percent_value, points
from ...report.wording import percent, rate_title
from ..cells import Block, Cell, Classification, Gain
from ..checks import Check
from ..classification import METRIC_TITLES, RATES, SPCO_METHODS, printed_gain, printed_score
from ..control import STEPS, Control
from .tables import column_title, graph_title, printed_value

MARKS = {"within": "●", "above": "▲", "below": "▼"}
LEGEND = (
    "Mean ± standard deviation in % (number of seeds). Printed: the paper's numbers. As printed: the "
    "published settings, run by us and scored by the evaluator of the method's authors; beside it the "
    "difference from the printed mean in points (● within the paper's mean ± 2σ, ▲ above, ▼ below), and the "
    "same embeddings by our probe. Tuned: our settings, by our probe; they are not held against the paper. "
    "SpCo − plain, in points: the difference of the printed means, or the mean difference over the same "
    "seeds of ours; * p < 0.05 (Wilcoxon). † each node against a sample of negatives. Methods without "
    "published settings have tuned runs only."
)
TUNED_NOTE = (
    "SpCo, tuned, is ours, not the paper's: its settings were searched on validation nodes, its target is "
    "L² − L over two hops on the citation graphs, embeddings are read from A_, and self loops have weights, "
    "for plain methods too."
)
_HEADINGS = (
    "graph",
    "method",
    "printed",
    "printed: SpCo − plain",
    "as printed",
    "as printed − printed",
    "as printed: SpCo − plain",
    "as printed, our probe",
    "tuned",
    "tuned: SpCo − plain",
)


def blocks_table(found: Classification, rate: str, metric: str, *, only: str | None = None) -> Table:
    """Return all columns at one label rate in one metric, the three blocks side by side.

    ``only`` names a graph; by default the table has all of them.
    """
    published, probed, tuned = (
        _cells(block, rate, metric) for block in (found.published, found.probed, found.tuned)
    )
    gains, tuned_gains = (_gains(block, rate, metric) for block in (found.published, found.tuned))
    rows: list[Row] = []
    for place, ours in tuned.items():
        cells = (published.get(place), probed.get(place), ours)
        graph, column = place
        if only not in (None, graph) or not any(cell is not None and cell.n for cell in cells):
            continue
        printed = printed_score(graph, rate, metric, column)
        rows.append(
            [
                graph_title(graph),
                column_title(column),
                printed_value(printed),
                _printed_gain(graph, rate, metric, column),
                _ours(cells[0]),
                _from_print(cells[0]),
                _gain(gains.get(place)),
                _ours(cells[1]),
                _ours(ours),
                _gain(tuned_gains.get(place)),
            ]
        )
    return Table(_HEADINGS, rows, f"{rate_title(rate)}, {METRIC_TITLES[metric]} in %")


def _cells(block: Block, rate: str, metric: str) -> dict[tuple[str, str], Cell]:
    return {
        (cell.graph, cell.column): cell for cell in block.cells if (cell.rate, cell.metric) == (rate, metric)
    }


def _gains(block: Block, rate: str, metric: str) -> dict[tuple[str, str], PairedDifference]:
    return {
        (gain.graph, run_name(gain.method, spectral=True)): gain.paired
        for gain in block.gains
        if (gain.rate, gain.metric) == (rate, metric)
    }


def _ours(cell: Cell | None) -> Value:
    if cell is None or not cell.n:
        return NOTHING
    return Value(f"{percent(cell.mean, cell.std)} ({cell.n}){cell.mark}", cell.mean)


def _from_print(cell: Cell | None) -> Value:
    if cell is None or cell.difference is None or cell.verdict is None:
        return NOTHING
    return number(100 * cell.difference, f"{{:+.1f}} {MARKS[cell.verdict]}", tone=cell.verdict)


def _printed_gain(graph: str, rate: str, metric: str, column: str) -> Value:
    gain = printed_gain(graph, rate, metric, column) if is_spectral(column) else None
    return number(None if gain is None else 100 * gain, "{:+.1f}")


def _gain(paired: PairedDifference | None) -> Value:
    """Return a difference in points, with a star and a colour where it is significant."""
    if paired is None or not paired.is_significant:
        return points(None if paired is None else paired.mean)
    return points(paired.mean, mark="*", tone="above" if paired.mean > 0 else "below")


def printed_settings_table(found: Classification, rate: str = "train20") -> Table:
    """Return published settings at one label rate: plain, with SpCo, and what is printed, in micro-F1."""
    cells, gains = _cells(found.published, rate, "micro_f1"), _gains(found.published, rate, "micro_f1")
    rows: list[Row] = []
    for graph, method in _places(cells):
        column = run_name(method, spectral=True)
        plain, spectral = cells[graph, method], cells[graph, column]
        if plain.n or spectral.n:
            printed = (printed_value(cell.paper) for cell in (plain, spectral))
            ours = (_with_mark(cell) for cell in (plain, spectral))
            rows.append(
                [graph_title(graph), column_title(method), *ours, _gain(gains.get((graph, column))), *printed]
            )
    headings = ["graph", "method", "plain", "SpCo", "SpCo − plain", "printed: plain", "printed: SpCo"]
    return Table(headings, rows, f"Micro-F1 in %, {rate_title(rate)}")


def _with_mark(cell: Cell) -> Value:
    ours = _ours(cell)
    mark = MARKS.get(cell.verdict or "", "")
    return ours if ours == NOTHING else Value(f"{ours.text} {mark}", ours.key, cell.verdict or "")


def tuned_settings_table(found: Classification) -> Table:
    """Return tuned settings, plain and with SpCo, with 20 labels, and what SpCo gains at each label rate."""
    cells = _cells(found.tuned, "train20", "micro_f1")
    gains = {rate: _gains(found.tuned, rate, "micro_f1") for rate in reversed(RATES)}
    rows: list[Row] = []
    for graph, method in _places(cells):
        column = run_name(method, spectral=True)
        plain, spectral = cells[graph, method], cells[graph, column]
        if plain.n or spectral.n:
            gained = (_gain(held.get((graph, column))) for held in gains.values())
            rows.append([graph_title(graph), column_title(method), _ours(plain), _ours(spectral), *gained])
    counts = (f"gain, {rate.removeprefix('train')} labels" for rate in gains)
    return Table(
        ["graph", "method", "plain", "SpCo, tuned", *counts], rows, "Micro-F1 in %, 20 labels per class"
    )


def _places(cells: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the graphs and methods with SpCo, in the order of the cells."""
    held = ((graph, method_of(column)) for graph, column in cells)
    return [(graph, method) for graph, method in dict.fromkeys(held) if method in SPCO_METHODS]


def differences_table(gains: Sequence[Gain]) -> Table:
    """Return the gains by SpCo, with intervals and p-values."""
    rows: list[Row] = [
        [
            graph_title(gain.graph),
            column_title(gain.method),
            rate_title(gain.rate, short=True),
            _gain(gain.paired),
            points(gain.paired.low),
            points(gain.paired.high),
            number(gain.paired.p, "{:.3f}"),
            number(gain.paired.n),
        ]
        for gain in gains
    ]
    headings = ["graph", "method", "labels", "difference", "95% from", "95% to", "Wilcoxon p", "seeds"]
    return Table(headings, rows, "Micro-F1 with SpCo minus without, in points, seed by seed; * p < 0.05")


def outside_table(check: Check, found: Classification) -> Table:
    """Return the cells outside, with the plain method of each beside it: does it come out as printed?"""
    every = {(cell.graph, cell.rate, cell.metric, cell.column): cell for cell in found.published.cells}
    rows: list[Row] = []
    for cell in check.outside:
        plain = every.get((cell.graph, cell.rate, cell.metric, method_of(cell.column)))
        rows.append(
            [
                graph_title(cell.graph),
                column_title(cell.column),
                rate_title(cell.rate, short=True),
                METRIC_TITLES[cell.metric],
                _ours(cell),
                printed_value(cell.paper),
                _from_print(cell),
                _from_print(plain) if is_spectral(cell.column) else NOTHING,
            ]
        )
    headings = ["graph", "method", "labels", "metric", "as printed", "printed", "difference", "of plain"]
    return Table(headings, rows, check.title)


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
            for cell in (*map(percent_value, (one.plain, one.walked, one.spectral)), _gain(one.lead))
        )
        rows.append([graph_title(graph), column_title(method), number(held[0].lead.n), *cells])
    headings = [f"{rate.removeprefix('train')}: {title}" for rate in rates for title in titles]
    return Table(
        ["graph", "method", "seeds", *headings], rows, "Micro-F1 in %; the lead in points, * p < 0.05"
    )
