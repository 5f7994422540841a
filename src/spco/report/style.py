"""Colours and frames that all pictures share; colour-blind safe (Okabe and Ito)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .._atomic import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MUTED = "#8C8C8C"


def new_axes(width: float = 6.4, height: float = 4.0) -> Axes:
    """Return the axes of a new figure that no window system knows of."""
    from matplotlib.figure import Figure

    axes: Axes = Figure(figsize=(width, height), layout="constrained").subplots()
    return axes


def bare(axes: Axes) -> None:
    """Take away the frame where it says nothing, and draw faint lines to read values by."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def save_figure(axes: Axes, path: Path) -> None:
    """Write the figure that the axes belong to, whole, in the format of the suffix.

    The same figure is the same bytes as SVG: its ids are not drawn at random, and it bears no date.
    """
    from matplotlib import rc_context

    figure = axes.get_figure(root=True)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    if figure is not None:
        with whole_file(path) as part, rc_context({"svg.hashsalt": "spco"}):
            figure.savefig(part, dpi=160, metadata=metadata)
