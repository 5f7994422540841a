"""Pictures of spectra: responses as lines or by band, densities of frequencies, views by GAME score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import COLOURS, MUTED, finish, name_beside_ends, new_axes, new_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..spectral import SpectralDensity, SpectralResponse, ViewRanking

# Lines often coincide; the gaps of a dashed line show the one below it.
_DASHES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (7, 2)), (0, (4, 1, 1, 1, 1, 1)))
# So few lines are named at their ends; more have a legend.
_NAMED_AT_ENDS = 2
# More lines would tangle: each then gets a panel of its own beside the first.
_MOST_TOGETHER = 5
_PANELS_IN_A_ROW = 3
# The first line is broad, so that one that coincides with it does not hide it.
_BROAD: dict[str, Any] = {"linewidth": 5.0, "alpha": 0.35}
# Two standard errors are about a 95% interval.
_ERRORS_SHOWN = 2.0
_EVEN_BANDS = tuple(np.linspace(0.0, 2.0, 12))


@dataclass(frozen=True)
class SpectrumDisplay:
    """Draw the response φ of each view over the frequency λ; F_L lies left of 1, F_H right of it.

    Exact responses are smoothed by means over equal numbers of frequencies, estimated ones drawn as they are.
    More than five responses get a panel each, beside the first one. ``colours`` are those of the views, for a
    figure whose other axes have taken the first ones.
    """

    responses: Mapping[str, SpectralResponse]
    points: int = 120
    title: str = "Spectrum"
    colours: Sequence[str] = COLOURS

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure; of several panels, return the first."""
        if ax is None and len(self.responses) > _MOST_TOGETHER:
            return self._panels()
        axes = new_axes() if ax is None else ax
        for index, (name, response) in enumerate(self.responses.items()):
            look: dict[str, Any] = _BROAD if index == 0 and len(self.responses) > 1 else {"linewidth": 1.6}
            colour, dashes = self.colours[index % len(self.colours)], _DASHES[index % len(_DASHES)]
            axes.plot(*smoothed(response, self.points), color=colour, linestyle=dashes, label=name, **look)
        if len(self.responses) <= _NAMED_AT_ENDS:
            name_beside_ends(axes)
        _over_frequencies(axes, y="response φ(λ)", title=self.title)
        legend = axes.get_legend()
        if legend is not None and len(self.responses) > _MOST_TOGETHER:
            legend.set_loc("center left")
            legend.set_bbox_to_anchor((1.0, 0.5))
        return axes

    def _panels(self) -> Axes:
        """Draw each response but the first in a panel of its own, with the first one behind it."""
        (reference, base), *others = self.responses.items()
        rows = -(-len(others) // _PANELS_IN_A_ROW)
        panels = new_panels(rows, _PANELS_IN_A_ROW, title=self.title)
        for axes, (name, response) in zip(panels, others, strict=False):
            label = reference if axes is panels[0] else None
            axes.plot(*smoothed(base, self.points), color=MUTED, label=label, **_BROAD)
            axes.plot(*smoothed(response, self.points), color=self.colours[0], linewidth=1.6)
            axes.axvline(1.0, color="0.6", linewidth=0.8, linestyle=":")
            finish(axes, title=name)
        panels[0].set(xlim=(0, 2), xticks=(0, 1, 2))
        for axes in panels[len(others) :]:
            axes.remove()
        for axes in panels[max(0, len(others) - _PANELS_IN_A_ROW) : len(others)]:
            axes.set_xlabel("frequency λ")
            axes.tick_params(labelbottom=True)
        for axes in panels[::_PANELS_IN_A_ROW]:
            axes.set_ylabel("response φ(λ)")
        return panels[0]


def smoothed(response: SpectralResponse, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies and values; more than ``points`` are averaged in groups of equal size."""
    frequency, value = np.asarray(response.frequencies), np.asarray(response.values)
    known = np.isfinite(value)
    frequency, value = frequency[known], value[known]
    if len(frequency) <= points:
        return frequency, value
    groups = np.array_split(np.argsort(frequency, kind="stable"), points)
    return (
        np.array([frequency[group].mean() for group in groups]),
        np.array([value[group].mean() for group in groups]),
    )


@dataclass(frozen=True)
class DensityDisplay:
    """Draw the density of the frequencies of one or several graphs, with two standard errors if estimated.

    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> axes = DensityDisplay({"wine": spco.spectral_density(g)}).plot()
    >>> axes.get_ylabel()
    'density of frequencies'
    """

    densities: Mapping[str, SpectralDensity]
    title: str = "Spectral density"

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes() if ax is None else ax
        for index, (name, found) in enumerate(self.densities.items()):
            colour = COLOURS[index % len(COLOURS)]
            axes.stairs(found.density, found.edges, color=colour, linewidth=1.6, label=name)
            margin = _ERRORS_SHOWN * found.errors
            if margin.any():
                axes.stairs(
                    found.density + margin,
                    found.edges,
                    baseline=np.maximum(found.density - margin, 0.0),
                    fill=True,
                    color=colour,
                    alpha=0.25,
                )
        axes.set_ylim(bottom=0)
        _over_frequencies(axes, y="density of frequencies", title=self.title)
        return axes


def _over_frequencies(axes: Axes, *, y: str, title: str) -> None:
    """Finish a picture whose horizontal axis is λ."""
    axes.axvline(1.0, color="0.6", linewidth=0.8, linestyle=":")
    axes.set_xlim(0, 2)
    for kind, side, shift in (("low", "right", -3), ("high", "left", 3)):
        axes.annotate(
            f"{kind} frequencies",
            (1.0, 1.0),
            (shift, 3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha=side,
            fontsize="x-small",
            color=MUTED,
        )
    finish(axes, x="frequency λ", y=y, title=title)
    axes.set_title(title, pad=16)


@dataclass(frozen=True)
class BandsDisplay:
    """Draw the mean response φ of each view in each band, with two standard errors where it is estimated.

    ``edges`` are the bands of exact responses (default: 11 equal ones over [0, 2]); estimated responses have
    bands of their own. A band without frequencies stays empty.

    >>> import spco
    >>> from spco.spectral import spectral_responses
    >>> g = spco.load_dataset("wine")
    >>> axes = BandsDisplay(spectral_responses(g, {"A": g.adjacency}, method="stochastic")).plot()
    >>> axes.get_xlabel()
    'band of frequencies λ'
    """

    responses: Mapping[str, SpectralResponse]
    edges: Sequence[float] = _EVEN_BANDS
    title: str = "Response by band"

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes(7.6) if ax is None else ax
        first = next(iter(self.responses.values()))
        edges = np.asarray(self.edges if first.edges is None else first.edges)
        places, width = np.arange(len(edges) - 1), 0.84 / len(self.responses)
        for index, (name, response) in enumerate(self.responses.items()):
            estimated = response.edges is not None
            means = response.values if estimated else response.band_means(edges)
            known = np.isfinite(means)
            axes.bar(
                places[known] + (index - (len(self.responses) - 1) / 2) * width,
                means[known],
                width * 0.94,
                yerr=_ERRORS_SHOWN * response.errors[known] if estimated else None,
                color=COLOURS[index % len(COLOURS)],
                error_kw={"elinewidth": 0.9, "capsize": min(2.0, 12 * width)},
                label=name,
            )
        axes.axhline(0.0, color="0.3", linewidth=0.8)
        # λ = 1, where low frequencies end, lies inside a band: the line is placed in proportion.
        axes.axvline(
            np.interp(1.0, edges, np.arange(len(edges)) - 0.5), color="0.6", linewidth=0.8, linestyle=":"
        )
        axes.set_xticks(places, [f"{low:.2f}–\n{high:.2f}" for low, high in pairwise(edges)])
        axes.tick_params(axis="x", labelsize="x-small", length=0)
        estimated = any(response.edges is not None for response in self.responses.values())
        title = self.title + (", ± two standard errors" if estimated else "")
        finish(axes, x="band of frequencies λ", y="mean response φ", title=title)
        return axes


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
    title: str = "Views ranked without labels"

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
        estimated = any(report.interval is not None for _, report in self.ranking)
        title = self.title + (", with 95% intervals" if estimated else "")
        finish(axes, x="GAME score against A (0.5: no structure, 1: the rule holds)", title=title)
        axes.grid(visible=False, axis="y")
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        return axes
