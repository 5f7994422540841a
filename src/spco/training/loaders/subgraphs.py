"""Batches of some nodes: seeds with a sampled neighbourhood, or clusters that are merged anew every epoch."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._validation import check_choice, check_integer, check_sequence, invalid, shown
from ...linalg import Part
from ...linalg.clusters import clusters
from ...linalg.sampling import sampled_neighbourhood
from ...methods import Method
from ...nn import NO_PEERS, FeatureMatrix, Peers
from ...objectives import Scratch
from ...structures import Batch, pair_between
from ..schedule import ScheduledPair
from .pyg_lib import PygLibSampler

#: How a batch gets its nodes.
SAMPLERS = ("neighbours", "clusters", "pyg-lib")
#: Neighbours that a node gets in each hop, unless somebody says otherwise.
USUAL_FANOUT = 10


class _Parts:
    """What both loaders share: an epoch is a sequence of parts of the graph, each with its seeds.

    Processes that train together share out the seeds of every batch, and each has a part around its own.
    """

    def __init__(
        self, features: FeatureMatrix, *, batch_size: int, peers: Peers = NO_PEERS, owner: str | None = None
    ) -> None:
        self.owner = owner or type(self).__name__
        self.features = features
        self.peers = peers
        self.batch_size = check_integer(batch_size, "batch_size", self.owner, minimum=1)
        self._scratch = Scratch()

    @property
    def steps(self) -> int:
        """How many batches an epoch has, all of about the same size."""
        return math.ceil(self.features.num_nodes / self.batch_size)

    def batches(self, pair: ScheduledPair, rng: np.random.Generator) -> Iterator[Batch]:
        """Yield the batches of one epoch, in which each node is a seed once."""
        rule = pair.anchor.propagation
        if not rule.row_by_row:
            hint = "propagation='gcn', or loader='full'"
            raise invalid("propagation", self.owner, "be 'gcn'", repr(rule.name), hint=hint)
        for own_rng, part, seeds_in_all in self._parts(pair.anchor.matrix, rng):
            anchor, partner = pair_between(pair.anchor, pair.partner, part)
            yield Batch(
                self.features.rows(part.nodes),
                anchor,
                partner,
                own_rng,
                nodes=part.nodes,
                seeds=part.seeds,
                scratch=self._scratch,
                peers=self.peers,
                rows_in_all=None if self.peers.size == 1 else seeds_in_all,
            )

    @abstractmethod
    def _parts(
        self, matrix: sp.csr_array, rng: np.random.Generator
    ) -> Iterator[tuple[np.random.Generator, Part, int]]:
        """Yield the parts of one epoch, each with its generator and the number of seeds in all processes."""

    def _own(self, seeds: np.ndarray) -> np.ndarray:
        """Return this process's share of what makes a batch."""
        return np.array_split(seeds, self.peers.size)[self.peers.rank]

    def _own_rng(self, rng: np.random.Generator) -> np.random.Generator:
        """Return the generator of a step: one for each process, since their parts need not draw alike."""
        if self.peers.size == 1:
            return rng
        return np.random.default_rng([int(rng.integers(2**63)), self.peers.rank])


class Subgraphs(_Parts):
    """Seeds, each a random set of nodes, with a sampled neighbourhood: a hop for each layer of the encoder.

    Parameters
    ----------
    features : FeatureMatrix
    fanouts : sequence of int
        How many neighbours a node gets in each hop from the seeds; −1 for all.
    batch_size : int
        At most so many seeds.
    sampler : function, optional
        Returns the part of a matrix that seeds get, see :func:`spco.linalg.sampling.sampled_neighbourhood`.

    Examples
    --------
    >>> import spco
    >>> from spco.training import PlainPair
    >>> graph = spco.load_dataset("wine")
    >>> loader = Subgraphs(FeatureMatrix(graph.features), fanouts=[2, 2], batch_size=50)
    >>> batches = list(loader.batches(PlainPair(graph).at(0), np.random.default_rng(0)))
    >>> [len(batch.seeds) for batch in batches], all(batch.num_nodes > 50 for batch in batches)
    ([45, 45, 44, 44], True)
    """

    def __init__(
        self,
        features: FeatureMatrix,
        *,
        fanouts: Sequence[int],
        batch_size: int,
        sampler: Callable[[sp.csr_array, np.ndarray, Sequence[int], int], Part] = sampled_neighbourhood,
        peers: Peers = NO_PEERS,
        owner: str | None = None,
    ) -> None:
        super().__init__(features, batch_size=batch_size, peers=peers, owner=owner)
        check_fanouts(fanouts, self.owner)
        self.fanouts = tuple(fanouts)
        self.sampler = sampler

    def _parts(
        self, matrix: sp.csr_array, rng: np.random.Generator
    ) -> Iterator[tuple[np.random.Generator, Part, int]]:
        count, nodes = self.steps, self.features.num_nodes
        if count == 1 and self.peers.size == 1:
            yield rng, Part.of(np.arange(nodes)), nodes
            return
        for seeds in np.array_split(rng.permutation(nodes), count):
            own = self._own_rng(rng)
            part = self.sampler(matrix, self._own(seeds), self.fanouts, int(own.integers(2**63)))
            yield own, part, len(seeds)


class Clusters(_Parts):
    """Clusters of neighbouring nodes; a batch merges some at random, and all of its nodes are seeds.

    The clusters depend on the graph alone; they are found once, in the first epoch.

    Parameters
    ----------
    features : FeatureMatrix
    batch_size : int
        About so many nodes.
    merged : int
        How many clusters make a batch.
    """

    def __init__(
        self,
        features: FeatureMatrix,
        *,
        batch_size: int,
        merged: int = 8,
        peers: Peers = NO_PEERS,
        owner: str | None = None,
    ) -> None:
        super().__init__(features, batch_size=batch_size, peers=peers, owner=owner)
        self.merged = check_integer(merged, "merged", self.owner, minimum=1)
        self._members: list[np.ndarray] | None = None

    def _parts(
        self, matrix: sp.csr_array, rng: np.random.Generator
    ) -> Iterator[tuple[np.random.Generator, Part, int]]:
        count, size = self.steps, self.peers.size
        if count == 1 and size == 1:
            yield rng, Part.of(np.arange(self.features.num_nodes)), self.features.num_nodes
            return
        if self._members is None:
            self._members = self._found(matrix)
        if len(self._members) < size:
            must = f"be small enough for a cluster in each of {size} processes"
            raise invalid("batch_size", self.owner, must, f"{self.batch_size}")
        order = rng.permutation(len(self._members))
        for chosen in np.array_split(order, min(count, len(order) // size)):
            nodes = np.concatenate([self._members[number] for number in self._own(chosen)])
            in_all = sum(len(self._members[number]) for number in chosen)
            yield self._own_rng(rng), Part.of(np.sort(nodes), stand_in=True), in_all

    def _found(self, matrix: sp.csr_array) -> list[np.ndarray]:
        # A generator of their own: a run that is resumed finds the same clusters.
        size = max(1, self.batch_size // self.merged)
        labels = clusters(matrix, size, np.random.default_rng(0))
        order = np.argsort(labels, kind="stable")
        return np.split(order, np.cumsum(np.bincount(labels))[:-1])


def new_subgraphs(
    features: FeatureMatrix,
    method: Method[Any],
    *,
    batch_size: int,
    sampler: str = "neighbours",
    fanouts: Sequence[int] | None = None,
    owner: str = "new_subgraphs",
    peers: Peers = NO_PEERS,
) -> Subgraphs | Clusters:
    """Return the loader for a method with layers, by one of :data:`SAMPLERS`."""
    check_choice(sampler, "sampler", owner, SAMPLERS)
    hops = fanouts_for(method, fanouts, owner)
    if sampler == "clusters":
        return Clusters(features, batch_size=batch_size, peers=peers, owner=owner)
    sampled = PygLibSampler() if sampler == "pyg-lib" else sampled_neighbourhood
    return Subgraphs(features, fanouts=hops, batch_size=batch_size, sampler=sampled, peers=peers, owner=owner)


def fanouts_for(method: Method[Any], fanouts: Sequence[int] | None, owner: str) -> tuple[int, ...]:
    """Return a fan-out for each layer of a method's encoder; refuse any other number of them.

    >>> from spco.methods import METHODS
    >>> import torch
    >>> grace = METHODS["grace"]
    >>> model = grace(4, grace.settings_type(widths=(8, 8)), generator=torch.Generator())
    >>> fanouts_for(model, None, "example")
    (10, 10)
    """
    layers: int | None = getattr(method.encoder, "depth", None)
    if layers is None:
        must = f"be 'full' or 'blocks' with {method.name!r}, whose filters reach further than a few hops"
        raise invalid("loader", owner, must, "'subgraphs'")
    if fanouts is None:
        return (USUAL_FANOUT,) * layers
    check_fanouts(fanouts, owner)
    if len(fanouts) != layers:
        must = f"have one number for each of the {layers} layers of {method.name!r}"
        raise invalid("fanouts", owner, must, shown(list(fanouts)))
    return tuple(fanouts)


def check_fanouts(fanouts: Any, owner: str) -> None:
    """Refuse what are not numbers of neighbours, one per hop: integers >= 1, or −1 for all."""
    must = "integers >= 1, or -1 for all neighbours"
    check_sequence(fanouts, "fanouts", owner, must)
    for fanout in fanouts:
        check_integer(fanout, "fanouts", owner, minimum=-1)
        if fanout == 0:
            raise invalid("fanouts", owner, f"be a list of {must}", shown(fanouts))
