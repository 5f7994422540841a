"""Mean responses of views in bands of frequencies as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..spectral import SpectralResponse

# Two standard errors are about a 95% interval.
_ERRORS_SHOWN = 2.0
_EVEN_BANDS = tuple(np.linspace(0.0, 2.0, 12))


@dataclass(frozen=True)
class BandsDisplay:
    """Draw the mean response φ of each view in each band, with two standard errors where it is estimated.

    ``edges`` are the bands of exact responses (default: 11 equal ones over [0, 2]); estimated ones bring
    their own. A band that no frequency lies in stays empty.

    >>> import spco
    >>> from spco.spectral import spectral_responses
    >>> g = spco.load_dataset("wine")
    >>> axes = BandsDisplay(spectral_responses(g, {"A": g.adjacency}, method="stochastic")).plot()
    >>> axes.get_xlabel()
    'band of frequencies λ'
    """

    responses: Mapping[str, SpectralResponse]
    edges: Sequence[float] = _EVEN_BANDS

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
        _mark_one(axes, edges)
        axes.set_xticks(places, [f"{low:.2f}–\n{high:.2f}" for low, high in pairwise(edges)])
        axes.tick_params(axis="x", labelsize="x-small", length=0)
        axes.set_xlabel("band of frequencies λ")
        axes.set_ylabel("mean response φ")
        estimated = any(response.edges is not None for response in self.responses.values())
        axes.set_title("Response by band" + (", ± two standard errors" if estimated else ""))
        axes.legend(frameon=False, fontsize="small")
        bare(axes)
        return axes


def _mark_one(axes: Axes, edges: np.ndarray) -> None:
    """Draw a line where low frequencies end: λ = 1 is inside a band, in proportion."""
    band = int(np.clip(np.searchsorted(edges, 1.0, side="right") - 1, 0, len(edges) - 2))
    inside = (1.0 - edges[band]) / (edges[band + 1] - edges[band])
    axes.axvline(band - 0.5 + inside, color="0.6", linewidth=0.8, linestyle=":")
