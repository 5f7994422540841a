"""Mean ranks with their critical difference as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import COLOURS, MUTED, finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class CriticalDifferenceDisplay:
    """Draw mean ranks, best on top, each between bars of half a critical difference.

    Two entries whose bars do not overlap differ by more than the critical difference. The shaded part is
    what cannot be told apart from the best.

    Attributes
    ----------
    mean_ranks : mapping of names to mean ranks
    kinds : mapping of names to kinds
        Entries of one kind share a colour, in the order of the mapping.
    critical_difference : float
    muted : kinds that are drawn in grey, such as baselines

    >>> ranks = {"a": 1.2, "b": 2.0, "features": 2.8}
    >>> kinds = {"a": "trained", "b": "trained", "features": "free"}
    >>> axes = CriticalDifferenceDisplay(ranks, kinds, 1.0, muted=["free"]).plot()
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['a  1.2', 'b  2.0', 'features  2.8']
    """

    mean_ranks: Mapping[str, float]
    kinds: Mapping[str, str]
    critical_difference: float
    muted: Sequence[str] = ()
    title: str = "Mean rank"

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(6.8, 1.4 + 0.24 * len(self.mean_ranks)) if ax is None else ax
        order = sorted(self.mean_ranks, key=lambda name: self.mean_ranks[name])
        half = self.critical_difference / 2
        best = self.mean_ranks[order[0]]
        axes.axvspan(best, best + self.critical_difference, color=COLOURS[5], alpha=0.15, linewidth=0)
        colours = self._colours()
        for kind, colour in colours.items():
            places = [place for place, name in enumerate(order) if self.kinds[name] == kind]
            ranks = [self.mean_ranks[order[place]] for place in places]
            axes.errorbar(
                ranks,
                places,
                xerr=half,
                fmt="o" if kind not in self.muted else "D",
                color=colour,
                markersize=5,
                elinewidth=1.1,
                capsize=2,
                label=kind,
            )
        axes.set_yticks(range(len(order)), [f"{name}  {self.mean_ranks[name]:.1f}" for name in order])
        axes.set_ylim(len(order) - 0.4, -0.6)
        x = f"mean rank, 1 is best; bars: half of the critical difference {self.critical_difference:.1f}"
        finish(axes, x=x, title=self.title)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        if len(colours) > 1:
            axes.legend(frameon=False, fontsize="small", loc="lower left")
        return axes

    def _colours(self) -> dict[str, str]:
        """Return a colour for each kind that is there, in the order of the kinds."""
        present = list(dict.fromkeys(self.kinds[name] for name in self.kinds if name in self.mean_ranks))
        coloured = [kind for kind in present if kind not in self.muted]
        return {
            kind: MUTED if kind in self.muted else COLOURS[coloured.index(kind) % len(COLOURS)]
            for kind in present
        }
