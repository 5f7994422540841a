"""Generated graphs, of any size or like those of the paper, so that a measurement needs no data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from .._registry import Registry
from ..datasets import sbm
from ..graph import Graph

#: How the nodes of a generated graph are numbered.
ORDERS = ("random", "communities")
_AVERAGE_DEGREE = 10
_COMMUNITY = 1000


def generated_graph(nonzeros: int, *, order: str = "random") -> Graph:
    """Return a block-model graph with about that many nonzeros, 10 per node, and no features."""
    nodes = max(10, nonzeros // _AVERAGE_DEGREE)
    if order == "random":
        return sbm(nodes, average_degree=_AVERAGE_DEGREE, num_features=0, random_state=0)
    communities = max(1, nodes // _COMMUNITY)
    return sbm(
        nodes,
        communities,
        average_degree=_AVERAGE_DEGREE,
        homophily=0.99 if communities > 1 else 1.0,
        num_features=0,
        shuffled=False,
        random_state=0,
    )


def graphs_to_time(
    graphs: Sequence[Graph], sizes: Sequence[int], what: str, tell: Callable[[str], None]
) -> Iterator[Graph]:
    """Yield graphs and generated ones with about ``sizes`` nonzeros; tell what is done on which."""
    for graph in graphs:
        tell(f"{what} {graph.name}")
        yield graph
    for size in sizes:
        tell(f"{what} a graph with {size:,} nonzeros")
        yield generated_graph(size)


@dataclass(frozen=True)
class Shape:
    """The size of a graph, and the number of words per node."""

    nodes: int
    edges: int
    features: int
    words: int


SHAPES: Registry[Shape] = Registry(
    "shape",
    {
        "cora": Shape(nodes=2708, edges=5278, features=1433, words=18),
        "citeseer": Shape(nodes=3327, edges=4676, features=3703, words=32),
        "pubmed": Shape(nodes=19717, edges=44327, features=500, words=50),
        "blogcatalog": Shape(nodes=5196, edges=171743, features=8189, words=71),
        "flickr": Shape(nodes=7575, edges=239738, features=12047, words=24),
    },
)


def graph_of_shape(name: str, *, random_state: int = 0) -> Graph:
    """Return a block-model graph as large as one of the paper's, with a random bag of words per node."""
    shape = SHAPES.resolve(name, owner="graph_of_shape")
    graph = sbm(
        num_nodes=shape.nodes,
        average_degree=2 * shape.edges / shape.nodes,
        num_features=1,
        random_state=random_state,
    )
    rng = np.random.default_rng(random_state)
    words = rng.integers(shape.features, size=shape.nodes * shape.words)
    owner = np.repeat(np.arange(shape.nodes), shape.words)
    bags = sp.csr_array(
        (np.ones(len(words), dtype=np.float32), (owner, words)), shape=(shape.nodes, shape.features)
    )
    bags.data[:] = 1.0
    return replace(graph, features=bags, name=f"{name}'s shape")
