"""Accuracy over the values of a setting, as lines, bars or a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..paper.sensitivity import Sweep

_MARKS = ("o", "s", "^", "D")


@dataclass(frozen=True)
class SweepDisplay:
    """Draw micro-F1 over the values of a setting, a line per method and graph, with deviations."""

    sweeps: Sequence[Sweep]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes() if ax is None else ax
        setting = self.sweeps[0].setting
        places = np.arange(len(setting.values))
        for index, sweep in enumerate(self.sweeps):
            axes.errorbar(
                places,
                100 * np.array(sweep.means),
                yerr=100 * np.array(sweep.stds),
                color=COLOURS[index % len(COLOURS)],
                marker=_MARKS[index % len(_MARKS)],
                markersize=5,
                linewidth=1.6,
                elinewidth=0.9,
                capsize=2,
                label=f"{sweep.method} + SpCo, {sweep.graph}",
            )
        axes.set_xticks(places, [_value(value) for value in setting.values])
        axes.set_xlabel(setting.symbol)
        axes.set_ylabel("micro-F1 (%), 20 labels per class")
        axes.legend(frameon=False, fontsize="small")
        bare(axes)
        return axes


@dataclass(frozen=True)
class SweepMapDisplay:
    """Draw a row per method and graph, a column per value; the best value of each row has a star."""

    sweeps: Sequence[Sweep]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.4, 1.2 + 0.5 * len(self.sweeps)) if ax is None else ax
        setting = self.sweeps[0].setting
        means = 100 * np.array([sweep.means for sweep in self.sweeps])
        # Rows are shaded by their own range: methods differ by more than a setting changes.
        low, high = np.nanmin(means, axis=1, keepdims=True), np.nanmax(means, axis=1, keepdims=True)
        axes.imshow((means - low) / np.maximum(high - low, 1e-9), cmap="cividis", aspect="auto")
        for row, sweep in enumerate(self.sweeps):
            for column, count in enumerate(sweep.counts):
                star = " ★" if column == sweep.best else ""
                text = f"{means[row, column]:.1f}{star}" if count else "–"
                bright = count and (means[row, column] - low[row, 0]) > 0.5 * (high[row, 0] - low[row, 0])
                axes.text(column, row, text, ha="center", va="center", color="black" if bright else "white")
        axes.set_xticks(range(len(setting.values)), [_value(value) for value in setting.values])
        axes.set_yticks(range(len(self.sweeps)), [f"{sweep.method}, {sweep.graph}" for sweep in self.sweeps])
        axes.set_xlabel(setting.symbol)
        axes.set_title("micro-F1 (%), 20 labels per class; shaded within a row")
        return axes


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    names = {
        "laplacian": "L",
        "identity+laplacian": "I + L",
        "identity+laplacian+laplacian2": "I + L + L²",
        "laplacian2-laplacian": "L² − L",
    }
    return names.get(str(value), str(value))
