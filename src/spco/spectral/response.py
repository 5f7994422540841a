"""How strongly a view passes each frequency of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._random import RandomState, as_generator
from .._registry import Registry
from .._validation import check_integer, invalid, shown
from ..graph import Graph
from ..linalg.chebyshev import shifted_laplacian
from ..linalg.eigen import MAX_NODES, Spectrum, laplacian_spectrum
from .operators import ViewLike, ViewMatrix, view_matrix
from .stochastic import StochasticSettings, density_estimate, estimate_bands

BANDS, MOMENTS, PROBES = 11, 100, 20
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
        φ_V there. That of A itself is 1 − frequencies. NaN for a band that holds no frequencies.
    counts : (n,)
        How many eigenvalues each entry stands for: 1; for ``"stochastic"`` an estimate.
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
        """Return the mean response between each pair of edges, NaN where no frequency lies.

        A frequency on an edge belongs to the band above it; 2 belongs to the last.
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
        Standard errors from the spread of the probes; 0 if it was counted.
    """

    edges: np.ndarray
    density: np.ndarray
    errors: np.ndarray


def spectral_response(
    graph: Graph,
    view: ViewLike,
    *,
    method: str = "rayleigh",
    normalized: bool = False,
    spectrum: Spectrum | None = None,
    max_nodes: int = MAX_NODES,
    bands: int | Sequence[float] = BANDS,
    moments: int = MOMENTS,
    probes: int = PROBES,
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

    V̂ is R^-½ V R^-½ for a matrix of edge weights, with r the sums of absolute values (negative entries
    count by their size; rows and columns are averaged if V is asymmetric), and V itself for an operator.
    In ``"perturbation"`` an operator stands for the edge weights D^½ V̂ D^½, which makes it exact for
    functions of A with φ(0) = 1, and nodes without edges are left out: to first order they have no degree
    to divide by.

    Where an eigenvalue repeats, LAPACK picks one basis of its eigenvectors, and single values of a view that
    does not commute with A depend on it; their mean does not.

    Parameters
    ----------
    graph : Graph
    view : (N, N) matrix, LinearOperator, View or Augmented
        Edge weights, sparse or dense; an operator if ``normalized``; or a view of :mod:`spco.views`, which
        knows.
    method : str
    normalized : bool
        Whether ``view`` is an operator already (PPR, heat, Â²).
    spectrum : Spectrum, optional
        From :func:`spco.linalg.eigen.laplacian_spectrum`, to decompose a graph once for many views.
    max_nodes : int
        Larger graphs are not decomposed; use ``"stochastic"``.
    bands : odd int, or edges from 0 to 2
        ``"stochastic"`` only: that many bands with about equally many frequencies in each, or given ones.
    moments, probes : int
        ``"stochastic"`` only: terms of the Chebyshev series, random vectors.
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
    found = spectral_responses(
        graph,
        {"view": view},
        method=method,
        normalized=normalized,
        spectrum=spectrum,
        max_nodes=max_nodes,
        bands=bands,
        moments=moments,
        probes=probes,
        rng=rng,
    )
    return found["view"]


def spectral_responses(
    graph: Graph,
    views: Mapping[str, ViewLike],
    *,
    method: str = "rayleigh",
    normalized: bool = False,
    spectrum: Spectrum | None = None,
    max_nodes: int = MAX_NODES,
    bands: int | Sequence[float] = BANDS,
    moments: int = MOMENTS,
    probes: int = PROBES,
    rng: RandomState = 0,
) -> dict[str, SpectralResponse]:
    """Measure several views at once: one decomposition, or one recurrence, serves all.

    The settings are those of :func:`spectral_response`; ``normalized`` holds for all matrices among the
    views. ``Augmented(matrix, normalized=True)`` marks a single operator.
    """
    owner = "spectral_response"
    measure = METHODS.resolve(method, owner=owner)
    generator = as_generator(rng, owner, parameter="rng")
    matrices = drawn_views(graph, views, normalized=normalized, rng=generator, owner=owner)
    settings = StochasticSettings.checked(bands, moments, probes, owner)
    task = _Task(graph, list(matrices.values()), settings, spectrum, max_nodes, generator)
    return dict(zip(matrices, measure(task), strict=True))


def drawn_views(
    graph: Graph, views: Mapping[str, ViewLike], *, normalized: bool, rng: np.random.Generator, owner: str
) -> dict[str, ViewMatrix]:
    """Return the matrices of all views, random ones drawn in the order given."""
    if not isinstance(graph, Graph):
        raise invalid("graph", owner, "be a spco.Graph", type(graph).__name__)
    if not isinstance(views, Mapping) or not views:
        raise invalid("views", owner, "map names to at least one view", shown(views))
    return {
        name: view_matrix(graph, view, normalized=normalized, rng=rng, owner=owner)
        for name, view in views.items()
    }


@dataclass(frozen=True, eq=False)
class _Task:
    """What a method may need; each takes its share."""

    graph: Graph
    matrices: list[ViewMatrix]
    settings: StochasticSettings
    given_spectrum: Spectrum | None
    max_nodes: int
    rng: np.random.Generator

    def spectrum(self) -> Spectrum:
        return checked_spectrum(self.graph, self.given_spectrum, self.max_nodes, "spectral_response")


def checked_spectrum(graph: Graph, spectrum: Spectrum | None, max_nodes: int, owner: str) -> Spectrum:
    """Return the given spectrum if it fits the graph, or decompose the graph."""
    if spectrum is None:
        return laplacian_spectrum(graph, max_nodes=max_nodes)
    if not isinstance(spectrum, Spectrum) or spectrum.num_nodes != graph.num_nodes:
        got = f"{spectrum.num_nodes} nodes" if isinstance(spectrum, Spectrum) else shown(spectrum)
        raise invalid("spectrum", owner, f"be a Spectrum of {graph.num_nodes} nodes", got)
    return spectrum


def _rayleigh(task: _Task) -> list[SpectralResponse]:
    spectrum = task.spectrum()
    return [
        _exact("rayleigh", spectrum, quadratic_forms(spectrum.eigenvectors, matrix.propagation()))
        for matrix in task.matrices
    ]


def _perturbation(task: _Task) -> list[SpectralResponse]:
    spectrum = task.spectrum()
    base = 1.0 - spectrum.eigenvalues
    found = []
    for matrix in task.matrices:
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


def _stochastic(task: _Task) -> list[SpectralResponse]:
    operators = [matrix.propagation() for matrix in task.matrices]
    estimate = estimate_bands(task.graph, operators, task.settings, task.rng)
    frequencies = 1.0 - estimate.band_means(estimate.adjacency)[0]
    return [
        SpectralResponse(
            "stochastic", frequencies, values, estimate.mean_counts, errors, edges=estimate.edges
        )
        for values, errors in (estimate.band_means(sums) for sums in estimate.views)
    ]


METHODS: Registry[Callable[[_Task], list[SpectralResponse]]] = Registry(
    "method", {"rayleigh": _rayleigh, "perturbation": _perturbation, "stochastic": _stochastic}
)


def spectral_density(
    graph: Graph,
    *,
    bins: int = 50,
    spectrum: Spectrum | None = None,
    moments: int = 2 * MOMENTS,
    probes: int = PROBES,
    rng: RandomState = 0,
) -> SpectralDensity:
    """Estimate the density of the graph's frequencies, or count them if a ``spectrum`` is given.

        ρ(bin) = tr h_bin(L) / (N·width) ≈ Σ_k c_k g_k ⟨z, T_k(L − I)·z⟩ / (N·width), averaged over probes z

    Peaks are smoothed to a width of about π/``moments``.

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.spectral.response import spectral_density
    >>> found = spectral_density(spco.load_dataset("wine"), bins=10)
    >>> round(float((found.density * np.diff(found.edges)).sum()), 6)
    1.0
    """
    owner = "spectral_density"
    if not isinstance(graph, Graph):
        raise invalid("graph", owner, "be a spco.Graph", type(graph).__name__)
    edges = np.linspace(0.0, 2.0, check_integer(bins, "bins", owner, minimum=1) + 1)
    check_integer(moments, "moments", owner, minimum=2)
    check_integer(probes, "probes", owner, minimum=2)
    per_count = 1.0 / (graph.num_nodes * np.diff(edges))
    if spectrum is not None:
        values = checked_spectrum(graph, spectrum, MAX_NODES, owner).eigenvalues
        counted = np.histogram(values, edges)[0] * per_count
        return SpectralDensity(edges, counted, np.zeros(bins))
    samples = density_estimate(
        shifted_laplacian(graph.adjacency), edges, moments, probes, as_generator(rng, owner, parameter="rng")
    )
    samples = samples * per_count
    return SpectralDensity(edges, samples.mean(axis=0), samples.std(axis=0, ddof=1) / np.sqrt(probes))
