"""Mini-batches of rows: the structures' products with the features are computed once, and cut into rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..._random import as_generator
from ...linalg.row_store import RowStore
from ...linalg.shards import EvenRows
from ...methods import Method
from ...nn import NO_PEERS, FeatureMatrix, Peers
from ...objectives import Scratch
from ...structures import Product, RowBatch, RowStructure
from ..schedule import ScheduledPair
from .products import ProductTable

#: Random orders of the features' rows that negatives are made of, one of them in every step.
ORDERS = 2
_RUN = 1024  # consecutive rows that are read from a file at once
#: Batches whose rows are read and shuffled together, of what is in files.
BATCHES_READ = 8


@dataclass(eq=False)
class Blocks:
    """An epoch as one pass over the rows of Â·X, A_·X and Â·P·X, for a method that has a ``row_width``.

    The products are computed when a step asks for them, and again after a refresh. In memory, an epoch
    shuffles all rows. In temporary files, it reads short runs of rows from all over the graph and shuffles
    those of a few batches. The next rows are read while a step computes.

    Processes that train together each keep some rows of the products, equally many. All of them draw the same
    batches, and each steps on those rows of a batch that it keeps.

    Attributes
    ----------
    features : FeatureMatrix
    batch_size : int
        Rows of a step, at most; the steps of an epoch have equally many.
    seed : int
        Of the random orders P.
    in_memory : bool
        Whether the products are kept in memory, or in temporary files.
    dtype : "float32" or "float16"
        How they are kept.
    peers : Peers
        The processes that train together.
    """

    features: FeatureMatrix
    batch_size: int = 4096
    seed: int = 0
    in_memory: bool = True
    dtype: str = "float32"
    peers: Peers = NO_PEERS
    _scratch: Scratch = field(default_factory=Scratch)

    def __post_init__(self) -> None:
        rng, count = as_generator(self.seed, "Blocks", parameter="seed"), self.features.num_nodes
        self.orders: tuple[Tensor, ...] = tuple(
            torch.from_numpy(rng.permutation(count)).to(self.features.device) for _ in range(ORDERS)
        )
        store = RowStore(math.inf if self.in_memory else 0)
        self._held = EvenRows(count, self.peers)
        self._table = ProductTable(self.features, self.orders, store, self.dtype, self._held)
        self._wanted: dict[Product, None] = {}  # what steps have asked for, in the order of all processes

    @property
    def steps(self) -> int:
        """How many batches an epoch has."""
        return math.ceil(self.features.num_nodes / self.batch_size)

    @staticmethod
    def bytes_of(method: Method[Any], num_nodes: int, *, spectral: bool, dtype: str = "float32") -> int:
        """Return what the products of a method take, in memory or on disk."""
        matrices = 1 + ORDERS + spectral
        return matrices * num_nodes * (method.row_width or 0) * np.dtype(dtype).itemsize

    def batches(self, pair: ScheduledPair, rng: np.random.Generator) -> Iterator[RowBatch]:
        self._table.renew(anchor=pair.anchor, partner=pair.partner)
        for product in self._wanted:
            self._table.compute(product)
        parts = self._parts(rng)
        with ThreadPoolExecutor(max_workers=1) as ahead:
            coming = ahead.submit(self._read, *parts[0])
            for following in (*parts[1:], None):
                part = coming.result()
                if following is not None:
                    coming = ahead.submit(self._read, *following)
                count = len(part.is_held)
                for rows in np.array_split(rng.permutation(count), math.ceil(count / self.batch_size)):
                    yield self._batch(part, rows, pair, rng)

    def _parts(self, rng: np.random.Generator) -> list[tuple[np.ndarray, int]]:
        """Return which nodes' rows are read together, and with which order of the features."""
        count = self.features.num_nodes
        if self.in_memory:
            groups = np.array_split(rng.permutation(count), self.steps)
        else:
            runs = rng.permutation(math.ceil(count / _RUN))
            size = math.ceil(BATCHES_READ * self.batch_size / _RUN)
            groups = [
                np.concatenate([np.arange(run * _RUN, min((run + 1) * _RUN, count)) for run in sorted(some)])
                for some in np.array_split(runs, math.ceil(len(runs) / size))
            ]
        return [(nodes, int(rng.integers(ORDERS))) for nodes in groups]

    def _read(self, nodes: np.ndarray, order: int) -> _Part:
        """Read what the steps before asked for; a product that is not there is made by the step itself."""
        is_held = self._held.among(nodes)
        part = _Part(nodes[is_held], is_held, order)
        for product in list(self._wanted):
            if product.order in (None, order) and product in self._table:
                part.found[product] = self._table.rows(product, part.nodes)
        return part

    def _batch(
        self, part: _Part, rows: np.ndarray, pair: ScheduledPair, rng: np.random.Generator
    ) -> RowBatch:
        in_all, rows = len(rows), part.held(rows)

        def fetch(product: Product) -> Tensor:
            if product not in part.found:
                self._wanted[product] = None
                self._table.compute(product)
                part.found[product] = self._table.rows(product, part.nodes)
            found = torch.from_numpy(part.found[product][:, rows]).to(self.features.device)
            return found[0] if product.degree is None else found

        anchor = RowStructure.of(pair.anchor, "anchor", self.orders, fetch)
        partner = anchor
        if pair.partner is not pair.anchor:
            partner = RowStructure.of(pair.partner, "partner", self.orders, fetch)
        return RowBatch(
            self.features,
            anchor,
            partner,
            rng,
            nodes=part.nodes[rows],
            scratch=self._scratch,
            order=self.orders[part.order],
            peers=self.peers,
            rows_in_all=None if self.peers.size == 1 else in_all,
        )


@dataclass(eq=False)
class _Part:
    """Nodes whose rows are read together: those held here, which of all they are, and their products."""

    nodes: np.ndarray
    is_held: np.ndarray
    order: int
    found: dict[Product, np.ndarray] = field(default_factory=dict)

    def held(self, rows: np.ndarray) -> np.ndarray:
        """Return where those of the rows that are held are among all that are."""
        places: np.ndarray = np.cumsum(self.is_held) - 1
        found: np.ndarray = places[rows[self.is_held[rows]]]
        return found
