"""Edges to drop and pairs to join, each with a probability of its own, and views drawn from them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from ..graph import Graph
from ..linalg import Pattern
from .absent_pairs import NO_PAIRS, Pairs, Ranking
from .base import EdgeView
from .dropping import without_zeros
from .selection import draw_seed, drop_pairs_by_probability

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False)
class ListedPairs:
    """Absent pairs, and the (P,) probabilities of joining them."""

    pairs: Pairs
    probabilities: np.ndarray

    def draw(self, rng: np.random.Generator) -> Pairs:
        """Return the pairs that are joined this time."""
        return self.pairs[rng.random(len(self.pairs)) < self.probabilities]


@dataclass(frozen=True, eq=False)
class SumRule:
    """Pairs i < j < ends[i] of a ranking, each with probability factor·(values[i] + values[j]) <= ½."""

    ranking: Ranking
    ends: np.ndarray
    factor: float

    def draw(self, rng: np.random.Generator) -> Pairs:
        """Return the pairs that are joined this time, edges among them."""
        return self.ranking.bernoulli_of_sums(self.ends, self.factor, rng)


@dataclass(frozen=True, eq=False)
class Flips:
    """The independent probabilities with which edges of a matrix are dropped and absent pairs are joined.

    Attributes
    ----------
    matrix : (N, N) CSR
    dropped : (nnz,) float64
        The probability of each entry, the same for (i, j) and (j, i).
    weight : float
        The weight of a new edge.
    listed : ListedPairs, optional
    unlisted : SumRule, optional
        Pairs that are too many to list; those that are edges already stay as they are.
    """

    matrix: sp.csr_array
    dropped: np.ndarray
    weight: float = 0.0
    listed: ListedPairs | None = None
    unlisted: SumRule | None = None

    def fits(self, matrix: sp.csr_array) -> bool:
        """Whether these are flips of this matrix."""
        own, parts = self.matrix, ("indptr", "indices", "data")
        return own is matrix or all(
            np.array_equal(getattr(own, part), getattr(matrix, part)) for part in parts
        )

    def draw(self, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix with some edges dropped and some pairs joined."""
        kept = drop_pairs_by_probability(self.matrix, self.dropped, draw_seed(rng))
        new = NO_PAIRS if self.listed is None else self.listed.draw(rng)
        if self.unlisted is not None:
            new = new + self.unlisted.draw(rng).absent_from(Pattern.of(self.matrix))
        if len(new) == 0:
            return kept
        weights = np.full(len(new), self.weight)
        added = sp.coo_array((weights, (new.low, new.high)), shape=kept.shape).tocsr()
        return sp.csr_array(kept + (added + added.T))


@dataclass(frozen=True)
class FlippingView(EdgeView):
    """A view that flips pairs with probabilities of their own.

    ``flips`` holds those of the graph that the view was ``prepared`` for. They are a matter of speed: of
    another matrix they are computed anew.
    """

    flips: Flips | None = field(default=None, repr=False, compare=False, kw_only=True)

    @abstractmethod
    def flips_of(self, matrix: sp.csr_array) -> Flips:
        """Return the probabilities for a canonical CSR matrix without stored zeros."""

    def prepared(self, graph: Graph) -> Self:
        """Return the view with the probabilities of this graph."""
        return replace(self, flips=self.flips_of(without_zeros(graph.adjacency)))

    def between(self, nodes: np.ndarray) -> Self:  # noqa: ARG002
        """Return the view without flips: those of a part are computed from the part."""
        return replace(self, flips=None)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the matrix with the drawn pairs flipped."""
        matrix = without_zeros(matrix)
        flips = self.flips if self.flips is not None and self.flips.fits(matrix) else self.flips_of(matrix)
        return flips.draw(rng)


def off_diagonal(matrix: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of all entries, and which entries are no self loops."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    return rows, rows != matrix.indices
