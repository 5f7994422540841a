"""Scores of methods with and without SpCo as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, MUTED, finish, new_axes
from .wording import rate_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..evaluation import Comparison, SummaryRow


_BASELINES = ("features", "untrained", "sgc")


@dataclass(frozen=True)
class ComparisonDisplay:
    """Draw micro-F1 per method and label rate, mean and standard deviation over seeds.

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
        width = 0.8 / len(rows)
        trained = [name for name in rows if name not in _BASELINES]
        for index, (name, cells) in enumerate(rows.items()):
            colour = COLOURS[trained.index(name) % len(COLOURS)] if name in trained else MUTED
            axes.bar(
                places + (index - (len(rows) - 1) / 2) * width,
                [100 * cell.mean for cell in cells],
                width * 0.92,
                yerr=[100 * (cell.std or 0.0) for cell in cells],
                color=colour,
                alpha=1.0 if name in trained else 0.35 + 0.2 * (index % 3),
                error_kw={"elinewidth": 0.9},
                label=name,
            )
        lowest = min(100 * (cell.mean - (cell.std or 0.0)) for cells in rows.values() for cell in cells)
        axes.set_ylim(bottom=max(0.0, 10 * np.floor(lowest / 10) - 10))
        axes.set_xticks(places, [rate_title(rate) for rate in self.result.rates])
        title = f"{self.result.graph or 'graph'}: linear probe, {len(self.result.seeds)} seed(s)"
        finish(axes, y="micro-F1 (%)", title=title, legend_columns=3)
        return axes
