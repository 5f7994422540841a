"""Attributed stochastic block models of any size, in O(edges)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._random import RandomState, as_generator
from .._validation import check_integer, check_real, invalid
from ..graph import Graph
from .splits import stratified_splits

_OWNER = "sbm"
_SMALLEST_SPLIT_CLASS = 40  # twice the largest training set
_MOST_ROUNDS = 1000


def sbm(
    num_nodes: int = 1000,
    num_classes: int = 4,
    *,
    average_degree: float = 10.0,
    homophily: float = 0.8,
    degree_exponent: float | None = None,
    num_features: int = 32,
    feature_noise: float = 3.0,
    shuffled: bool = True,
    random_state: RandomState = 0,
) -> Graph:
    """Make an attributed, optionally degree-corrected stochastic block model.

    The graph has exactly E = round(N·average_degree/2) distinct edges and no self loops;
    round(homophily·E) of them join nodes of the same class. Within each kind an edge picks its end
    nodes with probability proportional to their weights w:

        P(i, j | same class) ∝ w_i w_j [y_i = y_j],    P(i, j | different) ∝ w_i w_j [y_i ≠ y_j]

    The classes have equal sizes (up to one node). Features are a unit vector per class plus noise:
    x_i = μ_{y_i} + feature_noise · z_i/√F with z_i standard normal.

    Parameters
    ----------
    homophily : float in [0, 1]
        The fraction of edges between nodes of the same class; 1/num_classes means no structure.
    degree_exponent : float > 2, optional
        The degrees follow a power law P(d) ∝ d^-degree_exponent: w is Pareto, cut where a hub would be
        joined to half of its possible neighbours. With None all expected degrees are equal.
    num_features : int
        With 0 the graph has no features.
    feature_noise : float >= 0
        The length of the noise relative to the class vectors, which have length 1.
    shuffled : bool
        Whether the nodes are in random order. Otherwise they are ordered by class, as in most crawled or
        partitioned graphs, and passes over the edges make better use of the cache.

    If every class has at least 40 nodes, the graph has the splits of :func:`stratified_splits`; otherwise it
    has none. The edges do not depend on the settings of the features.

    Examples
    --------
    >>> from spco.datasets import sbm
    >>> sbm(2000, 5, average_degree=6, homophily=0.3, degree_exponent=2.5)
    Graph(sbm: 2000 nodes, 6000 edges, 32 dense features, 5 classes, splits train5/train10/train20/val/test)

    References
    ----------
    Karrer and Newman, Stochastic blockmodels and community structure in networks, 2011.
    """
    size = check_integer(num_nodes, "num_nodes", _OWNER, minimum=1)
    classes = check_integer(num_classes, "num_classes", _OWNER, minimum=1)
    if classes > size:
        raise invalid("num_classes", _OWNER, f"be at most num_nodes ({size})", str(classes))
    degree = check_real(average_degree, "average_degree", _OWNER, minimum=0)
    same = check_real(homophily, "homophily", _OWNER, minimum=0, maximum=1)
    columns = check_integer(num_features, "num_features", _OWNER, minimum=0)
    noise = check_real(feature_noise, "feature_noise", _OWNER, minimum=0)
    if degree_exponent is not None:
        degree_exponent = check_real(degree_exponent, "degree_exponent", _OWNER, above=2)
    num_edges = round(size * degree / 2)
    num_within = round(num_edges * same)
    # One stream per part, so that the number of features does not change the edges.
    label_rng, edge_rng, feature_rng, split_rng = as_generator(random_state, _OWNER).spawn(4)

    labels = np.arange(size) % classes
    labels = label_rng.permutation(labels) if shuffled else np.sort(labels)
    sizes = np.bincount(labels)
    _require_room(sizes, num_within, num_edges - num_within, degree)
    weights = np.ones(size)
    if degree_exponent is not None:
        weights = _power_law(edge_rng, size, degree_exponent, classes, degree, same)
    blocks = _Blocks.of(labels, sizes, weights)
    within = _distinct_pairs(edge_rng, num_within, blocks.same_class, size)
    between = _distinct_pairs(edge_rng, num_edges - num_within, blocks.other_class, size)
    splits = None
    if size // classes >= _SMALLEST_SPLIT_CLASS:
        splits = stratified_splits(labels, random_state=split_rng)
    return Graph(
        _adjacency(np.concatenate([within, between]), blocks.nodes),
        features=_features(feature_rng, labels, classes, columns, noise) if columns else None,
        labels=labels,
        splits=splits,
        name="sbm",
    )


@dataclass(frozen=True)
class _Blocks:
    """The nodes ordered by class, with running sums of their weights to draw from.

    A place is a position in that order; ``last[c]`` is the last place of class c, ``starts[c]`` the weight
    before it.
    """

    nodes: np.ndarray
    class_of: np.ndarray
    last: np.ndarray
    cumulative: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, labels: np.ndarray, sizes: np.ndarray, weights: np.ndarray) -> _Blocks:
        nodes = np.argsort(labels, kind="stable")
        last, cumulative = np.cumsum(sizes) - 1, np.cumsum(weights)
        return cls(nodes, labels[nodes], last, cumulative, np.concatenate([[0.0], cumulative[last]]))

    def same_class(self, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw pairs of places: one by weight, the other by weight within its class."""
        first = self._place(rng.uniform(0, self.starts[-1], count))
        block = self.class_of[first]
        second = self._place(rng.uniform(self.starts[block], self.starts[block + 1]))
        # A draw at the very end of a class may be rounded into the next one.
        return first, np.minimum(second, self.last[block])

    def other_class(self, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw pairs of places: one by weight, the other by weight outside its class."""
        first = self._place(rng.uniform(0, self.starts[-1], count))
        start, end = self.starts[self.class_of[first]], self.starts[self.class_of[first] + 1]
        mass = rng.uniform(0, self.starts[-1] - (end - start))
        second = self._place(np.where(mass >= start, mass + (end - start), mass))
        differs = self.class_of[first] != self.class_of[second]
        return first[differs], second[differs]

    def _place(self, mass: np.ndarray) -> np.ndarray:
        found = np.searchsorted(self.cumulative, mass, side="right")
        return np.minimum(found, len(self.cumulative) - 1)


def _require_room(sizes: np.ndarray, within: int, between: int, degree: float) -> None:
    """Refuse graphs so dense that drawing distinct pairs would never end."""
    sizes = sizes.astype(float)
    pairs_within = float((sizes * (sizes - 1)).sum() / 2)
    pairs_between = float((sizes.sum() ** 2 - (sizes**2).sum()) / 2)
    kinds = ((within, pairs_within, "the same class"), (between, pairs_between, "different classes"))
    for wanted, pairs, kind in kinds:
        if 2 * wanted > pairs:
            must = f"leave half of the pairs of nodes of {kind} unconnected ({pairs:.0f} pairs)"
            got = f"{degree:g}, which needs {wanted} such edges"
            hint = "use more nodes, a smaller average_degree or another homophily"
            raise invalid("average_degree", _OWNER, must, got, hint=hint)


def _power_law(
    rng: np.random.Generator, size: int, exponent: float, classes: int, degree: float, homophily: float
) -> np.ndarray:
    """Draw Pareto weights >= 1, cut where a hub would be joined to half of its possible neighbours.

    With distinct edges, larger hubs could not reach the degrees that the power law gives them.
    """
    block = size / classes
    limits = [block / (2 * homophily)] if homophily > 0 else []
    if homophily < 1:
        limits.append((size - block) / (2 * (1 - homophily)))
    smallest = degree * (exponent - 2) / (exponent - 1)
    tail = (smallest / min(limits)) ** (exponent - 1)
    return np.asarray((1 - rng.uniform(0, 1 - tail, size)) ** (-1 / (exponent - 1)))


def _distinct_pairs(
    rng: np.random.Generator,
    count: int,
    draw: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]],
    size: int,
) -> np.ndarray:
    """Draw ``count`` distinct unordered pairs of different places, each packed into one integer."""
    found = np.empty(0, dtype=np.int64)
    for _ in range(_MOST_ROUNDS):
        if len(found) == count:
            return found
        first, second = draw(rng, count - len(found))
        packed = np.minimum(first, second) * size + np.maximum(first, second)
        found = _sorted_distinct(np.concatenate([found, packed[first != second]]))
    must = f"leave room for {count} distinct edges of one kind"
    got = f"{len(found)} after {_MOST_ROUNDS} rounds of drawing"
    hint = "use more nodes, a smaller average_degree or a larger degree_exponent"
    raise invalid("average_degree", _OWNER, must, got, hint=hint)


def _sorted_distinct(values: np.ndarray) -> np.ndarray:
    # Sorting is several times faster here than the hash table of np.unique.
    values.sort()
    repeated = np.zeros(len(values), dtype=bool)
    repeated[1:] = values[1:] == values[:-1]
    return values[~repeated]


def _adjacency(packed: np.ndarray, nodes: np.ndarray) -> sp.csr_array:
    size = len(nodes)
    first, second = (nodes[places].astype(np.int32) for places in np.divmod(packed, size))
    rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
    return sp.coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size)).tocsr()


def _features(
    rng: np.random.Generator, labels: np.ndarray, num_classes: int, columns: int, noise: float
) -> np.ndarray:
    centres = rng.standard_normal((num_classes, columns), dtype=np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    features = rng.standard_normal((len(labels), columns), dtype=np.float32)
    features *= np.float32(noise / np.sqrt(columns))
    features += centres[labels]
    return features
