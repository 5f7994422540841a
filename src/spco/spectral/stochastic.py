"""Responses of views on a graph of any size, by band filters and random probes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..graph import Graph
from ..linalg.chebyshev import (
    COLUMNS,
    BilinearForms,
    band_coefficients,
    chebyshev_moments,
    filtered,
    jackson_factors,
    lanczos_factors,
)
from ..linalg.laplacian import SparseSymmetric, shifted_laplacian
from .settings import ResponseSettings

#: The edges of many narrow bins of frequencies; no bin contains 1.
GRID = np.linspace(0.0, 2.0, 1001)
# This share of the mass is spread evenly over [0, 2], so that empty bands get edges, too.
_EVEN_SHARE = 1e-3
# A band with less than this share of an average band's frequencies holds only its neighbours' ringing.
_LEAK = 0.01


@dataclass(frozen=True, eq=False)
class BandEstimate:
    """What every probe saw in every band; the estimates are ratios of sums over probes.

    Attributes
    ----------
    edges : (B + 1,)
    counts : (P, B)
        Estimated number of frequencies in the band.
    adjacency : (P, B)
        Estimated Σ φ_A over them.
    views : (V, P, B)
        Estimated Σ φ_V over them.
    shares : (len(GRID) − 1,)
        The share of the frequencies in each bin of ``GRID``.
    """

    edges: np.ndarray
    counts: np.ndarray
    adjacency: np.ndarray
    views: np.ndarray
    shares: np.ndarray

    @cached_property
    def occupied(self) -> np.ndarray:
        """Which bands hold more than the leakage from their neighbours, (B,) bool."""
        held = self.counts.sum(axis=0)
        return np.asarray(held > _LEAK * held.sum() / len(held))

    @property
    def mean_counts(self) -> np.ndarray:
        """The estimated number of frequencies in each band, 0 where it is not occupied."""
        return np.where(self.occupied, self.counts.mean(axis=0), 0.0)

    def band_means(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean over each band and its jackknife standard error; NaN for unoccupied bands."""
        probes = len(self.counts)
        mean = self.ratio(sums.sum(axis=0), self.counts.sum(axis=0))
        left_out = self.ratio(sums.sum(axis=0) - sums, self.counts.sum(axis=0) - self.counts)
        spread = left_out - left_out.mean(axis=0)
        return mean, np.sqrt((probes - 1) / probes * (spread**2).sum(axis=0))

    def ratio(self, sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return sums / counts, and NaN for bands that are not occupied."""
        seen = self.occupied & (counts > 0)
        return np.asarray(np.divide(sums, counts, out=np.full_like(sums, np.nan), where=seen))


def estimate_bands(
    graph: Graph,
    operators: Sequence[Any],
    settings: ResponseSettings,
    rng: np.random.Generator,
) -> BandEstimate:
    """Estimate how each symmetric operator V̂ responds in each band of frequencies.

        φ_V(b) = tr(V̂·h_b(L)) / tr h_b(L) ≈ Σ_z ⟨x_b, V̂·y_b⟩ / Σ_z ⟨x_b, y_b⟩

    with y_b = h_b(L)·z for random signs z, x_b = y_{b−1} + y_b + y_{b+1}, and h_b the damped Chebyshev series
    of the band's indicator. All operators share the recurrence that gives y.

    ⟨z, V̂·y_b⟩ would have the same expectation, but z is the sum of all y_c, and the y_c of distant bands,
    where h_c·h_b = 0, add nothing but noise. Leaving them out reduces the error for a view that does not
    commute with L by a third to a half, at the cost of one more product with V̂ per band.
    """
    operator = shifted_laplacian(graph.adjacency)
    shares = spectral_shares(operator, settings.moments, rng)
    edges = band_edges(shares, settings)
    coefficients = band_coefficients(edges, lanczos_factors(settings.moments))
    counts = np.empty((settings.probes, len(edges) - 1))
    sums = np.empty((1 + len(operators), *counts.shape))
    # −(L − I) is the normalised adjacency itself.
    forms = [BilinearForms(matrix) for matrix in (operator.matrix(), *operators)]
    for first in range(0, settings.probes, COLUMNS):
        used = min(COLUMNS, settings.probes - first)
        bands = filtered(operator, _signs(rng, graph.num_nodes, used), coefficients)
        rows = slice(first, first + used)
        for b, band in enumerate(bands):
            around = bands[max(0, b - 1) : b + 2].sum(axis=0)
            counts[rows, b] = np.einsum("nc,nc->c", around, band)[:used]
            for index, form in enumerate(forms):
                sums[index, rows, b] = form(around, band)[:used]
    return BandEstimate(edges, counts, adjacency=-sums[0], views=sums[1:], shares=shares)


def _signs(rng: np.random.Generator, size: int, used: int) -> np.ndarray:
    """Return ``used`` columns of random signs, padded with zeros."""
    signs = np.zeros((size, COLUMNS))
    signs[:, :used] = 2.0 * rng.integers(0, 2, (size, used), dtype=np.int8) - 1.0
    return signs


def spectral_shares(operator: SparseSymmetric, moments: int, rng: np.random.Generator) -> np.ndarray:
    """Estimate the share of the frequencies in each bin of ``GRID`` from one block of probes."""
    found = density_estimate(operator, GRID, moments, COLUMNS, rng).mean(axis=0)
    return np.asarray(found / found.sum())


def band_edges(shares: np.ndarray, settings: ResponseSettings) -> np.ndarray:
    """Return the edges of the bands: those asked for, or about equally many frequencies in each.

    The middle band is symmetric about 1 and at least as wide as the filters can resolve. Each edge then moves
    to the emptiest place nearby, because an edge within a heap would split it.
    """
    if not isinstance(settings.bands, int):
        return np.asarray(settings.bands, dtype=np.float64)
    bands, resolution = settings.bands, np.pi / settings.moments
    below = np.concatenate([[0.0], np.cumsum((1.0 - _EVEN_SHARE) * shares + _EVEN_SHARE / len(shares))])
    reach = GRID[(GRID >= 2.0 * resolution) & (GRID < 1.0)]  # noqa: SIM300
    reach = reach if len(reach) else np.array([0.5])
    held = np.interp(1.0 + reach, GRID, below) - np.interp(1.0 - reach, GRID, below)
    width = reach[min(int(np.searchsorted(held, 1.0 / bands)), len(reach) - 1)]
    half = (bands - 1) // 2
    low = np.interp(np.linspace(0.0, np.interp(1.0 - width, GRID, below), half + 1), below, GRID)
    high = np.interp(np.linspace(np.interp(1.0 + width, GRID, below), 1.0, half + 1), below, GRID)
    edges = np.concatenate([[0.0], low[1:], high[:-1], [2.0]])
    return _at_emptiest(edges, shares, resolution)


def _at_emptiest(edges: np.ndarray, shares: np.ndarray, resolution: float) -> np.ndarray:
    """Move every inner edge to the emptiest place within reach, keeping clear of 1 and of its neighbours."""
    moved, starts = edges.copy(), GRID[:-1]
    for b in range(1, len(edges) - 1):
        before, after = np.diff(edges[b - 1 : b + 2]) / 3
        inside = np.flatnonzero(
            (starts > edges[b] - min(resolution, before)) & (starts < edges[b] + min(resolution, after))
        )
        if len(inside):
            moved[b] = starts[inside[np.argmin(shares[inside])]]
    return moved


def density_estimate(
    operator: SparseSymmetric, edges: np.ndarray, moments: int, probes: int, rng: np.random.Generator
) -> np.ndarray:
    """Return how many frequencies each probe sees between the edges, (probes, bins)."""
    coefficients = band_coefficients(edges, jackson_factors(moments))
    found = []
    for first in range(0, probes, COLUMNS):
        signs = _signs(rng, operator.pattern.size, min(COLUMNS, probes - first))
        found.append((coefficients @ chebyshev_moments(operator, signs, moments)).T)
    return np.concatenate(found)[:probes]
