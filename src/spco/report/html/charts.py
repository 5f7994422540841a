"""plotly figures for a page: their look, the series they are made of, and the script that draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..._lazy import optional_module
from .markup import Html, chart_text, data_script, element
from .still import still

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Colours are variables of the style sheet, so that one figure serves light and dark.
SERIES = tuple(f"var(--series-{index})" for index in range(1, 11))
DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon")
_CLEAR = "rgba(0,0,0,0)"


def graph_objects() -> Any:
    """Return plotly's figures."""
    return optional_module("plotly.graph_objects", "The HTML report", "report")


@cache
def plotly_js() -> str:
    """Return plotly.js, which is about 5 MB of text."""
    graph_objects()
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def chart(figure: go.Figure, caption: str) -> Html:
    """Return a figure, which the page's script draws, with its caption.

    A drawing stands in for it in print and where scripts are off.
    """
    document = figure.to_plotly_json()
    plot = element("div", attributes={"class": "plot", "role": "img", "aria-label": caption})
    return element(
        "figure",
        plot,
        element("div", still(document), attributes={"class": "still"}),
        data_script({"data": document["data"], "layout": document["layout"]}),
        element("figcaption", caption),
        attributes={"class": "chart"},
    )


def new_figure(*, x: str, y: str = "", height: int = 380) -> go.Figure:
    """Return an empty figure in the look of the page, with titled axes."""
    axis = {
        "gridcolor": "var(--line)",
        "zerolinecolor": "var(--line)",
        "linecolor": "var(--muted)",
        "automargin": True,
        "fixedrange": False,
    }
    return graph_objects().Figure(
        layout={
            "template": {},
            "height": height,
            "paper_bgcolor": _CLEAR,
            "plot_bgcolor": _CLEAR,
            "font": {"family": "system-ui, sans-serif", "size": 13, "color": "var(--ink)"},
            "modebar": {"bgcolor": _CLEAR, "color": "var(--muted)", "activecolor": "var(--ink)"},
            "hoverlabel": {"bgcolor": "var(--card)", "bordercolor": "var(--line)"},
            "margin": {"l": 48, "r": 12, "t": 16, "b": 44},
            # Above the plot, where it grows upwards and never covers an axis.
            "legend": {
                "orientation": "h",
                "x": 0,
                "y": 1.02,
                "yanchor": "bottom",
                "xanchor": "left",
                "itemsizing": "constant",
            },
            "xaxis": {**axis, "title": {"text": x}},
            "yaxis": {**axis, "title": {"text": y}},
            "uirevision": "kept",
        }
    )


def row_height(rows: int) -> int:
    """Return the height of a figure that has one line of text per row, below a legend.

    On a phone the legend has a line for each series, which must leave room for the axis.
    """
    return 170 + 34 * rows


def add_points(
    figure: go.Figure,
    index: int,
    *,
    name: str,
    x: Sequence[float],
    y: Sequence[str],
    halves: Sequence[float],
    hover: str,
    texts: Iterable[str] = (),
) -> None:
    """Add points in named rows, with error bars of these half widths; ``hover`` may show ``texts``."""
    figure.add_scatter(
        x=list(x),
        y=names(y),
        error_x=spread(halves),
        mode="markers",
        orientation="h",
        marker=mark(index),
        name=chart_text(name),
        text=names(texts),
        hovertemplate=hover,
    )


def add_curve(
    figure: go.Figure,
    index: int,
    *,
    name: str,
    x: Sequence[float] | Sequence[str],
    y: Sequence[float],
    hover: str,
    halves: Sequence[float] = (),
    mode: str = "lines+markers",
    width: float = 2,
) -> None:
    """Add a line, with error bars of these half widths if there are any."""
    figure.add_scatter(
        x=list(x),
        y=list(y),
        error_y=spread(halves),
        mode=mode,
        marker=mark(index),
        line={"color": SERIES[index % len(SERIES)], "width": width, "dash": DASHES[index % len(DASHES)]},
        name=chart_text(name),
        showlegend=True,
        hovertemplate=hover,
    )


def as_rows(figure: go.Figure) -> None:
    """Name the rows, put the first on top as in a table, and set the series of a row side by side.

    The name of a difference has two lines, so that it leaves room on a phone.
    """
    rows = list(dict.fromkeys(name for trace in figure.data for name in trace.y))
    shown = [name.replace(" − ", "<br>− ") for name in rows]
    figure.update_yaxes(
        autorange="reversed", type="category", tickmode="array", tickvals=rows, ticktext=shown
    )
    figure.update_xaxes(range=_covering(figure))
    figure.update_layout(scattermode="group", scattergap=0.45)


def grid(charts: Iterable[Html]) -> Html:
    """Return small figures side by side, below each other where the screen is narrow."""
    return element("div", *charts, attributes={"class": "grid"})


def _covering(figure: go.Figure) -> list[float]:
    """Return a range around all points with their error bars; plotly's own would begin at 0."""
    ends = [
        x + sign * half
        for trace in figure.data
        for x, half in zip(trace.x, trace.error_x.array, strict=True)
        for sign in (-1, 1)
    ]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    margin = max(0.05 * (high - low), 0.5)
    return [low - margin, high + margin]


def mark_at(figure: go.Figure, x: float) -> None:
    """Draw a faint vertical line."""
    figure.add_vline(x=x, line={"color": "var(--muted)", "width": 1, "dash": "dot"})


def shade_bands(figure: go.Figure, *, lowest: float | None = None) -> None:
    """Shade the low frequencies, below λ = 1, and the high ones, and name them above the curves.

    ``lowest`` is where the vertical axis begins, if not below the curves.
    """
    for low, high, kind in ((0, 1, "low"), (1, 2, "high")):
        figure.add_shape(
            type="rect", x0=low, x1=high, y0=0, y1=1, yref="paper", layer="below", opacity=0.5,
            fillcolor=f"var(--{kind}-band)", line={"width": 0},
        )  # fmt: skip
        figure.add_annotation(
            text=f"{kind} frequencies", x=(low + high) / 2, y=1, yref="paper", xanchor="center",
            yanchor="top", yshift=-2, showarrow=False, font={"color": "var(--muted)", "size": 12},
        )  # fmt: skip
    heights = [y for trace in figure.data for y in trace.y]
    if heights:
        low, high = min(heights), max(heights)
        room = (high - low) or 1.0
        figure.update_yaxes(range=[low - 0.06 * room if lowest is None else lowest, high + 0.16 * room])
    figure.update_xaxes(range=[0, 2])


def mark(index: int) -> dict[str, Any]:
    """Return the marker of a series, with a colour and a shape of its own."""
    shape = index + index // len(SERIES)  # colours that come again get other shapes
    return {"color": SERIES[index % len(SERIES)], "size": 9, "symbol": MARKS[shape % len(MARKS)]}


def spread(halves: Sequence[float]) -> dict[str, Any]:
    """Return error bars of these half widths; they are hidden if all are 0."""
    return {"type": "data", "array": list(halves), "thickness": 1.4, "width": 4, "visible": any(halves)}


def half_width(estimate: Any) -> float | None:
    """Return half the width of the interval around ``estimate.mean``; None without an interval."""
    return None if estimate.high is None else float(estimate.high - estimate.mean)


def names(values: Any) -> list[str]:
    """Return names for an axis, a legend or a hover text, with markup escaped."""
    return [chart_text(str(value)) for value in values]
