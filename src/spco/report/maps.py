"""Embeddings in the plane as a picture, coloured by class, one map beside the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import COLOURS, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_WAYS = {
    "pca": "two principal components",
    "tsne": "t-SNE: neighbours count, distances do not",
    "umap": "UMAP: neighbours count, distances do not",
}
_PANEL = 4.4  # inches
_MARK, _LETTER, _ROW = 0.7, 0.085, 0.24  # of the legend
_MOST_DRAWN = 5000  # as shapes; more become an image within the picture


@dataclass(frozen=True, eq=False)
class MapDisplay:
    """Draw embeddings in two dimensions side by side; each class has a colour and a mark of its own.

    Attributes
    ----------
    maps : mapping of titles to (N, 2) arrays
        Such as :func:`spco.evaluation.planar_maps` returns; all have the same nodes in the same order.
    labels : (N,) integers, optional
        Class numbers; nodes with -1 are grey.
    label_names : names by class number, optional
    method : {"pca", "tsne", "umap"}
        What made the maps, which is written below them.
    title : str, optional

    Examples
    --------
    >>> import spco
    >>> from spco.evaluation import planar_maps, sgc
    >>> wine = spco.load_dataset("wine")
    >>> maps = planar_maps({"features": wine.features, "smoothed": sgc(wine)})
    >>> panels = MapDisplay(maps, wine.labels, title="wine").plot()
    >>> [axes.get_title() for axes in panels]
    ['features', 'smoothed']
    """

    maps: Mapping[str, np.ndarray]
    labels: np.ndarray | None = None
    label_names: Sequence[str] | None = None
    method: str = "pca"
    title: str | None = None

    def plot(self) -> list[Axes]:
        """Draw a new figure, and return the axes of its panels."""
        from matplotlib.figure import Figure

        present = self._classes()
        longest = max((len(self._name(number)) for number in present), default=0)
        columns = max(1, int(_PANEL * len(self.maps) / (_MARK + _LETTER * longest)))
        rows = -(-len(present) // columns)
        size = (_PANEL * len(self.maps), _PANEL + 0.5 + _ROW * rows)
        figure = Figure(figsize=size, layout="constrained")
        if self.title is not None:
            figure.suptitle(self.title)
        panels: list[Axes] = list(figure.subplots(1, len(self.maps), squeeze=False)[0])
        for axes, (title, points) in zip(panels, self.maps.items(), strict=True):
            self._draw(axes, points)
            axes.set_title(title)
            axes.set_xlabel(_WAYS[self.method], color=MUTED, fontsize="small")
        if len(present):
            handles = [self._point(axes, number) for number in present]
            figure.legend(
                handles=handles,
                loc="outside lower center",
                ncols=min(columns, len(present)),
                frameon=False,
                fontsize="small",
            )
        return panels

    def _classes(self) -> np.ndarray:
        """Return the class numbers that occur, -1 last."""
        if self.labels is None:
            return np.empty(0, dtype=np.int64)
        numbers = np.unique(self.labels)
        return np.concatenate([numbers[numbers >= 0], numbers[numbers < 0]])

    def _draw(self, axes: Axes, points: np.ndarray) -> None:
        # In a random order no class hides another; nodes without a class lie below all others.
        order = np.random.default_rng(0).permutation(len(points))
        numbers = np.zeros(len(points), dtype=np.int64) if self.labels is None else np.asarray(self.labels)
        size = float(np.clip(20_000 / len(points), 3, 30))
        looks = [(number < 0, self._mark(number)) for number in numbers[order]]
        for is_below, mark in sorted(set(looks), reverse=True):
            nodes = order[[look == (is_below, mark) for look in looks]]
            axes.scatter(
                points[nodes, 0],
                points[nodes, 1],
                s=size,
                c=[self._colour(number) for number in numbers[nodes]],
                marker=mark,
                alpha=0.35 if is_below else 0.8,
                linewidths=0,
                rasterized=len(points) > _MOST_DRAWN,
            )
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_aspect("equal", adjustable="datalim")
        for spine in axes.spines.values():
            spine.set_color("0.85")

    def _point(self, axes: Axes, number: int) -> Any:
        mark, colour, name = self._mark(number), self._colour(number), self._name(number)
        return axes.plot([], [], mark, label=name, color=colour, markersize=6, markeredgewidth=0)[0]

    def _name(self, number: int) -> str:
        if number < 0:
            return "no label"
        return f"class {number}" if self.label_names is None else str(self.label_names[number])

    def _mark(self, number: int) -> str:
        return _MARKERS[max(0, int(number)) // len(COLOURS) % len(_MARKERS)]

    def _colour(self, number: int) -> str:
        return MUTED if number < 0 else COLOURS[int(number) % len(COLOURS)]
