"""What is measured of a graph before anything is trained: its structure, its features, its labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score

from ..features import Features
from ..graph import Graph
from ..linalg.chebyshev import COLUMNS, band_coefficients, filtered, lanczos_factors
from ..linalg.eigen import laplacian_spectrum
from ..linalg.laplacian import shifted_laplacian
from ..linalg.normalize import unit_rows
from ..linalg.row_store import blocks_of

#: Graphs of up to this many nodes are decomposed; larger ones are measured by random probes.
EXACT_UP_TO = 2000
#: Up to this many nodes there are probes. Beyond, they would take minutes and gigabytes, for numbers that
#: describe a graph and decide nothing.
PROBED_UP_TO = 2_000_000
_SAMPLE = 4000  # nodes whose features are compared with their neighbours'
_TERMS = 80  # of the Chebyshev series that separates low from high frequencies
_TOP = 0.01  # of the nodes by degree: the hubs
_AT_ONE = 1e-9  # frequencies this close to 1 count half as low and half as high


@dataclass(frozen=True)
class StructureFacts:
    """Size and shape of a graph.

    Attributes
    ----------
    nodes, edges, isolated, components : int
    average_degree, median_degree, largest_degree : float
    largest_component : float
        Share of the nodes in it.
    hub_share : float
        Share of all edge ends at the 1% of nodes with the largest degrees.
    """

    nodes: int
    edges: int
    isolated: int
    components: int
    average_degree: float
    median_degree: float
    largest_degree: float
    largest_component: float
    hub_share: float

    @classmethod
    def of(cls, graph: Graph) -> StructureFacts:
        """Measure a graph, in O(edges)."""
        degrees = np.diff(graph.adjacency.indptr)
        count, member_of = sp.csgraph.connected_components(graph.adjacency, directed=False)
        top = max(1, round(_TOP * graph.num_nodes))
        ends = max(1, int(degrees.sum()))
        return cls(
            nodes=graph.num_nodes,
            edges=graph.num_edges,
            isolated=int((degrees == 0).sum()),
            components=int(count),
            average_degree=float(degrees.mean()),
            median_degree=float(np.median(degrees)),
            largest_degree=float(degrees.max()),
            largest_component=float(np.bincount(member_of).max() / graph.num_nodes),
            hub_share=float(np.sort(degrees)[-top:].sum() / ends),
        )


@dataclass(frozen=True)
class FeatureFacts:
    """How the features lie on the graph. Rows count with length 1, and their mean is taken off.

    Attributes
    ----------
    columns : int
    agreement : float in [0, 1]
        How often a node's features are closer to the mean of its neighbours' than to that of another node's
        neighbours, by cosines: 1/2 if neighbours tell nothing of a node.
    low_energy : float in [0, 1]
        The share of the features' energy at frequencies below 1, where neighbours are alike; NaN beyond
        2 million nodes, where it is not measured.
    low_energy_by_chance : float in [0, 1]
        The same on a random graph with the same degrees.
    is_exact : bool
        Whether the energies come from a decomposition, not from random probes.
    """

    columns: int
    agreement: float
    low_energy: float
    low_energy_by_chance: float
    is_exact: bool

    @classmethod
    def of(cls, graph: Graph, features: Features, *, rng: np.random.Generator) -> FeatureFacts:
        """Measure features on a graph, in O(edges + nonzeros of the features)."""
        low, by_chance = _low_energies(graph, features, rng)
        agreement = neighbour_agreement(graph, features, rng)
        is_exact = graph.num_nodes <= EXACT_UP_TO
        return cls(int(features.shape[1]), agreement, low, by_chance, is_exact)


@dataclass(frozen=True)
class LabelFacts:
    """Whether neighbours share labels, over the edges whose ends are both labelled.

    Attributes
    ----------
    labelled, classes : int
    homophily : float
        The share of edges within a class; NaN without such edges.
    adjusted_homophily : float
        (homophily − expected)/(1 − expected), with what the classes' degrees alone would give; 0 says nothing
        more than that.
    """

    labelled: int
    classes: int
    homophily: float
    adjusted_homophily: float

    @classmethod
    def of(cls, graph: Graph, labels: np.ndarray) -> LabelFacts:
        """Measure labels, with −1 for unknown ones, in O(edges)."""
        known = labels >= 0
        classes = np.unique(labels[known])
        edges = sp.coo_array(graph.adjacency)
        counted = known[edges.row] & known[edges.col] & (edges.row != edges.col)
        ends, other = labels[edges.row[counted]], labels[edges.col[counted]]
        if not len(ends):
            return cls(int(known.sum()), len(classes), float("nan"), float("nan"))
        share = float(np.mean(ends == other))
        expected = float((np.bincount(ends) ** 2.0).sum() / len(ends) ** 2.0)
        adjusted = (share - expected) / (1 - expected) if expected < 1 else 0.0
        return cls(int(known.sum()), len(classes), share, adjusted)


def rewired(graph: Graph, rng: np.random.Generator) -> Graph:
    """Return a random graph with nearly the same degrees: the ends of all edges, paired anew.

    Pairs that come up twice, and pairs of a node with itself, are lost, which takes a few edges from hubs.
    """
    upper = sp.triu(graph.adjacency, k=1, format="coo")
    ends = rng.permutation(np.concatenate([upper.row, upper.col]))
    first, second = ends[: len(upper.row)], ends[len(upper.row) :]
    apart = first != second
    ones = np.ones(int(apart.sum()))
    half = sp.coo_array((ones, (first[apart], second[apart])), shape=graph.adjacency.shape)
    both = sp.csr_array(half + half.T)
    both.data[:] = 1.0
    return Graph(both)


def _unit_blocks(features: Any) -> Iterator[Any]:
    """Yield the features with rows of length 1, some rows at a time: in float64 all would be large."""
    for start, stop in blocks_of(features.shape[0]):
        yield unit_rows(features[start:stop])


def neighbour_agreement(graph: Graph, features: Any, rng: np.random.Generator) -> float:
    """Return how often own neighbours are closer than another node's, on a sample of nodes."""
    adjacency = graph.adjacency
    candidates = np.flatnonzero(np.diff(adjacency.indptr) - (adjacency.diagonal() != 0))
    if len(candidates) < 2:
        return 0.5
    nodes = rng.permutation(candidates)[:_SAMPLE]
    near = sp.csr_array(adjacency[nodes], copy=True)
    near.data[near.indices == np.repeat(nodes, np.diff(near.indptr))] = 0.0  # a node is not its neighbour
    near.eliminate_zeros()
    sums = np.asarray(near.sum(axis=1)).ravel()
    neighbours, places = np.unique(near.indices, return_inverse=True)
    near = sp.csr_array((near.data, places, near.indptr), shape=(len(nodes), len(neighbours)))
    means: Any = sp.diags_array(1.0 / sums).tocsr() @ near @ unit_rows(features[neighbours])
    totals = (np.asarray(block.sum(axis=0), dtype=np.float64).ravel() for block in _unit_blocks(features))
    centre = sum(totals) / features.shape[0]
    others = np.roll(np.arange(len(nodes)), 1)  # the sample is in random order
    own = unit_rows(features[nodes])
    alike = np.concatenate([_cosines(own, means, centre), _cosines(own, means[others], centre)])
    return float(roc_auc_score(np.repeat([1, 0], len(nodes)), alike))


def _cosines(left: Any, right: Any, centre: np.ndarray) -> np.ndarray:
    """Return the cosine of each row with its counterpart, both less a centre that is never subtracted."""

    def dots(one: Any, other: Any) -> np.ndarray:
        products: np.ndarray = np.asarray((one * other).sum(axis=1), dtype=np.float64)
        return products.ravel()

    offset = centre @ centre
    left_on, right_on = (np.asarray(side @ centre, dtype=np.float64).ravel() for side in (left, right))
    inner = dots(left, right) - left_on - right_on + offset
    squares = [dots(side, side) - 2 * on + offset for side, on in ((left, left_on), (right, right_on))]
    lengths = np.sqrt(np.maximum(squares[0], 0) * np.maximum(squares[1], 0))
    cosines: np.ndarray = np.divide(inner, lengths, out=np.zeros_like(inner), where=lengths > 1e-12)
    return cosines


def _low_energies(graph: Graph, features: Features, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of the energy at low frequencies, on the graph and on a rewired one."""
    if graph.num_nodes > PROBED_UP_TO:
        return float("nan"), float("nan")
    shuffled = rewired(graph, rng)
    if graph.num_nodes > EXACT_UP_TO:
        mixtures = _mixtures(features, rng)
        return _probed_low_energy(graph, mixtures), _probed_low_energy(shuffled, mixtures)
    rows = unit_rows(features)
    centred = rows if isinstance(rows, np.ndarray) else rows.toarray()
    centred = centred - centred.mean(axis=0)
    return _low_energy(graph, centred), _low_energy(shuffled, centred)


def _low_energy(graph: Graph, centred: np.ndarray) -> float:
    spectrum = laplacian_spectrum(graph)
    energy = ((spectrum.eigenvectors.T @ centred) ** 2).sum(axis=1)
    below, above = spectrum.eigenvalues < 1 - _AT_ONE, spectrum.eigenvalues > 1 + _AT_ONE
    share = energy[below].sum() + energy[~below & ~above].sum() / 2
    return float(share / energy.sum()) if energy.sum() > 0 else 0.5


def _mixtures(features: Any, rng: np.random.Generator) -> np.ndarray:
    """Return random mixtures of the centred columns, whose energies are those of all columns on average."""
    signs = rng.choice([-1.0, 1.0], (features.shape[1], COLUMNS))
    mixed: np.ndarray = np.concatenate([np.asarray(rows @ signs) for rows in _unit_blocks(features)])
    centred: np.ndarray = mixed - mixed.mean(axis=0)
    return centred


def _probed_low_energy(graph: Graph, mixtures: np.ndarray) -> float:
    operator = shifted_laplacian(graph.adjacency)
    coefficients = band_coefficients(np.array([0.0, 1.0, 2.0]), lanczos_factors(_TERMS))[:1]
    low = float((filtered(operator, mixtures, coefficients)[0] * mixtures).sum())
    whole = float((mixtures**2).sum())
    return min(1.0, max(0.0, low / whole)) if whole > 0 else 0.5
