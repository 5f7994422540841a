"""How finely spectra are measured, for responses, GAME scores, rankings and densities alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._validation import check_integer, invalid, shown
from ..linalg.eigen import MAX_NODES

_OWNER = "ResponseSettings"


@dataclass(frozen=True)
class ResponseSettings:
    """Settings of :func:`spco.spectral_response` and all that builds on it.

    Attributes
    ----------
    bands : odd int, or ascending edges from 0 to 2
        Bands of frequencies, for ``"stochastic"`` and for the table of a GAME report. A number gives bands
        with about equally many frequencies each, the middle one around 1. Many graphs have a heap of
        eigenvalues at exactly 1 (Cora: 300), and an edge there would split it at random. So the number must
        be odd, and no edge may be 1.
    moments : int
        ``"stochastic"`` only: terms of the Chebyshev series, which resolve frequencies about π/moments apart.
    probes : int
        ``"stochastic"`` only: random vectors; the errors shrink with their square root.
    max_nodes : int
        Larger graphs are not decomposed; use ``"stochastic"`` for them.
    """

    bands: int | Sequence[float] = 11
    moments: int = 100
    probes: int = 20
    max_nodes: int = MAX_NODES

    def __post_init__(self) -> None:
        for name, minimum in (("moments", 2), ("probes", 2), ("max_nodes", 1)):
            value = check_integer(getattr(self, name), name, _OWNER, minimum=minimum)
            object.__setattr__(self, name, int(value))
        object.__setattr__(self, "bands", _checked_bands(self.bands))

    @property
    def even_edges(self) -> np.ndarray:
        """The given edges of the bands, or edges that divide [0, 2] evenly."""
        return np.linspace(0.0, 2.0, self.bands + 1) if isinstance(self.bands, int) else np.array(self.bands)


def checked_settings(settings: Any, owner: str) -> ResponseSettings:
    """Return the settings, or raise for something else."""
    if not isinstance(settings, ResponseSettings):
        raise invalid("settings", owner, "be a ResponseSettings", shown(settings))
    return settings


def _checked_bands(bands: Any) -> int | tuple[float, ...]:
    if isinstance(bands, (int, np.integer)) and not isinstance(bands, bool):
        if bands >= 3 and bands % 2:
            return int(bands)
        hint = "an even number puts an edge at 1, where many graphs have a heap of frequencies"
        raise invalid("bands", _OWNER, "be an odd number >= 3, or edges", shown(bands), hint=hint)
    try:
        edges = np.asarray(bands, dtype=np.float64)
    except (TypeError, ValueError):
        edges = np.empty(0)
    if edges.ndim != 1 or len(edges) < 3 or edges[0] != 0 or edges[-1] != 2 or not (np.diff(edges) > 0).all():
        must = "be an odd number >= 3, or at least 3 ascending edges from 0 to 2"
        raise invalid("bands", _OWNER, must, shown(bands))
    if (edges == 1).any():
        hint = "many graphs have a heap of frequencies at exactly 1, which an edge would split at random"
        raise invalid("bands", _OWNER, "have no edge at 1", shown(bands), hint=hint)
    return tuple(edges.tolist())


DEFAULTS = ResponseSettings()
