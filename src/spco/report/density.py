"""Where the frequencies of graphs lie, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .style import COLOURS, bare, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..spectral import SpectralDensity

_ERRORS_SHOWN = 2.0


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
        axes.axvline(1.0, color="0.6", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, 2)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("frequency λ")
        axes.set_ylabel("density of frequencies")
        axes.set_title("Spectral density: low frequencies left of λ = 1, high ones right")
        axes.legend(frameon=False, fontsize="small")
        bare(axes)
        return axes
