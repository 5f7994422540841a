"""Convert igraph graphs to ``Graph``; igraph itself is not imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import invalid
from ..errors import InvalidGraphError
from ._attributes import both_directions, classes, edge_weights, feature_rows, names_of, require_known
from ._build import NodeData, check_how, row_numbers_to_none
from ._edges import directed_adjacency
from ._graph import Graph

if TYPE_CHECKING:
    import igraph

_OWNER = "Graph.from_igraph"


def from_igraph(
    graph: igraph.Graph, features: str | None, labels: str | None, weight: str | None, how: str | None
) -> Graph:
    """See :meth:`spco.Graph.from_igraph`."""
    check_how(how, "how", _OWNER)
    if not hasattr(graph, "vs") or not hasattr(graph, "get_edgelist"):
        raise invalid("graph", _OWNER, "be an igraph graph", type(graph).__name__)
    size = graph.vcount()
    if not size:
        raise invalid("graph", _OWNER, "have at least one node", "none", error=InvalidGraphError)
    names = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(size))
    vectors, values = (_of_nodes(graph, *given) for given in (("features", features), ("labels", labels)))
    nodes = NodeData(
        features=None if vectors is None else feature_rows(zip(names, vectors, strict=True), _OWNER),
        labels=None if values is None else classes(values),
        node_ids=row_numbers_to_none(names_of(names)),
        name=graph["name"] if "name" in graph.attributes() and isinstance(graph["name"], str) else None,
    )
    source, target = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2).T
    weights = _weights(graph, names, weight)
    if not graph.is_directed():
        source, target, weights = both_directions(source, target, weights)
    return nodes.numbered().graph(directed_adjacency(source, target, weights, size), how=how)


def _weights(graph: igraph.Graph, names: list[Any], weight: str | None) -> np.ndarray | None:
    """Return a weight for each edge, 1 where it is missing; None if the edges have none."""
    known = graph.es.attributes()
    if weight is None or weight not in known:
        require_known("weight", weight, known, _OWNER, default="weight")
        return None
    ends = ((names[u], names[v]) for u, v in graph.get_edgelist())
    return edge_weights(ends, (1 if value is None else value for value in graph.es[weight]), _OWNER)


def _of_nodes(graph: igraph.Graph, parameter: str, attribute: str | None) -> list[Any] | None:
    """Return the value of an attribute of every node, None where it has none."""
    require_known(parameter, attribute, graph.vs.attributes(), _OWNER)
    return None if attribute is None else list(graph.vs[attribute])
