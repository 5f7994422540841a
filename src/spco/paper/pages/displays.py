"""The paper's figures with matplotlib: the case study, spectra, and accuracy over the values of a setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...methods.names import run_name
from ...report.spectra import SpectrumDisplay
from ...report.style import COLOURS, MUTED, apart, finish, name_ends, new_axes
from ..case_study import CaseTable
from ..classification import SPCO_METHODS
from ..sensitivity import Sweep
from ..spectra import ViewFigure
from .tables import FIRST_KEPT, TARGET_TITLES, column_title, graph_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKS = "osD^vP*Xh"
_LABEL_GAP = 0.05  # of the height of the axes, a line of small text


@dataclass(frozen=True)
class BandCurvesDisplay:
    """Draw Figure 4: accuracy over how much of F_L, or of F_H, the view keeps, with the deviation over seeds.

    Both curves share one axis, unlike the paper's, so that their heights can be compared.
    """

    table: CaseTable

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.8, 4.0) if ax is None else ax
        labels = {"low": "$F_L$ thinned out, $F_H$ whole", "high": "$F_H$ thinned out, $F_L$ whole"}
        for index, (part, label) in enumerate(labels.items()):
            half = self.table.half(part)
            means, stds = zip(*((row.mean, row.std or 0.0) for row in half.values()), strict=True)
            _curve(axes, list(half), means, stds, index, label)
            axes.set_xticks(list(half))
        first = FIRST_KEPT[self.table.order or "low-to-high"]
        seeds = len(self.table.rows[0].seeds)
        about = "A against V = Σ uᵢuᵢᵀ, 1 seed" if seeds == 1 else f"A against V = Σ uᵢuᵢᵀ, {seeds} seeds"
        title = f"{graph_title(self.table.graph)}: {about}"
        x = f"kept of the thinned half (%), {first} frequencies first"
        name_ends(axes)
        finish(axes, x=x, y="test accuracy (%)", title=title)
        return axes


@dataclass(frozen=True)
class Table1Display:
    """Draw Table 1: accuracy of each augmentation over its GAME score, with the deviation over seeds."""

    table: CaseTable

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.4, 4.4) if ax is None else ax
        for row in self.table.rows:
            axes.errorbar(
                self.table.game_scores[row.name],
                100 * row.mean,
                yerr=100 * (row.std or 0.0),
                color=COLOURS[0],
                marker="o",
                markersize=6,
                elinewidth=0.9,
                capsize=2,
                linestyle="none",
            )
        self._name_points(axes)
        title = f"{graph_title(self.table.graph)}: nine augmentations, each contrasted with A"
        if self.table.correlation is not None:
            title += "\nSpearman's correlation {:.2f} (p = {:.2g})".format(*self.table.correlation)
        finish(axes, x="GAME score against A", y="test accuracy (%)", title=title)
        return axes

    def _name_points(self, axes: Axes) -> None:
        """Write the names beside the points, moved up or down where they would lie on each other."""
        scores = [self.table.game_scores[row.name] for row in self.table.rows]
        low, high = axes.get_ylim()
        width = (max(scores) - min(scores)) or 1.0
        axes.set_xlim(min(scores) - 0.08 * width, max(scores) + 0.08 * width)
        heights = apart([100 * row.mean for row in self.table.rows], _LABEL_GAP * (high - low))
        for row, score, height in zip(self.table.rows, scores, heights, strict=True):
            is_right = score > min(scores) + 0.75 * width
            axes.annotate(
                row.name,
                (score, 100 * row.mean),
                (score + (-0.04 if is_right else 0.04) * width, height),
                ha="right" if is_right else "left",
                va="center",
                fontsize="small",
                arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 4},
            )


@dataclass(frozen=True)
class ViewFigureDisplay:
    """Draw the spectra of a figure under a title of its own."""

    figure: ViewFigure
    title: str

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        title = f"{graph_title(self.figure.graph)}: {self.title}"
        return SpectrumDisplay(self.figure.responses, title=title).plot(ax=ax)


@dataclass(frozen=True)
class SweepDisplay:
    """Draw micro-F1 over the values of a setting on one graph, a line per method, with deviations.

    A ring marks the value that the paper prints for the method.
    """

    sweeps: Sequence[Sweep]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(7.6, 4.0) if ax is None else ax
        setting = self.sweeps[0].setting
        for sweep in self.sweeps:
            self._line(axes, sweep, SPCO_METHODS.index(sweep.method))  # a method keeps its colour
        if setting.scale is None:
            axes.set_xticks(range(len(setting.grid)), [TARGET_TITLES[name] for name in setting.grid])
        else:
            axes.set_xscale(setting.scale)
        title = f"{graph_title(self.sweeps[0].graph)}: sensitivity to {setting.symbol}"
        y = "micro-F1 (%), 20 labels per class"
        name_ends(axes)
        finish(axes, x=f"{setting.symbol}; rings: as the paper prints", y=y, title=title)
        return axes

    def _line(self, axes: Axes, sweep: Sweep, index: int) -> None:
        """Draw a line, and a ring where the printed value is."""
        run, grid = sweep.run, sweep.setting.grid
        places = [grid.index(point.value) if sweep.setting.scale is None else point.value for point in run]
        seeds = "1 seed" if run[0].count == 1 else f"{run[0].count} seeds"
        label = f"{column_title(run_name(sweep.method, spectral=True))}, {seeds}"
        _curve(axes, places, [point.mean for point in run], [point.std for point in run], index, label)
        for place, point in zip(places, run, strict=True):
            if point.value == sweep.printed:
                (ring,) = axes.plot([place], [100 * point.mean], "o", color=COLOURS[index])
                ring.set(markerfacecolor="none", markeredgewidth=1.6, markersize=12)


def _curve(
    axes: Axes, x: Sequence[float], means: Sequence[float], stds: Sequence[float], index: int, label: str
) -> None:
    """Draw shares of 1 in per cent, with their deviations."""
    axes.errorbar(
        x,
        100 * np.array(means),
        yerr=100 * np.array(stds),
        color=COLOURS[index % len(COLOURS)],
        marker=_MARKS[index % len(_MARKS)],
        markersize=5,
        linewidth=1.6,
        elinewidth=0.9,
        capsize=2,
        label=label,
    )
