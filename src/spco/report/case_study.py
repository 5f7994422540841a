"""The paper's case study as pictures: accuracy over kept frequencies, and over GAME scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import COLOURS, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..paper import BandCurves, Table1

_MARKS = ("o", "s")


@dataclass(frozen=True)
class BandCurvesDisplay:
    """Draw Figure 4: accuracy over how much of F_L, or of F_H, the view keeps, with the deviation over seeds.

    Both curves share one axis, unlike the paper's, so that their heights can be compared.
    """

    curves: BandCurves

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(5.6, 4.0) if ax is None else ax
        rates = [100 * rate for rate in self.curves.rates]
        named = (
            ("$F_L$ thinned out, $F_H$ whole", self.curves.low),
            ("$F_H$ thinned out, $F_L$ whole", self.curves.high),
        )
        for (label, results), colour, mark in zip(named, COLOURS, _MARKS, strict=False):
            axes.errorbar(
                rates,
                [100 * result.mean for result in results],
                yerr=[100 * (result.std or 0.0) for result in results],
                color=colour,
                marker=mark,
                markersize=5,
                linewidth=1.6,
                elinewidth=0.9,
                capsize=2,
                label=label,
            )
        axes.set_xticks(rates)
        axes.set_xlabel(f"kept of the thinned half (%), {_ORDERS[self.curves.order]}")
        axes.set_ylabel("test accuracy (%)")
        seeds = len(self.curves.low[0].seeds)
        axes.set_title(f"{self.curves.graph or 'graph'}: A against V = Σ uᵢuᵢᵀ, {seeds} seed(s)")
        axes.legend(frameon=False, fontsize="small")
        bare(axes)
        return axes


_ORDERS = {"low-to-high": "lowest frequencies first", "high-to-low": "highest frequencies first"}


@dataclass(frozen=True)
class Table1Display:
    """Draw Table 1: accuracy of each augmentation over its GAME score, with the deviation over seeds."""

    table: Table1

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.4, 4.4) if ax is None else ax
        for index, (row, score) in enumerate(zip(self.table.rows, self.table.game_scores, strict=True)):
            axes.errorbar(
                score,
                100 * row.mean,
                yerr=100 * (row.std or 0.0),
                color=COLOURS[index % 6],
                marker="osD^vP*Xh"[index % 9],
                markersize=7,
                elinewidth=0.9,
                capsize=2,
                linestyle="none",
                label=row.name,
            )
        axes.set_xlabel("GAME score against A")
        axes.set_ylabel("test accuracy (%)")
        found = f"Spearman {self.table.correlation:.2f} (p = {self.table.p_value:.2g})"
        axes.set_title(f"{self.table.graph or 'graph'}: {found}")
        axes.legend(frameon=False, fontsize="small", ncols=2)
        bare(axes)
        return axes
