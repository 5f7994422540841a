"""How strongly a view passes each frequency of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._random import RandomState, as_generator
from .._registry import Registry
from .._validation import check_integer, invalid, shown
from ..graph import Graph, GraphLike, as_graph
from ..linalg.eigen import MAX_NODES, Spectrum, laplacian_spectrum
from ..linalg.laplacian import shifted_laplacian
from .operators import AnyMatrix, ViewLike, ViewMatrix, view_matrices
from .settings import DEFAULTS, ResponseSettings, checked_settings
from .stochastic import density_estimate, estimate_bands

_DENSITY = ResponseSettings(moments=200)
_COLUMNS_TOGETHER = 1024


@dataclass(frozen=True, eq=False)
class SpectralResponse:
    """The response φ_V of a view over the frequencies of a graph.

    Attributes
    ----------
    method : str
    frequencies : (n,)
        The eigenvalues λ_i, ascending; for ``"stochastic"`` the mean frequency of each band.
    values : (n,)
        φ_V there; for A itself it is 1 − frequencies. NaN for a band without frequencies.
    counts : (n,)
        The number of eigenvalues behind each entry: 1; for ``"stochastic"`` an estimate.
    errors : (n,)
        Standard errors of ``values``: 0; for ``"stochastic"`` from the spread of the probes.
    edges : (n + 1,) or None
        The bands of ``"stochastic"``.
    """

    method: str
    frequencies: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    errors: np.ndarray
    edges: np.ndarray | None = None

    def band_means(self, edges: Sequence[float] | np.ndarray) -> np.ndarray:
        """Return the mean response between each pair of edges, NaN where there is no frequency.

        A frequency on an edge belongs to the band above it, or to the last band if it is the last edge.
        """
        edges = np.asarray(edges, dtype=np.float64)
        place = np.searchsorted(edges, self.frequencies, side="right") - 1
        place = np.where(self.frequencies == edges[-1], len(edges) - 2, place)
        inside = (place >= 0) & (place < len(edges) - 1)
        place, weights = place[inside], self.counts[inside]
        held = np.bincount(place, weights, minlength=len(edges) - 1)
        sums = np.bincount(place, weights * self.values[inside], minlength=len(edges) - 1)
        return np.asarray(np.divide(sums, held, out=np.full(len(held), np.nan), where=held > 0))


@dataclass(frozen=True, eq=False)
class SpectralDensity:
    """How the frequencies of a graph spread over [0, 2].

    Attributes
    ----------
    edges : (B + 1,)
    density : (B,)
        The share of frequencies in each bin over its width: it integrates to 1.
    errors : (B,)
        Standard errors from the spread of the probes; 0 if the frequencies were counted.
    """

    edges: np.ndarray
    density: np.ndarray
    errors: np.ndarray


def spectral_response(
    graph: GraphLike,
    view: ViewLike,
    *,
    method: str = "rayleigh",
    normalized: bool = False,
    spectrum: Spectrum | None = None,
    settings: ResponseSettings = DEFAULTS,
    rng: RandomState = 0,
) -> SpectralResponse:
    """Measure the response (amplitude) of a view at the frequencies λ_i, u_i of L = I − D^-½ A D^-½.

    ====================  ==================================================================================
    ``"rayleigh"``        φ(λ_i) = u_iᵀ V̂ u_i. Exact for functions of A: PPR, heat, A²; φ_A = 1 − λ, φ_L = λ.
    ``"perturbation"``    eq. 3 of the paper, first order for the generalised eigenvectors of (A, D), with
                          μ_i = 1 − λ_i:  φ(λ_i) = u_iᵀ D^-½ V D^-½ u_i − μ_i·u_iᵀ D^-1 D_V u_i + μ_i.
    ``"stochastic"``      band means of the first, without eigenvectors: any size, with error bars. See
                          :func:`spco.spectral.stochastic.estimate_bands`.
    ====================  ==================================================================================

    For a matrix of edge weights, V̂ is R^-½ V R^-½ with r the sums of absolute values (rows and columns are
    averaged if V is asymmetric); an operator is V̂ itself. ``"perturbation"`` takes an operator as the edge
    weights D^½ V̂ D^½, which makes it exact for functions of A with φ(0) = 1, and leaves out nodes without
    edges, which have no degree to divide by.

    Where an eigenvalue repeats, LAPACK picks one basis of its eigenvectors. For a view that does not commute
    with A, single values depend on that choice; their mean does not.

    Parameters
    ----------
    graph : Graph
        Or anything that :meth:`spco.Graph.coerce` takes.
    view : (N, N) matrix, LinearOperator, View or Augmented
        Edge weights, sparse or dense; an operator if ``normalized``; or a view of :mod:`spco.views`, which
        states itself whether it is one.
    method : str
    normalized : bool
        Whether ``view`` is an operator already (PPR, heat, Â²).
    spectrum : Spectrum, optional
        From :func:`spco.linalg.eigen.laplacian_spectrum`, to decompose a graph once for many views.
    settings : ResponseSettings
        Bands, moments and probes of ``"stochastic"``, and the largest graph to decompose.
    rng : int, Generator or None
        For the probes, and to draw a random view.

    Examples
    --------
    >>> import spco
    >>> from spco.spectral.response import spectral_response
    >>> graph = spco.load_dataset("wine")
    >>> response = spectral_response(graph, graph.adjacency)
    >>> bool(abs(response.values - (1 - response.frequencies)).max() < 1e-12)
    True
    """
    one = Measurement.of(graph, {"view": view}, normalized, spectrum, settings, rng, "spectral_response")
    return one.responses(method)["view"]


def spectral_responses(
    graph: GraphLike,
    views: Mapping[str, ViewLike],
    *,
    method: str = "rayleigh",
    normalized: bool = False,
    spectrum: Spectrum | None = None,
    settings: ResponseSettings = DEFAULTS,
    rng: RandomState = 0,
) -> dict[str, SpectralResponse]:
    """Measure several views at once with one decomposition, or one recurrence, for all of them.

    The parameters are those of :func:`spectral_response`; ``normalized`` applies to all matrices among the
    views. ``Augmented(matrix, normalized=True)`` marks a single operator.
    """
    measurement = Measurement.of(graph, views, normalized, spectrum, settings, rng, "spectral_response")
    return measurement.responses(method)


@dataclass(frozen=True, eq=False)
class Measurement:
    """Checked and drawn views of a graph, with all that any method needs to measure them."""

    graph: Graph
    matrices: dict[str, ViewMatrix]
    given_spectrum: Spectrum | None
    settings: ResponseSettings
    rng: np.random.Generator
    owner: str

    @classmethod
    def of(
        cls,
        graph: GraphLike,
        views: Mapping[str, ViewLike],
        normalized: bool,
        spectrum: Spectrum | None,
        settings: ResponseSettings,
        rng: RandomState,
        owner: str,
    ) -> Measurement:
        """Check the arguments and draw the views from ``rng``."""
        graph = as_graph(graph, owner)
        generator = as_generator(rng, owner, parameter="rng")
        matrices = view_matrices(graph, views, normalized=normalized, rng=generator, owner=owner)
        return cls(graph, matrices, spectrum, checked_settings(settings, owner), generator, owner)

    def responses(self, method: str) -> dict[str, SpectralResponse]:
        """Measure all views by one method."""
        measure = METHODS.resolve(method, owner=self.owner)
        return dict(zip(self.matrices, measure(self), strict=True))

    @property
    def operators(self) -> list[AnyMatrix]:
        """V̂ of every view."""
        return [matrix.propagation() for matrix in self.matrices.values()]

    def spectrum(self) -> Spectrum:
        """Return the given spectrum of the graph, or decompose the graph."""
        return checked_spectrum(self.graph, self.given_spectrum, self.settings.max_nodes, self.owner)


def checked_spectrum(graph: Graph, spectrum: Spectrum | None, max_nodes: int, owner: str) -> Spectrum:
    """Return the given spectrum if it fits the graph, or decompose the graph."""
    if spectrum is None:
        return laplacian_spectrum(graph, max_nodes=max_nodes)
    if not isinstance(spectrum, Spectrum) or spectrum.num_nodes != graph.num_nodes:
        got = f"{spectrum.num_nodes} nodes" if isinstance(spectrum, Spectrum) else shown(spectrum)
        raise invalid("spectrum", owner, f"be a Spectrum of {graph.num_nodes} nodes", got)
    return spectrum


def _rayleigh(task: Measurement) -> list[SpectralResponse]:
    spectrum = task.spectrum()
    return [
        _exact("rayleigh", spectrum, quadratic_forms(spectrum.eigenvectors, operator))
        for operator in task.operators
    ]


def _perturbation(task: Measurement) -> list[SpectralResponse]:
    spectrum = task.spectrum()
    base = 1.0 - spectrum.eigenvalues
    found = []
    for matrix in task.matrices.values():
        operator, degree_ratio = matrix.in_degree_coordinates(task.graph.degrees)
        gain = quadratic_forms(spectrum.eigenvectors, operator)
        loss = np.einsum("ni,ni,n->i", spectrum.eigenvectors, spectrum.eigenvectors, degree_ratio)
        found.append(_exact("perturbation", spectrum, gain - base * loss + base))
    return found


def _exact(method: str, spectrum: Spectrum, values: np.ndarray) -> SpectralResponse:
    ones, zeros = np.ones(len(values)), np.zeros(len(values))
    return SpectralResponse(method, spectrum.eigenvalues, values, counts=ones, errors=zeros)


def quadratic_forms(vectors: np.ndarray, matrix: Any) -> np.ndarray:
    """Return u_iᵀ M u_i for every column u_i, a slab of columns at a time."""
    found = np.empty(vectors.shape[1])
    for first in range(0, len(found), _COLUMNS_TOGETHER):
        part = vectors[:, first : first + _COLUMNS_TOGETHER]
        found[first : first + _COLUMNS_TOGETHER] = np.einsum("ni,ni->i", part, matrix @ part)
    return found


def _stochastic(task: Measurement) -> list[SpectralResponse]:
    estimate = estimate_bands(task.graph, task.operators, task.settings, task.rng)
    frequencies = 1.0 - estimate.band_means(estimate.adjacency)[0]
    return [
        SpectralResponse(
            "stochastic", frequencies, values, estimate.mean_counts, errors, edges=estimate.edges
        )
        for values, errors in (estimate.band_means(sums) for sums in estimate.views)
    ]


METHODS: Registry[Callable[[Measurement], list[SpectralResponse]]] = Registry(
    "method", {"rayleigh": _rayleigh, "perturbation": _perturbation, "stochastic": _stochastic}
)


def spectral_density(
    graph: GraphLike,
    *,
    bins: int = 50,
    spectrum: Spectrum | None = None,
    settings: ResponseSettings = _DENSITY,
    rng: RandomState = 0,
) -> SpectralDensity:
    """Estimate the density of the graph's frequencies, or count them if a ``spectrum`` is given.

        ρ(bin) = tr h_bin(L) / (N·width) ≈ Σ_k c_k g_k ⟨z, T_k(L − I)·z⟩ / (N·width), averaged over probes z

    Peaks are smoothed to a width of about π/``settings.moments``, by default π/200.

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.spectral.response import spectral_density
    >>> found = spectral_density(spco.load_dataset("wine"), bins=10)
    >>> round(float((found.density * np.diff(found.edges)).sum()), 6)
    1.0
    """
    owner = "spectral_density"
    graph = as_graph(graph, owner)
    edges = np.linspace(0.0, 2.0, check_integer(bins, "bins", owner, minimum=1) + 1)
    checked_settings(settings, owner)
    per_count = 1.0 / (graph.num_nodes * np.diff(edges))
    if spectrum is not None:
        values = checked_spectrum(graph, spectrum, MAX_NODES, owner).eigenvalues
        counted = np.histogram(values, edges)[0] * per_count
        return SpectralDensity(edges, counted, np.zeros(bins))
    operator, generator = shifted_laplacian(graph.adjacency), as_generator(rng, owner, parameter="rng")
    probes = settings.probes
    samples = density_estimate(operator, edges, settings.moments, probes, generator) * per_count
    return SpectralDensity(edges, samples.mean(axis=0), samples.std(axis=0, ddof=1) / np.sqrt(probes))
