"""The spectra of views as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import COLOURS, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..spectral import SpectralResponse

# Views often lie on top of each other: through the gaps of one line the next shows.
_DASHES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (7, 2)), (0, (4, 1, 1, 1, 1, 1)))

# The names of more views than these would cover the lines.
_MOST_INSIDE = 6


@dataclass(frozen=True)
class SpectrumDisplay:
    """Draw the response φ of each view over the frequency λ; F_L lies left of 1, F_H right of it.

    Exact responses are smoothed by means over equal numbers of frequencies, estimated ones drawn as they are.
    """

    responses: Mapping[str, SpectralResponse]
    points: int = 120

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw on ``ax``, or on a new figure."""
        axes = new_axes() if ax is None else ax
        for index, (name, response) in enumerate(self.responses.items()):
            frequency, value = smoothed(response, self.points)
            colour, dashes = COLOURS[index % len(COLOURS)], _DASHES[index % len(_DASHES)]
            axes.plot(frequency, value, color=colour, linestyle=dashes, linewidth=1.6, label=name)
        axes.axvline(1.0, color="0.6", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, 2)
        axes.set_xlabel("frequency λ")
        axes.set_ylabel("response φ(λ)")
        axes.set_title("Spectrum: low frequencies left of λ = 1, high ones right")
        legend = axes.legend(frameon=False, fontsize="small")
        if len(self.responses) > _MOST_INSIDE:
            legend.set_loc("center left")
            legend.set_bbox_to_anchor((1.0, 0.5))
        bare(axes)
        return axes


def smoothed(response: SpectralResponse, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies and values, as means over equal numbers of frequencies if there are too many."""
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
