"""An advice as a picture: where the graph lies between neighbours that differ and neighbours that agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import COLOURS, MUTED, finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..advice import Advice


_SHORT_BAR = 0.1


@dataclass(frozen=True)
class AdviceDisplay:
    """Draw the shares that an advice rests on, each beside what chance would give.

    >>> import spco
    >>> axes = AdviceDisplay(spco.advise(spco.load_dataset("wine"))).plot()
    >>> axes.get_xlabel()
    '%'
    """

    advice: Advice

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(height=3.6) if ax is None else ax
        features = self.advice.features
        rows = [
            ("features closer to own neighbours'", features.agreement, 0.5),
            ("feature energy at low frequencies", features.low_energy, features.low_energy_by_chance),
        ]
        # Of a GAME score, 0.5 is no structure.
        rows += [(f"GAME score of {view}", score, 0.5) for view, score in self.advice.game.items()]
        rows = [row for row in rows if not math.isnan(row[1])]  # of very large graphs some are not measured
        places = range(len(rows))
        axes.barh(
            places, [100 * value for _, value, _ in rows], height=0.6, color=COLOURS[0], label="this graph"
        )
        for place, (_, value, chance) in zip(places, rows, strict=True):
            axes.plot([100 * chance] * 2, [place - 0.42, place + 0.42], color=COLOURS[1], linewidth=2)
            # At the foot of the bar, where the mark of chance does not cross the number.
            inside = value > _SHORT_BAR
            axes.annotate(
                f"{100 * value:.0f}",
                (0 if inside else 100 * value, place),
                (5, 0),
                textcoords="offset points",
                va="center",
                color="white" if inside else "black",
            )
        axes.plot([], [], color=COLOURS[1], linewidth=2, label="by chance")
        axes.set_yticks(list(places), [name for name, _, _ in rows])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        use = f"{self.advice.method}{' + SpCo' if self.advice.spectral else ''}"
        finish(axes, x="%", title=f"{use} suits {self.advice.graph or 'this graph'}", legend_columns=2)
        axes.legend(frameon=False, fontsize="small", ncols=2, loc="upper left", bbox_to_anchor=(0, -0.14))
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_color(MUTED)
        return axes
