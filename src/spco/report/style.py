"""Colours and frames that all pictures share; the colours are colour-blind safe (Okabe and Ito)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .._atomic import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MUTED = "#8C8C8C"


def greys(count: int) -> list[str]:
    """Return different shades of grey, from dark to light.

    >>> greys(3)
    ['0.350', '0.615', '0.880']
    """
    darkest, lightest = 0.35, 0.88
    step = (lightest - darkest) / max(1, count - 1)
    return [f"{darkest + index * step:.3f}" for index in range(count)]


def new_axes(width: float = 6.4, height: float = 4.0) -> Axes:
    """Return the axes of a new figure, which no window system shows."""
    from matplotlib.figure import Figure

    axes: Axes = Figure(figsize=(width, height), layout="constrained").subplots()
    return axes


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
