"""Views by GAME score as a chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, MUTED, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..spectral import ViewRanking


@dataclass(frozen=True)
class RankDisplay:
    """Draw the GAME score of each view, the best on top, with its interval where it was estimated.

    >>> import spco
    >>> from spco.views import DropEdges, PPR
    >>> ranking = spco.rank_views(spco.load_dataset("wine"), {"ppr": PPR(), "drop": DropEdges()})
    >>> axes = RankDisplay(ranking).plot()
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['ppr', 'drop']
    """

    ranking: ViewRanking

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        count = len(self.ranking)
        axes = new_axes(6.4, 1.4 + 0.38 * count) if ax is None else ax
        places = np.arange(count)
        axes.hlines(places, 0.5, self.ranking.scores, color=MUTED, linewidth=1.2)
        axes.plot(self.ranking.scores, places, "o", color=COLOURS[0], markersize=7)
        for place, (_, report) in enumerate(self.ranking):
            if report.interval is not None:
                axes.plot(report.interval, [place, place], color=COLOURS[1], linewidth=3, alpha=0.6, zorder=1)
            axes.annotate(
                f"{report.score:.3f}",
                (report.score, place),
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                fontsize="x-small",
            )
        axes.axvline(0.5, color="0.5", linewidth=0.8, linestyle=":")
        axes.set_yticks(places, list(self.ranking.names))
        axes.set_ylim(count - 0.5, -0.7)
        ends = [end for _, report in self.ranking for end in (report.score, *(report.interval or ()))]
        axes.set_xlim(min(0.4, min(ends) - 0.03), 1.03)
        axes.set_xlabel("GAME score against A (0.5: no structure, 1: the rule holds)")
        estimated = any(report.interval is not None for _, report in self.ranking)
        axes.set_title("Views ranked without labels" + (", with 95% intervals" if estimated else ""))
        bare(axes)
        axes.grid(visible=False, axis="y")
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        return axes
