"""The tables of node classification as LaTeX: ours over the paper's, coloured by the verdict."""

from __future__ import annotations

from itertools import groupby

from ...report.wording import percent, rate_title
from ..cells import Cell, Classification, Verdict
from .tables import METRICS, column_title, graph_title

_COLOURS: dict[Verdict, str] = {
    "within": "green!15",
    "above": "blue!15",
    "below": "orange!25",
    "not run": "white",
}


def latex(found: Classification) -> str:
    """Return one tabular per label rate and metric, graphs down and methods across.

    It needs the packages booktabs and xcolor with the option table.
    """
    columns = list(dict.fromkeys(cell.column for cell in found.cells))
    graphs = list(dict.fromkeys(cell.graph for cell in found.cells))
    by_place = sorted(found.cells, key=_place)
    parts = ["% \\usepackage{booktabs}", "% \\usepackage[table]{xcolor}"]
    for (rate, metric), group in groupby(by_place, key=_place):
        cells = {(cell.graph, cell.column): cell for cell in group}
        parts += [
            f"% {METRICS[metric]}, {rate_title(rate)}: ours over the paper's",
            f"\\begin{{tabular}}{{l{'c' * len(columns)}}}",
            "\\toprule",
            _line([METRICS[metric], *map(column_title, columns)]),
            "\\midrule",
        ]
        for graph in graphs:
            row = [cells[graph, column] for column in columns]
            parts += [_line([graph_title(graph), *map(_ours, row)]), _line(["", *map(_paper, row)])]
        parts += ["\\bottomrule", "\\end{tabular}", ""]
    parts.append(f"% {found.summary()}".replace("%)", "\\%)"))
    return "\n".join(parts) + "\n"


def _place(cell: Cell) -> tuple[str, str]:
    return cell.rate, cell.metric


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _ours(cell: Cell) -> str:
    return rf"\cellcolor{{{_COLOURS[cell.verdict]}}}{_spread(cell.mean, cell.std)}"


def _paper(cell: Cell) -> str:
    text = "--" if cell.paper is None else _spread(cell.paper.mean, cell.paper.std)
    return rf"{{\footnotesize {text}}}"


def _spread(mean: float | None, std: float | None) -> str:
    return percent(mean, std, plus_minus=r"$\pm$").replace("–", "--")
