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
from ...methods import Batch, Method, pair_between
from ...nn import FeatureMatrix
from ...objectives import Scratch
from ..schedule import ScheduledPair
from .pyg_lib import PygLibSampler

#: How a batch gets its nodes.
SAMPLERS = ("neighbours", "clusters", "pyg-lib")
#: Neighbours that a node gets in each hop, unless somebody says otherwise.
USUAL_FANOUT = 10


class _Parts:
    """What both loaders share: an epoch is a sequence of parts of the graph, each with its seeds."""

    def __init__(self, features: FeatureMatrix, *, batch_size: int) -> None:
        self.features = features
        self.batch_size = check_integer(batch_size, "batch_size", type(self).__name__, minimum=1)
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
            raise invalid("propagation", type(self).__name__, "be 'gcn'", repr(rule.name), hint=hint)
        for part in self._parts(pair.anchor.matrix, rng):
            anchor, partner = pair_between(pair.anchor, pair.partner, part)
            yield Batch(
                self.features.rows(part.nodes),
                anchor,
                partner,
                rng,
                nodes=part.nodes,
                seeds=part.seeds,
                scratch=self._scratch,
            )

    @abstractmethod
    def _parts(self, matrix: sp.csr_array, rng: np.random.Generator) -> Iterator[Part]:
        """Yield the parts of one epoch."""


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
    ) -> None:
        super().__init__(features, batch_size=batch_size)
        check_fanouts(fanouts, "Subgraphs")
        self.fanouts = tuple(fanouts)
        self.sampler = sampler

    def _parts(self, matrix: sp.csr_array, rng: np.random.Generator) -> Iterator[Part]:
        count, nodes = self.steps, self.features.num_nodes
        if count == 1:
            yield Part.of(np.arange(nodes))
            return
        for seeds in np.array_split(rng.permutation(nodes), count):
            yield self.sampler(matrix, seeds, self.fanouts, int(rng.integers(2**63)))


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

    def __init__(self, features: FeatureMatrix, *, batch_size: int, merged: int = 8) -> None:
        super().__init__(features, batch_size=batch_size)
        self.merged = check_integer(merged, "merged", "Clusters", minimum=1)
        self._members: list[np.ndarray] | None = None

    def _parts(self, matrix: sp.csr_array, rng: np.random.Generator) -> Iterator[Part]:
        count = self.steps
        if count == 1:
            yield Part.of(np.arange(self.features.num_nodes))
            return
        if self._members is None:
            self._members = self._found(matrix)
        order = rng.permutation(len(self._members))
        for chosen in np.array_split(order, min(count, len(order))):
            nodes = np.concatenate([self._members[number] for number in chosen])
            yield Part.of(np.sort(nodes), stand_in=True)

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
) -> Subgraphs | Clusters:
    """Return the loader for a method with layers, by one of :data:`SAMPLERS`."""
    check_choice(sampler, "sampler", owner, SAMPLERS)
    hops = fanouts_for(method, fanouts, owner)
    if sampler == "clusters":
        return Clusters(features, batch_size=batch_size)
    sampled = PygLibSampler() if sampler == "pyg-lib" else sampled_neighbourhood
    return Subgraphs(features, fanouts=hops, batch_size=batch_size, sampler=sampled)


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
