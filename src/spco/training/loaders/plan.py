"""Which loader an epoch takes, why, and what it is going to cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from ..._memory import bytes_of, free_bytes, in_words
from ..._ranks import local_size
from ..._validation import invalid
from ...errors import TooLargeError
from ...graph import Graph
from ...methods import Method
from ...nn import NO_PEERS, FeatureMatrix, Peers
from .base import Loader
from .blocks import BATCHES_READ, Blocks
from .full import FullGraph
from .subgraphs import fanouts_for, new_subgraphs

#: Up to this many nodes a step takes the whole graph.
FULL_UP_TO = 20_000
#: So many leading directions take the place of more sparse columns in blocks, where products are dense.
MOST_COLUMNS = 512
LOADERS = ("auto", "full", "blocks", "subgraphs")
_OWN = 0.6e9  # bytes of a process that has imported everything
_PER_ENTRY = 40  # bytes of an operator with its compiled form, per nonzero
_TRAINED = 16.0  # bytes of a weight, its gradient and its two moments
# Of an unweighted graph and its refreshes in blocks, where operators are implicit, per nonzero and per node.
_IMPLICIT = (16, 400)
_COPIES = 16  # of the embeddings that a step holds at its peak, with gradients
_OVERHEAD = 4.0  # times the products with weights: activations, losses, the optimizer
_PRODUCTS = 10  # that are timed
_ENTRIES_PER_SECOND = 4e8  # of a sparse product, per column


@dataclass(frozen=True)
class GraphSize:
    """What a cost depends on: numbers of nodes, stored edges and features, the features' bytes, weights."""

    nodes: int
    entries: int
    features: int
    feature_bytes: int
    unweighted: bool = False

    @classmethod
    def of(cls, graph: Graph, features: Any) -> GraphSize:
        """Return the sizes of a graph with these features, sparse or dense."""
        nodes, columns = features.shape
        is_dense = isinstance(features, np.ndarray)
        held = features.nbytes if is_dense else features.data.nbytes + features.indices.nbytes
        return cls(int(nodes), int(graph.adjacency.nnz), int(columns), int(held), graph.is_unweighted)


@dataclass(frozen=True)
class LoaderPlan:
    """A loader, the reason for it, and its cost.

    Attributes
    ----------
    name : "full", "blocks" or "subgraphs"
    reason : str
        Half a sentence, after "because".
    batch_size, num_batches : int
        Rows of a step, and steps of an epoch.
    in_memory : bool
        Whether products are kept in memory; in temporary files otherwise.
    memory, disk : float
        Bytes at the peak, estimated.
    step_seconds : float
        Estimated.
    fanouts : tuple of int
        Neighbours that a node of a subgraph gets in each hop.
    """

    name: str = "full"
    reason: str = "all of the graph fits into one step"
    batch_size: int = 0
    num_batches: int = 1
    in_memory: bool = True
    memory: float = 0.0
    disk: float = 0.0
    step_seconds: float = 0.0
    fanouts: tuple[int, ...] = ()

    def new_loader(
        self,
        features: FeatureMatrix,
        method: Method[Any],
        *,
        seed: int,
        dtype: str,
        sampler: str,
        owner: str,
        peers: Peers = NO_PEERS,
    ) -> Loader:
        """Return the loader; errors name ``owner``."""
        if self.name == "blocks":
            return Blocks(features, self.batch_size, seed, self.in_memory, dtype, peers)
        if self.name == "subgraphs":
            return new_subgraphs(
                features,
                method,
                batch_size=self.batch_size,
                sampler=sampler,
                fanouts=self.fanouts,
                owner=owner,
                peers=peers,
            )
        return FullGraph(features)

    def described(self, epochs: int) -> str:
        """Return what is about to be done, and about how much it takes."""
        steps = f"{self.num_batches:,} step{'s' * (self.num_batches > 1)} an epoch, {epochs:,} epochs"
        what = f"rows, {self.fanouts} neighbours each" if self.fanouts else "rows"
        rows = f" of {self.batch_size:,} {what}" if self.num_batches > 1 else ""
        cost = f"about {in_words(self.memory)} of memory"
        if self.disk:
            cost += f", {in_words(self.disk)} of temporary files"
        seconds = epochs * self.num_batches * self.step_seconds
        took = f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{max(1, round(seconds))} s"
        return f"Loader: {self.name}{rows}, because {self.reason}. {steps}; {cost}, {took} at most."


def plan_loader(
    loader: str,
    method: Method[Any],
    size: GraphSize,
    *,
    batch_size: int = 4096,
    memory: Any = None,
    spectral: bool = False,
    dtype: str = "float32",
    fanouts: Sequence[int] | None = None,
    owner: str = "plan_loader",
) -> LoaderPlan:
    """Choose a loader for a method and a graph; "auto" goes by the number of nodes.

    Raises
    ------
    TooLargeError
        If the estimate is above ``memory``, or above what the machine has left.
    """
    limit = free_bytes() / local_size() if memory is None else bytes_of(str(memory), "memory", owner)
    name, reason = _choice(loader, method, size, batch_size, owner)
    hops = fanouts_for(method, fanouts, owner) if name == "subgraphs" else ()
    plan = _costed(name, reason, method, size, batch_size, limit, hops, spectral=spectral, dtype=dtype)
    if plan.memory > limit:
        must = f"hold what the {name} loader needs, about {in_words(plan.memory)}"
        got = f"{in_words(limit)}{'' if memory is not None else ', which this machine has left'}"
        raise invalid("memory", owner, must, got, hint=_advice(name, method), error=TooLargeError)
    return plan


def _choice(
    loader: str, method: Method[Any], size: GraphSize, batch_size: int, owner: str
) -> tuple[str, str]:
    has_rows = method.row_width is not None
    if loader == "blocks" and not has_rows:
        must = f"be 'full' or 'subgraphs' for {method.name!r} with these settings"
        hint = (
            "blocks are for one layer of propagation and views that leave the edges alone: dgi, ggd, polygcl"
        )
        raise invalid("loader", owner, must, "'blocks'", hint=hint)
    if loader != "full" and batch_size >= size.nodes:
        return "full", f"the graph has no more nodes ({size.nodes:,}) than a batch"
    if loader != "auto":
        return loader, "it was asked for"
    nodes = f"the graph has {size.nodes:,} nodes"
    if size.nodes <= FULL_UP_TO:
        return "full", nodes
    if has_rows:
        return "blocks", f"{nodes} and {method.name} propagates once"
    return "subgraphs", f"{nodes} and {method.name} propagates more than once, or on drawn edges"


def _costed(
    name: str,
    reason: str,
    method: Method[Any],
    size: GraphSize,
    batch_size: int,
    limit: float,
    fanouts: tuple[int, ...],
    *,
    spectral: bool,
    dtype: str,
) -> LoaderPlan:
    weights = sum(weight.numel() for weight in method.parameters())
    width = sum(len(weight) for weight in method.parameters() if weight.ndim == 1)
    operators = _PER_ENTRY * size.entries * (3 if spectral else 1)
    if name == "blocks" and size.unweighted and size.nodes > FULL_UP_TO:
        operators = _IMPLICIT[0] * size.entries + _IMPLICIT[1] * size.nodes
    held = _OWN + operators + 2.0 * size.feature_bytes + _input_bytes(name, method, size)
    rows = size.nodes if name == "full" else min(batch_size, size.nodes)
    batches = 1 if name == "full" else math.ceil(size.nodes / batch_size)
    average = math.ceil(size.entries / max(size.nodes, 1))
    read = rows
    for fanout in fanouts:  # of the last hop nothing is computed, its features are read
        rows = read
        read = min(size.nodes, rows * (1 + (average if fanout < 0 else min(fanout, average))))
    step = rows * (4.0 * _COPIES * width) + read * size.feature_bytes / max(size.nodes, 1)
    seconds = _OVERHEAD * 9.0 * rows * weights / _products_per_second()
    plan = LoaderPlan(name, reason, batch_size, batches, True, held + step, 0.0, seconds, fanouts)
    if name == "full":
        seconds += 9.0 * size.entries * width / _ENTRIES_PER_SECOND
        return replace(plan, batch_size=rows, step_seconds=seconds)
    if name == "subgraphs":
        return plan
    products = float(Blocks.bytes_of(method, size.nodes, spectral=spectral, dtype=dtype))
    if held + step + products <= limit / 2:
        return replace(plan, memory=plan.memory + products)
    # Of what is in files, two lots of rows are in memory: one to train on, one that is read ahead.
    lots = 2 * BATCHES_READ * batch_size / size.nodes * products
    return replace(plan, in_memory=False, memory=plan.memory + lots, disk=products)


def _input_bytes(name: str, method: Method[Any], size: GraphSize) -> float:
    """Return what the columns of the features cost beyond the features, where ``method`` has fewer of them.

    Blocks take leading directions in their place; otherwise the first layer has weights for every column.
    """
    columns = method.num_features
    if size.features <= columns:
        return 0.0
    if name == "blocks":
        return 4.0 * columns * (size.features + 2 * size.nodes)
    first = [weight for weight in method.parameters() if weight.ndim == 2 and columns in weight.shape]
    return _TRAINED * size.features / columns * sum(weight.numel() for weight in first)


def _advice(name: str, method: Method[Any]) -> str:
    if name == "full" and method.row_width is not None:
        return "loader='blocks' trains on rows of products that are computed once"
    if name == "full":
        return "loader='subgraphs', or a method of one layer that trains in blocks: dgi, ggd or polygcl"
    return "a smaller batch_size, or fewer features: features='degree' has 32 columns, 'one-hot' one per node"


def _products_per_second() -> float:
    """Return the multiplications a second of dense products, on the threads that torch has.

    Other work on the machine only slows a product down, so the fastest of some counts.
    """
    left, right = torch.ones(512, 256), torch.ones(256, 256)
    seconds = []
    for _ in range(_PRODUCTS):
        start = time.perf_counter()
        left @ right
        seconds.append(time.perf_counter() - start)
    return 512 * 256 * 256 / max(min(seconds), 1e-6)
