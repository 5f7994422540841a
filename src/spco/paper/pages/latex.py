"""The tables of node classification as LaTeX, the three blocks side by side, coloured by the verdict."""

from __future__ import annotations

from itertools import groupby

from ...report.html.tables import Row, Value
from ..cells import Classification
from ..classification import METRICS, RATES
from .classification_tables import MARKS, blocks_table

_COLOURS = {"within": "green!15", "above": "blue!15", "below": "orange!25"}
_SYMBOLS = {
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "†": r"$\dagger$",
    "*": r"$^*$",
    "%": r"\%",
    "σ": r"$\sigma$",
}
#: The blocks over the columns, and how many columns each has; see :func:`blocks_table`.
_BLOCKS = {"": 2, "printed": 2, "as printed, run by us": 4, "tuned": 2}
_HEADINGS = (
    *("graph", "method", "mean", "SpCo − plain"),
    *("authors' evaluator", "− printed", "SpCo − plain", "our probe"),
    *("our probe", "SpCo − plain"),
)


def latex(found: Classification) -> str:
    """Return one tabular per label rate and metric that was run.

    It needs the packages booktabs and xcolor with the option table.
    """
    parts = ["% \\usepackage{booktabs}", "% \\usepackage[table]{xcolor}"]
    cells = (*found.published.cells, *found.tuned.cells)
    held = {(cell.rate, cell.metric) for cell in cells if cell.n}
    for rate, metric in ((rate, metric) for rate in RATES for metric in METRICS if (rate, metric) in held):
        table = blocks_table(found, rate, metric)
        parts += [
            f"% {table.caption}",
            "\\begin{tabular}{ll" + "".join("|" + "r" * width for width in [*_BLOCKS.values()][1:]) + "}",
            "\\toprule",
            _line([rf"\multicolumn{{{width}}}{{c}}{{{title}}}" for title, width in _BLOCKS.items()]),
            _line([_escaped(heading) for heading in _HEADINGS]),
        ]
        for _, rows in groupby(table.rows, key=lambda row: row[0]):
            parts += ["\\midrule", *(_line([_text(cell) for cell in row]) for row in _once(list(rows)))]
        parts += ["\\bottomrule", "\\end{tabular}", ""]
    parts.append(f"% {found.summary()}")
    return "\n".join(parts) + "\n"


def _once(rows: list[Row]) -> list[Row]:
    """Return the rows of a graph with its name in the first only."""
    return [row if place == 0 else ["", *row[1:]] for place, row in enumerate(rows)]


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _text(cell: Value | str) -> str:
    value = Value(cell) if isinstance(cell, str) else cell
    text = value.text
    for mark in MARKS.values():
        text = text.removesuffix(f" {mark}")
    has_verdict = text != value.text
    colour = rf"\cellcolor{{{_COLOURS[value.tone]}}}" if has_verdict else ""
    return colour + _escaped(text)


def _escaped(text: str) -> str:
    return "".join(_SYMBOLS.get(sign, sign) for sign in text).replace(r" $\pm$ ", r"$\pm$")
