"""The GAME rule as a number: do two views differ more in high frequencies than in low ones?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from .._random import RandomState
from ..graph import GraphLike
from ..linalg.eigen import Spectrum
from .operators import ViewLike
from .response import METHODS, Measurement, SpectralResponse
from .settings import DEFAULTS, ResponseSettings
from .stochastic import GRID, BandEstimate, estimate_bands
from .weighted_auc import Sides, nothing_to_compare, pair_score

# Cora has 300 eigenvalues at exactly 1; LAPACK scatters them within about 1e-14.
_AT_ONE = 1e-9
_RESAMPLES = 200
_INTERVAL = (2.5, 97.5)
# Bins with less than this share of the average count as empty: the estimated density is smooth, nowhere 0.
_EMPTY = 0.01


@dataclass(frozen=True, eq=False)
class BandTable:
    """Means over bands of frequencies, one row per band; NaN for a band without frequencies.

    Attributes
    ----------
    edges : (B + 1,)
    counts : (B,)
        The number of frequencies in the band, estimated for ``"stochastic"``.
    reference, response : (B,)
        Mean φ of the two views under comparison.
    difference : (B,)
        Mean |Δφ|; for ``"stochastic"`` the size of the mean Δφ.
    """

    edges: np.ndarray
    counts: np.ndarray
    reference: np.ndarray
    response: np.ndarray
    difference: np.ndarray


@dataclass(frozen=True, eq=False)
class GameReport:
    """How well a pair of views follows the GAME rule.

    Attributes
    ----------
    score : float in [0, 1]
        The share of pairs (high, low) of frequencies at which the views differ more in the high one.
    strict : bool
        Whether that holds for every pair, which is the paper's rule; the same as ``score == 1``.
    low_mean, high_mean : float
        Mean |Δφ| over the low and over the high frequencies.
    bands : BandTable
    interval : (float, float) or None
        For ``"stochastic"``: a 95% bootstrap interval of the score over the probes.
    method : str
    """

    score: float
    strict: bool
    low_mean: float
    high_mean: float
    bands: BandTable
    interval: tuple[float, float] | None
    method: str

    def __repr__(self) -> str:
        interval = "" if self.interval is None else f" in [{self.interval[0]:.3f}, {self.interval[1]:.3f}]"
        return (
            f"GameReport(score={self.score:.4f}{interval}, strict={self.strict}, "
            f"low_mean={self.low_mean:.4g}, high_mean={self.high_mean:.4g}, method={self.method!r})"
        )


@dataclass(frozen=True, eq=False)
class ViewRanking:
    """Views from the highest GAME score to the lowest; iterates over (name, report)."""

    names: tuple[str, ...]
    reports: tuple[GameReport, ...]

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores, descending."""
        return tuple(report.score for report in self.reports)

    def __getitem__(self, name: str) -> GameReport:
        return self.reports[self.names.index(name)]

    def __iter__(self) -> Iterator[tuple[str, GameReport]]:
        return iter(zip(self.names, self.reports, strict=True))

    def __len__(self) -> int:
        return len(self.names)


def game_score(
    graph: GraphLike,
    view: ViewLike,
    *,
    normalized: bool = False,
    method: str = "rayleigh",
    against: ViewLike | None = None,
    spectrum: Spectrum | None = None,
    settings: ResponseSettings = DEFAULTS,
    rng: RandomState = 0,
) -> GameReport:
    """Score the pair (A, ``view``) against the general graph augmentation (GAME) rule.

        score = P( |Δφ(λ_m)| > |Δφ(λ_n)| ),   λ_m in [1, 2], λ_n in [0, 1],   Δφ = φ_V − φ_A

    Equal differences (up to 1e-12) count one half, so this is the area under the ROC curve of |Δφ| telling
    high frequencies from low ones: 1 is the paper's rule for every pair, ½ means no structure. It takes
    O(N·log N) after the responses.

    The paper's two intervals share the frequency 1, where many graphs have a heap of eigenvalues (Cora: 300
    of 2708; every node without edges adds one). These (up to 1e-9) count half as high and half as low and are
    not compared with each other, which is the average of tossing a coin for each. Leaving it to rounding
    (λ >= 1 in floating point) would toss that coin anew on every machine.

    With ``method="stochastic"`` only the mean Δφ of each band is known. Δφ is interpolated linearly from band
    to band and weighted by the estimated density of the frequencies. For views whose Δφ is smooth, the result
    is close to the exact score (within 0.02 on Cora and digits). The Δφ of edge dropping and the like jumps
    from one frequency to the next, and a band averages the jumps away. Little is left, so the score is
    uncertain; ``interval`` says by how much.

    Parameters
    ----------
    against : matrix, LinearOperator, View or Augmented, optional
        The other view of the pair, instead of A.
    graph, view, normalized, method, spectrum, settings, rng
        As in :func:`spectral_response`. ``normalized`` applies to ``against``, too.

    Raises
    ------
    InvalidGraphError
        If the graph has no high or no low frequencies to compare: it has no edges at all, or self loops only.

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.spectral.game import game_score
    >>> graph = spco.load_dataset("wine")
    >>> pair = spco.SpectralPair(graph)
    >>> _, view = pair.refresh(0.0), pair.refresh(1.0)
    >>> game_score(graph, view).score > 0.95
    True
    >>> game_score(graph, graph.adjacency).score
    0.5
    """
    views = {"view": view} if against is None else {"view": view, "against": against}
    measurement = Measurement.of(graph, views, normalized, spectrum, settings, rng, "game_score")
    return _reports(measurement, method, ("view",), None if against is None else "against")["view"]


def rank_views(
    graph: GraphLike,
    views: Mapping[str, ViewLike],
    *,
    normalized: bool = False,
    method: str = "rayleigh",
    spectrum: Spectrum | None = None,
    settings: ResponseSettings = DEFAULTS,
    rng: RandomState = 0,
) -> ViewRanking:
    """Order views by the GAME score of (A, view), best first; no label is needed.

    The parameters are those of :func:`game_score`. Equal scores keep the given order.

    Examples
    --------
    >>> import spco
    >>> from spco.spectral.game import rank_views
    >>> from spco.views import PPR, DropEdges, Power
    >>> graph = spco.load_dataset("wine")
    >>> rank_views(graph, {"drop": DropEdges(0.2), "power": Power(2), "ppr": PPR(0.2)}).names
    ('ppr', 'power', 'drop')
    """
    measurement = Measurement.of(graph, views, normalized, spectrum, settings, rng, "rank_views")
    reports = _reports(measurement, method, tuple(views), None)
    names = sorted(reports, key=lambda name: -reports[name].score)
    return ViewRanking(tuple(names), tuple(reports[name] for name in names))


def _reports(
    measurement: Measurement, method: str, scored: tuple[str, ...], against: str | None
) -> dict[str, GameReport]:
    """Measure all views together and report on the ``scored`` ones, each against A or one of the others."""
    METHODS.resolve(method, owner=measurement.owner)
    settings, rng = measurement.settings, measurement.rng
    if method != "stochastic":
        responses = measurement.responses(method)
        other = None if against is None else responses[against].values
        return {name: _exact_report(responses[name], other, settings) for name in scored}
    if measurement.graph.adjacency.nnz == 0:  # all frequencies are 1, which an estimate smears to both sides
        raise nothing_to_compare()
    estimate = estimate_bands(measurement.graph, measurement.operators, settings, rng)
    sums = dict(zip(measurement.matrices, estimate.views, strict=True))
    base = estimate.adjacency if against is None else sums[against]
    return {name: _stochastic_report(estimate, base, sums[name], rng) for name in scored}


def _exact_report(
    response: SpectralResponse, other: np.ndarray | None, settings: ResponseSettings
) -> GameReport:
    frequencies, values, edges = response.frequencies, response.values, settings.even_edges
    base = 1.0 - frequencies if other is None else other
    difference = np.abs(values - base)
    below, above = frequencies < 1.0 - _AT_ONE, frequencies > 1.0 + _AT_ONE
    sides = Sides.of(below, above, np.ones(len(frequencies)))
    score = pair_score(difference, sides)
    counts = np.histogram(frequencies, edges)[0].astype(np.float64)
    means = (replace(response, values=column).band_means(edges) for column in (base, values, difference))
    table = BandTable(edges, counts, *means)
    return GameReport(*score, *sides.means(difference), table, None, response.method)


def _stochastic_report(
    estimate: BandEstimate, base: np.ndarray, values: np.ndarray, rng: np.random.Generator
) -> GameReport:
    probes = len(base)
    drawn = rng.multinomial(probes, np.full(probes, 1.0 / probes), _RESAMPLES)
    everything = np.concatenate([np.ones((1, probes)), drawn])
    counts, sums, base_sums = (everything @ x for x in (estimate.counts, values, base))
    changes = estimate.ratio(sums - base_sums, counts)
    # Δφ is a line from the mean of each occupied band to the next, over all occupied bins of frequencies.
    used = estimate.shares > _EMPTY * estimate.shares.mean()
    bins, shares = (GRID[1:] + GRID[:-1])[used] / 2, estimate.shares[used]
    knots = 1.0 - estimate.band_means(estimate.adjacency)[0][estimate.occupied]
    curves = [np.abs(np.interp(bins, knots, np.nan_to_num(change[estimate.occupied]))) for change in changes]
    # No bin contains 1, and a heap at 1 is smeared evenly to both sides, which amounts to sharing it.
    sides = Sides.of(bins < 1.0, bins > 1.0, shares)
    scores = [pair_score(curve, sides) for curve in curves]
    low, high = np.percentile([score for score, _ in scores[1:]], _INTERVAL)
    means, base_means = (estimate.band_means(x)[0] for x in (values, base))
    table = BandTable(estimate.edges, estimate.mean_counts, base_means, means, np.abs(changes[0]))
    interval = (float(low), float(high))
    return GameReport(*scores[0], *sides.means(curves[0]), table, interval, "stochastic")
