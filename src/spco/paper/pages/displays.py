"""The paper's figures with matplotlib: the case study, and accuracy over the values of a setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import COLOURS, finish, new_axes
from ..case_study import CaseTable
from ..sensitivity import Sweep
from .tables import FIRST_KEPT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKS = "osD^vP*Xh"
_TARGETS = {
    "laplacian": "L",
    "identity+laplacian": "I + L",
    "identity+laplacian+laplacian2": "I + L + L²",
    "laplacian2-laplacian": "L² − L",
}


@dataclass(frozen=True)
class BandCurvesDisplay:
    """Draw Figure 4: accuracy over how much of F_L, or of F_H, the view keeps, with the deviation over seeds.

    Both curves share one axis, unlike the paper's, so that their heights can be compared.
    """

    table: CaseTable

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(5.6, 4.0) if ax is None else ax
        labels = {"low": "$F_L$ thinned out, $F_H$ whole", "high": "$F_H$ thinned out, $F_L$ whole"}
        for index, (part, label) in enumerate(labels.items()):
            half = self.table.half(part)
            means, stds = zip(*((row.mean, row.std or 0.0) for row in half.values()), strict=True)
            _curve(axes, list(half), means, stds, index, label)
            axes.set_xticks(list(half))
        first = FIRST_KEPT[self.table.order or "low-to-high"]
        seeds = len(self.table.rows[0].seeds)
        title = f"{self.table.graph or 'graph'}: A against V = Σ uᵢuᵢᵀ, {seeds} seed(s)"
        x = f"kept of the thinned half (%), {first} frequencies first"
        finish(axes, x=x, y="test accuracy (%)", title=title)
        return axes


@dataclass(frozen=True)
class Table1Display:
    """Draw Table 1: accuracy of each augmentation over its GAME score, with the deviation over seeds."""

    table: CaseTable

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.4, 4.4) if ax is None else ax
        for index, row in enumerate(self.table.rows):
            axes.errorbar(
                self.table.game_scores[row.name],
                100 * row.mean,
                yerr=100 * (row.std or 0.0),
                color=COLOURS[index % 6],
                marker=_MARKS[index % len(_MARKS)],
                markersize=7,
                elinewidth=0.9,
                capsize=2,
                linestyle="none",
                label=row.name,
            )
        title = self.table.graph or "graph"
        if self.table.correlation is not None:
            title += ": Spearman {:.2f} (p = {:.2g})".format(*self.table.correlation)
        finish(axes, x="GAME score against A", y="test accuracy (%)", title=title, legend_columns=2)
        return axes


@dataclass(frozen=True)
class SweepDisplay:
    """Draw micro-F1 over the values of a setting, a line per method and graph, with deviations."""

    sweeps: Sequence[Sweep]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes() if ax is None else ax
        setting = self.sweeps[0].setting
        places = list(range(len(setting.values)))
        for index, sweep in enumerate(self.sweeps):
            _curve(axes, places, sweep.means, sweep.stds, index, f"{sweep.method} + SpCo, {sweep.graph}")
        axes.set_xticks(places, [_TARGETS.get(str(value), str(value)) for value in setting.values])
        title = f"Sensitivity to {setting.symbol}"
        finish(axes, x=setting.symbol, y="micro-F1 (%), 20 labels per class", title=title)
        return axes


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
