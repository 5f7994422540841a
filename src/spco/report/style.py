"""Colours and frames that all pictures share; the colours are colour-blind safe (Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._atomic import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MUTED = "#8C8C8C"
_LINE_OF_TEXT = 0.055  # of the height of axes


def new_axes(width: float = 6.4, height: float = 4.0) -> Axes:
    """Return the axes of a new figure, which no window system shows."""
    from matplotlib.figure import Figure

    axes: Axes = Figure(figsize=(width, height), layout="constrained").subplots()
    return axes


def new_panels(rows: int, columns: int, *, title: str) -> list[Axes]:
    """Return axes in rows and columns with common scales, under one title, on a new figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.7 * columns, 0.5 + 2.1 * rows), layout="constrained")
    figure.suptitle(title)
    return list(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Return places moved as little as need be for neighbours to be ``gap`` apart, such as those of labels.

    >>> apart([1.0, 5.0, 1.5], 1.0)
    [0.75, 5.0, 1.75]
    """
    groups: list[tuple[float, int]] = []  # the middle and the size of each run of neighbours that touch
    for place in sorted(places):
        groups.append((place, 1))
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < gap * sum(n for _, n in groups[-2:]) / 2:
            (low, few), (high, more) = groups.pop(-2), groups.pop()
            groups.append(((few * low + more * high) / (few + more), few + more))
    moved = [middle + (k - (n - 1) / 2) * gap for middle, n in groups for k in range(n)]
    ranks = sorted(range(len(places)), key=lambda index: places[index])
    found = dict(zip(ranks, moved, strict=True))
    return [found[index] for index in range(len(places))]


def name_ends(axes: Axes) -> None:
    """Write the label of each line at its right end, in its colour, moved where labels would touch.

    It takes the place of a legend: call it before :func:`finish`, when the scales are set.
    """
    lines, names = axes.get_legend_handles_labels()
    if not lines:
        return
    ends: list[Any] = [line.lines[0] if hasattr(line, "lines") else line for line in lines]
    places = [(float(end.get_xdata()[-1]), float(end.get_ydata()[-1])) for end in ends]
    low, high = axes.get_ylim()
    heights = apart([y for _, y in places], _LINE_OF_TEXT * (high - low))
    for line, end, name, place, height in zip(lines, ends, names, places, heights, strict=True):
        line.set_label("")
        axes.annotate(
            name,
            place,
            (1.02, (height - low) / (high - low)),
            textcoords="axes fraction",
            va="center",
            fontsize="small",
            color=end.get_color(),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 5},
        )


def name_beside_ends(axes: Axes) -> None:
    """Write the label of each line right beside its last point, moved up or down where labels would touch.

    It takes the place of a legend: call it before :func:`finish`, when the scales are set.
    """
    lines: list[Any] = axes.get_legend_handles_labels()[0]
    low, high = axes.get_ylim()
    heights = apart([float(line.get_ydata()[-1]) for line in lines], _LINE_OF_TEXT * (high - low))
    for line, height in zip(lines, heights, strict=True):
        axes.annotate(
            line.get_label(),
            (float(line.get_xdata()[-1]), height),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=line.get_color(),
            annotation_clip=False,
        )
        line.set_label("")


def finish(axes: Axes, *, x: str = "", y: str = "", title: str, legend_columns: int = 1) -> None:
    """Add titles and a legend, remove the upper and right frame, and draw faint lines to read values by."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize="small", ncols=legend_columns)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def save_figure(axes: Axes, path: Path) -> None:
    """Write the figure of these axes in the format of the suffix.

    As SVG, the same figure gives the same bytes: its ids are not random, and it has no date.
    """
    from matplotlib import rc_context

    figure = axes.get_figure(root=True)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    if figure is not None:
        with whole_file(path) as part, rc_context({"svg.hashsalt": "spco"}):
            figure.savefig(part, dpi=160, metadata=metadata)
