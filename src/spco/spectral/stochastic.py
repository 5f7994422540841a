"""Responses of any number of views on a graph of any size: band filters and random probes."""

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

_GRID = 1000
# Bands that nothing lies in still get edges: this share of the mass counts as spread evenly over [0, 2].
_EVEN_SHARE = 1e-3
# A band with less than this share of an average one's frequencies holds nothing but its neighbours' ringing.
_LEAK = 0.01


@dataclass(frozen=True, eq=False)
class SpectralShares:
    """Which share of the frequencies lies in each of many narrow bins; no bin has 1 inside."""

    edges: np.ndarray
    shares: np.ndarray

    @property
    def centres(self) -> np.ndarray:
        """The middle of each bin."""
        return np.asarray((self.edges[1:] + self.edges[:-1]) / 2)

    @property
    def below(self) -> np.ndarray:
        """The share of frequencies below each edge; rises strictly."""
        even = _EVEN_SHARE / len(self.shares)
        return np.concatenate([[0.0], np.cumsum((1.0 - _EVEN_SHARE) * self.shares + even)])


@dataclass(frozen=True, eq=False)
class BandEstimate:
    """What every probe saw in every band; ratios of sums over probes are the estimates.

    Attributes
    ----------
    edges : (B + 1,)
    counts : (P, B)
        Estimates of how many frequencies are in the band.
    adjacency : (P, B)
        Estimates of Σ φ_A over them.
    views : (V, P, B)
        Estimates of Σ φ_V over them.
    density : SpectralShares
        Where the frequencies are, more finely than by bands.
    """

    edges: np.ndarray
    counts: np.ndarray
    adjacency: np.ndarray
    views: np.ndarray
    density: SpectralShares

    @cached_property
    def occupied(self) -> np.ndarray:
        """Which bands hold more than what leaks in from their neighbours, (B,) bool."""
        held = self.counts.sum(axis=0)
        return np.asarray(held > _LEAK * held.sum() / len(held))

    @property
    def mean_counts(self) -> np.ndarray:
        """The estimated number of frequencies in each band, 0 where it is not occupied."""
        return np.where(self.occupied, self.counts.mean(axis=0), 0.0)

    def band_means(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean over each band and its standard error over the probes, by the jackknife.

        Both are NaN where a band is not occupied.
        """
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
    of the band's indicator. All operators share the one recurrence that gives y.

    Why not ⟨z, V̂·y_b⟩, whose expectation is the same: z is the sum of all y_c, and those of bands apart
    contribute nothing but noise, for h_c·h_b = 0 there. Leaving them out makes the error of a view that does
    not commute with L smaller by a third to a half, for one more product with V̂ per band.
    """
    operator = shifted_laplacian(graph.adjacency)
    density = spectral_shares(operator, settings.moments, rng)
    edges = band_edges(density, settings)
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
    return BandEstimate(edges, counts, adjacency=-sums[0], views=sums[1:], density=density)


def _signs(rng: np.random.Generator, size: int, used: int) -> np.ndarray:
    """Return ``used`` columns of random signs, filled up with zeros."""
    signs = np.zeros((size, COLUMNS))
    signs[:, :used] = 2.0 * rng.integers(0, 2, (size, used), dtype=np.int8) - 1.0
    return signs


def spectral_shares(operator: SparseSymmetric, moments: int, rng: np.random.Generator) -> SpectralShares:
    """Estimate where the frequencies are, from one block of probes."""
    grid = np.linspace(0.0, 2.0, _GRID + 1)
    found = density_estimate(operator, grid, moments, COLUMNS, rng).mean(axis=0)
    return SpectralShares(grid, found / found.sum())


def band_edges(density: SpectralShares, settings: ResponseSettings) -> np.ndarray:
    """Return the edges of the bands: those asked for, or about equally many frequencies in each.

    The middle band reaches equally far to both sides of 1, at least as far as the filters can tell apart.
    Edges then move to the emptiest place nearby: an edge within a heap would split it.
    """
    if not isinstance(settings.bands, int):
        return np.asarray(settings.bands, dtype=np.float64)
    return _even_edges(density, settings.bands, np.pi / settings.moments)


def density_estimate(
    operator: SparseSymmetric, edges: np.ndarray, moments: int, probes: int, rng: np.random.Generator
) -> np.ndarray:
    """Return how many frequencies each probe sees between the edges, (probes, bins)."""
    coefficients = band_coefficients(edges, jackson_factors(moments))
    found = [
        (coefficients @ chebyshev_moments(operator, _signs(rng, operator.pattern.size, used), moments)).T[
            :used
        ]
        for used in (min(COLUMNS, probes - first) for first in range(0, probes, COLUMNS))
    ]
    return np.concatenate(found)


def _even_edges(density: SpectralShares, bands: int, resolution: float) -> np.ndarray:
    half, grid, below = (bands - 1) // 2, density.edges, density.below
    reach = grid[(grid >= 2.0 * resolution) & (grid < 1.0)]
    reach = reach if len(reach) else np.array([0.5])
    held = np.interp(1.0 + reach, grid, below) - np.interp(1.0 - reach, grid, below)
    width = reach[min(int(np.searchsorted(held, 1.0 / bands)), len(reach) - 1)]
    low = np.interp(np.linspace(0.0, np.interp(1.0 - width, grid, below), half + 1), below, grid)
    high = np.interp(np.linspace(np.interp(1.0 + width, grid, below), 1.0, half + 1), below, grid)
    inner = np.concatenate([low[1:], high[:-1]])
    return _at_emptiest(np.concatenate([[0.0], inner, [2.0]]), density, resolution)


def _at_emptiest(edges: np.ndarray, density: SpectralShares, resolution: float) -> np.ndarray:
    """Move every inner edge to the emptiest place within reach, keeping clear of 1 and of its neighbours."""
    moved, starts = edges.copy(), density.edges[:-1]
    for b in range(1, len(edges) - 1):
        before, after = np.diff(edges[b - 1 : b + 2]) / 3
        inside = np.flatnonzero(
            (starts > edges[b] - min(resolution, before)) & (starts < edges[b] + min(resolution, after))
        )
        if len(inside):
            moved[b] = starts[inside[np.argmin(density.shares[inside])]]
    return moved
