"""Pairs of nodes that are no edges, chosen by a number per node, without a table of all pairs.

Nodes are ranked by their number, smallest first. A set of pairs is given by ranges of ranks: the ranks i < j
belong to it if begins[i] <= j < ends[i]. All pairs whose sum or product exceeds a limit form such a set, so
that counting them takes O(N log N) and listing them O(N + listed).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..linalg import Pattern
from . import kernels

# Where the limits of a search differ by less, all pairs between them are taken to be tied.
_TIED = 1e-12
# P(hit) = 1 − exp(−c·x) of a Poisson number with mean c·x is at least x for all x <= ½ if c = 2·log 2.
_OVERSAMPLING = 2.0 * math.log(2.0)


def are_edges(pattern: Pattern, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Whether (row, column) or (column, row) is an entry, per pair."""
    found = np.empty(len(rows), dtype=np.bool_)
    kernels.are_entries(pattern.indptr, pattern.indices, rows, columns, found)
    return found


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of nodes, low <= high."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, left: np.ndarray, right: np.ndarray) -> Pairs:
        """Return pairs of nodes, whichever end comes first."""
        return cls(np.minimum(left, right), np.maximum(left, right))

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, places: np.ndarray) -> Pairs:
        return Pairs(self.low[places], self.high[places])

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(np.concatenate([self.low, other.low]), np.concatenate([self.high, other.high]))

    def distinct(self, size: int) -> Pairs:
        """Return each pair once."""
        keys = np.sort(self.low * size + self.high)
        return Pairs(*np.divmod(keys[np.diff(keys, prepend=-1) > 0], size))

    def absent_from(self, pattern: Pattern) -> Pairs:
        """Return the pairs that are no edges."""
        return self[~are_edges(pattern, self.low, self.high)]


NO_PAIRS = Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Ranking:
    """Nodes in the order of a non-negative number each has.

    Attributes
    ----------
    order : (N,) int64
        The node of each rank.
    values : (N,) float64
        Its number, ascending.
    """

    order: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray) -> Ranking:
        """Rank nodes by their numbers; ties in the order of the nodes."""
        order = np.argsort(numbers, kind="stable")
        return cls(order, numbers[order])

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.order)

    def begins_of_sums(self, limit: float) -> np.ndarray:
        """Return per rank i the first rank j > i with values[i] + values[j] >= limit."""
        return self._after(np.searchsorted(self.values, limit - self.values))

    def begins_of_products(self, limit: float) -> np.ndarray:
        """Return per rank i the first rank j > i with values[i]·values[j] >= limit; values must be > 0."""
        return self._after(np.searchsorted(self.values, limit / self.values))

    def _after(self, begins: np.ndarray) -> np.ndarray:
        later: np.ndarray = np.maximum(begins, np.arange(1, self.size + 1))
        return later

    def total_of_sums(self, begins: np.ndarray) -> float:
        """Return Σ (values[i] + values[j]) over j >= begins[i]."""
        counts = self.size - begins
        upto = np.concatenate([[0.0], np.cumsum(self.values)])
        return float(counts @ self.values + (upto[-1] - upto[begins]).sum())

    def listed(self, begins: np.ndarray, ends: np.ndarray) -> Pairs:
        """Return all pairs of a set."""
        counts = ends - begins
        ranks = np.repeat(np.arange(self.size), counts)
        first = np.cumsum(counts) - counts
        partners = np.arange(len(ranks)) - np.repeat(first - begins, counts)
        return Pairs.of(self.order[ranks], self.order[partners])

    def uniform(self, begins: np.ndarray, ends: np.ndarray, count: int, rng: np.random.Generator) -> Pairs:
        """Draw pairs of a set with replacement, all with the same probability."""
        upto = np.cumsum(ends - begins)
        places = rng.integers(0, upto[-1], count)
        ranks = np.searchsorted(upto, places, side="right")
        return Pairs.of(self.order[ranks], self.order[ends[ranks] - (upto[ranks] - places)])

    def bernoulli_of_sums(self, ends: np.ndarray, factor: float, rng: np.random.Generator) -> Pairs:
        """Draw each pair i < j < ends[i] independently with probability x = factor·(values[i] + values[j]).

        All x must be at most ½. The time is that of the expected number of draws, not of all pairs: a Poisson
        number of proposals hits each pair a Poisson number of times with mean c·x, independently of the
        others. A pair hit at least once is then kept with probability x/(1 − exp(−c·x)).
        """
        firsts = np.arange(1, self.size + 1)
        upto = np.concatenate([[0.0], np.cumsum(self.values)])
        own, partners = (ends - firsts) * self.values, upto[ends] - upto[firsts]
        totals = np.cumsum(own + partners)
        wanted = rng.poisson(_OVERSAMPLING * factor * totals[-1])
        if wanted == 0:
            return NO_PAIRS
        # In ascending order, neighbouring searches end at neighbouring places.
        ranks = np.searchsorted(totals, np.sort(rng.random(wanted)) * totals[-1], side="right")
        ranks = np.minimum(ranks, np.flatnonzero(own + partners)[-1])
        first, end = firsts[ranks], ends[ranks]
        # The sum is a mixture: its own part makes the partner uniform, the other draws it by its value.
        coin, place = rng.random(wanted), rng.random(wanted)
        is_own = coin * (own + partners)[ranks] < own[ranks]
        uniform = first + (place * (end - first)).astype(np.int64)
        by_value = np.searchsorted(upto, upto[first] + place * partners[ranks], side="right") - 1
        other = np.clip(np.where(is_own, uniform, by_value), first, end - 1)
        hit = Pairs(ranks, other).distinct(self.size)
        mean = factor * (self.values[hit.low] + self.values[hit.high])
        kept = hit[rng.random(len(hit)) * -np.expm1(-_OVERSAMPLING * mean) < mean]
        return Pairs.of(self.order[kept.low], self.order[kept.high])


def largest_products(numbers: np.ndarray, pattern: Pattern, wanted: int, rng: np.random.Generator) -> Pairs:
    """Return the ``wanted`` absent pairs with the largest products of their two numbers, all > 0.

    Ties are broken at random. A graph with fewer absent pairs gets all of them.
    """
    if wanted == 0:
        return NO_PAIRS
    ranking = Ranking.of(numbers)
    ends = np.full(ranking.size, ranking.size)
    counts = np.diff(pattern.indptr).astype(np.int64)
    rows = np.repeat(np.arange(pattern.size), counts)
    is_upper = rows < pattern.indices
    edges = np.sort(numbers[rows[is_upper]] * numbers[pattern.indices[is_upper]])

    def absent(begins: np.ndarray, limit: float) -> int:
        return int((ends - begins).sum()) - (len(edges) - int(np.searchsorted(edges, limit)))

    # Above ``low`` there are enough pairs, not many more unless very many tie; above ``high`` too few.
    low, high = float(ranking.values[0] ** 2) / 2, float(ranking.values[-1] ** 2) * 2
    below, above = ranking.begins_of_products(low), ends
    while absent(below, low) > 2 * wanted + 16 and high - low > _TIED * high:
        middle = math.sqrt(low * high)
        begins = ranking.begins_of_products(middle)
        if absent(begins, middle) >= wanted:
            low, below = middle, begins
        else:
            high, above = middle, begins
    sure = ranking.listed(above, ends).absent_from(pattern)
    missing = wanted - len(sure)
    are_tied = high - low <= _TIED * high
    if are_tied and int((above - below).sum()) > 4 * (missing + pattern.nnz):
        return sure + _distinct_uniform(ranking, below, above, pattern, missing, rng)
    others = ranking.listed(below, above).absent_from(pattern)
    others = others[rng.permutation(len(others))]
    by_product = np.argsort(-numbers[others.low] * numbers[others.high], kind="stable")
    return sure + others[by_product[:missing]]


def _distinct_uniform(
    ranking: Ranking,
    begins: np.ndarray,
    ends: np.ndarray,
    pattern: Pattern,
    wanted: int,
    rng: np.random.Generator,
) -> Pairs:
    """Return different absent pairs of a set; it must hold more than ``wanted`` and the edges four times."""
    found = NO_PAIRS
    while len(found) < wanted:
        drawn = ranking.uniform(begins, ends, 2 * (wanted - len(found)) + 16, rng)
        found = (found + drawn.absent_from(pattern)).distinct(ranking.size)
    return found[rng.permutation(len(found))[:wanted]]
