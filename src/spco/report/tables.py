"""Tables of node classification as Markdown and LaTeX: ours beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from ..evaluation.statistics import PairedDifference
from ..paper.cells import Cell, Classification, Gain, Verdict
from ..runs.spec import is_spectral, method_of, run_name
from .wording import percent, rate_title

TITLES = {
    "gcn": "GCN",
    "gat": "GAT",
    "dgi": "DGI",
    "mvgrl": "MVGRL",
    "grace": "GRACE",
    "gca": "GCA",
    "graphcl": "GraphCL",
    "cca_ssg": "CCA-SSG",
}
GRAPH_TITLES = {
    "cora": "Cora",
    "citeseer": "Citeseer",
    "pubmed": "PubMed",
    "blogcatalog": "BlogCatalog",
    "flickr": "Flickr",
}
_METRICS = {"macro_f1": "Macro-F1", "micro_f1": "Micro-F1"}
_MARKS: dict[Verdict, str] = {"within": "●", "above": "▲", "below": "▼", "not run": ""}
_COLOURS: dict[Verdict, str] = {
    "within": "green!15",
    "above": "blue!15",
    "below": "orange!25",
    "not run": "white",
}

LEGEND = (
    "Mean ± standard deviation in % (number of seeds), the paper's number, and the difference in points; "
    "● within the paper's mean ± 2σ, ▲ above, ▼ below. A difference of SpCo to its plain method is over the "
    "same seeds; * p < 0.05 (Wilcoxon). † each node against a sample of negatives, as in the preset."
)


def markdown(found: Classification) -> str:
    """Return one Markdown table per graph and label rate, then the summary line."""
    parts = [LEGEND, ""]
    for (graph, rate), cells in _by_place(found.cells):
        metrics = list(dict.fromkeys(cell.metric for cell in cells))
        parts += [f"**{GRAPH_TITLES[graph]}, {rate_title(rate)}**", ""]
        parts += _markdown_rows(
            cells, metrics, [gain for gain in found.gains if (gain.graph, gain.rate) == (graph, rate)]
        )
        parts.append("")
    parts.append(found.summary())
    return "\n".join(parts) + "\n"


def _markdown_rows(cells: Sequence[Cell], metrics: Sequence[str], gains: Sequence[Gain]) -> Iterable[str]:
    heading = ["method"]
    for metric in metrics:
        heading += [_METRICS[metric], "paper", "difference"]
    heading.append("SpCo − plain, micro-F1")
    yield from table_head(heading, text_columns=1)
    by_gain = {run_name(gain.method, spectral=True): gain for gain in gains}
    for column, group in groupby(sorted(cells, key=_position(cells)), key=lambda cell: cell.column):
        row = [column_title(column)]
        for cell in sorted(group, key=lambda cell: metrics.index(cell.metric)):
            row += [_ours(cell, " ± "), _paper(cell, " ± "), _difference(cell)]
        yield table_row([*row, _gain(by_gain.get(column))])


def gains_markdown(found: Classification) -> str:
    """Return one short table: micro-F1 of each method with SpCo and without, a row per graph and method."""
    cells = {(cell.graph, cell.column, cell.rate): cell for cell in found.cells if cell.metric == "micro_f1"}
    rates = list(dict.fromkeys(gain.rate for gain in found.gains))
    counts = [rate.removeprefix("train") for rate in rates]
    heading = ["graph", "method", *counts, *(f"+ SpCo: {count}" for count in counts)]
    lines = table_head(heading, text_columns=2)
    for graph, method in dict.fromkeys((gain.graph, gain.method) for gain in found.gains):
        gains = {gain.rate: gain for gain in found.gains if (gain.graph, gain.method) == (graph, method)}
        name = run_name(method, spectral=True)
        plain = [_ours(cells[graph, method, rate], " ± ") for rate in rates]
        spectral = [_emphasised(_ours(cells[graph, name, rate], " ± "), gains.get(rate)) for rate in rates]
        lines.append(table_row([GRAPH_TITLES[graph], TITLES[method], *plain, *spectral]))
    return "\n".join(lines) + "\n"


def _emphasised(text: str, gain: Gain | None) -> str:
    if gain is None or not gain.paired.is_significant:
        return text
    return f"**{text}**" if gain.paired.mean > 0 else f"*{text}*"


def latex(found: Classification) -> str:
    """Return one LaTeX tabular per label rate and metric: graphs by methods, coloured by the verdict.

    It needs the packages booktabs and colortbl (or xcolor with the option table).
    """
    columns = list(dict.fromkeys(cell.column for cell in found.cells))
    parts = ["% \\usepackage{booktabs}", "% \\usepackage[table]{xcolor}"]
    key: Callable[[Cell], tuple[str, str]] = lambda cell: (cell.rate, cell.metric)  # noqa: E731
    for (rate, metric), group in groupby(sorted(found.cells, key=key), key=key):
        cells = list(group)
        parts += [
            f"% {_METRICS[metric]}, {rate_title(rate)}: ours over the paper's",
            f"\\begin{{tabular}}{{l{'c' * len(columns)}}}",
            "\\toprule",
            " & ".join([_METRICS[metric], *(column_title(column) for column in columns)]) + r" \\",
            "\\midrule",
        ]
        for graph in dict.fromkeys(cell.graph for cell in found.cells):
            row = {cell.column: cell for cell in cells if cell.graph == graph}
            parts.append(
                " & ".join([GRAPH_TITLES[graph], *(_latex_ours(row[column]) for column in columns)]) + r" \\"
            )
            parts.append(" & ".join(["", *(_latex_paper(row[column]) for column in columns)]) + r" \\")
        parts += ["\\bottomrule", "\\end{tabular}", ""]
    parts.append(f"% {found.summary()}".replace("%)", "\\%)"))
    return "\n".join(parts) + "\n"


def column_title(column: str) -> str:
    """Return a column's name for people.

    >>> column_title("cca_ssg+spco")
    'CCA-SSG + SpCo'
    """
    return TITLES[method_of(column)] + (" + SpCo" if is_spectral(column) else "")


def _by_place(cells: Sequence[Cell]) -> Iterable[tuple[tuple[str, str], list[Cell]]]:
    """Yield the cells of each graph and label rate that has any run."""
    for place, group in groupby(cells, key=lambda cell: (cell.graph, cell.rate)):
        found = list(group)
        if any(cell.n for cell in found):
            yield place, found


def _position(cells: Sequence[Cell]) -> Callable[[Cell], int]:
    order = {column: index for index, column in enumerate(dict.fromkeys(cell.column for cell in cells))}
    return lambda cell: order[cell.column]


def graph_title(graph: str) -> str:
    """Return a graph's name for people; one that is not the paper's keeps its own.

    >>> graph_title("pubmed"), graph_title("mine")
    ('PubMed', 'mine')
    """
    return GRAPH_TITLES.get(graph, graph)


def graph_place(graph: str) -> int:
    """Return where a graph stands in tables: in the order of the paper, others after them."""
    return [*GRAPH_TITLES, graph].index(graph)


def row_place(column: str, graph: str) -> tuple[int, int]:
    """Return where the rows of a method on a graph stand in tables, whether plain or with SpCo."""
    return list(TITLES).index(method_of(column)), graph_place(graph)


def seeds_title(seeds: Sequence[int]) -> str:
    """Return the first and the last of some seeds.

    >>> seeds_title([100, 101, 102]), seeds_title([100])
    ('100–102', '100')
    """
    return f"{seeds[0]}–{seeds[-1]}" if len(seeds) > 1 else f"{seeds[0]}"


def table_head(headings: Sequence[str], *, text_columns: int) -> list[str]:
    """Return the first two lines of a Markdown table; columns after those with text have numbers."""
    marks = ["---"] * text_columns + ["---:"] * (len(headings) - text_columns)
    return [table_row(headings), table_row(marks)]


def table_row(cells: Sequence[str]) -> str:
    """Return one line of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def difference_text(paired: PairedDifference) -> str:
    """Return a difference of shares in points, with a star where it is significant."""
    return f"{100 * paired.mean:+.2f}{'*' if paired.is_significant else ''}"


def _ours(cell: Cell, plus_minus: str) -> str:
    if cell.mean is None:
        return "–"
    return f"{percent(cell.mean, cell.std, plus_minus=plus_minus)} ({cell.n}){cell.mark}"


def _paper(cell: Cell, plus_minus: str) -> str:
    return "–" if cell.paper is None else percent(cell.paper.mean, cell.paper.std, plus_minus=plus_minus)


def _difference(cell: Cell) -> str:
    return "–" if cell.difference is None else f"{100 * cell.difference:+.1f} {_MARKS[cell.verdict]}"


def _gain(gain: Gain | None) -> str:
    return "" if gain is None else difference_text(gain.paired)


def _latex_ours(cell: Cell) -> str:
    text = _ours(cell, r"$\pm$").partition(" (")[0].replace("–", "--")
    return rf"\cellcolor{{{_COLOURS[cell.verdict]}}}{text}"


def _latex_paper(cell: Cell) -> str:
    return r"{\footnotesize " + _paper(cell, r"$\pm$").replace("–", "--") + "}"
