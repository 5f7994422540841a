"""A figure of a page as a drawing that needs no script: for print, and where scripts are off.

The page's figures are plotly's, as plain data. This reads the part of that data that they use, so that a
figure is described once and drawn twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from io import StringIO
from typing import TYPE_CHECKING, Any

from .markup import Html

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _DPI = 7.2, 96
_DASHES: Mapping[str, Any] = {
    "solid": "-",
    "dash": (0, (5, 3)),
    "dashdot": "-.",
    "dot": (0, (1, 1.5)),
    "longdash": (0, (9, 3)),
    "longdashdot": (0, (9, 3, 1, 3)),
}
_MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "star": "*",
    "hexagon": "h",
}
# Ids that matplotlib numbers anew in every figure; nothing refers to them.
_COUNTED_ID = re.compile(r' id="[A-Za-z]+[\w.]*_\d+"')


def still(figure: Mapping[str, Any]) -> Html:
    """Return a figure of the page, plotly's ``data`` and ``layout``, as SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    layout = figure["layout"]
    drawn = Figure(figsize=(_WIDTH, layout["height"] / _DPI), layout="constrained")
    axes = drawn.subplots()
    rows = _category_places(figure["data"], layout)
    for index, trace in enumerate(figure["data"]):
        _draw_trace(axes, trace, rows, (index + 1) / (len(figure["data"]) + 1) - 0.5)
    _dress(axes, layout, rows)
    text = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    # Text stays text, in the page's font; the same figure gives the same ids.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "spco", "font.family": "sans-serif"}):
        drawn.savefig(text, format="svg", metadata=nothing, transparent=True)
    svg = text.getvalue()
    return Html(_COUNTED_ID.sub("", svg[svg.index("<svg") :].strip()))


def colour(name: str) -> str:
    """Return a colour of the style sheet as it is on light paper.

    >>> colour("var(--paper)"), colour("#123456")
    ('#ffffff', '#123456')
    """
    return _light_colours()[name[6:-1]] if name.startswith("var(--") else name


@cache
def _light_colours() -> Mapping[str, str]:
    style = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", style))


def _category_places(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> dict[str, int]:
    """Return the rows of a figure whose vertical axis has names, from the first to the last."""
    if layout["yaxis"].get("type") != "category":
        return {}
    return {name: place for place, name in enumerate(dict.fromkeys(y for one in traces for y in one["y"]))}


def _draw_trace(axes: Axes, trace: Mapping[str, Any], rows: Mapping[str, int], shift: float) -> None:
    """Draw points and lines with their error bars; series that share rows lie beside each other."""
    y = [rows[name] + shift * 0.6 for name in trace["y"]] if rows else trace["y"]
    x = trace.get("x", range(len(y)))
    if len(y) == 0:
        return
    mode, marker, line = trace["mode"], trace.get("marker", {}), trace.get("line", {})
    has_line = "lines" in mode
    names = _unescaped(x) if isinstance(next(iter(x)), str) else x
    axes.errorbar(
        names,
        y,
        xerr=_spread(trace.get("error_x")),
        yerr=_spread(trace.get("error_y")),
        color=colour(line["color"] if has_line else marker["color"]),
        linestyle=_DASHES[line.get("dash", "solid")] if has_line else "none",
        linewidth=0.8 * line.get("width", 2),
        marker=_MARKERS[marker["symbol"]] if "markers" in mode else "none",
        markersize=0.72 * marker.get("size", 8),
        alpha=trace.get("opacity", 1.0),
        elinewidth=0.9,
        capsize=2,
        label=html.unescape(trace.get("name") or "") if trace.get("showlegend", True) else None,
    )


def _spread(error: Mapping[str, Any] | None) -> Sequence[float] | None:
    return error["array"] if error and error.get("visible") else None


def _dress(axes: Axes, layout: Mapping[str, Any], rows: Mapping[str, int]) -> None:
    """Add titles, ranges, marked places and a legend as the layout has them."""
    for side in "xy":
        axis = layout[f"{side}axis"]
        axes.set(**{f"{side}label": axis["title"]["text"]})
        if axis.get("type") == "log":
            axes.set(**{f"{side}scale": "log"})
        if axis.get("range"):
            axes.set(**{f"{side}lim": axis["range"]})
        if axis.get("rangemode") == "tozero":
            axes.set(**{f"{side}lim": (0, None)})
        if axis.get("visible") is False:
            axes.set(**{f"{side}ticks": [], f"{side}label": ""})
    if rows:
        axes.set_yticks(list(rows.values()), _unescaped(rows))
        axes.set_ylim(len(rows) - 0.5, -0.5)
    for shape in layout.get("shapes", ()):
        _draw_shape(axes, shape)
    for note in layout.get("annotations", ()):
        _draw_note(axes, note)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    labels = [text for text in axes.get_legend_handles_labels()[1] if text]
    if labels and layout.get("showlegend", True):
        columns = max(1, min(len(labels), 100 // (8 + max(map(len, labels)))))
        axes.legend(frameon=False, fontsize="small", ncols=columns, loc="lower left", bbox_to_anchor=(0, 1.0))


def _draw_shape(axes: Axes, shape: Mapping[str, Any]) -> None:
    """Draw a band of the horizontal axis, or a line across the axes."""
    left, right = shape["x0"], shape["x1"]
    if shape["type"] == "rect":
        shade, strength = colour(shape["fillcolor"]), shape.get("opacity", 1.0)
        axes.axvspan(left, right, color=shade, alpha=strength, linewidth=0, zorder=0)
        return
    line = shape["line"]
    look: dict[str, Any] = {"color": colour(line["color"]), "linestyle": _DASHES[line["dash"]]}
    if left == right:
        axes.axvline(left, linewidth=0.9, **look)
    else:
        axes.axhline(shape["y0"], linewidth=0.9, **look)


def _draw_note(axes: Axes, note: Mapping[str, Any]) -> None:
    """Write text at a place of the horizontal axis, below the upper edge."""
    is_inside = str(note.get("yref", "y")) == "y"
    where: Any = axes.transData if is_inside else axes.get_xaxis_transform()
    axes.annotate(
        html.unescape(note["text"]),
        (note["x"], note["y"]),
        (note.get("xshift", 0), note.get("yshift", 0)),
        xycoords=where,
        textcoords="offset points",
        ha={"middle": "center"}.get(note.get("xanchor", "center"), note.get("xanchor", "center")),
        va={"middle": "center"}.get(note.get("yanchor", "center"), note.get("yanchor", "center")),
        color=colour(note.get("font", {}).get("color", "var(--ink)")),
        fontsize="small",
    )


def _unescaped(names: Any) -> list[str]:
    return [html.unescape(str(name)) for name in names]
