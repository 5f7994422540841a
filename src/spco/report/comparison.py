"""Scores of methods with and without SpCo as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, finish, greys, new_axes
from .wording import rate_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..evaluation import Comparison, SummaryRow

# More names would not fit into a title.
_MOST_NAMED = 3


@dataclass(frozen=True)
class ComparisonDisplay:
    """Draw micro-F1 per method and label rate, mean and standard deviation over seeds.

    Methods have colours, free baselines shades of grey. The bars start at 0.

    >>> from spco.evaluation import score_runs
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> result = score_runs(g, {"features again": lambda seed: g.features}, seeds=[0, 1])
    >>> axes = ComparisonDisplay(result).plot()
    >>> axes.get_ylabel()
    'micro-F1 (%)'
    """

    result: Comparison

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes() if ax is None else ax
        rows: dict[str, list[SummaryRow]] = {name: [] for name in self.result.names}
        for row in self.result.summary():
            rows[row.name].append(row)
        places = np.arange(len(self.result.rates))
        width = 0.84 / len(rows)
        colours = self._colours()
        for index, (name, cells) in enumerate(rows.items()):
            axes.bar(
                places + (index - (len(rows) - 1) / 2) * width,
                [100 * cell.mean for cell in cells],
                width * 0.92,
                yerr=[100 * (cell.std or 0.0) for cell in cells],
                color=colours[name],
                error_kw={"elinewidth": 0.9},
                label=name,
            )
        axes.set_ylim(bottom=0.0)
        axes.set_xticks(places, [rate_title(rate) for rate in self.result.rates])
        finish(axes, y="micro-F1 (%)", title=self._title(), legend_columns=4)
        legend = axes.get_legend()
        if legend is not None:  # below the axes, where no bar is
            legend.set_loc("upper center")
            legend.set_bbox_to_anchor((0.5, -0.09))
        return axes

    def _trained(self) -> list[str]:
        from ..evaluation import BASELINES

        return [name for name in self.result.names if name not in BASELINES]

    def _colours(self) -> dict[str, str]:
        trained = self._trained()
        free = [name for name in self.result.names if name not in trained]
        chosen = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(trained)}
        return {**chosen, **dict(zip(free, greys(len(free)), strict=True))}

    def _title(self) -> str:
        trained = self._trained()
        named = " and ".join(trained) if len(trained) <= _MOST_NAMED else f"{len(trained)} methods"
        graph, seeds = self.result.graph or "graph", len(self.result.seeds)
        over = f"mean ± standard deviation over {seeds} seeds" if seeds > 1 else "one seed"
        return f"{named or 'baselines'} on {graph}, {over}"
