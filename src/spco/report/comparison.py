"""Scores of methods with and without SpCo as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import COLOURS, finish, new_axes
from .wording import percent, rate_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..evaluation import Comparison, SummaryRow

# More names would not fit into a title.
_MOST_NAMED = 3
_FREE = "0.35"  # the grey of what trains nothing
_BETWEEN_RATES = 0.8  # of a row
# Of the width of axes: a letter, what is between a dot and its name, and the longest name with room for it.
_LETTER, _OFFSET, _WIDEST_NAME = 0.016, 0.03, 0.6


@dataclass(frozen=True)
class ComparisonDisplay:
    """Draw micro-F1 at each label rate as dots, mean and standard deviation over seeds, each with its name.

    Trained methods have colours and circles, hollow without SpCo. Of the free baselines only the best is
    shown, as a grey square.

    >>> from spco.evaluation import score_runs
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> result = score_runs(g, {"features again": lambda seed: g.features}, seeds=[0, 1])
    >>> axes = ComparisonDisplay(result).plot()
    >>> axes.get_xlabel()
    'micro-F1 (%)'
    """

    result: Comparison

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        groups = [list(self._rows(rate)) for rate in self.result.rates]
        axes = (
            new_axes(height=1.0 + 0.3 * sum(len(rows) + _BETWEEN_RATES for rows in groups))
            if ax is None
            else ax
        )
        middles, top = [], 0.0
        for rows in groups:
            middles.append(top + (len(rows) - 1) / 2)
            for row in rows:
                self._draw(axes, row, top)
                top += 1
            if rows is not groups[-1]:
                axes.axhline(top - 0.5 + _BETWEEN_RATES / 2, color="0.85", linewidth=0.8)
                top += _BETWEEN_RATES
        axes.set_ylim(top - 0.3, -0.7)
        axes.set_yticks(middles, [rate_title(rate).replace(" per", "\nper") for rate in self.result.rates])
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.06)
        _make_room_for_names(axes)
        finish(axes, x="micro-F1 (%)", title=self._title())
        axes.grid(visible=False, axis="y")
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        return axes

    def _rows(self, rate: str) -> Iterator[SummaryRow]:
        """Yield the trained methods in their order, then the best free baseline."""
        found = [row for row in self.result.summary() if row.rate == rate]
        trained = self._trained()
        yield from (row for row in found if row.name in trained)
        free = [row for row in found if row.name not in trained]
        if free:
            yield max(free, key=lambda row: row.mean)

    def _draw(self, axes: Axes, row: SummaryRow, place: float) -> None:
        """Draw a dot with its deviation, and its name and mean to the right."""
        trained, mean, std = self._trained(), 100 * row.mean, 100 * (row.std or 0.0)
        is_free = row.name not in trained
        colour = _FREE if is_free else COLOURS[trained.index(row.name) % len(COLOURS)]
        is_filled = is_free or row.name.endswith("+spco")
        axes.errorbar(
            mean,
            place,
            xerr=std or None,
            fmt="s" if is_free else "o",
            markersize=7,
            markeredgewidth=1.6,
            color=colour,
            markerfacecolor=colour if is_filled else "white",
            elinewidth=1.2,
        )
        name = f"best free: {row.name}" if is_free else row.name
        axes.annotate(
            f"{name}  {percent(row.mean)}",
            (mean + std, place),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            annotation_clip=False,
        )

    def _trained(self) -> list[str]:
        from ..evaluation import BASELINES

        return [name for name in self.result.names if name not in BASELINES]

    def _title(self) -> str:
        trained = self._trained()
        named = " and ".join(trained) if len(trained) <= _MOST_NAMED else f"{len(trained)} methods"
        graph, seeds = self.result.graph or "graph", len(self.result.seeds)
        over = f"mean ± standard deviation over {seeds} seeds" if seeds > 1 else "one seed"
        return f"{named or 'baselines'} on {graph}\n{over}"


def _make_room_for_names(axes: Axes) -> None:
    """Widen the scale to the right until the names, about as wide as their letters are many, fit into it."""
    low, high = axes.get_xlim()
    for text in axes.texts:
        share = min(_LETTER * len(text.get_text()) + _OFFSET, _WIDEST_NAME)
        high = max(high, low + (text.xy[0] - low) / (1 - share))  # type: ignore[attr-defined]
    axes.set_xlim(low, high)
